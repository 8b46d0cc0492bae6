/** The range of a world's clock, both limits included. In it, the microseconds in etags are exact. */
const MIN_INSTANT_MS = Date.UTC(1970, 0, 1)
export const MAX_INSTANT_MS = Date.UTC(2200, 0, 1)
const MAX_DURATION_MS = MAX_INSTANT_MS - MIN_INSTANT_MS
/** No duration needs more characters. */
const MAX_TEXT_LENGTH = 64

/** Milliseconds by unit. */
const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/**
 * Milliseconds, which may be a fraction. Text is such as `90s`, `1h30m`, `1.5d`, `1w`. Throws a RangeError for other text, a
 * negative number, NaN, and more than 230 years.
 */
export function parseDuration(duration: string | number): number {
  const length = typeof duration === 'number' ? duration : parseDurationText(duration)
  if (!(length >= 0)) {
    const shown = String(duration).slice(0, MAX_TEXT_LENGTH)
    throw new RangeError(`not a duration: ${shown} (expected milliseconds, or text such as 90s, 1h30m, 2d)`)
  }
  if (length > MAX_DURATION_MS) throw new RangeError(`longer than 230 years: ${duration}`)
  return length
}

function parseDurationText(text: string): number {
  if (typeof text !== 'string' || text.length > MAX_TEXT_LENGTH || !/^(?:\d+(?:\.\d+)?(?:ms|[smhdw]))+$/.test(text))
    return Number.NaN
  return [...text.matchAll(/([\d.]+)(ms|[smhdw])/g)].reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * (UNITS[unit] ?? 0),
    0,
  )
}

/**
 * Milliseconds since the epoch, a Date, or an ISO date-time with `Z` or an offset. Throws a RangeError for other values, and
 * before 1970-01-01 or after 2200-01-01T00:00Z.
 */
export function parseInstant(instant: Date | string | number): number {
  const isInstant =
    typeof instant === 'string'
      ? /T.*(Z|[+-]\d\d:?\d\d)$/i.test(instant)
      : typeof instant === 'number' || Object.prototype.toString.call(instant) === '[object Date]'
  const ms = isInstant ? new Date(instant).getTime() : Number.NaN
  if (Number.isNaN(ms))
    throw new RangeError(`not an instant: ${String(instant)} (expected a form such as 2026-03-02T09:00:00Z)`)
  if (ms < MIN_INSTANT_MS || ms > MAX_INSTANT_MS)
    throw new RangeError(`not between 1970-01-01 and 2200-01-01, where a clock goes: ${new Date(ms).toISOString()}`)
  return ms
}
