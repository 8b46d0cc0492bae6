import { relative } from 'node:path'

/**
 * Writes a module as the values that its exports come to: what they are worked out with is not loaded when they are read.
 */
export function evaluated({ of, exports }: { of: string; exports: Readonly<Record<string, unknown>> }) {
  const code = Object.entries(exports)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}\n`)
    .join('')
  return {
    name: 'evaluated',
    load: {
      order: 'pre' as const,
      handler: (id: string) => (relative(process.cwd(), id) === of ? { code, moduleType: 'js' as const } : null),
    },
  }
}
