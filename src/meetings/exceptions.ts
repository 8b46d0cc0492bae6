import { type Composed, changedFields, eventInOrder, fieldsOf } from '../events/fields.ts'
import { isMaster } from '../events/series.ts'
import { cancelled, isStub, stubOf, unstamped } from '../events/stamps.ts'
import { instantOfTime, inUtc, isMoved, spanOfTimes } from '../events/times.ts'
import { same } from '../store/merge.ts'
import type { Revision } from '../store/version.ts'
import type { Event, EventAttendee } from '../wire/event.ts'
import type { EventCollection } from '../world/eventCollection.ts'
import { answerOf, saying } from './answers.ts'

/** The fields that an instance never takes from its series as they are. */
const OWN: readonly (keyof Event)[] = ['status', 'start', 'end', 'recurrence', 'sequence', 'attendees']

/** A write to a series, and the revision that had written it before. */
export type SeriesChange = { before: Event; written: Revision; after: Event }

/**
 * What becomes of the changed instances of a series when it changes: each keeps what it changed and follows its master
 * in the rest (behaviour 4.6.1).
 */
export function changedInstances(events: EventCollection, { before, written, after }: SeriesChange): Composed[] {
  return [...events.exceptionsOf(after.id)].flatMap((id) => {
    const exception = events.get(id)
    const later = events.writtenAt(id) > written
    const changed = exception && afterSeries(exception, before, after, later)
    return changed && !same(unstamped(exception), changed) ? [changed] : []
  })
}

/**
 * Instances go with their series: when it is deleted, stops recurring, or turns from dates to times. When it comes
 * back, so do those that went with it, which were cancelled `later` than it was, and not those that were before.
 */
function afterSeries(exception: Event, before: Event, after: Event, later: boolean): Composed {
  const [dead, live] = [exception.status === 'cancelled', after.status !== 'cancelled']
  const other = !isMaster(after) || (before.start.date === undefined) !== (after.start.date === undefined)
  if (isStub(after)) return stubOf(exception)
  if (!live || other) return dead ? unstamped(exception) : cancelled(exception)
  const back = dead && before.status === 'cancelled' && later
  const { status } = back ? after : exception
  return { ...inherited(exception, before, after), status }
}

/** An instance with what its master says now, where it said what its master said before. */
function inherited(exception: Event, before: Event, after: Event): Composed {
  const followed = changedFields(before, after).filter(
    (field) => !OWN.includes(field) && same([exception[field]], [before[field]]),
  )
  const end = endOf(exception, before, after)
  const attendees = attendeesOf(exception, before, after)
  const asked = isMoved(exception, { start: exception.start, end })
  return eventInOrder<Composed>({
    ...unstamped(exception),
    ...fieldsOf(after, followed),
    attendees: asked ? askedAgain(attendees, after) : attendees,
    end,
  })
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
  const length = ({ start, end }: Event) => instantOfTime(end) - instantOfTime(start)
  const { dated, start } = spanOfTimes(exception)
  const rescheduled = start !== instantOfTime(exception.originalStartTime ?? exception.start)
  if (rescheduled || length(exception) !== length(before) || length(before) === length(after)) return exception.end
  const end = start + length(after)
  return dated ? { date: inUtc(end).slice(0, 10) } : { ...exception.end, dateTime: inUtc(end) }
}
