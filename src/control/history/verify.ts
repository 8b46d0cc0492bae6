import { limitLines } from '../../schema/values/limitLines.ts'
import { REDACTED } from '../journal/redact.ts'
import {
  type CountRange,
  type Criterion,
  type ExpectedCount,
  findClosest,
  formatComparedValue,
  formatExpectedNumber,
  formatFound,
  formatNearest,
  listCriteria,
  toCountRange,
  VerificationError,
} from '../matching.ts'
import type { Change, ChangeRecord } from './change.ts'
import { formatChange } from './format.ts'
import type { KindName } from './kinds.ts'

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

export function verifyChanges(found: readonly ChangeRecord[], expected: readonly ExpectedChange[]): void {
  const { missing, unclaimed } = matchChanges(found, expected)
  const unexpected = unclaimed.map((one) => `  ${formatChange(one)}`)
  const problems = [
    ...missing.flat(),
    ...(unexpected.length > 0
      ? [`expected no other change; there ${formatFound(unexpected.length, 'other change')}:`]
      : []),
    ...unexpected,
  ]
  if (problems.length === 0) return
  throw new VerificationError(limitLines(problems).join('\n'))
}

export type ChangeMatch = {
  /** The changes that each expectation claims. */
  readonly claimed: readonly (readonly ChangeRecord[])[]
  /** The problem of each expectation that is not met, else an empty list. */
  readonly missing: readonly (readonly string[])[]
  readonly unclaimed: readonly ChangeRecord[]
}

export function matchChanges(found: readonly ChangeRecord[], expected: readonly ExpectedChange[]): ChangeMatch {
  const ranges = expected.map(({ times = 1 }) => toCountRange(times))
  const fits = expected.map((one) => found.filter((change) => isExpected(one, change)))
  const { claimed, unclaimed } = claimChanges(found, fits, ranges)
  return {
    claimed,
    missing: expected.map((one, at) => formatMissing(one, claimed[at]?.length ?? 0, found)),
    unclaimed: found.filter((one) => unclaimed.has(one)),
  }
}

/**
 * Lets each expectation claim changes, first up to its minimum, then up to its maximum, the most specific first. It
 * takes first what fits the fewest others. A change is claimed once, and never by an expectation with the maximum 0.
 */
export function claimChanges<C>(
  found: readonly C[],
  fits: readonly (readonly C[])[],
  ranges: readonly CountRange[],
): { claimed: readonly (readonly C[])[]; unclaimed: ReadonlySet<C> } {
  const fitCounts = new Map<C, number>()
  for (const one of fits.flat()) fitCounts.set(one, (fitCounts.get(one) ?? 0) + 1)
  const forbidden = new Set(fits.filter((_, at) => ranges[at]?.max === 0).flat())
  const unclaimed = new Set(found)
  const claimed: C[][] = ranges.map(() => [])
  const claim = (at: number, limit: number) => {
    const rarestFirst = [...(fits[at] ?? [])].sort((a, b) => (fitCounts.get(a) ?? 0) - (fitCounts.get(b) ?? 0))
    const own = claimed[at] ?? []
    for (const one of rarestFirst) if (own.length < limit && !forbidden.has(one) && unclaimed.delete(one)) own.push(one)
  }
  const order = [...fits.keys()].sort((a, b) => (fits[a]?.length ?? 0) - (fits[b]?.length ?? 0))
  for (const at of order) claim(at, ranges[at]?.min ?? 0)
  for (const at of order) claim(at, ranges[at]?.max ?? 0)
  return { claimed, unclaimed }
}

export const isExpected = (expected: ExpectedChange, found: ChangeRecord): boolean =>
  compareChange(expected, found).every(({ met }) => met)

function compareChange({ times: _, fields = {}, ...parts }: ExpectedChange, { change, resource }: ChangeRecord) {
  const given = Object.entries(parts).filter(([, part]) => part !== undefined)
  const expectedFields = Object.entries(fields).map(([path, value]) => {
    const isPair = Array.isArray(value) && value.length === 2
    return [path, isPair ? { before: value[0], after: value[1] } : { after: value }]
  })
  const foundFields = Object.entries(change.fields).map(([path, [before, after]]) => [path, { before, after }])
  return [
    ...(given.length > 0 ? listCriteria(Object.fromEntries(given), { ...change, where: resource }) : []),
    ...(expectedFields.length > 0
      ? listCriteria(Object.fromEntries(expectedFields), Object.fromEntries(foundFields), 'fields')
      : []),
  ]
}

function formatMissing(
  { times = 1, ...expected }: ExpectedChange,
  count: number,
  found: readonly ChangeRecord[],
): string[] {
  const range = toCountRange(times)
  if (count >= range.min) return []
  const head = `expected ${formatExpectedNumber(range, 'change')} with ${formatComparedValue(expected)}; there ${formatFound(count, 'such change')}`
  if (count > 0) return [head]
  const { kind } = expected
  const ofKind = found.filter(({ change }) => kind === undefined || change.kind === kind)
  const others = ofKind.filter((one) => !isExpected(expected, one))
  const closest = findClosest(others.length > 0 ? others : ofKind, (one) => compareChange(expected, one))
  if (!closest) return [`${head}\n  ${kind === undefined ? 'nothing' : `no ${kind}`} has changed`]
  const { candidate, criteria } = closest
  const compared = criteria.map((one) => redactCriterion(one, candidate))
  return [[head, ...formatNearest(formatChange(candidate), compared)].join('\n')]
}

const redactCriterion = (criterion: Criterion, { secrets }: ChangeRecord): Criterion => {
  const isSecret = secrets.some((name) => criterion.path === `where.${name}`) && criterion.actual !== undefined
  return isSecret ? { ...criterion, actual: REDACTED } : criterion
}
