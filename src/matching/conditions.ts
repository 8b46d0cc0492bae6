/**
 * What may be wanted of a value besides that it equals: in process asymmetric matchers (`expect.any(String)`) and
 * regular expressions; and as JSON can say it `{ contains }` and `{ matches }`, alone or both.
 */
export type Conditions = readonly Condition[]
type Condition =
  | { readonly how: 'matcher'; readonly matcher: Matcher }
  | { readonly how: 'contains'; readonly part: unknown }
  | { readonly how: 'matches'; readonly pattern: RegExp }
/** As jest, vitest, sinon and others have them. */
type Matcher = { asymmetricMatch(value: unknown): boolean }

/** A pattern is its author's own, and may take as long as it does on what it is held against: the beginning of a text. */
const LONGEST_PATTERN = 1000
const LONGEST_TEXT = 10_000
/** How deep a wanted value may go. */
const DEEPEST = 64

const WORDS = ['contains', 'matches']

const isMatcher = (value: object): value is Matcher =>
  'asymmetricMatch' in value && typeof value.asymmetricMatch === 'function'

/** Whether a value says by which conditions it is to be matched, and not what is to be equal. */
export const says = (value: object): boolean => {
  if (isMatcher(value) || value instanceof RegExp) return true
  const names = Object.keys(value)
  return names.length > 0 && names.every((name) => WORDS.includes(name))
}

/** The conditions that a wanted value makes; none where it is to be equal. */
export function conditionsOf(wanted: unknown): Conditions | undefined {
  if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted) || !says(wanted)) return undefined
  if (isMatcher(wanted)) return [{ how: 'matcher', matcher: wanted }]
  if (wanted instanceof RegExp) return [{ how: 'matches', pattern: wanted }]
  const { contains, matches } = wanted as { contains?: unknown; matches?: unknown }
  return [
    ...('contains' in wanted ? [{ how: 'contains' as const, part: contains }] : []),
    ...('matches' in wanted ? [{ how: 'matches' as const, pattern: patternOf(matches) }] : []),
  ]
}

function patternOf(said: unknown): RegExp {
  if (said instanceof RegExp) return said
  if (typeof said !== 'string') throw new RangeError('matches: a regular expression, as text')
  if (said.length > LONGEST_PATTERN) throw new RangeError(`matches: at most ${LONGEST_PATTERN} characters`)
  try {
    return new RegExp(said, 'u')
  } catch {
    throw new RangeError(`matches: ${JSON.stringify(said)} is no regular expression`)
  }
}

type Matches = (wanted: unknown, actual: unknown) => boolean

export const isMet = (conditions: Conditions, actual: unknown, matches: Matches): boolean =>
  conditions.every((condition) => {
    if (condition.how === 'matcher') return condition.matcher.asymmetricMatch(actual)
    if (condition.how === 'contains') return contains(actual, condition.part, matches)
    // A copy, since one that is global goes on from where it last matched.
    const { source, flags } = condition.pattern
    return typeof actual === 'string' && new RegExp(source, flags).test(actual.slice(0, LONGEST_TEXT))
  })

/** A text contains a text, an array an element or each of several. */
function contains(actual: unknown, part: unknown, matches: Matches): boolean {
  if (typeof actual === 'string') return typeof part === 'string' && actual.includes(part)
  if (!Array.isArray(actual)) return false
  const parts = Array.isArray(part) ? part : [part]
  return parts.every((one) => actual.some((element) => matches(one, element)))
}

/** Refuses what cannot be matched with, whatever it would be matched with: a RangeError names the place. */
export function checkWanted(wanted: unknown, path: string, depth = 0): void {
  if (depth > DEEPEST) throw new RangeError(`${path}: deeper than ${DEEPEST} levels`)
  if (typeof wanted === 'function') throw new RangeError(`${path}: a function cannot be matched with`)
  if (typeof wanted !== 'object' || wanted === null) return
  if (says(wanted)) {
    if (isMatcher(wanted) || wanted instanceof RegExp) return
    try {
      conditionsOf(wanted)
    } catch (error) {
      throw error instanceof RangeError ? new RangeError(`${path}.${error.message}`) : error
    }
  }
  for (const [name, part] of Object.entries(wanted))
    checkWanted(part, Array.isArray(wanted) ? `${path}[${name}]` : `${path}.${name}`, depth + 1)
}
