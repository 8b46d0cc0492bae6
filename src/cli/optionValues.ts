import { parseInstant } from '../model/clock.ts'
import { isEmail } from '../oauth/credentials.ts'
import { isDate } from '../schema/params.ts'
import { CommandError } from './commandError.ts'
import { texts } from './optionTable.ts'
import { readFile } from './readFile.ts'

/** An empty text usually comes from an unset shell variable. `expected` completes the message: "a file". */
export function requireText(option: string, text: string, expected: string): string {
  if (text.trim() === '') throw new CommandError(`${option}: it is empty (expected ${expected})`)
  return text
}

export const hasICalendarName = (name: string): boolean => /\.(ics|ical|icalendar|ifb|vcs)$/i.test(name)

export function requireStateName(option: string, file: string): string {
  if (!hasICalendarName(file)) return requireText(option, file, 'a file')
  throw new CommandError(
    `${option}: ${file}: the state is written as JSON, not as iCalendar; name a file such as state.json`,
  )
}

export function parsePort(option: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port <= 65_535)) throw new CommandError(`${option}: not a port: ${text} (expected a number from 0 to 65535)`)
  return port
}

export function parseWholeNumber(option: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new CommandError(`${option}: ${text} (expected a whole number)`)
}

/** An RFC 3339 instant with an offset, on a day that exists. */
export function requireInstant(option: string, text: string): string {
  try {
    parseInstant(text)
    if (isDate(text.slice(0, text.indexOf('T')))) return text
    throw new RangeError(`not an instant: ${text} (there is no such day)`)
  } catch (error) {
    throw error instanceof RangeError ? new CommandError(`${option}: ${error.message}`) : error
  }
}

export function requireEmail(option: string, text: string): string {
  if (!isEmail(text)) throw new CommandError(`${option}: not an e-mail address: ${text}`)
  return text
}

export function parseHttpUrl(option: string, text: string, example: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol)) return url
  throw new CommandError(`${option}: not a URL: ${text} (expected a form such as ${example})`)
}

export function readTokens(option: string, file: string): [string, ...string[]] {
  const [first, ...others] = readFile(requireText(option, file, 'a file'), 'token')
    .toString('utf8')
    .split(/\s+/)
    .filter(Boolean)
  if (first === undefined) throw new CommandError(`${option}: ${file}: the file contains no token`)
  return [first, ...others]
}

/**
 * Reads tokens from options and from files with one token per line, or else from the variable FAKE_CALENDAR_TOKEN, in
 * which spaces separate them.
 */
export function readAccessTokens(
  values: { token?: readonly string[]; 'token-file'?: readonly string[] },
  env: Readonly<Record<string, string | undefined>>,
): string[] {
  const { token = [], 'token-file': files = [] } = values
  const given = [
    ...token.map((text) => requireAccessToken('--token', requireText('--token', text, 'an access token'))),
    ...files.flatMap((file) => readTokens('--token-file', file).map((one) => requireAccessToken(file, one))),
  ]
  if (given.length > 0) return given
  const listed = (env.FAKE_CALENDAR_TOKEN ?? '').split(/\s+/).filter(Boolean)
  return listed.map((one) => requireAccessToken('FAKE_CALENDAR_TOKEN', one))
}

/** The error of the header Authorization would otherwise contain the token. */
function requireAccessToken(source: string, token: string): string {
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new CommandError(
      `${source}: not an access token: it contains a space, a line break or a character that is not ASCII`,
    )
  return token
}

export const TOKEN_OPTIONS = {
  token: texts('TOKEN', 'Access token of an account (env FAKE_CALENDAR_TOKEN: one or more, separated by spaces)'),
  'token-file': texts('FILE', 'File with access tokens, one per line, so that the process list does not show them'),
}
