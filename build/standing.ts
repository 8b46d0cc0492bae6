/**
 * Lets modules, by their paths, see what a file exports in the place of the globals of the same names. To read some of the
 * platform's would load it.
 */
export function standing({ from, modules }: { from: string; modules: Readonly<Record<string, readonly string[]>> }) {
  const missing = new Set(Object.keys(modules))
  return {
    name: 'standing',
    buildEnd() {
      if (missing.size > 0) throw new Error(`not in the bundle any more: ${[...missing].join(', ')}`)
    },
    transform(code: string, id: string) {
      const [path, names] = Object.entries(modules).find(([path]) => id.endsWith(`/${path}`)) ?? []
      if (!path || !names) return null
      missing.delete(path)
      return `import { ${names.join(', ')} } from ${JSON.stringify(from)}\n${code}`
    },
  }
}
