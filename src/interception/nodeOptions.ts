/** Returns the URL of the module that is preloaded into Node programs; it is bundled beside this one. */
const registerUrl = (): string => new URL('./register.js', import.meta.url).href

/**
 * Returns a value of NODE_OPTIONS that preloads that module, so that child processes preload it as well. A value that contains
 * it is returned unchanged.
 */
export function addRegisterImport(options: string | undefined): string {
  const ours = `--import=${registerUrl()}`
  return options?.includes(ours) ? options : [options, ours].filter(Boolean).join(' ')
}
