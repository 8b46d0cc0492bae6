import { isObject } from '../../schema/values/json.ts'
import { REDACTED } from '../journal/redact.ts'
import { ComparisonBudget, runInTurns, runSteps, type Steps } from '../matching/comparisonBudget.ts'
import { type Criterion, checkExpected, compareParts, countUnmet, isExactText } from '../matching/criteria.ts'
import {
  type ExpectedCount,
  formatComparedValue,
  formatCriteria,
  formatTimes,
  VerificationError,
} from '../matching/report.ts'
import { assignChanges } from './assignChanges.ts'
import type { Change, ChangeRecord } from './change.ts'
import { type KindName, listSecretFields } from './kinds.ts'
import { toSentences } from './sentences.ts'

/** An expected change. Fields that are left out match anything. */
export type ExpectedChange = {
  change?: Change['change'] | undefined
  kind?: KindName | undefined
  account?: unknown
  calendarId?: unknown
  id?: unknown
  title?: unknown
  /** The resource after the change, or before a deletion, compared partially and deeply. Matchers are valid. */
  where?: unknown
  /** Fields by path: the new value, or `[was, is]`. */
  fields?: Record<string, unknown> | undefined
  /** The default is once. */
  times?: ExpectedCount | undefined
}

/** An allowed number of changes, both ends included. `max` may be infinite. */
type Range = { min: number; max: number }
/** Converts an expected count to a range. In an object, `min` is 0 and `max` infinite by default. */
const toRange = (times: ExpectedCount = 1): Range =>
  typeof times === 'number'
    ? { min: times, max: times }
    : { min: times.min ?? 0, max: times.max ?? Number.POSITIVE_INFINITY }

/** Problems that an error message lists. */
const MAX_LISTED_PROBLEMS = 100
/** Changes that are compared in full to find the nearest one. */
const MAX_NEAREST_CANDIDATES = 50

/**
 * Throws a VerificationError unless the changes are exactly those expected. The message names each missing change with
 * the nearest one, and each change that was not expected. Throws a RangeError above MAX_COMPARISONS.
 */
export const verifyChanges = (found: readonly ChangeRecord[], expected: readonly ExpectedChange[]): void =>
  runSteps(verifySteps(found, expected))

/** Verifies as `verifyChanges` does, and rejects with its errors. Between steps other requests are answered. */
export const verifyChangesInSteps = (
  found: readonly ChangeRecord[],
  expected: readonly ExpectedChange[],
): Promise<void> => runInTurns(verifySteps(found, expected))

/** Verifies as `verifyChanges` does, and yields whenever other requests may be answered. */
function* verifySteps(found: readonly ChangeRecord[], expected: readonly ExpectedChange[]): Steps<void> {
  const budget = new ComparisonBudget('name the kind and id of each, or verify fewer at a time')
  for (const [at, { account, calendarId, id, title, where, fields }] of expected.entries()) {
    for (const [name, value] of Object.entries({ account, calendarId, id, title, where, fields }))
      checkExpected(value, `[${at}].${name}`, budget)
    if (budget.endStep()) yield
  }
  const index = new ChangeIndex(found)
  const groups = groupEqual(expected)
  /** The groups that each change fits. */
  const fits: number[][] = found.map(() => [])
  for (const [group, { expectation }] of groups.entries())
    for (const at of index.findCandidates(expectation)) {
      if (meetsExpectation(expectation, found[at] as ChangeRecord, budget)) fits[at]?.push(group)
      if (budget.endStep()) yield
    }
  const { counts, unassigned } = yield* assignChanges(
    fits,
    groups.map(({ range }) => range),
    budget,
  )
  const missing = groups.flatMap((group, at) => listMissing(group, counts[at] ?? 0))
  if (missing.length === 0 && unassigned.length === 0) return
  const texts = toSentences(found)
  const problems: string[] = []
  for (const one of missing.slice(0, MAX_LISTED_PROBLEMS)) {
    problems.push(formatMissing(one, index.findNearestChange(one.expectation, fits), found, texts))
    yield
  }
  const others = unassigned.slice(0, MAX_LISTED_PROBLEMS).map((at) => `✗ not expected: ${texts[at]}`)
  const unlisted = missing.length + unassigned.length - problems.length - others.length
  const rest = unlisted > 0 ? [`and ${unlisted} more`] : []
  throw new VerificationError(`The changes are not those expected.\n${[...problems, ...others, ...rest].join('\n')}`)
}

