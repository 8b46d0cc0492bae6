import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { CommandError } from './commandError.ts'

const READ_ERRORS: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'this is a folder',
  EACCES: 'reading it is not permitted',
}

/** `kind` is part of the message, such as "seed", and so is `ifMissing`. */
export const readFile = (name: string, kind: string, ifMissing = ''): Buffer =>
  orCommandError(name, kind, ifMissing, () => readFileSync(name))

export const readTextFile = (name: string, kind: string): string =>
  orCommandError(name, kind, '', () => readFileSync(name, 'utf8'))

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

/** In characters: the reason after the path is to stay in the line. */
const MAX_SHOWN_PATH = 1000

function orCommandError<T>(name: string, kind: string, ifMissing: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const addition = code === 'ENOENT' ? ifMissing : ''
    const shown = name.length > MAX_SHOWN_PATH ? `${name.slice(0, MAX_SHOWN_PATH)}…` : name
    throw new CommandError(`${shown}: cannot read the ${kind}: ${READ_ERRORS[code] ?? code}${addition}`)
  }
}
