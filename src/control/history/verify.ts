import { limitLines } from '../../schema/values/limitLines.ts'
import { isInstant } from '../assignment.ts'
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
  prepareMatch,
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
  const { missing, explain, unclaimed } = matchChanges(found, expected)
  if (missing.length === 0 && unclaimed.length === 0) return
  const head = `expected no other change; there ${formatFound(unclaimed.length, 'other change')}:`
  const problems = [
    ...missing.map((at) => () => explain(at)),
    ...(unclaimed.length > 0 ? [() => head] : []),
    ...unclaimed.map((one) => () => `  ${formatChange(one)}`),
  ]
  throw new VerificationError(
    limitLines(problems)
      .map((line) => (typeof line === 'string' ? line : line()))
      .join('\n'),
  )
}

export type ChangeMatch = {
  /** The changes that each expectation claims. */
  readonly claimed: readonly (readonly ChangeRecord[])[]
  /** The indexes of the expectations that are not met. */
  readonly missing: readonly number[]
  /** Returns what is missing, and the nearest change. */
  explain(at: number): string
  readonly unclaimed: readonly ChangeRecord[]
}

export function matchChanges(found: readonly ChangeRecord[], expected: readonly ExpectedChange[]): ChangeMatch {
  const ranges = expected.map(({ times = 1 }) => toCountRange(times))
  const find = createChangeIndex(found)
  const fits = expected.map((one) => {
    const decide = prepareChange(one)
    return find(one).filter(decide)
  })
  const { claimed, unclaimed } = claimChanges(found, fits, ranges)
  const countOf = (at: number) => claimed[at]?.length ?? 0
  return {
    claimed,
    missing: [...expected.keys()].filter((at) => countOf(at) < (ranges[at]?.min ?? 0)),
    explain: (at) => formatMissing(expected[at] ?? {}, countOf(at), found),
    unclaimed: found.filter((one) => unclaimed.has(one)),
  }
}

/** The parts by which changes are found, if an expectation has them as text. */
const INDEXED: readonly ((one: { id?: unknown; title?: unknown; where?: unknown }) => unknown)[] = [
  ({ id }) => id,
  ({ title }) => title,
  ({ where }) => (where as { id?: unknown } | null | undefined)?.id,
  ({ where }) => (where as { summary?: unknown } | null | undefined)?.summary,
]

/** Returns a function that returns the fewest changes, in their order, among which are all that an expectation fits. */
function createChangeIndex(found: readonly ChangeRecord[]) {
  const indexes = INDEXED.map((read) => {
    const changes = new Map<unknown, ChangeRecord[]>()
    for (const one of found) {
      const value = read({ ...one.change, where: one.resource })
      const same = changes.get(value)
      if (same) same.push(one)
      else changes.set(value, [one])
    }
    return { read, changes }
  })
  return (expected: ExpectedChange): readonly ChangeRecord[] => {
    const lists = indexes.flatMap(({ read, changes }) => {
      const value = read(expected)
      // An empty title is none, and an instant has several forms.
      return typeof value === 'string' && value !== '' && !isInstant(value) ? [changes.get(value) ?? []] : []
    })
    return lists.reduce<readonly ChangeRecord[]>((least, one) => (one.length < least.length ? one : least), found)
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
  for (const some of fits) for (const one of some) fitCounts.set(one, (fitCounts.get(one) ?? 0) + 1)
  const forbidden = new Set(fits.filter((_, at) => ranges[at]?.max === 0).flat())
  const unclaimed = new Set(found)
  const claimed: C[][] = ranges.map(() => [])
  const rank = (one: C): number => fitCounts.get(one) ?? 0
  const claim = (at: number, limit: number) => {
    const own = claimed[at] ?? []
    const needed = limit - own.length
    if (needed <= 0) return
    const open = (fits[at] ?? []).filter((one) => !forbidden.has(one) && unclaimed.has(one))
    const rarest = open.length > needed ? open.toSorted((a, b) => rank(a) - rank(b)).slice(0, needed) : open
    for (const one of rarest) if (unclaimed.delete(one)) own.push(one)
  }
  const order = [...fits.keys()].sort((a, b) => (fits[a]?.length ?? 0) - (fits[b]?.length ?? 0))
  for (const at of order) claim(at, ranges[at]?.min ?? 0)
  for (const at of order) claim(at, ranges[at]?.max ?? 0)
  return { claimed, unclaimed }
}

export const isExpected = (expected: ExpectedChange, found: ChangeRecord): boolean => prepareChange(expected)(found)

/** Decides the small parts first. */
function prepareChange(expected: ExpectedChange): (found: ChangeRecord) => boolean {
  const { where, ...given } = listParts(expected)
  const fields = Object.fromEntries(toExpectedFields(expected))
  const [decideGiven, decideWhere, decideFields] = [prepareMatch(given), prepareMatch(where), prepareMatch(fields)]
  return ({ change, resource }) =>
    decideGiven(change) &&
    (where === undefined || decideWhere(resource)) &&
    (Object.keys(fields).length === 0 || decideFields(toFoundFields(change)))
}

const listParts = ({ times: _, fields: __, ...parts }: ExpectedChange): Omit<ExpectedChange, 'times' | 'fields'> =>
  Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined))

const toExpectedFields = ({ fields = {} }: ExpectedChange) =>
  Object.entries(fields).map(([path, value]) => {
    const isPair = Array.isArray(value) && value.length === 2
    return [path, isPair ? { before: value[0], after: value[1] } : { after: value }] as const
  })

const toFoundFields = ({ fields }: Change) =>
  Object.fromEntries(Object.entries(fields).map(([path, [before, after]]) => [path, { before, after }]))

function compareChange(expected: ExpectedChange, { change, resource }: ChangeRecord): Criterion[] {
  const given = listParts(expected)
  const fields = toExpectedFields(expected)
  return [
    ...(Object.keys(given).length > 0 ? listCriteria(given, { ...change, where: resource }) : []),
    ...(fields.length > 0 ? listCriteria(Object.fromEntries(fields), toFoundFields(change), 'fields') : []),
  ]
}

function formatMissing(
  { times = 1, ...expected }: ExpectedChange,
  count: number,
  found: readonly ChangeRecord[],
): string {
  const range = toCountRange(times)
  const head = `expected ${formatExpectedNumber(range, 'change')} with ${formatComparedValue(expected)}; there ${formatFound(count, 'such change')}`
  if (count > 0) return head
  const { kind } = expected
  const ofKind = found.filter(({ change }) => kind === undefined || change.kind === kind)
  const decide = prepareChange(expected)
  const others = ofKind.filter((one) => !decide(one))
  const closest = findClosest(others.length > 0 ? others : ofKind, (one) => compareChange(expected, one))
  if (!closest) return `${head}\n  ${kind === undefined ? 'nothing' : `no ${kind}`} has changed`
  const { candidate, criteria } = closest
  const compared = criteria.map((one) => redactChangeCriterion(one, candidate))
  return [head, ...formatNearest(formatChange(candidate), compared)].join('\n')
}

const redactChangeCriterion = (criterion: Criterion, { secrets }: ChangeRecord): Criterion => {
  const isSecret = secrets.some((name) => criterion.path === `where.${name}`) && criterion.actual !== undefined
  return isSecret ? { ...criterion, actual: REDACTED } : criterion
}
