import type { Steps } from '../matching/comparisonBudget.ts'
import { type Criterion, countUnmet } from '../matching/criteria.ts'
import { type ExpectedCount, formatCriteria, formatTimes, VerificationError } from '../matching/report.ts'
import type { MethodPattern } from '../request.ts'
import type { Journal } from './journal.ts'
import { type RecordedCall, toRedactedCall } from './recordedCall.ts'
import { redactAt } from './redact.ts'
import {
  type CallFilter,
  createCallBudget,
  criteriaSteps,
  type ExpectedCall,
  isCallSelected,
  matchesExpectedSteps,
  toFullCallSteps,
} from './search.ts'

/** The arguments of a verification. `times` is at least once by default. */
type Expected = CallFilter & {
  method: MethodPattern
  where?: ExpectedCall | undefined
  times?: ExpectedCount | undefined
}
/** A call of the expected method, and true if it meets all expected parts. */
type Tried = { call: RecordedCall; met: boolean }

/** Calls that are compared in full to find the closest one, the latest first. */
const MAX_CLOSEST_CANDIDATES = 20

/**
 * Returns the redacted calls that match. Throws a VerificationError if their number is wrong: it names the closest call
 * and its differences, and states if dropped calls could have matched. Throws a RangeError above MAX_COMPARISONS.
 */
export function* verifyCallsSteps(journal: Journal, expected: Expected): Steps<RecordedCall[]> {
  const { method, where = {}, times = { min: 1 } } = expected
  const { min = 0, max = Number.POSITIVE_INFINITY } = typeof times === 'number' ? { min: times, max: times } : times
  const budget = createCallBudget()
  const dropped = journal.evicted
  const tried: Tried[] = []
  const cut: Tried[] = []
  for (const entry of journal.listEntries().filter((entry) => isCallSelected(entry, expected))) {
    const call = yield* toFullCallSteps(entry, journal.world, budget)
    const one = { call, met: yield* matchesExpectedSteps(where, call, budget) }
    tried.push(one)
    if (!one.met && call.cut === true && mayMatchInCutText(yield* criteriaSteps(where, call, budget))) cut.push(one)
  }
  const met = tried.filter((one) => one.met)
  // Dropped calls and missing parts can only increase the number of matches.
  const isSure =
    (dropped === 0 && cut.length === 0) || met.length > max || (met.length >= min && max === Number.POSITIVE_INFINITY)
  if (isSure && met.length >= min && met.length <= max) return met.map(({ call }) => toRedactedCall(call))
  throw new VerificationError(
    [
      `${formatMethod(method)}: expected ${formatExpectedCount(min, max)}, called${formatExpectation(where)} ${met.length === 0 ? '0 times' : formatTimes(met.length)}`,
      ...(isSure || dropped === 0 ? [] : [describeDroppedCalls(dropped)]),
      ...(isSure || cut.length === 0 ? [] : [describeCutCalls(cut)]),
      ...(met.length > max
        ? [`These calls are: ${met.map(({ call }) => call.n).join(', ')}`]
        : yield* describeClosestCallSteps(tried, where, journal)),
    ].join('\n'),
  )
}

/** Returns true if the missing parts of a call may be in the text that was cut off. */
const mayMatchInCutText = (criteria: readonly Criterion[]): boolean =>
  criteria.every(({ met, path }) => met || /^(?:body|response)\b/.test(path))

/** Formats one method or several. */
const formatMethod = (method: MethodPattern): string => (typeof method === 'string' ? method : method.join(', '))

/** Returns ` as expected` if parts of the calls are expected, else an empty text. */
const formatExpectation = (where: ExpectedCall): string => (Object.keys(where).length > 0 ? ' as expected' : '')

/** Formats a range of counts: `once`, `at least 2 times`, `1 to 3 times`. `max` is infinite for none. */
function formatExpectedCount(min: number, max: number): string {
  if (min === max) return formatTimes(min)
  if (max === Number.POSITIVE_INFINITY) return `at least ${formatTimes(min)}`
  return min === 0 ? `at most ${formatTimes(max)}` : `${min} to ${max} times`
}

/** Returns a sentence: `dropped` calls, which may have matched, are no longer in the journal. */
export const describeDroppedCalls = (dropped: number): string =>
  `${dropped} earlier ${dropped === 1 ? 'call was' : 'calls were'} dropped from the journal, so the count is not certain: raise \`journal\`, or clear it before`

/**
 * Returns the lines of a message on the unmatched call with the fewest differences, the latest among several. Without
 * calls of the method, returns one line with the methods that were called.
 */
function* describeClosestCallSteps(tried: readonly Tried[], where: ExpectedCall, journal: Journal): Steps<string[]> {
  // The message of a failure is worth the work, which is linear in the size of the expected call.
  const budget = createCallBudget(Number.POSITIVE_INFINITY)
  const others = tried.filter((one) => !one.met)
  let best: { call: RecordedCall; criteria: Criterion[] } | undefined
  for (const { call } of others.slice(-MAX_CLOSEST_CANDIDATES)) {
    const criteria = yield* criteriaSteps(where, call, budget)
    if (!best || countUnmet(criteria) <= countUnmet(best.criteria)) best = { call, criteria }
  }
  if (!best) return tried.length === 0 ? [describeCalledMethods(journal)] : []
  const { call, criteria } = best
  return [
    `The closest of ${others.length === 1 ? 'one other call' : `${others.length} other calls`} is call ${call.n}, ${call.method}:`,
    formatCriteria(criteria.map((one) => redactCriterion(one, call))),
  ]
}

/** Returns a criterion whose actual value is redacted if it is in a part that may contain secrets. */
function redactCriterion(criterion: Criterion, { method }: RecordedCall): Criterion {
  const { path, actual } = criterion
  const [spot = ''] = path.split(/[.[]/, 1)
  if (spot !== 'params' && spot !== 'body' && spot !== 'response') return criterion
  return { ...criterion, actual: redactAt(path.slice(spot.length), actual, method, spot) }
}

/** Returns a sentence with all methods that were called, and their counts. */
function describeCalledMethods(journal: Journal): string {
  const counts = new Map<string, number>()
  for (const { method } of journal.listEntries()) counts.set(method, (counts.get(method) ?? 0) + 1)
  if (counts.size === 0) return 'Nothing was called.'
  return `Called were ${[...counts].map(([method, count]) => (count === 1 ? method : `${method} (${count} times)`)).join(', ')}.`
}

/** Returns a sentence with the numbers of calls whose bodies were cut. */
const describeCutCalls = (cut: readonly Tried[]): string =>
  `only the beginning of call ${cut.map(({ call }) => call.n).join(', ')} is kept; the expected part may be in the rest`
