/** The instants that a world's clock may show: in microseconds, which etags count, they are exact. */
const EARLIEST = Date.UTC(1970, 0, 1)
export const LATEST = Date.UTC(2200, 0, 1)
/** The longest that anything may be put off: from one end of that time to the other. */
const LONGEST = LATEST - EARLIEST
/** No duration needs more characters, and a longer text is not read. */
const LONGEST_TEXT = 64

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/**
 * Milliseconds in a duration: a number of them, or text such as `90s`, `1h30m`, `2d`, `1w`. Anything else, and what is
 * longer than 230 years, is a RangeError.
 */
export function durationOf(duration: string | number): number {
  const length = typeof duration === 'number' ? duration : lengthOf(duration)
  if (!(length >= 0)) {
    const shown = String(duration).slice(0, LONGEST_TEXT)
    throw new RangeError(`not a duration: ${shown} (expected milliseconds, or text such as 90s, 1h30m, 2d)`)
  }
  if (length > LONGEST) throw new RangeError(`longer than 230 years: ${duration}`)
  return length
}

function lengthOf(text: string): number {
  if (text.length > LONGEST_TEXT || !/^(?:\d+(?:\.\d+)?(?:ms|[smhdw]))+$/.test(text)) return Number.NaN
  return [...text.matchAll(/([\d.]+)(ms|[smhdw])/g)].reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * (UNITS[unit] ?? 0),
    0,
  )
}

/**
 * Milliseconds since the epoch of an instant given as a Date, as milliseconds or as text. Anything else, and an instant
 * outside the years 1970 to 2200, is a RangeError.
 */
export function momentOf(instant: Date | string | number): number {
  const moment =
    typeof instant === 'string' && !/T.*(Z|[+-]\d\d:?\d\d)$/i.test(instant) ? Number.NaN : new Date(instant).getTime()
  if (Number.isNaN(moment))
    throw new RangeError(`not an instant: ${instant} (expected a form such as 2026-03-02T09:00:00Z)`)
  if (moment < EARLIEST || moment > LATEST)
    throw new RangeError(`not between 1970-01-01 and 2200-01-01, where a clock goes: ${new Date(moment).toISOString()}`)
  return moment
}
