import { type Criterion, misses } from '../../matching/criteria.ts'
import { report, VerificationError } from '../../matching/report.ts'
import type { On } from '../request.ts'
import type { Journal } from './journal.ts'
import { type RecordedCall, toFullCall, toRedactedCall } from './recordedCall.ts'
import { redactAt } from './redact.ts'
import { type CallFilter, type CallWanted, criteriaOf, isSelected } from './search.ts'

/** An exact number of calls, or a range. */
export type Times = number | { min?: number | undefined; max?: number | undefined }

type Expected = CallFilter & { method: On; where?: CallWanted | undefined; times?: Times | undefined }
type Tried = { call: RecordedCall; criteria: Criterion[] }

/**
 * Returns the calls that match. Throws a VerificationError if their number is wrong: it names the closest call and its
 * differences, and says if dropped calls could have matched.
 */
export function verifyCalls(journal: Journal, expected: Expected): RecordedCall[] {
  const { method, where = {}, times = { min: 1 } } = expected
  const { min = 0, max = Number.POSITIVE_INFINITY } = typeof times === 'number' ? { min: times, max: times } : times
  const tried = journal.entries().flatMap((entry): Tried[] => {
    if (!isSelected(entry, expected)) return []
    const call = toFullCall(entry, journal.world)
    return [{ call, criteria: criteriaOf(where, call) }]
  })
  const met = tried.filter(({ criteria }) => misses(criteria) === 0)
  const dropped = journal.evicted
  const cut = tried.filter(isOpen)
  // Dropped calls and missing parts can only increase the number of matches.
  const isSure =
    (dropped === 0 && cut.length === 0) || met.length > max || (met.length >= min && max === Number.POSITIVE_INFINITY)
  if (isSure && met.length >= min && met.length <= max) return met.map(({ call }) => toRedactedCall(call))
  throw new VerificationError(
    [
      `${named(method)}: wanted ${often(min, max)}, called${asWanted(where)} ${met.length === 0 ? '0 times' : timesOf(met.length)}`,
      ...(isSure || dropped === 0 ? [] : [droppedLine(dropped)]),
      ...(isSure || cut.length === 0 ? [] : [cutLine(cut)]),
      ...(met.length > max
        ? [`These calls are: ${met.map(({ call }) => call.n).join(', ')}`]
        : closest(tried, met, journal)),
    ].join('\n'),
  )
}

/** Returns true if the missing parts of a call may be in the text that was cut off. */
const isOpen = ({ call, criteria }: Tried): boolean =>
  call.cut === true &&
  misses(criteria) > 0 &&
  criteria.every(({ met, path }) => met || /^(?:body|response)\b/.test(path))

const named = (method: On): string => (typeof method === 'string' ? method : method.join(', '))
const timesOf = (count: number): string => (count === 0 ? 'never' : count === 1 ? 'once' : `${count} times`)
const asWanted = (where: CallWanted): string => (Object.keys(where).length > 0 ? ' as wanted' : '')

function often(min: number, max: number): string {
  if (min === max) return timesOf(min)
  if (max === Number.POSITIVE_INFINITY) return `at least ${timesOf(min)}`
  return min === 0 ? `at most ${timesOf(max)}` : `${min} to ${max} times`
}

const droppedLine = (dropped: number): string =>
  `${dropped} earlier ${dropped === 1 ? 'call was' : 'calls were'} dropped from the journal, so that this cannot be told: raise \`journal\`, or clear it before`

/** Describes the call with the fewest differences, the latest among several. Without one, lists the methods called. */
function closest(tried: readonly Tried[], met: readonly Tried[], journal: Journal): string[] {
  const others = tried.filter((one) => !met.includes(one))
  const [first, ...rest] = others
  if (!first) return met.length === 0 && tried.length === 0 ? [instead(journal)] : []
  const { call, criteria } = rest.reduce(
    (best, one) => (misses(one.criteria) <= misses(best.criteria) ? one : best),
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

function instead(journal: Journal): string {
  const counts = new Map<string, number>()
  for (const { method } of journal.entries()) counts.set(method, (counts.get(method) ?? 0) + 1)
  if (counts.size === 0) return 'Nothing was called.'
  return `Called were ${[...counts].map(([method, count]) => (count === 1 ? method : `${method} (${count} times)`)).join(', ')}.`
}

const cutLine = (cut: readonly Tried[]): string =>
  `of call ${cut.map(({ call }) => call.n).join(', ')} the beginning alone is kept, and what was wanted may be in the rest`
