import { requireKnownEventFields, requireKnownMailFields, requireName } from '../control/expectedFields.ts'
import type { ChangeRecord } from '../control/history/change.ts'
import { diffSnapshots } from '../control/history/diff.ts'
import type { ExpectedChange } from '../control/history/verify.ts'
import { explainMissingMail } from '../control/journal/missingMail.ts'
import type { ExpectedCall } from '../control/journal/search.ts'
import {
  checkExpected,
  type ExpectedCount,
  findClosest,
  formatComparedValue,
  formatExpectedNumber,
  formatFound,
  formatNearest,
  isInRange,
  isPromise,
  listCriteria,
  matches,
  toCountRange,
  VerificationError,
} from '../control/matching.ts'
import { isSameAccount, isSameCalendar, type MethodPattern } from '../control/request.ts'
import type { ExpectedMail } from '../control/types/messages.ts'
import type { FakeWorld, Moment } from '../control/types/world.ts'
import { findAttachedWorld, type World } from '../control/worlds/world.ts'
import { loadAttempts } from '../evaluation/loadAttempts.ts'
import type { Event } from '../schema/event.ts'
import type { Mail } from '../schema/mail.ts'
import { runForCaller } from '../schema/values/callerStack.ts'
import { isObject } from '../schema/values/json.ts'
import { limitLines } from '../schema/values/limitLines.ts'
import { composeFakeCalendar, type FakeCalendar } from '../server/createFakeCalendar.ts'
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

const AT_LEAST_ONE = { min: 1 }

/**
 * Throws a VerificationError unless the world received the expected number of matching requests, by default at least one
 * (`fake.calls.verify`). Throws a TypeError if `fake` is not a world.
 */
export function assertReceived(
  fake: FakeWorld,
  method: MethodPattern,
  expected: ExpectedCall = {},
  which: ReceivedFilter = {},
): void {
  verify(assertReceived, fake, () => {
    requireFilter(which, ['times', 'account', 'calendarId'])
    fake.calls.verify(method, expected, which)
  })
}

/**
 * Throws a VerificationError unless the expected number of matching events exists, by default at least one. `expected` has
 * fields of an event, as values or matchers, which match partially and deeply. Cancelled events do not count. A series
 * counts once, and each of its changed instances once more. The copies of an event on the calendars of its guests count
 * only if the filter names an account or a calendar. Throws a TypeError if `fake` is not a world.
 */
export function assertEvent(fake: FakeWorld, expected: object, which: ReceivedFilter = {}): void {
  verify(assertEvent, fake, (world) => {
    requireFilter(which, ['times', 'account', 'calendarId'])
    const { times = AT_LEAST_ONE, account, calendarId } = which
    toCountRange(times)
    checkExpected(expected, 'event')
    requireKnownEventFields(expected)
    const found = listChangedEvents(world, account !== undefined || calendarId !== undefined).filter(
      ({ change }) =>
        (account === undefined || isSameAccount(change.account, account)) &&
        (calendarId === undefined || isSameCalendar(change.calendarId, calendarId, account ?? change.account)),
    )
    requireCount({ noun: 'event', found, expected, times, toRecord: ({ resource }) => resource, format: formatEvent })
  })
}

/**
 * Throws a VerificationError unless the world sent the expected number of matching mails, by default at least one. Throws a
 * TypeError if `fake` is not a world.
 */
export function assertSent(fake: FakeWorld, expected: ExpectedMail, which: Pick<ReceivedFilter, 'times'> = {}): void {
  verify(assertSent, fake, (world) => {
    requireFilter(which, ['times'])
    const { times = AT_LEAST_ONE } = which
    toCountRange(times)
    checkExpected(expected, 'mail')
    requireKnownMailFields(expected)
    const format = ({ kind, to }: Mail) => `${kind} to ${to}`
    const explain = () => explainMissingMail(world.controls.journal, world.data)
    requireCount({ noun: 'mail', found: fake.mail(), expected, times, toRecord: (mail) => mail, format, explain })
  })
}

