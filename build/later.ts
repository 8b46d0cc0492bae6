/**
 * Lets a CommonJS package be loaded when something of it is first used, and not with whatever imports it: what is imported
 * stands for it until then. Its users are synchronous, so that it cannot be awaited.
 */
export function later(module: string) {
  const id = `\0later:${module}`
  const code = `export default new Proxy({}, { get: (_, name) => require(${JSON.stringify(module)})[name] })`
  return {
    name: `later ${module}`,
    resolveId: {
      order: 'pre' as const,
      handler: (source: string, importer: string | undefined) => (source === module && importer !== id ? id : null),
    },
    load: (loaded: string) => (loaded === id ? { code, moduleType: 'js' as const } : null),
  }
}
