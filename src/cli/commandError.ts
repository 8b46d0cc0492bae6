/** One line, with the first of the `problems` (one per line) and the command that lists the others. */
export function summarizeProblems(name: string, problems: string): string {
  const [first, ...others] = problems.split('\n')
  return others.length === 0 ? `${name}: ${first}` : `${name}: ${first} (fake-calendar seed check lists more problems)`
}

/** An error that the user of a command can correct. Its message is one line. */
export class CommandError extends Error {
  readonly code: number

  constructor(message: string, code = 1) {
    super(message)
    this.code = code
  }
}
