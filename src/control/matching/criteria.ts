import { isObject } from '../../schema/values/json.ts'
import type { ComparisonBudget } from './comparisonBudget.ts'
import { compilePattern, type LinearPattern } from './linearPattern.ts'

/** A comparison of one part of a value: where it is (`attendees[bob@example.com].responseStatus`), and its result. */
export type Criterion = {
  readonly path: string
  readonly met: boolean
  readonly expected: unknown
  readonly actual: unknown
}

/** A JSON object. */
type Json = Readonly<Record<string, unknown>>

/**
 * Compares the parts of an expected value with an actual one, and returns all comparisons. Objects are compared
 * partially. Each element of an expected array must be present, in any order and among others; an element with an
 * `email` or an `id` is compared with the one that has the same. An empty array expects an empty one, `null` expects no
 * value, and a Date expects its instant in any form. Throws a RangeError above the limit of `budget`.
 */
export const listCriteria = (expected: unknown, actual: unknown, path = '', budget?: ComparisonBudget): Criterion[] => [
  ...compareParts(expected, actual, path, budget),
]

/**
 * Returns true if all parts of an expected value are met. Stops at the first that is not. Throws a RangeError above the
 * limit of `budget`.
 */
export function matches(expected: unknown, actual: unknown, budget?: ComparisonBudget): boolean {
  for (const { met } of compareParts(expected, actual, '', budget)) if (!met) return false
  return true
}

/** Returns the number of criteria that are not met. */
export const countUnmet = (all: readonly Criterion[]): number => all.filter(({ met }) => !met).length

type Comparison = Generator<Criterion, void, void>

/**
 * Yields the criteria of `listCriteria` one by one, so that a caller can stop at the first that is not met. `path` is
 * the path of the compared value; empty for a root.
 */
export function* compareParts(expected: unknown, actual: unknown, path: string, budget?: ComparisonBudget): Comparison {
  budget?.spend()
  const conditions = parseConditions(expected, budget)
  if (conditions) {
    const met = meetsConditions(conditions, actual, (one, other) => matches(one, other, budget), budget)
    yield { path, met, expected, actual }
  } else if (isDate(expected)) yield { path, met: isEqualValue(expected.toISOString(), actual), expected, actual }
  else if (Array.isArray(expected)) yield* compareList(expected, actual, path, budget)
  else if (!isObject(expected)) yield { path, met: isEqualValue(expected, actual), expected, actual }
  else yield* compareObject(expected, actual, path, budget)
}

/** Yields the criteria of each expected field, in their order. An empty object expects any object. */
function* compareObject(expected: Json, actual: unknown, path: string, budget?: ComparisonBudget): Comparison {
  const names = Object.keys(expected)
  if (!isObject(actual) || names.length === 0) yield { path, met: isObject(actual), expected: expected, actual }
  else
    for (const name of names) {
      const part = Object.hasOwn(actual, name) ? actual[name] : undefined
      yield* compareParts(expected[name], part, path === '' ? name : `${path}.${name}`, budget)
    }
}

/**
 * Returns true if two values that are not objects are equal. Absent, undefined and null are equal, as they are to the
 * service; so are two forms of an instant.
 */
const isEqualValue = (expected: unknown, actual: unknown): boolean =>
  Object.is(expected ?? null, actual ?? null) ||
  (isInstant(expected) && isInstant(actual) && Date.parse(expected) === Date.parse(actual))

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/
/** Returns true for an RFC 3339 timestamp with an offset. */
const isInstant = (value: unknown): value is string => typeof value === 'string' && INSTANT.test(value)

/** Returns true for a text that equals only itself. Excludes instants, because they have several forms. */
export const isExactText = (value: unknown): value is string => typeof value === 'string' && !isInstant(value)

/** Yields the criteria of each expected element. An empty expected list expects an empty or absent one. */
function* compareList(
  expected: readonly unknown[],
  actual: unknown,
  path: string,
  budget?: ComparisonBudget,
): Comparison {
  const list = actual === undefined || actual === null ? [] : actual
  if (!Array.isArray(list)) yield { path, met: false, expected: expected, actual }
  else if (expected.length === 0) yield { path, met: list.length === 0, expected: expected, actual }
  else {
    const byKey = new Map<string, ReadonlyMap<unknown, unknown>>()
    for (const element of expected) yield* compareElement(element, list, path, byKey, budget)
  }
}

