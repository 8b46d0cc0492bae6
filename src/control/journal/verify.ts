import { limitLines, listNames } from '../../schema/values/limitLines.ts'
import {
  type Criterion,
  type ExpectedCount,
  findClosest,
  formatComparedValue,
  formatExpectedNumber,
  formatFound,
  formatNearest,
  isInRange,
  listCriteria,
  prepareMatch,
  toCountRange,
  VerificationError,
} from '../matching.ts'
import { isSelected, type MethodPattern } from '../request.ts'
import type { Journal } from './journal.ts'
import { formatParams, formatTarget, type RecordedCall, toFullCall, toRedactedCall } from './recordedCall.ts'
import { redactAt } from './redact.ts'
import type { CallFilter } from './search.ts'

type Expected = CallFilter & { method: MethodPattern; times?: ExpectedCount | undefined }

/**
 * Throws a VerificationError also if calls that could match were dropped or cut, because their number is not certain. The error
 * names the calls of `otherJournals` if this one is empty.
 */
export function verifyCalls(
  journal: Journal,
  expected: Expected,
  otherJournals: () => readonly Journal[] = () => [],
): RecordedCall[] {
  const { method, where = {}, times = { min: 1 } } = expected
  const range = toCountRange(times)
  const tried = journal
    .listEntries()
    .filter((entry) => isSelected(entry, expected))
    .map((entry) => toFullCall(entry, journal.world))
  const decide = prepareMatch(where)
  const met: RecordedCall[] = []
  const others: RecordedCall[] = []
  for (const call of tried) (decide(call) ? met : others).push(call)
  const cut = others.filter((call) => call.cut && mayMatchInCutText(listCriteria(where, call))).map(({ n }) => n)
  const isCertain = met.length > range.max || (met.length >= range.min && range.max === Number.POSITIVE_INFINITY)
  const doubts = [
    ...(journal.evicted > 0 && !isCertain ? [describeDroppedCalls(journal.evicted)] : []),
    ...(cut.length > 0 && !isCertain
      ? [`only the beginning of call ${listNames(cut.map(String))} is kept; the expected part may be in the rest`]
      : []),
  ]
  if (doubts.length === 0 && isInRange(met.length, range)) return met.map(toRedactedCall)
  const fields = Object.keys(where).length > 0 ? ` with ${formatComparedValue(where)}` : ''
  const closest = met.length > range.max ? undefined : findClosest(others, (call) => listCriteria(where, call))
  throw new VerificationError(
    [
      `expected ${formatExpectedNumber(range, 'call')} of ${[method].flat().join(', ')}${fields}; there ${formatFound(met.length, 'such call')}`,
      ...doubts,
      ...(met.length > range.max
        ? limitLines(met.map((call) => `  call ${call.n}, ${formatTarget(toRedactedCall(call))}`))
        : []),
      ...(closest ? describeClosest(closest.candidate, closest.criteria) : []),
      ...(tried.length === 0 ? describeCalledMethods(journal, otherJournals()) : []),
    ].join('\n'),
  )
}

const mayMatchInCutText = (criteria: readonly Criterion[]): boolean =>
  criteria.every(({ met, path }) => met || /^(?:body|response)\b/.test(path))

export const describeDroppedCalls = (dropped: number): string =>
  `${dropped} earlier ${dropped === 1 ? 'call was' : 'calls were'} dropped from the journal, so the count is not certain: raise \`journal\`, or clear it before`

const describeClosest = (call: RecordedCall, criteria: readonly Criterion[]): string[] =>
  formatNearest(
    `call ${call.n} (${[call.method, ...formatParams(toRedactedCall(call).params)].join(' ')})`,
    criteria.map((one) => redactCriterion(one, call)),
  )

function redactCriterion(criterion: Criterion, { method }: RecordedCall): Criterion {
  const { path, actual } = criterion
  const [spot = ''] = path.split(/[.[]/, 1)
  if (spot !== 'params' && spot !== 'body' && spot !== 'response') return criterion
  return { ...criterion, actual: redactAt(path.slice(spot.length), actual, method, spot) }
}

const MAX_OTHER_WORLDS = 3

function describeCalledMethods(journal: Journal, others: readonly Journal[]): string[] {
  const called = formatMethods(journal.listEntries())
  if (called !== '') return [`Called were ${called}.`]
  const elsewhere = others.flatMap((other) => {
    // Clients read the discovery document once for all worlds.
    const methods = formatMethods(other.listEntries().filter(({ method }) => method !== 'discovery'))
    return methods === '' ? [] : [`The world ${other.world} received ${methods}.`]
  })
  if (elsewhere.length === 0) return ['Nothing was called.']
  return [`Nothing was called in the world ${journal.world}.`, ...elsewhere.slice(0, MAX_OTHER_WORLDS)]
}

const formatMethods = (entries: readonly { method: string }[]): string =>
  countTexts(entries.map(({ method }) => method)).join(', ')

function countTexts(texts: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].map(([text, count]) => (count === 1 ? text : `${text} (${count} times)`))
}

/** Returns the calls with their accounts and parameters, in a line each. Equal ones share a line. */
export function describeCalls(journal: Journal): string[] {
  const calls = journal.listEntries().map((entry) => toRedactedCall(toFullCall(entry, journal.world)))
  if (calls.length === 0) return ['Nothing was called.']
  return ['Called were:', ...limitLines(countTexts(calls.map(formatTarget))).map((line) => `  ${line}`)]
}
