import { formatHint } from '../journal/recordedCall.ts'
import { HINTS, type HintCode } from './table.ts'

/** A hint on a request: what is odd, why, and what to write instead. */
export type Hint = {
  /** A stable code such as `FC101`, which is an anchor in docs/reference/hints.md. */
  readonly code: HintCode
  readonly what: string
  readonly why: string
  readonly instead: string
  /** The allowed values, if there are few. */
  readonly allowed?: readonly string[]
}

export const hint = (code: HintCode, what: string, instead: string, allowed?: readonly string[]): Hint => ({
  code,
  what,
  why: HINTS[code].why,
  instead,
  ...(allowed && { allowed }),
})

const MAX_SHOWN_LENGTH = 80

/** Shortens a value of a request. */
export const shortenValue = (value: string): string =>
  value.length > MAX_SHOWN_LENGTH ? `${value.slice(0, MAX_SHOWN_LENGTH)}…` : value

/** The response header with the hints. */
export const HINT = 'X-Fake-Calendar-Hint'

const MAX_HEADER_LENGTH = 2000

/** Formats hints as a header in ASCII. Other characters are escaped as in JSON. */
export const headerOf = (hints: readonly Hint[]): string =>
  hints
    .map(formatHint)
    .join(' | ')
    .slice(0, MAX_HEADER_LENGTH)
    .replace(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