/**
 * Yields the criteria of one expected element: compared with the element that has the same key, or without a key with
 * the element that has the fewest differences. `byKey` caches the elements of `list` by each key field.
 */
function* compareElement(
  expected: unknown,
  list: readonly unknown[],
  path: string,
  byKey: Map<string, ReadonlyMap<unknown, unknown>>,
  budget?: ComparisonBudget,
): Comparison {
  const key = parseElementKey(expected)
  if (key) {
    const { name, value, others } = key
    const index = byKey.get(name) ?? indexByField(list, name)
    byKey.set(name, index)
    const same = index.get(normalizeKey(value))
    const at = `${path}[${value}]`
    budget?.spend()
    if (same === undefined || Object.keys(others).length === 0)
      yield { path: at, met: same !== undefined, expected: expected, actual: same }
    else yield* compareParts(others, same, at, budget)
  } else if (!isObject(expected) || isDate(expected) || isConditions(expected)) {
    const met = list.some((one) => matches(expected, one, budget))
    yield { path: `${path}[]`, met, expected, actual: list }
  } else {
    const tried = list.map((one, at) => listCriteria(expected, one, `${path}[${at}]`, budget))
    const [first, ...others] = tried
    if (!first) yield { path: `${path}[]`, met: false, expected: expected, actual: list }
    else yield* others.reduce((nearest, one) => (countUnmet(one) < countUnmet(nearest) ? one : nearest), first)
  }
}

/** Returns the elements of a list by the value of a field, the first element for each value. */
function indexByField(list: readonly unknown[], name: string): ReadonlyMap<unknown, unknown> {
  const index = new Map<unknown, unknown>()
  for (const one of list) {
    const key = isObject(one) ? normalizeKey(one[name]) : undefined
    if (key !== undefined && !index.has(key)) index.set(key, one)
  }
  return index
}

/**
 * Returns the key of an expected element, its `email` or else its `id`, and its other fields. Returns undefined without
 * a key.
 */
function parseElementKey(element: unknown): { name: string; value: string; others: Json } | undefined {
  if (!isObject(element) || isConditions(element)) return undefined
  const { email, ...notEmail } = element
  if (typeof email === 'string') return { name: 'email', value: email, others: notEmail }
  const { id, ...notId } = element
  return typeof id === 'string' ? { name: 'id', value: id, others: notId } : undefined
}

/**
 * Returns an address in lower case, because addresses are compared without regard to case. Returns other keys
 * unchanged.
 */
const normalizeKey = (key: unknown): unknown => (typeof key === 'string' && key.includes('@') ? key.toLowerCase() : key)

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

/** A pattern is applied to this many characters at the beginning of a text. */
const MAX_MATCHED_LENGTH = 10_000
/** Compiling a pattern takes about as long as this many comparisons. */
const COMPARISONS_PER_PATTERN = 150
/** Steps of a pattern that take about as long as one comparison. */
const STEPS_PER_COMPARISON = 100
/** Levels of an expected value. */
const MAX_DEPTH = 64
/** The regular expressions of one expected value. Compiling them takes some tens of milliseconds. */
const MAX_PATTERNS = 500

const CONDITION_NAMES = ['contains', 'matches']

/** Returns true for a Date of any realm. */
export const isDate = (value: unknown): value is Date => Object.prototype.toString.call(value) === '[object Date]'
const COLLECTION = /^\[object ((?:Weak)?(?:Map|Set))\]$/

/** Returns true for an asymmetric matcher. */
const isMatcher = (value: object): value is Matcher =>
  'asymmetricMatch' in value && typeof value.asymmetricMatch === 'function'

/** Returns true if an expected value contains conditions, and is not a value to be equal. */
export const isConditions = (value: object): boolean => {
  if (isMatcher(value) || value instanceof RegExp) return true
  const names = Object.keys(value)
  return names.length > 0 && names.every((name) => CONDITION_NAMES.includes(name))
}

/**
 * Returns the conditions in an expected value, or undefined if the value is to be equal. Throws a RangeError for a
 * pattern that is not valid, and above the limit of `budget`.
 */
