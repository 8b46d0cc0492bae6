/** Why the command does not start, in one line for the person who typed it, and what it ends with. */
export class CommandError extends Error {
  readonly code: number

  constructor(message: string, code = 1) {
    super(message)
    this.code = code
  }
}