/** Equal expectations: one of them, the range of each, and the range of all together. */
type Group = { readonly expectation: ExpectedChange; readonly ranges: Range[]; range: Range }

/**
 * Returns the expectations in groups of equal ones, so that each is compared once, in the order of their first. An
 * expectation with matchers or patterns is a group of its own.
 */
function groupEqual(expected: readonly ExpectedChange[]): Group[] {
  const groups = new Map<unknown, Group>()
  for (const one of expected) {
    const { times, ...expectation } = one
    const range = toRange(times)
    const key = isPlainData(expectation) ? `${range.max === 0} ${JSON.stringify(expectation)}` : one
    const group: Group = groups.get(key) ?? { expectation, ranges: [], range: { min: 0, max: 0 } }
    group.ranges.push(range)
    group.range = { min: group.range.min + range.min, max: group.range.max + range.max }
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** Returns true for a value that JSON can represent at any depth: no matcher, pattern, Date or big integer. */
const isPlainData = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.every(isPlainData)
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint'
  const proto: unknown = Object.getPrototypeOf(value)
  return (proto === null || Object.getPrototypeOf(proto) === null) && Object.values(value).every(isPlainData)
}

/** An expectation that `count` changes met, fewer than its range requires. */
type Missing = { readonly expectation: ExpectedChange; readonly range: Range; readonly count: number }

/** Distributes the changes of a group over its expectations, and returns those that lack some. */
function listMissing({ expectation, ranges }: Group, count: number): Missing[] {
  let left = count
  return ranges.flatMap((range) => {
    const count = Math.min(range.min, left)
    left -= count
    return count < range.min ? [{ expectation, range, count }] : []
  })
}

/** Looks up changes by the exact texts of an expectation. */
class ChangeIndex {
  readonly #found: readonly ChangeRecord[]
  /** Positions by value, for each field that was looked up. */
  readonly #byField = new Map<string, Map<unknown, number[]>>()

  constructor(found: readonly ChangeRecord[]) {
    this.#found = found
  }

  /**
   * Returns the positions of the changes that may meet an expectation: the shortest list of those with an equal text.
   */
  findCandidates({ where, fields: _, ...named }: ExpectedChange): readonly number[] {
    const lists: (readonly number[])[] = []
    for (const [name, value] of Object.entries(named))
      if (isExactText(value)) lists.push(this.#lookUp(name, value, ({ change }) => change))
    for (const [name, value] of Object.entries(isPlainObject(where) ? where : {}))
      if (isExactText(value) && name !== 'contains' && name !== 'matches')
        lists.push(this.#lookUp(`where.${name}`, value, ({ resource }) => resource, name))
    if (lists.length === 0) return [...this.#found.keys()]
    return lists.reduce((shortest, one) => (one.length < shortest.length ? one : shortest))
  }

  /**
   * Returns the positions of the changes whose field `name` equals `value`, in ascending order. `partOf` returns the
   * part of a change that has the field. The index of the field is kept under `key`.
   */
  #lookUp(key: string, value: string, partOf: (change: ChangeRecord) => object, name = key): readonly number[] {
    const byValue = this.#byField.get(key) ?? new Map<unknown, number[]>()
    if (!this.#byField.has(key)) {
      this.#byField.set(key, byValue)
      for (const [at, one] of this.#found.entries()) {
        const part = partOf(one) as Readonly<Record<string, unknown>>
        const own = Object.hasOwn(part, name) ? part[name] : undefined
        const list = byValue.get(own)
        if (list) list.push(at)
        else byValue.set(own, [at])
      }
    }
    return byValue.get(value) ?? []
  }

  /**
   * Returns the change of the expected kind with the fewest differences, if possible one that fits no expectation.
   * `fits` has the groups that each change fits. Undefined if no change has the kind.
   */
  findNearestChange(expectation: ExpectedChange, fits: readonly (readonly number[])[]): Nearest | undefined {
    const { kind } = expectation
    const ofKind = this.findCandidates({ kind })
    const isUnmatched = (at: number): boolean => fits[at]?.length === 0
    const unclaimed = ofKind.filter(isUnmatched)
    const candidates = (unclaimed.length > 0 ? unclaimed : ofKind).slice(0, MAX_NEAREST_CANDIDATES)
    const tried = candidates.map((at) => ({
      at,
      criteria: listChangeCriteria(expectation, this.#found[at] as ChangeRecord),
    }))
    /** Returns the number of differences. Among equal ones, more comparisons (which are met) rank first. */
    const rankDifference = ({ criteria }: Nearest): number => {
      const unmet = countUnmet(criteria)
      return unmet - (criteria.length - unmet) / 1000
    }
    return tried.sort((a, b) => rankDifference(a) - rankDifference(b))[0]
  }
}

/** Returns true for an object of plain data, not a list. */
const isPlainObject = (value: unknown): value is Record<string, unknown> => isObject(value) && isPlainData(value)

/** The position of a change, and its comparison with an expectation. */
type Nearest = { readonly at: number; readonly criteria: Criterion[] }

/** Returns true if a change meets all parts of an expectation. Throws a RangeError above the limit of `budget`. */
function meetsExpectation(expectation: ExpectedChange, change: ChangeRecord, budget: ComparisonBudget): boolean {
  for (const { met } of compareChange(expectation, change, budget)) if (!met) return false
  return true
}

/** Returns the comparisons of all parts of an expectation with a change. */
const listChangeCriteria = (expectation: ExpectedChange, change: ChangeRecord): Criterion[] => [
  ...compareChange(expectation, change),
]

/** Yields the comparisons of all parts of an expectation, except `times`, with a change. */
function* compareChange(
  { where, fields, times: _, ...named }: ExpectedChange,
  { change, resource }: ChangeRecord,
  budget?: ComparisonBudget,
): Generator<Criterion> {
  const given = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined))
  if (Object.keys(given).length > 0) yield* compareParts(given, change, '', budget)
  if (where !== undefined) yield* compareParts(where, resource, 'where', budget)
  for (const [path, expected] of Object.entries(fields ?? {}))
    yield* compareField(path, expected, change.fields, budget)
}

/** Yields the comparison of one changed field by path with its expected new value, or with `[was, is]`. */
function* compareField(
  path: string,
  expected: unknown,
  fields: Change['fields'],
  budget?: ComparisonBudget,
): Generator<Criterion> {
  const at = `fields['${path}']`
  const field = Object.hasOwn(fields, path) ? fields[path] : undefined
  budget?.spend()
  if (!field) yield { path: at, met: false, expected, actual: 'as it was' }
  else if (!Array.isArray(expected) || expected.length !== 2) yield* compareParts(expected, field[1], at, budget)
  else {
    yield* compareParts(expected[0], field[0], `${at} before`, budget)
    yield* compareParts(expected[1], field[1], `${at} after`, budget)
  }
}

/** Formats a missing change, with the sentence of the nearest one (from `texts`) and its differences. */
function formatMissing(
  { expectation, range: { min, max }, count }: Missing,
  nearest: Nearest | undefined,
  changes: readonly ChangeRecord[],
  texts: readonly string[],
): string {
  const expected = min === max ? formatTimes(min) : `at least ${formatTimes(min)}`
  const head = `✗ expected ${expected}, found ${count === 0 ? 'none' : count}: ${formatComparedValue(expectation)}`
  if (count > 0) return head
  const found = nearest && changes[nearest.at]
  if (!found) return `${head}\n  ${expectation.kind === undefined ? 'nothing' : `no ${expectation.kind}`} has changed`
  const differences = formatCriteria(nearest.criteria.map((one) => redactCriterion(one, found.change.kind))).replace(
    /^/gm,
    '    ',
  )
  return [head, `  the nearest is ${texts[nearest.at]}`, differences].join('\n')
}

/** Returns a criterion whose actual value is redacted if it is a secret field, as in lists of changes. */
function redactCriterion(criterion: Criterion, kind: KindName): Criterion {
  const isSecret =
    criterion.path.startsWith('where.') && listSecretFields(kind).includes(criterion.path.slice('where.'.length))
  return isSecret && criterion.actual !== undefined ? { ...criterion, actual: REDACTED } : criterion
}
