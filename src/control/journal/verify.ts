import { ComparisonBudget } from '../matching/comparisonBudget.ts'
import { type Criterion, countUnmet } from '../matching/criteria.ts'
import { type ExpectedCount, report } from '../matching/report.ts'
import { VerificationError } from '../matching/verificationError.ts'
import type { MethodPattern } from '../request.ts'
import type { Journal } from './journal.ts'
import { type RecordedCall, toFullCall, toRedactedCall } from './recordedCall.ts'
import { redactAt } from './redact.ts'
import { type CallFilter, criteriaOf, type ExpectedCall, isSelected, matchesExpected } from './search.ts'

type Expected = CallFilter & {
  method: MethodPattern
  where?: ExpectedCall | undefined
  times?: ExpectedCount | undefined
}
type Tried = { call: RecordedCall; met: boolean }

/** Calls that are compared in full to find the closest one, the latest first. */
const MAX_CLOSEST_CANDIDATES = 20

/**
 * Returns the calls that match. Throws a VerificationError if their number is wrong: it names the closest call and its
 * differences, and states if dropped calls could have matched. Throws a RangeError above MAX_COMPARISONS.
 */
export function verifyCalls(journal: Journal, expected: Expected): RecordedCall[] {
  const { method, where = {}, times = { min: 1 } } = expected
  const { min = 0, max = Number.POSITIVE_INFINITY } = typeof times === 'number' ? { min: times, max: times } : times
  const budget = new ComparisonBudget()
  const tried = journal.entries().flatMap((entry): Tried[] => {
    if (!isSelected(entry, expected)) return []
    const call = toFullCall(entry, journal.world)
    return [{ call, met: matchesExpected(where, call, budget) }]
  })
  const met = tried.filter((one) => one.met)
  const dropped = journal.evicted
  const cut = tried.filter((one) => !one.met && one.call.cut === true && mayMeet(where, one.call, budget))
  // Dropped calls and missing parts can only increase the number of matches.
  const isSure =
    (dropped === 0 && cut.length === 0) || met.length > max || (met.length >= min && max === Number.POSITIVE_INFINITY)
  if (isSure && met.length >= min && met.length <= max) return met.map(({ call }) => toRedactedCall(call))
  throw new VerificationError(
    [
      `${formatMethod(method)}: expected ${formatRange(min, max)}, called${asExpected(where)} ${met.length === 0 ? '0 times' : formatTimes(met.length)}`,
      ...(isSure || dropped === 0 ? [] : [droppedLine(dropped)]),
      ...(isSure || cut.length === 0 ? [] : [cutLine(cut)]),
      ...(met.length > max
        ? [`These calls are: ${met.map(({ call }) => call.n).join(', ')}`]
        : closest(tried, where, journal)),
    ].join('\n'),
  )
}

/** Returns true if the missing parts of a call may be in the text that was cut off. */
const mayMeet = (where: ExpectedCall, call: RecordedCall, budget: ComparisonBudget): boolean =>
  criteriaOf(where, call, budget).every(({ met, path }) => met || /^(?:body|response)\b/.test(path))

const formatMethod = (method: MethodPattern): string => (typeof method === 'string' ? method : method.join(', '))
const formatTimes = (count: number): string => (count === 0 ? 'never' : count === 1 ? 'once' : `${count} times`)
const asExpected = (where: ExpectedCall): string => (Object.keys(where).length > 0 ? ' as expected' : '')

function formatRange(min: number, max: number): string {
  if (min === max) return formatTimes(min)
  if (max === Number.POSITIVE_INFINITY) return `at least ${formatTimes(min)}`
  return min === 0 ? `at most ${formatTimes(max)}` : `${min} to ${max} times`
}

/** States that dropped calls may have matched. */
export const droppedLine = (dropped: number): string =>
  `${dropped} earlier ${dropped === 1 ? 'call was' : 'calls were'} dropped from the journal, so the count is not certain: raise \`journal\`, or clear it before`

/** Describes the call with the fewest differences, the latest among several. Without one, lists the methods called. */
function closest(tried: readonly Tried[], where: ExpectedCall, journal: Journal): string[] {
  const others = tried.filter((one) => !one.met)
  const compared = others
    .slice(-MAX_CLOSEST_CANDIDATES)
    .map(({ call }) => ({ call, criteria: criteriaOf(where, call) }))
  const [first, ...rest] = compared
  if (!first) return tried.length === 0 ? [calledMethods(journal)] : []
  const { call, criteria } = rest.reduce(
    (best, one) => (countUnmet(one.criteria) <= countUnmet(best.criteria) ? one : best),
    first,
  )
  return [
    `The closest of ${others.length === 1 ? 'one other call' : `${others.length} other calls`} is call ${call.n}, ${call.method}:`,
    report(criteria.map((one) => redactCriterion(one, call))),
  ]
}

/** Redacts the actual value of a criterion. */
function redactCriterion(criterion: Criterion, { method }: RecordedCall): Criterion {
  const { path, actual } = criterion
  const [spot = ''] = path.split(/[.[]/, 1)
  if (spot !== 'params' && spot !== 'body' && spot !== 'response') return criterion
  return { ...criterion, actual: redactAt(path.slice(spot.length), actual, method, spot) }
}

function calledMethods(journal: Journal): string {
  const counts = new Map<string, number>()
  for (const { method } of journal.entries()) counts.set(method, (counts.get(method) ?? 0) + 1)
  if (counts.size === 0) return 'Nothing was called.'
  return `Called were ${[...counts].map(([method, count]) => (count === 1 ? method : `${method} (${count} times)`)).join(', ')}.`
}

const cutLine = (cut: readonly Tried[]): string =>
  `only the beginning of call ${cut.map(({ call }) => call.n).join(', ')} is kept; the expected part may be in the rest`
