import {
  type CallWanted,
  createFakeCalendar,
  type ExpectedChange,
  type FakeCalendar,
  type FakeWorld,
  type Mail,
  type Moment,
  type On,
  type Times,
  VerificationError,
} from '../index.ts'
import { criteria, matches, misses } from '../matching/criteria.ts'
import { report, shown } from '../matching/report.ts'
import { inFlightLine } from './callReport.ts'

/** How often something is to be, at least once unless it is said, and by or of whom. */
export type Which = { times?: Times | undefined; account?: string | undefined; calendarId?: string | undefined }

/** Throws a VerificationError unless the world was called as wanted (`fake.calls.verify`). */
export function assertReceived(fake: FakeWorld, method: On, wanted: CallWanted = {}, which: Which = {}): void {
  checkWorld(fake)
  try {
    fake.calls.verify(method, wanted, which)
  } catch (error) {
    const pending = error instanceof VerificationError ? inFlightLine(fake) : undefined
    throw pending ? new VerificationError(`${(error as Error).message}\n${pending}`) : error
  }
}

/** A world in which there is nothing: what differs from it is all that another has. */
let nothing: FakeCalendar | undefined

/** Throws a VerificationError unless there is such an event, in part and deeply; those that are cancelled are not there. */
export function assertEvent(fake: FakeWorld, wanted: object, { times = { min: 1 }, ...where }: Which = {}): void {
  checkWorld(fake)
  nothing ??= createFakeCalendar({ seed: {}, now: 0 })
  // Guests' copies of an event are one with it, unless somebody's are asked for.
  const copies = where.account !== undefined || where.calendarId !== undefined
  const others = { times: { min: 0 } }
  const event: ExpectedChange = { kind: 'event', change: 'added', ...where, where: wanted, times }
  fake.diff(nothing, { copies }).verify([event, others])
}

/** Throws a VerificationError unless there is such a mail in the world's outbox. */
export function assertSent(
  fake: FakeWorld,
  wanted: WantedMail,
  { times = { min: 1 } }: Pick<Which, 'times'> = {},
): void {
  checkWorld(fake)
  const { min = 0, max = Number.POSITIVE_INFINITY } = typeof times === 'number' ? { min: times, max: times } : times
  const mails = fake.mail()
  const count = mails.filter((mail) => matches(wanted, mail)).length
  if (count >= min && count <= max) return
  const others = mails.map((mail) => criteria(wanted, mail)).sort((a, b) => misses(a) - misses(b))
  const near = others.find((one) => misses(one) > 0)
  throw new VerificationError(
    [
      `mail: wanted ${often(min, max)}, sent ${count}: ${shown(wanted)}`,
      ...(mails.length === 0 ? ['No mail was sent.'] : []),
      ...(count < min && near ? [`The closest of ${mails.length}:`, report(near)] : []),
    ].join('\n'),
  )
}

/** Throws a VerificationError unless these are all the changes since the world began, or since a moment (`fake.diff().verify`). */
export function assertChanged(fake: FakeWorld, expected: readonly ExpectedChange[], since?: Moment): void {
  checkWorld(fake)
  const changes = since === undefined ? fake.diff() : fake.diff(since)
  changes.verify(expected)
}

/** Of a mail what is wanted: values, or matchers for them. */
export type WantedMail = { readonly [N in keyof Mail]?: unknown }

function often(min: number, max: number): string {
  if (min === max) return String(min)
  return max === Number.POSITIVE_INFINITY ? `at least ${min}` : `${min} to ${max}`
}

function checkWorld(fake: FakeWorld): void {
  if (typeof fake !== 'object' || fake === null || typeof fake.diff !== 'function')
    throw new TypeError('expected a fake, or one of its worlds, as the test was handed it')
}
