import { parseInstant } from '../model/clock.ts'
import { isEmail } from '../oauth/credentials.ts'
import { isDate } from '../schema/params.ts'
import { CommandError } from './commandError.ts'
import { readFile } from './readFile.ts'

/** Returns the text. Throws for an empty one, because it usually comes from an unset shell variable. */
export function requireText(option: string, text: string, expected: string): string {
  if (text.trim() === '') throw new CommandError(`${option}: it is empty (expected ${expected})`)
  return text
}

export function parsePort(option: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port <= 65_535)) throw new CommandError(`${option}: not a port: ${text} (expected a number from 0 to 65535)`)
  return port
}

/** Checks an instant with an offset, on a day that exists. Returns the text. */
export function requireInstant(option: string, text: string): string {
  try {
    parseInstant(text)
    if (isDate(text.slice(0, text.indexOf('T')))) return text
    throw new RangeError(`not an instant: ${text} (there is no such day)`)
  } catch (error) {
    throw error instanceof RangeError ? new CommandError(`${option}: ${error.message}`) : error
  }
}

export function parseEmail(option: string, text: string): string {
  if (!isEmail(text)) throw new CommandError(`${option}: not an e-mail address: ${text}`)
  return text
}

/** Reads the tokens in a file, one per line, at least one. */
export function readSecrets(option: string, file: string): [string, ...string[]] {
  const [first, ...others] = readFile(requireText(option, file, 'a file'), 'token')
    .toString('utf8')
    .split(/\s+/)
    .filter(Boolean)
  if (first === undefined) throw new CommandError(`${option}: ${file}: the file contains no token`)
  return [first, ...others]
}

/** Returns access tokens from options, from files with one per line, or else from the variable FAKE_CALENDAR_TOKEN. */
export function accessTokens(
  values: { token?: readonly string[]; 'token-file'?: readonly string[] },
  env: Readonly<Record<string, string | undefined>>,
): string[] {
  const { token = [], 'token-file': files = [] } = values
  const given = [
    ...token.map((text) => requireText('--token', text, 'an access token')),
    ...files.flatMap((file) => readSecrets('--token-file', file)),
  ]
  return given.length > 0 ? given : (env.FAKE_CALENDAR_TOKEN ?? '').split(/\s+/).filter(Boolean)
}

/** The options for access tokens of `capture` and `conform`. */
export const TOKEN_OPTIONS = {
  token: {
    type: 'string',
    multiple: true,
    value: 'TOKEN',
    about: 'Access token of an account (env FAKE_CALENDAR_TOKEN: one or more, separated by spaces)',
  },
  'token-file': {
    type: 'string',
    multiple: true,
    value: 'FILE',
    about: 'File with access tokens, one per line, so that the process list does not show them',
  },
} as const
