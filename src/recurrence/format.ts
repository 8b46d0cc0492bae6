import { DAY_MS } from './days.ts'

/** Limit of each cache of formatted numbers. */
const MAX_MEMOIZED = 10_000
const SECONDS_PER_DAY = DAY_MS / 1000

/** Caches a function of a number. A full cache is cleared. */
function memoize<T>(work: (number: number) => T): (number: number) => T {
  const results = new Map<number, T>()
  return (number) => {
    const cached = results.get(number)
    if (cached !== undefined) return cached
    if (results.size >= MAX_MEMOIZED) results.clear()
    const result = work(number)
    results.set(number, result)
    return result
  }
}

const padded = (number: number, length: number): string => String(number).padStart(length, '0')

/** A date or time as `2026-03-09` and as `20260309`. */
type DateText = { long: string; short: string }

const toDateText = (long: string): DateText => ({ long, short: long.replace(/[-:]/g, '') })
const toIso = (instant: number): string => new Date(instant).toISOString().slice(0, -5)

const dates = memoize((day) => toDateText(toIso(day * DAY_MS).split('T')[0] ?? ''))
const times = memoize((second) => toDateText(toIso(second * 1000).slice(10)))

const formatSeconds = (form: keyof DateText, milliseconds: number): string => {
  const seconds = Math.floor(milliseconds / 1000)
  const day = Math.floor(seconds / SECONDS_PER_DAY)
  return dates(day)[form] + times(seconds - day * SECONDS_PER_DAY)[form]
}

/**
 * Joins parts into a flat string. A string built with `+` keeps its parts in memory, and they need more space than the
 * text.
 */
export const flatString = (...parts: (string | number)[]): string => parts.join('')

/** Formats `2026-03-09T13:00:00`, in whole seconds. */
export const formatDateTime = (milliseconds: number): string => formatSeconds('long', milliseconds)

/** Formats `2026-03-09T13:00:00.250Z`. Cached, because many records have the same instant. */
export const formatInstant = memoize((milliseconds) =>
  flatString(formatDateTime(milliseconds), '.', padded(milliseconds % 1000, 3), 'Z'),
)

/** Formats `20260309T130000`. */
export const formatICalDateTime = (milliseconds: number): string => formatSeconds('short', milliseconds)

/** Formats an offset from UTC, such as `-05:00`. */
export const formatOffset = memoize((offset) => {
  const minutes = Math.trunc(Math.abs(offset) / 60_000)
  const [hour, minute] = [Math.trunc(minutes / 60), minutes % 60].map((part) => padded(part, 2))
  return `${offset < 0 ? '-' : '+'}${hour}:${minute}`
})

export const formatDate = (milliseconds: number): string => dates(Math.floor(milliseconds / DAY_MS)).long
export const formatICalDate = (milliseconds: number): string => dates(Math.floor(milliseconds / DAY_MS)).short

const UTC_PATTERN = [...'0000-00-00T00:00:00Z'].map((sign) => sign.charCodeAt(0))
const ZERO = 48
const isDigit = (code: number): boolean => code >= ZERO && code < ZERO + 10

/** The midnight of a date such as `20260309`, and the milliseconds from midnight to a time such as `130000`. */
const midnights = memoize((date) => Date.parse(padded(date, 8).replace(/(....)(..)(..)/, '$1-$2-$3T00:00:00Z')))
const sinceMidnight = memoize((time) => Date.parse(padded(time, 6).replace(/(..)(..)(..)/, '1970-01-01T$1:$2:$3Z')))

/** Parses `2026-03-09T13:00:00Z` digit by digit. Other forms are parsed by `Date.parse`. */
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
