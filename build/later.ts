/**
 * Lets a CommonJS package be loaded when something of it is first used, and not with whatever imports it: it is a file of its
 * own, for which what is imported stands until then. Its users are synchronous, so that it cannot be awaited.
 */
export function later(module: string) {
  const id = `\0later:${module}`
  const file = `${module}.cjs`
  const code = `let loaded\nexport default new Proxy({}, { get: (_, name) => (loaded ??= require('./${file}'))[name] })`
  return {
    name: `later ${module}`,
    buildStart(this: { emitFile(file: { type: 'chunk'; id: string; fileName: string }): unknown }) {
      this.emitFile({ type: 'chunk', id: module, fileName: file })
    },
    resolveId: {
      order: 'pre' as const,
      handler(source: string, importer: string | undefined) {
        if (source === `./${file}` && importer === id) return { id: source, external: true }
        return source === module && importer !== undefined ? id : null
      },
    },
    load: (loaded: string) => (loaded === id ? { code, moduleType: 'js' as const } : null),
  }
}
