import * as namespace from 're2js'
import { boundedCache } from '../db/memo.ts'
import { isObject } from '../schema/values/json.ts'
import { MAX_LISTED } from '../schema/values/limitLines.ts'
import { assignElements, type Element, isInstant, isText, toComparedKey } from './assignment.ts'

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
  if (isConditions(expected)) return [{ path, met: matches(expected, actual), expected, actual }]
  if (Array.isArray(expected)) return compareList(expected, actual, path)
  if (isObject(expected) && !isDateObject(expected)) return compareObject(expected, actual, path)
  const value = isDateObject(expected) ? expected.toISOString() : expected
  return [{ path, met: isEqualValue(value, actual), expected, actual }]
}

/** The number of compared parts in the process, for tests of bounds. */
export const comparisons = { made: 0 }

/** Returns whether a value has all expected parts. */
export type Decide = (actual: unknown) => boolean

/** Prepares the decision for many values. It stops at the first part that differs. */
export function prepareMatch(expected: unknown): Decide {
  if (isConditions(expected)) return prepareConditions(expected)
  if (Array.isArray(expected)) return prepareList(expected)
  if (isObject(expected) && !isDateObject(expected)) return prepareObject(expected)
  const value = isDateObject(expected) ? expected.toISOString() : expected
  return (actual) => {
    comparisons.made += 1
    return isEqualValue(value, actual)
  }
}

export const matches = (expected: unknown, actual: unknown): boolean => prepareMatch(expected)(actual)

function prepareObject(expected: Json): Decide {
  const parts = Object.entries(expected).map(([name, part]) => [name, prepareMatch(part)] as const)
  return (actual) =>
    isObject(actual) && parts.every(([name, decide]) => decide(Object.hasOwn(actual, name) ? actual[name] : undefined))
}

function prepareConditions(conditions: object): Decide {
  const decide = toDecision(conditions)
  return (actual) => {
    comparisons.made += 1
    return decide(actual)
  }
}

function toDecision(conditions: object): Decide {
  if (isMatcher(conditions)) return (actual) => conditions.asymmetricMatch(actual)
  // `search` ignores the flag `g` and `lastIndex`.
  if (isRegExp(conditions)) return (actual) => isText(actual) && actual.search(conditions) >= 0
  const parts = Object.entries(conditions).map(([name, argument]) => CONDITIONS[name]?.(argument) ?? (() => false))
  return (actual) => parts.every((decide) => decide(actual))
}

function prepareList(expected: readonly unknown[]): Decide {
  const elements = expected.map(prepareElement)
  return (actual) => {
    const list = actual ?? []
    if (!Array.isArray(list) || list.length < elements.length) return false
    if (elements.length === 0) return list.length === 0
    return assignElements(elements, list, { isPartial: false }) !== undefined
  }
}

const prepareElement = (expected: unknown): Element => {
  const key = findKey(expected)
  if (key === undefined) return { decide: prepareMatch(expected), key, value: expected }
  const { [key]: value, ...others } = expected as Json
  return { decide: prepareMatch(others), key, value: toComparedKey(value) }
}

/** Comparisons with which the closest candidate is searched. */
const MAX_RANKED_CRITERIA = 100_000

