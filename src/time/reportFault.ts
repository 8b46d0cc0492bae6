/**
 * Tells of an error that nobody foresaw in one line on stderr: what failed, how and where, and how to report it. Returns
 * what is said of it elsewhere, which is no stack.
 */
export function reportFault(what: string, error: unknown): string {
  const said = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  const stack = error instanceof Error ? error.stack : undefined
  const [, place = ''] = /\n\s*(at [^\n]+)/.exec(stack ?? '') ?? []
  const line = `${said} ${place}`.replace(/\s+/g, ' ').trim()
  console.error(`fake-calendar: ${what} failed: ${line}; this is a fault of fake-calendar: please report this line`)
  return said
}
