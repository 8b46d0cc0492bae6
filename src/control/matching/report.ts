import type { Criterion } from './criteria.ts'

/** An exact number of calls or changes, or a range. */
export type ExpectedCount = number | { min?: number | undefined; max?: number | undefined }

/** Formats one line per criterion. A failed one contains the expected and the actual value. */
export const report = (criteria: readonly Criterion[]): string =>
  criteria
    .map(({ path, met, expected, actual }) =>
      met
        ? `✓ ${path || 'value'}`
        : `✗ ${path || 'value'}: expected ${formatValue(expected)}, was ${formatValue(actual)}`,
    )
    .join('\n')

const MAX_VALUE_LENGTH = 200

/** Formats a value on one line, as JSON if possible. */
export function formatValue(value: unknown): string {
  if (value === undefined || value === null) return 'none'
  const formatted = toPlainValue('', value)
  const text = formatted !== value ? String(formatted) : (JSON.stringify(value, toPlainValue) ?? String(value))
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text
}

/** Converts values that JSON cannot represent: matchers to their names, patterns to their source. */
function toPlainValue(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? String(value) : value
  if (value instanceof RegExp) return String(value)
  if (!('asymmetricMatch' in value)) return value
  const named = 'toAsymmetricMatcher' in value && typeof value.toAsymmetricMatcher === 'function'
  return named ? String((value as { toAsymmetricMatcher(): string }).toAsymmetricMatcher()) : String(value)
}
