/**
 * Prints an unexpected error as one line on stderr. `what` is the task that failed, as the line begins. Returns the
 * name and message of the error without the stack.
 */
export function reportFault(what: string, error: unknown): string {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  const stack = error instanceof Error ? error.stack : undefined
  const [, place = ''] = /\n\s*(at [^\n]+)/.exec(stack ?? '') ?? []
  const line = `${message} ${place}`.replace(/\s+/g, ' ').trim()
  console.error(`fake-calendar: ${what} failed: ${line}; this is a fault of fake-calendar: please report this line`)
  return message
}
