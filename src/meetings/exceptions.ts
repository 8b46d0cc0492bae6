import { type Composed, clientPart, inOrder } from '../events/fields.ts'
import { isMaster } from '../events/series.ts'
import { cancelled, revisionOf, unstamped } from '../events/stamps.ts'
import { instantOfTime, inUtc, spanOfTimes } from '../events/times.ts'
import { same } from '../store/merge.ts'
import type { Event, EventAttendee } from '../wire/event.ts'
import type { World } from '../world/world.ts'

/** The fields in which an instance goes its own way by nature. */
const OWN = ['status', 'start', 'end', 'recurrence', 'sequence', 'attendees']

/**
 * What becomes of the changed instances of a series when it changes: each keeps what it changed and follows its master
 * in the rest (behaviour 4.6).
 */
export function changedInstances(world: World, calendarId: string, before: Event, after: Event): Composed[] {
  const events = world.events.of(calendarId)
  return [...events.exceptionsOf(after.id)].flatMap((id) => {
    const exception = events.get(id)
    const changed = exception && following(exception, before, after)
    return changed && !same(unstamped(exception), changed) ? [changed] : []
  })
}

/**
 * Instances go with their series: when it is deleted, stops recurring, or turns from dates to times. When it comes
 * back, so do those that went with it, and not those that were cancelled before.
 */
function following(exception: Event, before: Event, after: Event): Composed {
  const [dead, live] = [exception.status === 'cancelled', after.status !== 'cancelled']
  const other = !isMaster(after) || (before.start.date === undefined) !== (after.start.date === undefined)
  if (!live || other) return dead ? unstamped(exception) : cancelled(exception)
  const back = dead && before.status === 'cancelled' && revisionOf(exception) > revisionOf(before)
  const { status } = back ? after : exception
  return { ...inherited(exception, before, after), status }
}

/** An instance with what its master says now, where it said what its master said before. */
function inherited(exception: Event, before: Event, after: Event): Composed {
  const [was, is, own] = [clientPart(before), clientPart(after), clientPart(exception)]
  const fields = new Set([...Object.keys(was), ...Object.keys(is)]) as Set<keyof typeof is>
  const followed = [...fields].filter((field) => !OWN.includes(field) && same([own[field]], [was[field]]))
  const changes = Object.fromEntries(followed.map((field) => [field, is[field]]))
  const attendees = attendeesOf(exception, before, after)
  return inOrder<Composed>({ ...unstamped(exception), ...changes, attendees, end: endOf(exception, before, after) })
}

/** Person by person: who was changed for this instance stays as changed, everybody else is as the series has them. */
function attendeesOf({ attendees: own = [] }: Event, { attendees: was = [] }: Event, { attendees: is = [] }: Event) {
  const find = (all: EventAttendee[], { email }: EventAttendee) => all.find((other) => other.email === email)
  const kept = own.filter((one) => find(is, one) || !find(was, one))
  const added = is.filter((one) => !find(own, one) && !find(was, one))
  return [...kept.map((one) => (same([one], [find(was, one)]) ? (find(is, one) ?? one) : one)), ...added]
}

/** An instance that starts and ends when its slot says follows the length of its series. */
function endOf(exception: Event, before: Event, after: Event): Event['end'] {
  const length = ({ start, end }: Event) => instantOfTime(end) - instantOfTime(start)
  const { dated, start } = spanOfTimes(exception)
  const moved = start !== instantOfTime(exception.originalStartTime ?? exception.start)
  if (moved || length(exception) !== length(before) || length(before) === length(after)) return exception.end
  const end = start + length(after)
  return dated ? { date: inUtc(end).slice(0, 10) } : { ...exception.end, dateTime: inUtc(end) }
}