export function parseConditions(expected: unknown, budget?: ComparisonBudget): Conditions | undefined {
  if (typeof expected !== 'object' || expected === null || Array.isArray(expected) || !isConditions(expected))
    return undefined
  if (isMatcher(expected)) return [{ type: 'matcher', matcher: expected }]
  /** Compiles a pattern to a condition, at the expense of the budget. */
  const toMatchesCondition = (pattern: RegExp | string): Condition => ({
    type: 'matches',
    pattern: compilePattern(pattern, () => budget?.spend(COMPARISONS_PER_PATTERN)),
  })
  if (expected instanceof RegExp) return [toMatchesCondition(expected)]
  const { contains, matches } = expected as { contains?: unknown; matches?: unknown }
  if ('matches' in expected && typeof matches !== 'string' && !(matches instanceof RegExp))
    throw new RangeError('give a regular expression, as text')
  return [
    ...('contains' in expected ? [{ type: 'contains' as const, part: contains }] : []),
    ...('matches' in expected ? [toMatchesCondition(matches as RegExp | string)] : []),
  ]
}

/** Compares a part of a value. It returns true if the actual part meets the expected one. */
type Matches = (expected: unknown, actual: unknown) => boolean

/**
 * Returns true if a value meets all conditions. `matches` compares the parts of `contains`. Only the first 10,000
 * characters of a text are matched with a pattern. Throws a RangeError above the limit of `budget`.
 */
export const meetsConditions = (
  conditions: Conditions,
  actual: unknown,
  matches: Matches,
  budget?: ComparisonBudget,
): boolean =>
  conditions.every((condition) => {
    if (condition.type === 'matcher') return condition.matcher.asymmetricMatch(actual)
    if (condition.type === 'contains') return containsParts(actual, condition.part, matches)
    if (typeof actual !== 'string') return false
    const text = actual.slice(0, MAX_MATCHED_LENGTH)
    budget?.spend(Math.floor((condition.pattern.size * text.length) / STEPS_PER_COMPARISON))
    return condition.pattern.test(text)
  })

/** Returns true if a text contains a text, or an array contains an element or all of several elements. */
function containsParts(actual: unknown, part: unknown, matches: Matches): boolean {
  if (typeof actual === 'string') return typeof part === 'string' && actual.includes(part)
  if (!Array.isArray(actual)) return false
  const parts = Array.isArray(part) ? part : [part]
  return parts.every((one) => actual.some((element) => matches(one, element)))
}

/** Throws a RangeError that names `path` for a Map or a Set. A schema would read it as an object without fields. */
export function rejectCollection(value: unknown, path: string): void {
  const [, collection] = COLLECTION.exec(Object.prototype.toString.call(value)) ?? []
  if (collection) throw new RangeError(`${path}: a ${collection} cannot be matched with: give an object or an array`)
}

/**
 * Throws a RangeError that names the path if an expected value cannot be compared with any value: a function, a Map, an
 * invalid Date or pattern, more than 64 levels, or more than 500 regular expressions. `path` is the path of `expected`.
 * Also throws a RangeError above the limit of `budget`.
 */
export function checkExpected(expected: unknown, path: string, budget?: ComparisonBudget): void {
  let patterns = 0
  /** Checks a part of the expected value at a path, and counts its patterns. Throws as `checkExpected`. */
  const check = (value: unknown, at: string, depth: number): void => {
    if (depth > MAX_DEPTH) throw new RangeError(`${at}: deeper than ${MAX_DEPTH} levels`)
    if (typeof value === 'function')
      throw new RangeError(`${at}: a function cannot be matched with: give data, a regular expression or a matcher`)
    if (typeof value !== 'object' || value === null) return
    rejectCollection(value, at)
    if (isDate(value)) {
      if (Number.isNaN(value.getTime())) throw new RangeError(`${at}: not a valid Date`)
      return
    }
    if (isConditions(value)) {
      if (isMatcher(value)) return
      if (value instanceof RegExp || 'matches' in value) patterns += 1
      if (patterns > MAX_PATTERNS) throw new RangeError(`${path}: more than ${MAX_PATTERNS} regular expressions`)
      checkConditions(value, at, budget)
      if (value instanceof RegExp) return
    }
    for (const [name, part] of Object.entries(value))
      check(part, Array.isArray(value) ? `${at}[${name}]` : `${at}.${name}`, depth + 1)
  }
  check(expected, path, 0)
}

/** Throws the RangeErrors of `parseConditions`, with the path of the pattern. */
function checkConditions(expected: object, path: string, budget: ComparisonBudget | undefined): void {
  try {
    parseConditions(expected, budget)
  } catch (error) {
    const place = expected instanceof RegExp ? path : `${path}.matches`
    throw error instanceof RangeError ? new RangeError(`${place}: ${error.message}`) : error
  }
}
