import { join, relative } from 'node:path'

/** Leaves a module and its declarations out of a bundle, because it is another entry of the package. */
export const beside = ({ of, entry }: { of: string; entry: string }) => ({
  name: 'beside',
  resolveId: {
    order: 'pre' as const,
    handler: (source: string, importer: string | undefined) =>
      importer && relative(process.cwd(), join(importer, '..', source)) === of ? { id: entry, external: true } : null,
  },
})
