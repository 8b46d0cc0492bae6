import { DAY_MS } from './days.ts'

const MAX_MEMOIZED = 10_000
const SECONDS_PER_DAY = DAY_MS / 1000

function memoize<T>(compute: (number: number) => T): (number: number) => T {
  const results = new Map<number, T>()
  return (number) => {
    const cached = results.get(number)
    if (cached !== undefined) return cached
    if (results.size >= MAX_MEMOIZED) results.clear()
    const result = compute(number)
    results.set(number, result)
    return result
  }
}

const padZeros = (number: number, length: number): string => String(number).padStart(length, '0')

type DateText = { long: string; short: string }

const toDateText = (long: string): DateText => ({ long, short: long.replace(/[-:]/g, '') })
const toIso = (instant: number): string => new Date(instant).toISOString().slice(0, -5)

const dates = memoize((day) => toDateText(toIso(day * DAY_MS).split('T')[0] ?? ''))
const times = memoize((second) => toDateText(toIso(second * 1000).slice(10)))

/** An instant in UTC, or a local time. Rounds down to the second. */
const formatSeconds = (form: keyof DateText, milliseconds: number): string => {
  const seconds = Math.floor(milliseconds / 1000)
  const day = Math.floor(seconds / SECONDS_PER_DAY)
  return dates(day)[form] + times(seconds - day * SECONDS_PER_DAY)[form]
}

/** A string built with `+` keeps its parts in memory, and they need more space than the text. */
export const flatString = (...parts: (string | number)[]): string => parts.join('')

/** `2026-03-09T13:00:00`. Rounds down to the second. */
export const formatDateTime = (milliseconds: number): string => formatSeconds('long', milliseconds)

/** `2026-03-09T13:00:00.250Z`, from 1970 on. Milliseconds must be whole. Cached, because many records have the same instant. */
export const formatInstant = memoize((milliseconds) =>
  flatString(formatDateTime(milliseconds), '.', padZeros(milliseconds % 1000, 3), 'Z'),
)

/** `20260309T130000`. Rounds down to the second. */
export const formatICalDateTime = (milliseconds: number): string => formatSeconds('short', milliseconds)

/** `-05:00`. Seconds are dropped. */
export const formatOffset = memoize((offset) => {
  const minutes = Math.trunc(Math.abs(offset) / 60_000)
  const [hour, minute] = [Math.trunc(minutes / 60), minutes % 60].map((part) => padZeros(part, 2))
  return `${offset < 0 ? '-' : '+'}${hour}:${minute}`
})

/** `2026-03-09` */
export const formatDate = (milliseconds: number): string => dates(Math.floor(milliseconds / DAY_MS)).long
/** `20260309` */
export const formatICalDate = (milliseconds: number): string => dates(Math.floor(milliseconds / DAY_MS)).short

const UTC_PATTERN = [...'0000-00-00T00:00:00Z'].map((character) => character.charCodeAt(0))
const ZERO = 48
const isDigit = (code: number): boolean => code >= ZERO && code < ZERO + 10

/** Of a date given as the number 20260309; NaN for month 13 or day 32. 30 February is 2 March. */
const midnights = memoize((date) => Date.parse(padZeros(date, 8).replace(/(....)(..)(..)/, '$1-$2-$3T00:00:00Z')))
/** Of a time given as the number 130000; NaN for no such time. */
const sinceMidnight = memoize((time) => Date.parse(padZeros(time, 6).replace(/(..)(..)(..)/, '1970-01-01T$1:$2:$3Z')))

/** As `Date.parse`, NaN for no date-time. The form `2026-03-09T13:00:00Z` is parsed digit by digit, which is faster. */
export function parseUtc(text: string): number {
  if (text.length !== UTC_PATTERN.length) return Date.parse(text)
  let [date, time] = [0, 0]
  for (let at = 0; at < UTC_PATTERN.length; at++) {
    const code = text.charCodeAt(at)
    if (UTC_PATTERN[at] !== ZERO) {
      if (UTC_PATTERN[at] !== code) return Date.parse(text)
    } else if (!isDigit(code)) return Date.parse(text)
    else if (at < 10) date = date * 10 + code - ZERO
    else time = time * 10 + code - ZERO
  }
  return midnights(date) + sinceMidnight(time)
}
