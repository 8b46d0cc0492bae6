import type { Criterion } from './matching.ts'

/** Thrown by a verification that fails. The message lists the differences, one per line. */
export class VerificationError extends Error {
  override readonly name = 'VerificationError'
}

/**
 * An expected number of calls, events, mails or changes: exact, or a range. In a range, `min` is 0 and `max` is infinite
 * by default.
 */
export type ExpectedCount = number | { min?: number | undefined; max?: number | undefined }

/** An allowed number, both ends included. */
export type CountRange = { readonly min: number; readonly max: number }

/** Converts an expected number to a range. Throws a RangeError if no number is in it. */
export function toCountRange(times: ExpectedCount): CountRange {
  const { min = 0, max = Number.POSITIVE_INFINITY } = typeof times === 'number' ? { min: times, max: times } : times
  if (!(min <= max)) throw new RangeError(`times: min is greater than max`)
  if (!Number.isInteger(min) || min < 0 || (max !== Number.POSITIVE_INFINITY && !Number.isInteger(max)))
    throw new RangeError('times: give whole numbers from 0')
  return { min, max }
}

export const isInRange = (count: number, { min, max }: CountRange): boolean => count >= min && count <= max

/** Formats a count: `never`, `once`, `3 times`. */
export const formatTimes = (count: number): string => (count === 0 ? 'never' : count === 1 ? 'once' : `${count} times`)

/** Formats a range of counts: `once`, `at least 2 times`, `1 to 3 times`. */
export function formatRange({ min, max }: CountRange): string {
  if (min === max) return formatTimes(min)
  if (max === Number.POSITIVE_INFINITY) return `at least ${formatTimes(min)}`
  return min === 0 ? `at most ${formatTimes(max)}` : `${min} to ${max} times`
}

/** Formats comparisons, one line each: `✓ path`, or `✗ path: expected …, was …`. */
export const formatCriteria = (criteria: readonly Criterion[]): string =>
  criteria
    .map(({ path, met, expected, actual }) =>
      met
        ? `✓ ${path || 'value'}`
        : `✗ ${path || 'value'}: expected ${formatComparedValue(expected)}, was ${formatComparedValue(actual)}`,
    )
    .join('\n')

/** In characters. */
const MAX_VALUE_LENGTH = 200

/** Formats a value on one line, as JSON if possible, cut after 200 characters. A missing value is `none`. */
export function formatComparedValue(value: unknown): string {
  if (value === undefined || value === null) return 'none'
  const formatted = toPlainValue('', value)
  const text = formatted !== value ? String(formatted) : (JSON.stringify(value, toPlainValue) ?? String(value))
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text
}

/** Converts what JSON cannot represent: matchers to their names, patterns to their source, big integers to text. */
function toPlainValue(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? String(value) : value
  if (Object.prototype.toString.call(value) === '[object RegExp]') return String(value)
  if (!('asymmetricMatch' in value)) return value
  const named = 'toAsymmetricMatcher' in value && typeof value.toAsymmetricMatcher === 'function'
  return named ? String((value as { toAsymmetricMatcher(): string }).toAsymmetricMatcher()) : String(value)
}
