import type { ExpectedChange } from '../control/history/verify.ts'
import type { ExpectedCall } from '../control/journal/search.ts'
import { countUnmet, listCriteria, matches } from '../control/matching/criteria.ts'
import type { ExpectedCount } from '../control/matching/report.ts'
import { formatComparedValue, formatCriteria, VerificationError } from '../control/matching/report.ts'
import type { MethodPattern } from '../control/request.ts'
import type { FakeWorld, Moment } from '../control/types/world.ts'
import type { Mail } from '../schema/mail.ts'
import { createFakeCalendar, type FakeCalendar } from '../server/createFakeCalendar.ts'
import { formatInFlight } from './callReport.ts'

/** The number of expected matches, and the records that are searched: requests, events or mails. */
export type ReceivedFilter = {
  /** A number, or `{ min, max }`; at least one by default. */
  times?: ExpectedCount | undefined
  /** The address of the account that sent the request, or that owns the calendar. */
  account?: string | undefined
  /** The id of the calendar. */
  calendarId?: string | undefined
}

/**
 * Throws a VerificationError unless the world received the expected number of matching requests, by default at least one
 * (`fake.calls.verify`). The error names requests that are still in flight. Throws a TypeError if `fake` is not a world.
 */
export function assertReceived(
  fake: FakeWorld,
  method: MethodPattern,
  expected: ExpectedCall = {},
  which: ReceivedFilter = {},
): void {
  requireWorld(fake)
  try {
    fake.calls.verify(method, expected, which)
  } catch (error) {
    const pending = error instanceof VerificationError ? formatInFlight(fake) : undefined
    throw pending ? new VerificationError(`${(error as Error).message}\n${pending}`) : error
  }
}

/** An empty world, created on first use: every record of another world differs from it. */
let emptyWorld: FakeCalendar | undefined

/**
 * Throws a VerificationError unless the expected number of matching events exists, by default at least one. `expected` has
 * fields of an event, as values or matchers, which
 * match partially and deeply. Cancelled events do not count. Throws a TypeError if `fake` is not a world.
 */
export function assertEvent(
  fake: FakeWorld,
  expected: object,
  { times = { min: 1 }, ...where }: ReceivedFilter = {},
): void {
  requireWorld(fake)
  emptyWorld ??= createFakeCalendar({ seed: {}, now: 0 })
  // The copies of an event on the calendars of its guests count as one event, unless the filter names an account or calendar.
  const copies = where.account !== undefined || where.calendarId !== undefined
  const others = { times: { min: 0 } }
  const event: ExpectedChange = { kind: 'event', change: 'added', ...where, where: expected, times }
  fake.diff(emptyWorld, { copies }).verify([event, others])
}

/**
 * Throws a VerificationError unless the world sent the expected number of matching mails, by default at least one; the error
 * shows the closest one. Throws a TypeError if `fake` is not a world.
 */
export function assertSent(
  fake: FakeWorld,
  expected: ExpectedMail,
  { times = { min: 1 } }: Pick<ReceivedFilter, 'times'> = {},
): void {
  requireWorld(fake)
  const { min = 0, max = Number.POSITIVE_INFINITY } = typeof times === 'number' ? { min: times, max: times } : times
  const mails = fake.mail()
  const count = mails.filter((mail) => matches(expected, mail)).length
  if (count >= min && count <= max) return
  const others = mails.map((mail) => listCriteria(expected, mail)).sort((a, b) => countUnmet(a) - countUnmet(b))
  const near = others.find((one) => countUnmet(one) > 0)
  throw new VerificationError(
    [
      `mail: wanted ${formatExpectedCount(min, max)}, sent ${count}: ${formatComparedValue(expected)}`,
      ...(mails.length === 0 ? ['No mail was sent.'] : []),
      ...(count < min && near ? [`The closest of ${mails.length}:`, formatCriteria(near)] : []),
    ].join('\n'),
  )
}

/**
 * Throws a VerificationError unless these are all changes since the world started, or since a moment
 * (`fake.diff().verify`). Throws a TypeError if `fake` is not a world.
 */
export function assertChanged(fake: FakeWorld, expected: readonly ExpectedChange[], since?: Moment): void {
  requireWorld(fake)
  const changes = since === undefined ? fake.diff() : fake.diff(since)
  changes.verify(expected)
}

/** The expected fields of a mail: values or matchers. */
export type ExpectedMail = { readonly [N in keyof Mail]?: unknown }

/** Formats an expected number: `2`, `at least 1` or `1 to 3`. `max` is infinite without a limit. */
function formatExpectedCount(min: number, max: number): string {
  if (min === max) return String(min)
  return max === Number.POSITIVE_INFINITY ? `at least ${min}` : `${min} to ${max}`
}

/** Throws a TypeError unless the value is a fake or one of its worlds. */
function requireWorld(fake: FakeWorld): void {
  if (typeof fake !== 'object' || fake === null || typeof fake.diff !== 'function')
    throw new TypeError('expected a fake or one of its worlds')
}
