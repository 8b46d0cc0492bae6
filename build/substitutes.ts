const PREFIX = '\0substitute:'

/** Replaces modules by code, because the package does not need them, or not at its start. */
export const substitutes = (modules: Readonly<Record<string, string>>) => ({
  name: 'substitutes',
  resolveId: {
    order: 'pre' as const,
    handler(source: string, importer: string | undefined) {
      if (importer?.startsWith(PREFIX)) return { id: source, external: true }
      return importer !== undefined && source in modules ? PREFIX + source : null
    },
  },
  load: (id: string) => (id.startsWith(PREFIX) ? modules[id.slice(PREFIX.length)] : null),
})

/** The code of a module that loads an entry on first use. Its users are synchronous and cannot await it. */
export const onFirstUse = (entry: string): string =>
  `let loaded\nexport default new Proxy({}, { get: (_, name) => (loaded ??= require('./${entry}.cjs'))[name] })`

/** Edits modules, given by the end of their paths. Throws an error if an edit does not change anything. */
export function edits(all: Readonly<Record<string, (code: string) => string>>) {
  const missing = new Set(Object.keys(all))
  return {
    name: 'edits',
    buildEnd() {
      if (missing.size > 0) throw new Error(`nothing to edit in ${[...missing].join(', ')}`)
    },
    transform(code: string, id: string) {
      const path = Object.keys(all).find((one) => id.endsWith(`/${one}`)) ?? ''
      const edited = all[path]?.(code) ?? code
      if (edited === code) return null
      missing.delete(path)
      return edited
    },
  }
}
