/** Where the module is that is loaded ahead of a program; it stands beside what it is bundled with. */
const register = (): string => new URL('./register.js', import.meta.url).href

/** The value of NODE_OPTIONS by which a program of Node's, and its children, load it too; what is there already stays. */
export function withImport(options: string | undefined): string {
  const ours = `--import=${register()}`
  return options?.includes(ours) ? options : [options, ours].filter(Boolean).join(' ')
}
