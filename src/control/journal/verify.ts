import { type Criterion, findClosest, listCriteria } from '../matching.ts'
import type { MethodPattern } from '../request.ts'
import {
  type ExpectedCount,
  formatCriteria,
  formatRange,
  formatTimes,
  isInRange,
  toCountRange,
  VerificationError,
} from '../verification.ts'
import type { Journal } from './journal.ts'
import { type RecordedCall, toFullCall, toRedactedCall } from './recordedCall.ts'
import { redactAt } from './redact.ts'
import { type CallFilter, type ExpectedCall, isCallSelected } from './search.ts'

type Expected = CallFilter & {
  method: MethodPattern
  where?: ExpectedCall | undefined
  times?: ExpectedCount | undefined
}

/**
 * Returns the redacted calls that match. Throws a VerificationError if their number is wrong: it names the closest call
 * and its differences, and states if dropped calls could have matched.
 */
export function verifyCalls(journal: Journal, expected: Expected): RecordedCall[] {
  const { method, where = {}, times = { min: 1 } } = expected
  const range = toCountRange(times)
  const tried = journal
    .listEntries()
    .filter((entry) => isCallSelected(entry, expected))
    .map((entry) => {
      const call = toFullCall(entry, journal.world)
      return { call, criteria: listCriteria(where, call) }
    })
  const met = tried.filter(({ criteria }) => criteria.every((one) => one.met))
  const others = tried.filter((one) => !met.includes(one))
  const cut = others.filter(({ call, criteria }) => call.cut === true && mayMatchInCutText(criteria))
  const dropped = journal.evicted
  const isSure =
    (dropped === 0 && cut.length === 0) ||
    met.length > range.max ||
    (met.length >= range.min && range.max === Number.POSITIVE_INFINITY)
  if (isSure && isInRange(met.length, range)) return met.map(({ call }) => toRedactedCall(call))
  const name = [method].flat().join(', ')
  const partly = Object.keys(where).length > 0 ? ' as expected' : ''
  const count = met.length === 0 ? '0 times' : formatTimes(met.length)
  const closest = findClosest(others, ({ criteria }) => criteria)
  throw new VerificationError(
    [
      `${name}: expected ${formatRange(range)}, called${partly} ${count}`,
      ...(isSure || dropped === 0 ? [] : [describeDroppedCalls(dropped)]),
      ...(isSure || cut.length === 0 ? [] : [describeCutCalls(cut.map(({ call }) => call.n))]),
      ...(met.length > range.max ? [`These calls are: ${met.map(({ call }) => call.n).join(', ')}`] : []),
      ...(met.length <= range.max && closest
        ? [
            `The closest of ${others.length === 1 ? 'one other call' : `${others.length} other calls`} is call ${closest.candidate.call.n}, ${closest.candidate.call.method}:`,
            formatCriteria(closest.criteria.map((one) => redactCriterion(one, closest.candidate.call))),
          ]
        : []),
      ...(tried.length === 0 ? [describeCalledMethods(journal)] : []),
    ].join('\n'),
  )
}

const mayMatchInCutText = (criteria: readonly Criterion[]): boolean =>
  criteria.every(({ met, path }) => met || /^(?:body|response)\b/.test(path))

/** Returns a sentence: `dropped` calls, which may have matched, are no longer in the journal. */
export const describeDroppedCalls = (dropped: number): string =>
  `${dropped} earlier ${dropped === 1 ? 'call was' : 'calls were'} dropped from the journal, so the count is not certain: raise \`journal\`, or clear it before`

const describeCutCalls = (numbers: readonly number[]): string =>
  `only the beginning of call ${numbers.join(', ')} is kept; the expected part may be in the rest`

function redactCriterion(criterion: Criterion, { method }: RecordedCall): Criterion {
  const { path, actual } = criterion
  const [spot = ''] = path.split(/[.[]/, 1)
  if (spot !== 'params' && spot !== 'body' && spot !== 'response') return criterion
  return { ...criterion, actual: redactAt(path.slice(spot.length), actual, method, spot) }
}

function describeCalledMethods(journal: Journal): string {
  const counts = new Map<string, number>()
  for (const { method } of journal.listEntries()) counts.set(method, (counts.get(method) ?? 0) + 1)
  if (counts.size === 0) return 'Nothing was called.'
  return `Called were ${[...counts].map(([method, count]) => (count === 1 ? method : `${method} (${count} times)`)).join(', ')}.`
}
