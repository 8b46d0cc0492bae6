/** Puts an empty stand-in in the place of a module that would be loaded at start and is not needed then, or ever. */
export function without(module: string, standIn: string) {
  const id = `\0without:${module}`
  return {
    name: `without ${module}`,
    resolveId: { order: 'pre' as const, handler: (source: string) => (source === module ? id : null) },
    load: (loaded: string) => (loaded === id ? standIn : null),
  }
}
