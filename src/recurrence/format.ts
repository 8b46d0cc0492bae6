import { DAY_MS } from './days.ts'

const MAX_MEMOIZED = 10_000
const SECONDS_PER_DAY = DAY_MS / 1000

function memoizeNumber<T>(compute: (number: number) => T): (number: number) => T {
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

const dates = memoizeNumber((day) => toDateText(toIso(day * DAY_MS).split('T')[0] ?? ''))
const times = memoizeNumber((second) => toDateText(toIso(second * 1000).slice(10)))

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
export const formatInstant = memoizeNumber((milliseconds) =>
  flatString(formatDateTime(milliseconds), '.', padZeros(milliseconds % 1000, 3), 'Z'),
)

/** `20260309T130000`. Rounds down to the second. */
export const formatICalDateTime = (milliseconds: number): string => formatSeconds('short', milliseconds)

/** `-05:00`. Seconds are dropped. */
export const formatOffset = memoizeNumber((offset) => {
  const minutes = Math.trunc(Math.abs(offset) / 60_000)
  const [hour, minute] = [Math.trunc(minutes / 60), minutes % 60].map((part) => padZeros(part, 2))
  return `${offset < 0 ? '-' : '+'}${hour}:${minute}`
})

/** `2026-03-09` */
export const formatDate = (milliseconds: number): string => dates(Math.floor(milliseconds / DAY_MS)).long
/** `date` and the result are such as `2026-03-09`. Throws a RangeError if it is not valid. */
export const addDays = (date: string, days: number): string => formatDate(Date.parse(date) + days * DAY_MS)
/** `20260309` */
export const formatICalDate = (milliseconds: number): string => dates(Math.floor(milliseconds / DAY_MS)).short

/** `20260309T130000Z`, or `20260309` for a date (behaviour 4.1.2). */
export const formatICalStart = (start: number, dated: boolean): string =>
  dated ? formatICalDate(start) : `${formatSeconds('short', start)}Z`
