import { ComparisonBudget } from './comparisonBudget.ts'
import { compilePattern, type LinearPattern } from './linearPattern.ts'

/**
 * Conditions on a value other than equality. JSON has `{ contains }` and `{ matches }`, alone or together. In process there are
 * also asymmetric matchers (`expect.any(String)`) and regular expressions.
 */
export type Conditions = readonly Condition[]
type Condition =
  | { readonly type: 'matcher'; readonly matcher: Matcher }
  | { readonly type: 'contains'; readonly part: unknown }
  | { readonly type: 'matches'; readonly pattern: LinearPattern }
/** A matcher as in jest, vitest and sinon. */
type Matcher = { asymmetricMatch(value: unknown): boolean }

/** A pattern is applied to the beginning of a text. */
const MAX_MATCHED_LENGTH = 10_000
/** Compiling a pattern takes about as long as this many comparisons. */
const COMPARISONS_PER_PATTERN = 150
/** Steps of a pattern that take about as long as one comparison. */
const STEPS_PER_COMPARISON = 100
const MAX_DEPTH = 64

const CONDITION_NAMES = ['contains', 'matches']

/** Returns true for a Date of any realm. */
export const isDate = (value: unknown): value is Date => Object.prototype.toString.call(value) === '[object Date]'
const COLLECTION = /^\[object ((?:Weak)?(?:Map|Set))\]$/

const isMatcher = (value: object): value is Matcher =>
  'asymmetricMatch' in value && typeof value.asymmetricMatch === 'function'

/** Returns true if an expected value contains conditions, and is not a value to be equal. */
export const isConditions = (value: object): boolean => {
  if (isMatcher(value) || value instanceof RegExp) return true
  const names = Object.keys(value)
  return names.length > 0 && names.every((name) => CONDITION_NAMES.includes(name))
}

/** Returns the conditions in an expected value, or undefined if the value is to be equal. */
export function conditionsOf(expected: unknown, budget?: ComparisonBudget): Conditions | undefined {
  if (typeof expected !== 'object' || expected === null || Array.isArray(expected) || !isConditions(expected))
    return undefined
  if (isMatcher(expected)) return [{ type: 'matcher', matcher: expected }]
  const compile = (pattern: RegExp | string): Condition => ({
    type: 'matches',
    pattern: compilePattern(pattern, () => budget?.spend(COMPARISONS_PER_PATTERN)),
  })
  if (expected instanceof RegExp) return [compile(expected)]
  const { contains, matches } = expected as { contains?: unknown; matches?: unknown }
  if ('matches' in expected && typeof matches !== 'string' && !(matches instanceof RegExp))
    throw new RangeError('a regular expression, as text')
  return [
    ...('contains' in expected ? [{ type: 'contains' as const, part: contains }] : []),
    ...('matches' in expected ? [compile(matches as RegExp | string)] : []),
  ]
}

type Matches = (expected: unknown, actual: unknown) => boolean

export const meetsConditions = (
  conditions: Conditions,
  actual: unknown,
  matches: Matches,
  budget?: ComparisonBudget,
): boolean =>
  conditions.every((condition) => {
    if (condition.type === 'matcher') return condition.matcher.asymmetricMatch(actual)
    if (condition.type === 'contains') return contains(actual, condition.part, matches)
    if (typeof actual !== 'string') return false
    const text = actual.slice(0, MAX_MATCHED_LENGTH)
    budget?.spend(Math.floor((condition.pattern.size * text.length) / STEPS_PER_COMPARISON))
    return condition.pattern.test(text)
  })

/** Returns true if a text contains a text, or an array contains an element or all of several elements. */
function contains(actual: unknown, part: unknown, matches: Matches): boolean {
  if (typeof actual === 'string') return typeof part === 'string' && actual.includes(part)
  if (!Array.isArray(actual)) return false
  const parts = Array.isArray(part) ? part : [part]
  return parts.every((one) => actual.some((element) => matches(one, element)))
}

/** Throws a RangeError that names the place of a Map or a Set. A schema would read it as an object without fields. */
export function rejectCollection(value: unknown, path: string): void {
  const [, collection] = COLLECTION.exec(Object.prototype.toString.call(value)) ?? []
  if (collection) throw new RangeError(`${path}: a ${collection} cannot be matched with: give an object or an array`)
}

/** Throws a RangeError that names the place if an expected value cannot be compared with any value. */
export function checkExpected(expected: unknown, path: string, budget = new ComparisonBudget(), depth = 0): void {
  if (depth > MAX_DEPTH) throw new RangeError(`${path}: deeper than ${MAX_DEPTH} levels`)
  if (typeof expected === 'function') throw new RangeError(`${path}: a function cannot be matched with`)
  if (typeof expected !== 'object' || expected === null) return
  rejectCollection(expected, path)
  if (isDate(expected)) {
    if (Number.isNaN(expected.getTime())) throw new RangeError(`${path}: not a valid Date`)
    return
  }
  if (isConditions(expected)) {
    if (isMatcher(expected)) return
    checkConditions(expected, path, budget)
    if (expected instanceof RegExp) return
  }
  for (const [name, part] of Object.entries(expected))
    checkExpected(part, Array.isArray(expected) ? `${path}[${name}]` : `${path}.${name}`, budget, depth + 1)
}

function checkConditions(expected: object, path: string, budget: ComparisonBudget): void {
  try {
    conditionsOf(expected, budget)
  } catch (error) {
    const place = expected instanceof RegExp ? path : `${path}.matches`
    throw error instanceof RangeError ? new RangeError(`${place}: ${error.message}`) : error
  }
}
