import * as namespace from 're2js'
import { boundedCache } from '../db/memo.ts'
import { isEqual, isObject } from '../schema/values/json.ts'

/** A comparison of one part of a value: where it is (`attendees[bob@example.com].responseStatus`), and its result. */
export type Criterion = {
  readonly path: string
  readonly met: boolean
  readonly expected: unknown
  readonly actual: unknown
}

type Json = Readonly<Record<string, unknown>>

/**
 * Compares the parts of an expected value with an actual one, and returns all comparisons. Objects are compared
 * partially. Each element of an expected array needs an element of its own, in any order and among others; one with an
 * `email` or an `id` is compared with the one that has the same. An empty array expects an empty one, `null` expects no
 * value, and a Date expects its instant in any form.
 */
export function listCriteria(expected: unknown, actual: unknown, path = ''): Criterion[] {
  if (isConditions(expected)) return [{ path, met: meetsConditions(expected, actual), expected, actual }]
  if (Array.isArray(expected)) return compareList(expected, actual, path)
  if (isObject(expected) && !isDate(expected)) return compareObject(expected, actual, path)
  const value = isDate(expected) ? expected.toISOString() : expected
  return [{ path, met: isEqualValue(value, actual), expected, actual }]
}

export const matches = (expected: unknown, actual: unknown): boolean =>
  listCriteria(expected, actual).every(({ met }) => met)

/** Returns the candidate with most of the expected parts, the latest among equal ones. */
export function findClosest<T>(
  candidates: readonly T[],
  compare: (candidate: T) => Criterion[],
): { candidate: T; criteria: Criterion[] } | undefined {
  let closest: { candidate: T; criteria: Criterion[] } | undefined
  for (const candidate of candidates) {
    const criteria = compare(candidate)
    if (!closest || rankCriteria(criteria) >= rankCriteria(closest.criteria)) closest = { candidate, criteria }
  }
  return closest
}

/** Ranks by the number of met criteria, then by the smaller number of others. */
function rankCriteria(criteria: readonly Criterion[]): number {
  const met = criteria.filter((one) => one.met).length
  return met - (criteria.length - met) / (criteria.length + 1)
}

