import { type Composed, cancelled, eventInOrder, fieldsOf, isStub, stubOf, unstamped } from '../model/fields.ts'
import { endsSeries, followedFields, reachesInstances, takenOver } from '../model/inheritance.ts'
import { instantOfTime, inUtc, isMoved, spanOfTimes } from '../model/times.ts'
import { dateText } from '../recurrence/written.ts'
import { same } from '../store/merge.ts'
import type { Revision } from '../store/records/version.ts'
import type { Event, EventAttendee } from '../wire/event.ts'
import type { EventCollection } from '../world/eventCollection.ts'
import { answerOf, saying } from './guests.ts'

/** A write to a series, and the revision that had written it before. */
export type SeriesChange = { before: Event; written: Revision; after: Event }

/** What a write to a series means for all of its changed instances. */
type Following = SeriesChange & {
  /** The fields that an instance takes from its series where it did not change them. */
  followed: readonly (keyof Event)[]
  /** Whether all of its instances go. */
  ends: boolean
}

/**
 * What becomes of the changed instances of a series when it changes: each keeps what it changed and follows its master
 * in the rest (behaviour 4.6.1). Those that have nothing to follow are not looked at.
 */
export function changedInstances(events: EventCollection, change: SeriesChange): Composed[] {
  const { before, after } = change
  const following: Following = {
    ...change,
    followed: followedFields({ before, after }),
    ends: endsSeries({ before, after }),
  }
  if (following.followed.length === 0 && !reachesInstances({ before, after })) return []
  return events.exceptionsOf(after.id).flatMap((id) => {
    const exception = events.get(id)
    const changed = exception && afterSeries(exception, following, events.writtenAt(id) > change.written)
    return changed ? [changed] : []
  })
}

/**
 * Instances go with their series: when it is deleted, stops recurring, or turns from dates to times. When it comes
 * back, so do those that went with it, which were cancelled `later` than it was, and not those that were before.
 */
function afterSeries(exception: Event, following: Following, later: boolean): Composed | undefined {
  const { before, after, ends } = following
  const dead = exception.status === 'cancelled'
  if (isStub(after)) return isStub(exception) ? undefined : stubOf(exception)
  if (ends) return dead ? undefined : cancelled(exception)
  const back = dead && before.status === 'cancelled' && later
  const { status } = back ? after : exception
  return inherited(exception, following, status)
}

/** An instance with what its master says now, where it said what its master said before; nothing where it stays as it was. */
function inherited(
  exception: Event,
  { before, after, followed }: Following,
  status: Event['status'],
): Composed | undefined {
  const changed = takenOver(exception, before, followed)
  const end = endOf(exception, before, after)
  const own = attendeesOf(exception, before, after)
  const attendees = isMoved(exception, { start: exception.start, end }) ? askedAgain(own, after) : own
  const others = [status, attendees, end]
  const unchanged = same(others, [exception.status, exception.attendees ?? [], exception.end])
  if (changed.length === 0 && unchanged) return undefined
  return eventInOrder<Composed>({ ...unstamped(exception), ...fieldsOf(after, changed), status, attendees, end })
}

/** Person by person: who was changed for this instance stays as changed, everybody else is as the series has them. */
function attendeesOf({ attendees: own = [] }: Event, { attendees: was = [] }: Event, { attendees: is = [] }: Event) {
  const find = (all: EventAttendee[], { email }: EventAttendee) => all.find((other) => other.email === email)
  const kept = own.filter((one) => find(is, one) || !find(was, one))
  const added = is.filter((one) => !find(own, one) && !find(was, one))
  return [...kept.map((one) => (same([one], [find(was, one)]) ? (find(is, one) ?? one) : one)), ...added]
}

/** A new time of the series that is also that of an instance asks everybody about that instance (behaviour 7.2). */
const askedAgain = (attendees: readonly EventAttendee[], { attendees: ofSeries = [] }: Event): EventAttendee[] =>
  attendees.map((one) => {
    const said = ofSeries.find(({ email }) => email === one.email)
    return one.organizer ? one : saying(one, said ? answerOf(said) : { responseStatus: 'needsAction' })
  })

/** An instance that starts and ends when its slot says follows the length of its series. */
function endOf(exception: Event, before: Event, after: Event): Event['end'] {
  const { dated, start } = spanOfTimes(exception)
  const rescheduled = start !== instantOfTime(exception.originalStartTime ?? exception.start)
  if (rescheduled || lengthOf(exception) !== lengthOf(before) || lengthOf(before) === lengthOf(after))
    return exception.end
  const end = start + lengthOf(after)
  return dated ? { date: dateText(end) } : { ...exception.end, dateTime: inUtc(end) }
}

const lengthOf = ({ start, end }: Event): number => instantOfTime(end) - instantOfTime(start)
