import type { ComparisonBudget } from './comparisonBudget.ts'
import { conditionsOf, isConditions, isDate, meetsConditions } from './conditions.ts'

/** A comparison of one part of a value: where it is (`attendees[bob@example.com].responseStatus`), and its result. */
export type Criterion = {
  readonly path: string
  readonly met: boolean
  readonly expected: unknown
  readonly actual: unknown
}

type Json = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Compares the parts of an expected value with an actual one. Objects are compared partially. Each element of an expected array
 * must be present, in any order and among others; an element with an `email` or an `id` is compared with the one that has the
 * same. An empty array expects an empty one, `null` expects no value, and a Date expects its instant in any form.
 */
export const criteria = (expected: unknown, actual: unknown, path = '', budget?: ComparisonBudget): Criterion[] => [
  ...compare(expected, actual, path, budget),
]

/** Returns true if all parts of an expected value are met. Stops at the first that is not. */
export function matches(expected: unknown, actual: unknown, budget?: ComparisonBudget): boolean {
  for (const { met } of compare(expected, actual, '', budget)) if (!met) return false
  return true
}

/** Returns the number of criteria that are not met. */
export const countUnmet = (all: readonly Criterion[]): number => all.filter(({ met }) => !met).length

type Comparison = Generator<Criterion, void, void>

/** Yields the criteria one by one, so that a caller can stop at the first that is not met. */
export function* compare(expected: unknown, actual: unknown, path: string, budget?: ComparisonBudget): Comparison {
  budget?.spend()
  const conditions = conditionsOf(expected, budget)
  if (conditions) {
    const met = meetsConditions(conditions, actual, (one, other) => matches(one, other, budget), budget)
    yield { path, met, expected, actual }
  } else if (isDate(expected)) yield { path, met: equal(expected.toISOString(), actual), expected, actual }
  else if (Array.isArray(expected)) yield* compareList(expected, actual, path, budget)
  else if (!isObject(expected)) yield { path, met: equal(expected, actual), expected, actual }
  else yield* compareObject(expected, actual, path, budget)
}

function* compareObject(expected: Json, actual: unknown, path: string, budget?: ComparisonBudget): Comparison {
  const names = Object.keys(expected)
  if (!isObject(actual) || names.length === 0) yield { path, met: isObject(actual), expected: expected, actual }
  else
    for (const name of names) {
      const part = Object.hasOwn(actual, name) ? actual[name] : undefined
      yield* compare(expected[name], part, path === '' ? name : `${path}.${name}`, budget)
    }
}

/** Compares two values. Absent, undefined and null are equal, as they are to the service; so are two forms of an instant. */
const equal = (expected: unknown, actual: unknown): boolean =>
  Object.is(expected ?? null, actual ?? null) ||
  (isInstant(expected) && isInstant(actual) && Date.parse(expected) === Date.parse(actual))

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/
const isInstant = (value: unknown): value is string => typeof value === 'string' && INSTANT.test(value)

/** Returns true if a value equals only itself. An instant has several forms. */
export const isExactText = (value: unknown): value is string => typeof value === 'string' && !isInstant(value)

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

/** Compares an element with the one that has the same key, or without a key with the one that has the fewest differences. */
function* compareElement(
  expected: unknown,
  list: readonly unknown[],
  path: string,
  byKey: Map<string, ReadonlyMap<unknown, unknown>>,
  budget?: ComparisonBudget,
): Comparison {
  const key = keyOf(expected)
  if (key) {
    const { name, value, others } = key
    const index = byKey.get(name) ?? indexBy(list, name)
    byKey.set(name, index)
    const same = index.get(normalizeKey(value))
    const at = `${path}[${value}]`
    budget?.spend()
    if (same === undefined || Object.keys(others).length === 0)
      yield { path: at, met: same !== undefined, expected: expected, actual: same }
    else yield* compare(others, same, at, budget)
  } else if (!isObject(expected) || isDate(expected) || isConditions(expected)) {
    const met = list.some((one) => matches(expected, one, budget))
    yield { path: `${path}[]`, met, expected, actual: list }
  } else {
    const tried = list.map((one, at) => criteria(expected, one, `${path}[${at}]`, budget))
    const [first, ...others] = tried
    if (!first) yield { path: `${path}[]`, met: false, expected: expected, actual: list }
    else yield* others.reduce((nearest, one) => (countUnmet(one) < countUnmet(nearest) ? one : nearest), first)
  }
}

/** Returns the first element of each key. */
function indexBy(list: readonly unknown[], name: string): ReadonlyMap<unknown, unknown> {
  const index = new Map<unknown, unknown>()
  for (const one of list) {
    const key = isObject(one) ? normalizeKey(one[name]) : undefined
    if (key !== undefined && !index.has(key)) index.set(key, one)
  }
  return index
}

/** Returns the key of an element: the address of a person, else an id. */
function keyOf(element: unknown): { name: string; value: string; others: Json } | undefined {
  if (!isObject(element) || isConditions(element)) return undefined
  const { email, ...notEmail } = element
  if (typeof email === 'string') return { name: 'email', value: email, others: notEmail }
  const { id, ...notId } = element
  return typeof id === 'string' ? { name: 'id', value: id, others: notId } : undefined
}

/** Addresses are compared without regard to case. */
const normalizeKey = (key: unknown): unknown => (typeof key === 'string' && key.includes('@') ? key.toLowerCase() : key)