function compareObject(expected: Json, actual: unknown, path: string): Criterion[] {
  const names = Object.keys(expected)
  if (!isObject(actual) || names.length === 0) return [{ path, met: isObject(actual), expected, actual }]
  return names.flatMap((name) =>
    listCriteria(
      expected[name],
      Object.hasOwn(actual, name) ? actual[name] : undefined,
      path === '' ? name : `${path}.${name}`,
    ),
  )
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/
export const isInstant = (value: unknown): value is string => isText(value) && INSTANT.test(value)

/** Absent, undefined and null are equal, as to the service, and so are two forms of an instant. */
const isEqualValue = (expected: unknown, actual: unknown): boolean =>
  Object.is(expected ?? null, actual ?? null) ||
  (isInstant(expected) && isInstant(actual) && Date.parse(expected) === Date.parse(actual))

function compareList(expected: readonly unknown[], actual: unknown, path: string): Criterion[] {
  const list = actual ?? []
  if (!Array.isArray(list) || expected.length === 0)
    return [{ path, met: Array.isArray(list) && list.length === 0, expected, actual }]
  const criteria = expected.flatMap((element, at) => {
    const equal = expected.slice(0, at).filter((one) => isEqual(one, element) || isSameKey(one, element))
    return compareElement(element, list, path, equal.length)
  })
  if (!criteria.every(({ met }) => met)) return criteria
  const unassigned = findUnassigned(expected, list)
  return [...criteria, ...unassigned.map((one) => ({ path: `${path}[]`, met: false, expected: one, actual: list }))]
}

/** Assigns each element of the list to one expected element at most, by augmenting paths. Returns those without one. */
function findUnassigned(expected: readonly unknown[], list: readonly unknown[]): unknown[] {
  const owners = new Map<number, number>()
  const candidates = expected.map((element) =>
    list.flatMap((one, at) => (compareElement(element, [one], '', 0).every(({ met }) => met) ? [at] : [])),
  )
  const assign = (element: number, tried: Set<number>): boolean =>
    (candidates[element] ?? []).some((at) => {
      if (tried.has(at)) return false
      tried.add(at)
      const owner = owners.get(at)
      if (owner !== undefined && !assign(owner, tried)) return false
      owners.set(at, element)
      return true
    })
  return expected.filter((_, element) => !assign(element, new Set()))
}

/** Compares an element with those of a list. The element is expected once more for each of `before`, which are equal or have its key. */
function compareElement(expected: unknown, list: readonly unknown[], path: string, before: number): Criterion[] {
  const key = findKey(expected)
  if (key !== undefined) {
    const { [key]: value, ...others } = expected as Json
    const at = `${path}[${value}]`
    const same = list.filter((one) => isSameKey(expected, one))[before]
    const ofKey = { path: at, met: same !== undefined, expected, actual: same }
    return !same || Object.keys(others).length === 0 ? [ofKey] : [ofKey, ...compareObject(others, same, at)]
  }
  if (!isObject(expected) || isDate(expected) || isConditions(expected))
    return [
      { path: `${path}[]`, met: list.filter((one) => matches(expected, one)).length > before, expected, actual: list },
    ]
  const tried = list.map((one, at) => listCriteria(expected, one, `${path}[${at}]`))
  const met = tried.filter((criteria) => criteria.every((one) => one.met))
  const others = tried.filter((criteria) => !met.includes(criteria))
  const missing = [{ path: `${path}[]`, met: false, expected, actual: list }]
  return met[before] ?? (met.length > 0 ? missing : (findClosest(others, (one) => one)?.criteria ?? missing))
}

const findKey = (element: unknown): 'email' | 'id' | undefined =>
  isObject(element) ? (['email', 'id'] as const).find((name) => isText(element[name])) : undefined

function isSameKey(expected: unknown, other: unknown): boolean {
  const key = findKey(expected)
  return key !== undefined && isObject(other) && toComparedKey(other[key]) === toComparedKey((expected as Json)[key])
}

/** Addresses are compared without regard to case. */
const toComparedKey = (key: unknown): unknown => (isText(key) && key.includes('@') ? key.toLowerCase() : key)

const isText = (value: unknown): value is string => typeof value === 'string'
const typeName = (value: unknown): string => Object.prototype.toString.call(value).slice('[object '.length, -1)
// Not `instanceof`, because under jest the values of a test are of another realm.
export const isDate = (value: unknown): value is Date => typeName(value) === 'Date'
export const isPromise = (value: unknown): boolean => typeName(value) === 'Promise'
export const isRegExp = (value: unknown): value is RegExp => typeName(value) === 'RegExp'

type Matcher = { asymmetricMatch(value: unknown): boolean; toAsymmetricMatcher?(): string }
const isMatcher = (value: object): value is Matcher =>
  'asymmetricMatch' in value && typeof value.asymmetricMatch === 'function'

const CONDITIONS: Readonly<Record<string, (actual: unknown, argument: unknown) => boolean>> = {
  contains(actual, part) {
    if (!Array.isArray(actual)) return isText(actual) && isText(part) && actual.includes(part)
    return [part].flat().every((one) => actual.some((element) => matches(one, element)))
  },
  startsWith: (actual, start) => isText(actual) && actual.startsWith(String(start)),
  endsWith: (actual, end) => isText(actual) && actual.endsWith(String(end)),
  matches: (actual, pattern) => isText(actual) && compilePattern(String(pattern)).test(actual),
}

/** Returns true for a matcher, a regular expression, and an object of conditions alone. */
export function isConditions(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  if (isMatcher(value) || isRegExp(value)) return true
  const names = Object.keys(value)
  return names.length > 0 && names.every((name) => Object.hasOwn(CONDITIONS, name))
}

function meetsConditions(conditions: object, actual: unknown): boolean {
  if (isMatcher(conditions)) return conditions.asymmetricMatch(actual)
  // `search` ignores the flag `g` and `lastIndex`.
  if (isRegExp(conditions)) return isText(actual) && actual.search(conditions) >= 0
  return Object.entries(conditions).every(([name, argument]) => CONDITIONS[name]?.(actual, argument))
}

/** In characters. */
const MAX_PATTERN_LENGTH = 1000
const patterns = boundedCache<namespace.RE2JS>(500)

/** Compiles a pattern of RE2. Throws a RangeError if it is invalid or too long. */
const compilePattern = (source: string): namespace.RE2JS =>
  patterns(source, () => {
    if (source.length > MAX_PATTERN_LENGTH)
      throw new RangeError(`a pattern has at most ${MAX_PATTERN_LENGTH} characters`)
    // A lazily loaded module has a default export only.
    const { RE2JS } = (namespace as Partial<{ default: typeof namespace }>).default ?? namespace
    return RE2JS.compile(source)
  })

const MATCHABLE = ['Object', 'Array', 'Date', 'RegExp']

/** Throws a RangeError for an object such as a Map or a Promise, whose contents are no fields. */
export function rejectOpaqueObject(value: unknown, path: string): void {
  if (typeof value !== 'object' || value === null || isMatcher(value) || MATCHABLE.includes(typeName(value))) return
  const advice = isPromise(value) ? 'add await' : 'give an object or an array'
  throw new RangeError(`${path}: a ${typeName(value)} cannot be matched with: ${advice}`)
}

/**
 * Throws a RangeError for a function, a Map, a Promise, NaN, an invalid Date or pattern, and a part that is undefined, because it
 * may come from a misspelled name, and JSON omits it. `path` is its path.
 */
export function checkExpected(expected: unknown, path: string): void {
  if (typeof expected === 'function')
    throw new RangeError(`${path}: a function cannot be matched with: give data, a regular expression or a matcher`)
  if (typeof expected === 'bigint' || typeof expected === 'symbol' || Number.isNaN(expected))
    throw new RangeError(`${path}: ${String(expected)} is no JSON value`)
  if (typeof expected !== 'object' || expected === null) return
  rejectOpaqueObject(expected, path)
  if (isDate(expected) && Number.isNaN(expected.getTime())) throw new RangeError(`${path}: not a valid Date`)
  if (isMatcher(expected) || isRegExp(expected) || isDate(expected)) return
  for (const [name, part] of Object.entries(expected)) {
    const at = Array.isArray(expected) ? `${path}[${name}]` : `${path}.${name}`
    if (isConditions(expected)) checkCondition(name, part, at)
    if (part === undefined) throw new RangeError(`${at}: is undefined; give null to expect no value`)
    checkExpected(part, at)
  }
}

function checkCondition(name: string, argument: unknown, path: string): void {
  if (name === 'contains') return
  if (!isText(argument)) throw new RangeError(`${path}: give a text`)
  if (name !== 'matches') return
  try {
    compilePattern(argument)
  } catch (error) {
    const { message } = error as Error
    throw new RangeError(`${path}: ${JSON.stringify(argument)} is not a valid RE2 pattern: ${message}`)
  }
}

/** Thrown by a verification that fails. The message lists the differences, one per line. */
export class VerificationError extends Error {
  override readonly name = 'VerificationError'
}

/**
 * An expected number of calls, events, mails or changes: exact, or a range. In a range, `min` is 0 and `max` is infinite
 * by default.
 */
export type ExpectedCount = number | { min?: number | undefined; max?: number | undefined }

export type CountRange = { readonly min: number; readonly max: number }

/** Throws a RangeError if no number is in it, and if it is no range. */
export function toCountRange(times: ExpectedCount, path = 'times'): CountRange {
  const given: unknown = typeof times === 'number' ? { min: times, max: times } : times
  const range: Partial<CountRange> = isObject(given) ? given : {}
  const { min = 0, max = Number.POSITIVE_INFINITY, ...others } = range
  if (Object.keys(others).length > 0 || (range.min ?? range.max) === undefined)
    throw new RangeError(`${path}: give a number, or min, max or both`)
  if (min > max) throw new RangeError(`${path}: min is greater than max`)
  if (!Number.isInteger(min) || min < 0 || (max !== Number.POSITIVE_INFINITY && !Number.isInteger(max)))
    throw new RangeError(`${path}: give whole numbers from 0`)
  return { min, max }
}

export const isInRange = (count: number, { min, max }: CountRange): boolean => count >= min && count <= max

const plural = (number: number, noun: string): string => (number === 1 ? noun : `${noun}s`)

/** Returns `is no event`, `are 2 events`. */
export const formatFound = (number: number, noun: string): string =>
  number === 0 ? `is no ${noun}` : `${number === 1 ? 'is' : 'are'} ${number} ${plural(number, noun)}`

/** Returns `no event`, `2 events`, `at least 1 event`, `1 to 3 events`. */
export function formatExpectedNumber({ min, max }: CountRange, noun: string): string {
  if (max === 0) return `no ${noun}`
  if (min === max) return `${min} ${plural(min, noun)}`
  if (max === Number.POSITIVE_INFINITY) return `at least ${min} ${plural(min, noun)}`
  return min === 0 ? `at most ${max} ${plural(max, noun)}` : `${min} to ${max} ${plural(max, noun)}`
}

export const formatNearest = (name: string, criteria: readonly Criterion[]): string[] => [
  `The nearest, ${name}, differs in:`,
  ...criteria
    .filter(({ met }) => !met)
    .map(
      ({ path, expected, actual }) =>
        `  ${path || 'value'}: expected ${formatComparedValue(expected)}, got ${formatComparedValue(actual)}`,
    ),
]

/** In characters. */
const MAX_VALUE_LENGTH = 200

/** On one line, as JSON if possible, cut after 200 characters. A missing value is `none`. */
export function formatComparedValue(value: unknown): string {
  if (value === undefined || value === null) return 'none'
  const formatted = toPlainValue('', value)
  const text = formatted !== value ? String(formatted) : (JSON.stringify(value, toPlainValue) ?? String(value))
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text
}

/** Matchers become their names, patterns their source, big integers text. */
function toPlainValue(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? String(value) : value
  if (isRegExp(value)) return String(value)
  if (!isMatcher(value)) return value
  return value.toAsymmetricMatcher?.() ?? String(value)
}
