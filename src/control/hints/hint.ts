import { saidBy } from '../../testing/journal/recordedCall.ts'
import { HINTS, type HintCode } from './table.ts'

/** What would have helped whoever wrote a request: what is odd about it, why, and what to write instead. */
export type Hint = {
  /** Stable, and an anchor in docs/hints.md: `FC101`. */
  readonly code: HintCode
  readonly what: string
  readonly why: string
  readonly instead: string
  /** The values that would do, where there are a few. */
  readonly allowed?: readonly string[]
}

export const hint = (code: HintCode, what: string, instead: string, allowed?: readonly string[]): Hint => ({
  code,
  what,
  why: HINTS[code].why,
  instead,
  ...(allowed && { allowed }),
})

const LONGEST_VALUE = 80

/** Something that was sent, short enough to be read. */
export const shown = (value: string): string =>
  value.length > LONGEST_VALUE ? `${value.slice(0, LONGEST_VALUE)}…` : value

/** The header that hints come in. */
export const HINT = 'X-Fake-Calendar-Hint'

const LONGEST_HEADER = 2000

/** Hints as a header can carry them: in ASCII, all else escaped as in JSON. */
export const headerOf = (hints: readonly Hint[]): string =>
  hints
    .map(saidBy)
    .join(' | ')
    .slice(0, LONGEST_HEADER)
    .replace(/[^ -~]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
