import { join, relative } from 'node:path'

/** Leaves a module out of a bundle, and its declarations, because it is an entry of another one beside it. */
export function beside({ of, entry }: { of: string; entry: string }) {
  return {
    name: 'beside',
    resolveId: {
      order: 'pre' as const,
      handler: (source: string, importer: string | undefined) =>
        importer !== undefined && relative(process.cwd(), join(importer, '..', source)) === of
          ? { id: entry, external: true }
          : null,
    },
  }
}
