import type { ExpectedChange } from '../control/history/verify.ts'
import type { ExpectedCall } from '../control/journal/search.ts'
import { countUnmet, criteria, matches } from '../control/matching/criteria.ts'
import type { ExpectedCount } from '../control/matching/report.ts'
import { formatValue, report } from '../control/matching/report.ts'
import { VerificationError } from '../control/matching/verificationError.ts'
import type { MethodPattern } from '../control/request.ts'
import type { Moment } from '../control/types/history.ts'
import type { FakeWorld } from '../control/types/world.ts'
import type { Mail } from '../schema/mail.ts'
import { createFakeCalendar, type FakeCalendar } from '../server/createFakeCalendar.ts'
import { inFlightLine } from './callReport.ts'

/** The expected number (at least one by default), and the account or calendar. */
export type ReceivedFilter = {
  times?: ExpectedCount | undefined
  account?: string | undefined
  calendarId?: string | undefined
}

/** Throws a VerificationError unless the world received a matching request (`fake.calls.verify`). */
export function assertReceived(
  fake: FakeWorld,
  method: MethodPattern,
  expected: ExpectedCall = {},
  which: ReceivedFilter = {},
): void {
  checkWorld(fake)
  try {
    fake.calls.verify(method, expected, which)
  } catch (error) {
    const pending = error instanceof VerificationError ? inFlightLine(fake) : undefined
    throw pending ? new VerificationError(`${(error as Error).message}\n${pending}`) : error
  }
}

/** An empty world: every record of another world differs from it. */
let emptyWorld: FakeCalendar | undefined

/**
 * Throws a VerificationError unless a matching event exists. Fields match partially and deeply; cancelled events do not
 * count.
 */
export function assertEvent(
  fake: FakeWorld,
  expected: object,
  { times = { min: 1 }, ...where }: ReceivedFilter = {},
): void {
  checkWorld(fake)
  emptyWorld ??= createFakeCalendar({ seed: {}, now: 0 })
  // The copies of guests count as one event, unless the filter names an account or calendar.
  const copies = where.account !== undefined || where.calendarId !== undefined
  const others = { times: { min: 0 } }
  const event: ExpectedChange = { kind: 'event', change: 'added', ...where, where: expected, times }
  fake.diff(emptyWorld, { copies }).verify([event, others])
}

/** Throws a VerificationError unless the world's outbox contains a matching mail. */
export function assertSent(
  fake: FakeWorld,
  expected: ExpectedMail,
  { times = { min: 1 } }: Pick<ReceivedFilter, 'times'> = {},
): void {
  checkWorld(fake)
  const { min = 0, max = Number.POSITIVE_INFINITY } = typeof times === 'number' ? { min: times, max: times } : times
  const mails = fake.mail()
  const count = mails.filter((mail) => matches(expected, mail)).length
  if (count >= min && count <= max) return
  const others = mails.map((mail) => criteria(expected, mail)).sort((a, b) => countUnmet(a) - countUnmet(b))
  const near = others.find((one) => countUnmet(one) > 0)
  throw new VerificationError(
    [
      `mail: wanted ${formatCount(min, max)}, sent ${count}: ${formatValue(expected)}`,
      ...(mails.length === 0 ? ['No mail was sent.'] : []),
      ...(count < min && near ? [`The closest of ${mails.length}:`, report(near)] : []),
    ].join('\n'),
  )
}

/**
 * Throws a VerificationError unless these are all changes since the world started, or since a moment
 * (`fake.diff().verify`).
 */
export function assertChanged(fake: FakeWorld, expected: readonly ExpectedChange[], since?: Moment): void {
  checkWorld(fake)
  const changes = since === undefined ? fake.diff() : fake.diff(since)
  changes.verify(expected)
}

/** The expected fields of a mail: values or matchers. */
export type ExpectedMail = { readonly [N in keyof Mail]?: unknown }

function formatCount(min: number, max: number): string {
  if (min === max) return String(min)
  return max === Number.POSITIVE_INFINITY ? `at least ${min}` : `${min} to ${max}`
}

function checkWorld(fake: FakeWorld): void {
  if (typeof fake !== 'object' || fake === null || typeof fake.diff !== 'function')
    throw new TypeError('expected a fake or one of its worlds')
}
