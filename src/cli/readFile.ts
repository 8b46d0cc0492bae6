import { readFileSync } from 'node:fs'
import { CommandError } from './commandError.ts'

/** The descriptions of errors of reading, by their codes. */
const READ_ERRORS: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'this is a folder',
  EACCES: 'reading it is not permitted',
}

/**
 * Reads the bytes of a file. Throws a CommandError with its name, `kind`, such as "seed", and the reason. `ifMissing` is
 * added to the message for a file that does not exist.
 */
export function readFile(name: string, kind: string, ifMissing = ''): Buffer {
  try {
    return readFileSync(name)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const addition = code === 'ENOENT' ? ifMissing : ''
    throw new CommandError(`${name}: cannot read the ${kind}: ${READ_ERRORS[code] ?? code}${addition}`)
  }
}
