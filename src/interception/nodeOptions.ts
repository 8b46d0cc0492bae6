/** The module is preloaded into Node programs; it is bundled beside this one. */
const registerUrl = (): string => new URL('./register.js', import.meta.url).href

/** Child processes then preload the module as well. */
export function addRegisterImport(options: string | undefined): string {
  const ours = `--import=${registerUrl()}`
  return options?.includes(ours) ? options : [options, ours].filter(Boolean).join(' ')
}
