import { REDACTED } from '../journal/redact.ts'
import { type Criterion, checkExpected, findClosest, listCriteria } from '../matching.ts'
import {
  type CountRange,
  type ExpectedCount,
  formatComparedValue,
  formatCriteria,
  formatRange,
  toCountRange,
  VerificationError,
} from '../verification.ts'
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

const MAX_LISTED_PROBLEMS = 100

/**
 * Throws a VerificationError unless the changes are exactly those expected. The message names each missing change with
 * the nearest one, and each change that was not expected.
 */
export function verifyChanges(found: readonly ChangeRecord[], expected: readonly ExpectedChange[]): void {
  for (const [at, { times: _, ...parts }] of expected.entries())
    for (const [name, value] of Object.entries(parts)) checkExpected(value, `[${at}].${name}`)
  const fits = expected.map((one) => found.filter((change) => isExpected(one, change)))
  const ranges = expected.map(({ times = 1 }) => toCountRange(times))
  const { counts, unclaimed } = claimChanges(found, fits, ranges)
  const isMet = unclaimed.size === 0 && counts.every((count, at) => count >= (ranges[at]?.min ?? 0))
  if (isMet) return
  const texts = toSentences(found)
  const missing = expected.flatMap((one, at) => {
    const [count, range] = [counts[at] as number, ranges[at] as CountRange]
    return count < range.min ? [formatMissing(one, range, count, found, texts)] : []
  })
  const unexpected = found.flatMap((one, at) => (unclaimed.has(one) ? [`✗ not expected: ${texts[at]}`] : []))
  const problems = [...missing, ...unexpected]
  const rest = problems.length - MAX_LISTED_PROBLEMS
  const lines = [...problems.slice(0, MAX_LISTED_PROBLEMS), ...(rest > 0 ? [`and ${rest} more`] : [])]
  throw new VerificationError(`The changes are not those expected.\n${lines.join('\n')}`)
}

/**
 * Lets each expectation claim changes, first up to its minimum and then up to its maximum, in the order of the number of
 * changes that fit (`fits`): the most specific first. It takes first what fits the fewest other expectations. A change is
 * claimed once, so a verification that passes has counted each change for one expectation. A change that fits an
 * expectation with the maximum 0 is not claimed.
 */
export function claimChanges<C>(
  found: readonly C[],
  fits: readonly (readonly C[])[],
  ranges: readonly CountRange[],
): { counts: readonly number[]; unclaimed: ReadonlySet<C> } {
  const fitCounts = new Map<C, number>()
  for (const one of fits.flat()) fitCounts.set(one, (fitCounts.get(one) ?? 0) + 1)
  const forbidden = new Set(fits.filter((_, at) => ranges[at]?.max === 0).flat())
  const unclaimed = new Set(found)
  const counts = ranges.map(() => 0)
  const claim = (at: number, limit: number) => {
    const rarestFirst = [...(fits[at] ?? [])].sort((a, b) => (fitCounts.get(a) ?? 0) - (fitCounts.get(b) ?? 0))
    for (const one of rarestFirst)
      if ((counts[at] as number) < limit && !forbidden.has(one) && unclaimed.delete(one)) (counts[at] as number) += 1
  }
  const order = [...fits.keys()].sort((a, b) => (fits[a]?.length ?? 0) - (fits[b]?.length ?? 0))
  for (const at of order) claim(at, ranges[at]?.min ?? 0)
  for (const at of order) claim(at, ranges[at]?.max ?? 0)
  return { counts, unclaimed }
}

/** Compares the change first, because most expectations name its kind. */
const isExpected = (expected: ExpectedChange, found: ChangeRecord): boolean =>
  compareNamedFields(expected, found).every(({ met }) => met) && listDifferences(expected, found).length === 0

const listDifferences = (expected: ExpectedChange, found: ChangeRecord): Criterion[] =>
  compareChange(expected, found).filter(({ met }) => !met)

/** Compares all fields except `where`, `fields` and `times`. */
function compareNamedFields({ where: _, fields: __, times: ___, ...named }: ExpectedChange, { change }: ChangeRecord) {
  const given = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined))
  return Object.keys(given).length > 0 ? listCriteria(given, change) : []
}

function compareChange(expected: ExpectedChange, found: ChangeRecord): Criterion[] {
  const { where, fields = {} } = expected
  return [
    ...compareNamedFields(expected, found),
    ...(where === undefined ? [] : listCriteria(where, found.resource, 'where')),
    ...Object.entries(fields).flatMap(([path, value]) => compareField(path, value, found.change.fields)),
  ]
}

/** Compares a changed field with its expected new value, or with `[was, is]`. */
function compareField(path: string, expected: unknown, fields: Change['fields']): Criterion[] {
  const at = `fields['${path}']`
  const field = Object.hasOwn(fields, path) ? fields[path] : undefined
  if (!field) return [{ path: at, met: false, expected, actual: 'as it was' }]
  if (!Array.isArray(expected) || expected.length !== 2) return listCriteria(expected, field[1], at)
  return [...listCriteria(expected[0], field[0], `${at} before`), ...listCriteria(expected[1], field[1], `${at} after`)]
}

function formatMissing(
  { times: _, ...expected }: ExpectedChange,
  range: CountRange,
  count: number,
  found: readonly ChangeRecord[],
  texts: readonly string[],
): string {
  const head = `✗ expected ${formatRange(range)}, found ${count === 0 ? 'none' : count}: ${formatComparedValue(expected)}`
  if (count > 0) return head
  const { kind } = expected
  const ofKind = found.filter(({ change }) => kind === undefined || change.kind === kind)
  const others = ofKind.filter((one) => !isExpected(expected, one))
  const closest = findClosest(others.length > 0 ? others : ofKind, (one) => compareChange(expected, one))
  if (!closest) return `${head}\n  ${kind === undefined ? 'nothing' : `no ${kind}`} has changed`
  const { candidate, criteria } = closest
  const lines = formatCriteria(criteria.map((one) => redactCriterion(one, candidate.change.kind)))
  return [head, `  the nearest is ${texts[found.indexOf(candidate)]}`, lines.replace(/^/gm, '    ')].join('\n')
}

/** Redacts the actual value of a secret field, as in lists of changes. */
function redactCriterion(criterion: Criterion, kind: KindName): Criterion {
  const { path, actual } = criterion
  const isSecret = path.startsWith('where.') && listSecretFields(kind).includes(path.slice('where.'.length))
  return isSecret && actual !== undefined ? { ...criterion, actual: REDACTED } : criterion
}
