/** The URL of the module that is preloaded into Node programs; it is bundled beside this one. */
const register = (): string => new URL('./register.js', import.meta.url).href

/** Adds that module to a value of NODE_OPTIONS, so that child processes preload it as well. */
export function withImport(options: string | undefined): string {
  const ours = `--import=${register()}`
  return options?.includes(ours) ? options : [options, ours].filter(Boolean).join(' ')
}
