type Context = { emitFile(file: { type: 'chunk'; id: string; fileName: string }): unknown }

/** Replaces a module that the server loads at its start and does not need. */
export function without(module: string, code: string) {
  const id = `\0without:${module}`
  return {
    name: `without ${module}`,
    resolveId: { order: 'pre' as const, handler: (source: string) => (source === module ? id : null) },
    load: (loaded: string) => (loaded === id ? code : null),
  }
}

/** Makes a package a file of its own that is loaded with its first use. Its users are synchronous and cannot await it. */
export function onFirstUse(module: string) {
  const file = `${module}.cjs`
  const proxy = without(
    module,
    `let loaded\nexport default new Proxy({}, { get: (_, name) => (loaded ??= require('./${file}'))[name] })`,
  )
  return {
    ...proxy,
    buildStart(this: Context) {
      this.emitFile({ type: 'chunk', id: module, fileName: file })
    },
    resolveId: {
      order: 'pre' as const,
      handler(source: string, importer: string | undefined) {
        if (source === `./${file}`) return { id: source, external: true }
        return importer === undefined ? null : proxy.resolveId.handler(source)
      },
    },
  }
}

/** Gives modules, by their paths, the exports of a file in the place of the globals of the same names. */
export function withGlobals({ from, modules }: { from: string; modules: Readonly<Record<string, readonly string[]>> }) {
  const missing = new Set(Object.keys(modules))
  return {
    name: 'with globals',
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
