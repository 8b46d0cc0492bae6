import type { Criterion } from './criteria.ts'

/** What was expected and is not so. The message says what differs, a line each. */
export class VerificationError extends Error {
  override readonly name = 'VerificationError'
}

/** A line for each criterion: a check where it is met, and where it is not a cross, what was wanted, and what was there. */
export const report = (criteria: readonly Criterion[]): string =>
  criteria
    .map(({ path, met, wanted, actual }) =>
      met ? `✓ ${path || 'value'}` : `✗ ${path || 'value'}: wanted ${shown(wanted)}, was ${shown(actual)}`,
    )
    .join('\n')

const LONGEST = 200

/** A value on one line, as JSON where it is that. */
export function shown(value: unknown): string {
  if (value === undefined || value === null) return 'none'
  const said = plain('', value)
  const text = said !== value ? String(said) : (JSON.stringify(value, plain) ?? String(value))
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

/** What JSON cannot say: a matcher by its own name, a pattern as it is written. */
function plain(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? String(value) : value
  if (value instanceof RegExp) return String(value)
  if (!('asymmetricMatch' in value)) return value
  const named = 'toAsymmetricMatcher' in value && typeof value.toAsymmetricMatcher === 'function'
  return named ? String((value as { toAsymmetricMatcher(): string }).toAsymmetricMatcher()) : String(value)
}
