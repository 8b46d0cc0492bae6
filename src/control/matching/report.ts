import type { Criterion } from './criteria.ts'

/**
 * An expected number of calls, changes or mails: exact, or a range. In a range, `min` is 0 and `max` is infinite by
 * default.
 */
export type ExpectedCount = number | { min?: number | undefined; max?: number | undefined }

/** Formats a count: `never`, `once`, `3 times`. */
export const formatTimes = (count: number): string => (count === 0 ? 'never' : count === 1 ? 'once' : `${count} times`)

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

/**
 * Converts values that JSON cannot represent: matchers to their names, patterns to their source, big integers to text.
 * Others are returned unchanged. It is a replacer of JSON.stringify.
 */
function toPlainValue(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? String(value) : value
  if (value instanceof RegExp) return String(value)
  if (!('asymmetricMatch' in value)) return value
  const named = 'toAsymmetricMatcher' in value && typeof value.toAsymmetricMatcher === 'function'
  return named ? String((value as { toAsymmetricMatcher(): string }).toAsymmetricMatcher()) : String(value)
}

/** Thrown by a verification that fails. The message lists the differences, one per line. */
export class VerificationError extends Error {
  override readonly name = 'VerificationError'
}
