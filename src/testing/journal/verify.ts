import { type Criterion, misses } from '../../matching/criteria.ts'
import { report, VerificationError } from '../../matching/report.ts'
import type { On } from '../request.ts'
import type { Journal } from './journal.ts'
import { type RecordedCall, told, whole } from './recordedCall.ts'
import { redactedAt } from './redact.ts'
import { asked, type CallWanted, isAmong, type Which } from './search.ts'

/** How often: exactly so many times, or from `min` on, up to `max`. */
export type Times = number | { min?: number | undefined; max?: number | undefined }

type Expected = Which & { method: On; where?: CallWanted | undefined; times?: Times | undefined }
type Tried = { call: RecordedCall; criteria: Criterion[] }

/**
 * Finds the calls that are as wanted, or throws a VerificationError where they are not as many: it says which call comes
 * closest, and what of it differs. Where calls were dropped that might have counted, it says so.
 */
export function verify(journal: Journal, expected: Expected): RecordedCall[] {
  const { method, where = {}, times = { min: 1 } } = expected
  const { min = 0, max = Number.POSITIVE_INFINITY } = typeof times === 'number' ? { min: times, max: times } : times
  const tried = journal.notes().flatMap((note): Tried[] => {
    if (!isAmong(note, expected)) return []
    const call = whole(note, journal.world)
    return [{ call, criteria: asked(where, call) }]
  })
  const met = tried.filter(({ criteria }) => misses(criteria) === 0)
  const dropped = journal.evicted
  const cut = tried.filter(isOpen)
  // What was dropped, and what is not there of a call, can only have made them more.
  const isSure =
    (dropped === 0 && cut.length === 0) || met.length > max || (met.length >= min && max === Number.POSITIVE_INFINITY)
  if (isSure && met.length >= min && met.length <= max) return met.map(({ call }) => told(call))
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

/** Whether what a call lacks may be in what was cut off it. */
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

/** The call that misses the least, among several the latest; where there is none, what was called instead. */
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
    report(criteria.map((one) => shownOf(one, call))),
  ]
}

/** What is told of a call holds no secrets, whatever was matched. */
function shownOf(criterion: Criterion, { method }: RecordedCall): Criterion {
  const { path, actual } = criterion
  const [spot = ''] = path.split(/[.[]/, 1)
  if (spot !== 'params' && spot !== 'body' && spot !== 'response') return criterion
  return { ...criterion, actual: redactedAt(path.slice(spot.length), actual, method, spot) }
}

function instead(journal: Journal): string {
  const counts = new Map<string, number>()
  for (const { method } of journal.notes()) counts.set(method, (counts.get(method) ?? 0) + 1)
  if (counts.size === 0) return 'Nothing was called.'
  return `Called were ${[...counts].map(([method, count]) => (count === 1 ? method : `${method} (${count} times)`)).join(', ')}.`
}

const cutLine = (cut: readonly Tried[]): string =>
  `of call ${cut.map(({ call }) => call.n).join(', ')} the beginning alone is kept, and what was wanted may be in the rest`
