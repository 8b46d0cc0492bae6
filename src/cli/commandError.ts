/** An error that the user of a command can mend: its message is one line, and `code` is the exit code. */
export class CommandError extends Error {
  readonly code: number

  constructor(message: string, code = 1) {
    super(message)
    this.code = code
  }
}
