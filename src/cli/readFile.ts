import { readFileSync } from 'node:fs'
import { CommandError } from './commandError.ts'

const READ_ERRORS: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'this is a folder',
  EACCES: 'reading it is not permitted',
}

/** `kind` is part of the message, such as "seed", and so is `ifMissing`. */
export function readFile(name: string, kind: string, ifMissing = ''): Buffer {
  try {
    return readFileSync(name)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const addition = code === 'ENOENT' ? ifMissing : ''
    throw new CommandError(`${name}: cannot read the ${kind}: ${READ_ERRORS[code] ?? code}${addition}`)
  }
}