/**
 * Throws a VerificationError unless these are all changes since the world started, or since a moment
 * (`fake.diff().verify`). Throws a TypeError if `fake` is not a world.
 */
export function assertChanged(fake: FakeWorld, expected: readonly ExpectedChange[], since?: Moment): void {
  verify(assertChanged, fake, () => {
    const changes = since === undefined ? fake.diff() : fake.diff(since)
    changes.verify(expected)
  })
}

/** Throws a RangeError for a filter that would be ignored, such as a number in place of `{ times }`. */
function requireFilter(which: unknown, names: readonly string[]): void {
  if (!isObject(which)) throw new RangeError('filter: give an object, such as { times: 1 }')
  for (const [name, value] of Object.entries(which)) {
    requireName(name, names, 'filter')
    if (name === 'times' || value === undefined) continue
    if (typeof value !== 'string') throw new RangeError(`filter.${name}: give a text`)
    if (name === 'account' && !value.includes('@')) throw new RangeError('filter.account: give an address')
  }
}

/** Adds the calls in flight to a VerificationError, because the assertion may have run too early. */
function verify(entry: (...given: never[]) => void, fake: FakeWorld, body: (world: World) => void): void {
  runForCaller(entry, () => {
    const world = requireWorld(fake)
    try {
      body(world)
    } catch (error) {
      const pending = error instanceof VerificationError ? formatInFlight(fake) : undefined
      throw pending ? new VerificationError(`${(error as Error).message}\n${pending}`) : error
    }
  })
}

let emptyWorld: FakeCalendar | undefined

/** Lists events; with `copies`, includes those on the calendars of guests whose organizer is in the world. */
function listChangedEvents(world: World, copies: boolean): ChangeRecord[] {
  emptyWorld ??= composeFakeCalendar(loadAttempts)({ seed: {}, now: 0 })
  const empty = requireWorld(emptyWorld).data.store.snapshot()
  return diffSnapshots(empty, world.data.store.snapshot(), { copies }).filter(({ change }) => change.kind === 'event')
}

function formatEvent({ change: { title, calendarId }, resource }: ChangeRecord): string {
  const { dateTime, date } = (resource as Event).start
  return `${JSON.stringify(title)} of ${calendarId}, ${dateTime ?? date}`
}

/** `toRecord` returns what is compared, `format` names a record in a message. */
type CountedRecords<T> = {
  noun: string
  found: readonly T[]
  expected: object
  times: ExpectedCount
  toRecord(one: T): unknown
  format(one: T): string
  /** Returns lines on why too few were found. */
  explain?(): readonly string[]
}

function requireCount<T>(records: CountedRecords<T>): void {
  const { noun, found, expected, times, toRecord, format, explain = () => [] } = records
  const range = toCountRange(times)
  const met = found.filter((one) => matches(expected, toRecord(one)))
  if (isInRange(met.length, range)) return
  const wanted = `${formatExpectedNumber(range, noun)} with ${formatComparedValue(expected)}`
  if (met.length > 0) {
    const listed = limitLines(met.map((one) => `  ${format(one)}`))
    const reasons = met.length < range.min ? explain() : []
    const head = `expected ${wanted}; there ${formatFound(met.length, noun)}:`
    throw new VerificationError([head, ...listed, ...reasons].join('\n'))
  }
  const closest = findClosest(found, (one) => listCriteria(expected, toRecord(one)))
  throw new VerificationError(
    [
      `expected ${wanted}; there ${formatFound(found.length, noun)}${closest ? ', and none has these fields' : ''}`,
      ...(closest ? formatNearest(format(closest.candidate), closest.criteria) : []),
      ...explain(),
    ].join('\n'),
  )
}

function requireWorld(fake: FakeWorld): World {
  const given: unknown = fake
  const world = typeof fake === 'object' && fake !== null ? findAttachedWorld(fake) : undefined
  if (world) return world
  const kind = isPromise(given) ? 'a Promise: add await' : (given?.constructor?.name ?? String(given))
  throw new TypeError(`expected a fake or one of its worlds, got ${kind}`)
}
