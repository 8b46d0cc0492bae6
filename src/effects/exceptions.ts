import {
  type Composed,
  changedFields,
  eventInOrder,
  fieldsOf,
  isTombstone,
  ruleOf,
  toCancelled,
  toTombstone,
  withoutStamps,
} from '../model/events/fields.ts'
import { isMaster } from '../model/events/series.ts'
import { formatUtc, instantOfTime, isMoved, spanOfTimes } from '../model/events/times.ts'
import { formatDate } from '../recurrence/format.ts'
import type { Event, EventAttendee } from '../schema/event.ts'
import { isEqual } from '../schema/values/merge.ts'
import type { EventHistory } from './eventReader.ts'
import { responseOf, withResponse } from './guests.ts'

/** A write to the master of a series. `written` is the order of the write before it. */
export type SeriesChange = { before: Composed; written: number; after: Composed }

/** The parts of a change that are the same for all exceptions. */
type Inheritance = SeriesChange & {
  /** The fields that an exception takes from its master where it has not changed them. */
  fields: readonly (keyof Event)[]
  /** True if all instances of the series end with this write. */
  isEnd: boolean
}

/**
 * Returns the exceptions of a series that a write to its master changes. An exception keeps the fields that differ from
 * the master, and takes all other fields from the master (behaviour 4.6.1). The cost is linear in the number of
 * exceptions, if any field that they inherit changes.
 */
export function findChangedExceptions(events: EventHistory, calendarId: string, change: SeriesChange): Composed[] {
  const { before, after } = change
  const fields = changedFields(before, after).filter((field) => ruleOf(field).inherited !== false)
  const inheritance: Inheritance = { ...change, fields, isEnd: endsSeries(change) }
  if (fields.length === 0 && !affectsInstances(change)) return []
  return events.exceptionsOf(calendarId, after.id).flatMap((id) => {
    const exception = events.record(calendarId, id)
    const isLater = () => events.writtenAt(calendarId, id) > change.written
    const changed = exception && afterSeries(exception, inheritance, isLater)
    return changed ? [changed] : []
  })
}

/** Returns true if a write cancels all exceptions: the series is cancelled, stops recurring, or changes its time type. */
const endsSeries = ({ before, after }: SeriesChange): boolean =>
  after.status === 'cancelled' ||
  !isMaster(after) ||
  (before.start.date === undefined) !== (after.start.date === undefined)

/** Returns true if a write can change an exception by more than the fields that it inherits. */
const affectsInstances = (change: SeriesChange): boolean =>
  endsSeries(change) ||
  change.before.status !== change.after.status ||
  lengthOf(change.before) !== lengthOf(change.after) ||
  !isEqual([change.before.attendees], [change.after.attendees])

/**
 * Returns an exception after a write to its series, or undefined if it does not change. It is cancelled if the series is
 * deleted, stops recurring, or changes between dates and times. If a deleted series is restored, so are the exceptions
 * that its deletion cancelled: `isLater` returns true for an exception that was written after the series.
 */
function afterSeries(exception: Composed, inheritance: Inheritance, isLater: () => boolean): Composed | undefined {
  const { before, after, isEnd } = inheritance
  const isCancelled = exception.status === 'cancelled'
  if (isTombstone(exception)) return undefined // it has no content to inherit (behaviour 7.16)
  if (isTombstone(after)) return toTombstone(exception)
  if (isEnd) return isCancelled ? undefined : toCancelled(exception)
  const isBack = isCancelled && before.status === 'cancelled' && isLater()
  return inherit(exception, inheritance, isBack ? after.status : exception.status)
}

/** Returns an exception with its master's new values where it had the old ones; undefined where nothing changes. */
function inherit(
  exception: Composed,
  { before, after, fields }: Inheritance,
  status: Event['status'],
): Composed | undefined {
  const values: Partial<Event> = exception
  const inherited = fields.filter((field) => isEqual([values[field]], [(before as Partial<Event>)[field]]))
  const end = endOf(exception, before, after)
  const own = attendeesOf(exception, before, after)
  const attendees = isMoved(exception, { start: exception.start, end }) ? askAgain(own, after) : own
  const isSame = isEqual([status, attendees, end], [exception.status, exception.attendees ?? [], exception.end])
  if (inherited.length === 0 && isSame) return undefined
  return eventInOrder<Composed>({ ...withoutStamps(exception), ...fieldsOf(after, inherited), status, attendees, end })
}

/**
 * Returns the attendees of an exception. Attendees that differ from the series stay, unless the series removes them. All
 * other attendees follow the series.
 */
function attendeesOf(
  { attendees: own = [] }: Composed,
  { attendees: before = [] }: Composed,
  { attendees: after = [] }: Composed,
) {
  const find = (all: EventAttendee[], { email }: EventAttendee) => all.find((other) => other.email === email)
  const remaining = own.filter((one) => find(after, one) || !find(before, one))
  const added = after.filter((one) => !find(own, one) && !find(before, one))
  return [...remaining.map((one) => (isEqual([one], [find(before, one)]) ? (find(after, one) ?? one) : one)), ...added]
}

/**
 * Returns the attendees of an exception whose time changes with the series: with the responses of the series, or else
 * `needsAction` (behaviour 7.2). The organizer's response stays.
 */
const askAgain = (attendees: readonly EventAttendee[], { attendees: ofSeries = [] }: Composed): EventAttendee[] =>
  attendees.map((one) => {
    const other = ofSeries.find(({ email }) => email === one.email)
    return one.organizer ? one : withResponse(one, other ? responseOf(other) : { responseStatus: 'needsAction' })
  })

/** Returns the end of an exception. It follows the length of the series only if it has its original start and length. */
function endOf(exception: Composed, before: Composed, after: Composed): Event['end'] {
  const { dated, start } = spanOfTimes(exception)
  const isRescheduled = start !== instantOfTime(exception.originalStartTime ?? exception.start)
  if (isRescheduled || lengthOf(exception) !== lengthOf(before) || lengthOf(before) === lengthOf(after))
    return exception.end
  const end = start + lengthOf(after)
  return dated ? { date: formatDate(end) } : { ...exception.end, dateTime: formatUtc(end) }
}

const lengthOf = ({ start, end }: Composed): number => instantOfTime(end) - instantOfTime(start)
