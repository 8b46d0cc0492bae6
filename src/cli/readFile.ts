import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { CommandError } from './commandError.ts'

const READ_ERRORS: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'this is a folder',
  EACCES: 'reading it is not permitted',
}

/**
 * Reads the bytes of a file. Throws a CommandError with its name, `kind`, such as "seed", and the reason. `ifMissing` is
 * added to the message for a file that does not exist.
 */
export const readFile = (name: string, kind: string, ifMissing = ''): Buffer =>
  orCommandError(name, kind, ifMissing, () => readFileSync(name))

/** Reads a file as UTF-8. Throws the same CommandError as `readFile`. */
export const readTextFile = (name: string, kind: string): string =>
  orCommandError(name, kind, '', () => readFileSync(name, 'utf8'))

/** Reads the first bytes of a file, at most `length`. Throws the same CommandError as `readFile`. */
export const readFileHead = (name: string, kind: string, length: number): Buffer =>
  orCommandError(name, kind, '', () => {
    const descriptor = openSync(name, 'r')
    try {
      const head = Buffer.alloc(length)
      return head.subarray(0, readSync(descriptor, head, 0, length, 0))
    } finally {
      closeSync(descriptor)
    }
  })

/** Returns the result of `read`. Throws a CommandError in place of any error. */
function orCommandError<T>(name: string, kind: string, ifMissing: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const addition = code === 'ENOENT' ? ifMissing : ''
    throw new CommandError(`${name}: cannot read the ${kind}: ${READ_ERRORS[code] ?? code}${addition}`)
  }
}