/** Returns the candidate with most of the expected parts, the latest among equal ones. Only so many of the latest are compared. */
export function findClosest<T>(
  candidates: readonly T[],
  compare: (candidate: T) => Criterion[],
): { candidate: T; criteria: Criterion[] } | undefined {
  let closest: { candidate: T; criteria: Criterion[]; rank: number } | undefined
  for (let at = candidates.length - 1, made = 0; at >= 0 && made < MAX_RANKED_CRITERIA; at--) {
    const candidate = candidates[at] as T
    const criteria = compare(candidate)
    made += criteria.length
    const rank = rankCriteria(criteria)
    if (!closest || rank > closest.rank) closest = { candidate, criteria, rank }
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

/** Absent, undefined and null are equal, as to the service, and so are two forms of an instant. */
const isEqualValue = (expected: unknown, actual: unknown): boolean =>
  Object.is(expected ?? null, actual ?? null) ||
  (isInstant(expected) && isInstant(actual) && Date.parse(expected) === Date.parse(actual))

function compareList(expected: readonly unknown[], actual: unknown, path: string): Criterion[] {
  const list = actual ?? []
  if (!Array.isArray(list) || expected.length === 0)
    return [{ path, met: Array.isArray(list) && list.length === 0, expected, actual }]
  const assigned = assignElements(expected.map(prepareElement), list, { isPartial: true }) ?? []
  const taken = new Set(assigned)
  const free = list.filter((_, at) => !taken.has(at))
  let explained = 0
  return expected.flatMap((element, at) => {
    const own = assigned[at]
    if (own !== undefined)
      return hasParts(element)
        ? compareElement(element, [list[own]], path, list, false)
        : [{ path: `${path}[]`, met: true, expected: element, actual: list[own] }]
    explained += 1
    return explained > MAX_LISTED
      ? [{ path: `${path}[]`, met: false, expected: element, actual: list }]
      : compareElement(element, free, path, list, true)
  })
}

/** Elements of a list with which one that is missing is compared. */
const MAX_COMPARED_ELEMENTS = 200

/** Compares an element with those of a list that no other one claims. */
function compareElement(
  expected: unknown,
  free: readonly unknown[],
  path: string,
  list: readonly unknown[],
  isMissing: boolean,
): Criterion[] {
  const key = findKey(expected)
  const missing = [{ path: `${path}[]`, met: false, expected, actual: list }]
  if (key !== undefined) {
    const { [key]: value, ...others } = expected as Json
    const at = `${path}[${value}]`
    const same = free.find((one) => isSameKey(expected, one))
    if (!same)
      return list.some((one) => isSameKey(expected, one)) ? missing : [{ path: at, met: false, expected, actual: same }]
    const ofKey = { path: at, met: true, expected, actual: same }
    return Object.keys(others).length === 0 ? [ofKey] : [ofKey, ...compareObject(others, same, at)]
  }
  if (!hasParts(expected) || (isMissing && list.some(prepareMatch(expected)))) return missing
  const compared = free.slice(0, MAX_COMPARED_ELEMENTS)
  return (
    findClosest(compared, (one) => listCriteria(expected, one, `${path}[${list.indexOf(one)}]`))?.criteria ?? missing
  )
}

const hasParts = (expected: unknown): boolean =>
  isObject(expected) && !isDateObject(expected) && !isConditions(expected)

const findKey = (element: unknown): 'email' | 'id' | undefined =>
  isObject(element) ? (['email', 'id'] as const).find((name) => isText(element[name])) : undefined

function isSameKey(expected: unknown, other: unknown): boolean {
  const key = findKey(expected)
  return key !== undefined && isObject(other) && toComparedKey(other[key]) === toComparedKey((expected as Json)[key])
}

const typeName = (value: unknown): string => Object.prototype.toString.call(value).slice('[object '.length, -1)
// Not `instanceof`, because under jest the values of a test are of another realm.
export const isDateObject = (value: unknown): value is Date => typeName(value) === 'Date'
export const isPromise = (value: unknown): boolean => typeName(value) === 'Promise'
export const isRegExp = (value: unknown): value is RegExp => typeName(value) === 'RegExp'

type Matcher = { asymmetricMatch(value: unknown): boolean; toAsymmetricMatcher?(): string }
const isMatcher = (value: object): value is Matcher =>
  'asymmetricMatch' in value && typeof value.asymmetricMatch === 'function'

const CONDITIONS: Readonly<Record<string, (argument: unknown) => Decide>> = {
  contains(part) {
    const parts = [part].flat().map(prepareMatch)
    return (actual) =>
      Array.isArray(actual)
        ? parts.every((decide) => actual.some(decide))
        : isText(actual) && isText(part) && actual.includes(part)
  },
  startsWith: (start) => (actual) => isText(actual) && actual.startsWith(String(start)),
  endsWith: (end) => (actual) => isText(actual) && actual.endsWith(String(end)),
  matches: (pattern) => (actual) => isText(actual) && compilePattern(String(pattern)).test(actual),
}

/** Returns true for a matcher, a regular expression, and an object of conditions alone. */
export function isConditions(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  if (isMatcher(value) || isRegExp(value)) return true
  const names = Object.keys(value)
  return names.length > 0 && names.every((name) => Object.hasOwn(CONDITIONS, name))
}

/** Characters. */
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
  if (isDateObject(expected) && Number.isNaN(expected.getTime())) throw new RangeError(`${path}: not a valid Date`)
  if (isMatcher(expected) || isRegExp(expected) || isDateObject(expected)) return
  const hasConditions = isConditions(expected)
  for (const [name, part] of Object.entries(expected)) {
    const at = Array.isArray(expected) ? `${path}[${name}]` : `${path}.${name}`
    if (hasConditions) checkCondition(name, part, at)
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

/** Characters. */
const MAX_VALUE_LENGTH = 200

/** Formats one line, as JSON if possible, cut after 200 characters. A missing value is `none`. */
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
