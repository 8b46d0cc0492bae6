import type { Event } from '../wire/event.ts'
import { hangoutLinkOf } from './conference.ts'
import { type Composed, clientPart, inOrder } from './eventFields.ts'
import { cancelEvent, revisionOf, saveEvent, unstamped } from './eventRecord.ts'
import { instantOfTime, inUtc, spanOfTimes } from './eventTimes.ts'
import { same } from './merge.ts'
import { isMaster } from './series.ts'
import type { StoredCalendar, World } from './world.ts'

/** The fields in which an instance goes its own way by nature. */
const OWN = ['status', 'start', 'end', 'recurrence', 'sequence']

/**
 * Brings a change of a series to its changed instances: each keeps what it changed and follows its master in the rest
 * (behaviour 4.6).
 */
export function spread(world: World, calendar: StoredCalendar, before: Event, after: Event): void {
  const events = world.events.of(calendar.id)
  for (const id of events.exceptionsOf(after.id)) {
    const exception = events.get(id)
    if (!exception) continue
    const fate = fateOf(exception, before, after)
    if (fate === 'gone') cancelEvent(world, calendar, exception)
    if (fate === 'kept') saveChanged(world, calendar, exception, inherited(exception, before, after))
    if (fate === 'back') saveEvent(world, calendar, { ...inherited(exception, before, after), status: after.status })
  }
}

/**
 * Instances go with their series: when it is deleted, stops recurring, or turns from dates to times. When it comes
 * back, so do those that went with it, and not those that were cancelled before.
 */
function fateOf(exception: Event, before: Event, after: Event): 'kept' | 'gone' | 'back' | 'past' {
  const [dead, live] = [exception.status === 'cancelled', after.status !== 'cancelled']
  const other = !isMaster(after) || (before.start.date === undefined) !== (after.start.date === undefined)
  if (!live || other) return dead ? 'past' : 'gone'
  if (dead && before.status === 'cancelled' && revisionOf(exception) > revisionOf(before)) return 'back'
  return 'kept'
}

/** An instance with what its master says now, where it said what its master said before. */
function inherited(exception: Event, before: Event, after: Event): Composed {
  const [was, is, own] = [clientPart(before), clientPart(after), clientPart(exception)]
  const fields = new Set([...Object.keys(was), ...Object.keys(is)]) as Set<keyof typeof is>
  const followed = [...fields].filter((field) => !OWN.includes(field) && same([own[field]], [was[field]]))
  const changes = Object.fromEntries(followed.map((field) => [field, is[field]]))
  const { conferenceData } = { ...own, ...changes }
  const hangoutLink = hangoutLinkOf(conferenceData) // goes with the conference, whosesoever that is
  return inOrder<Composed>({ ...unstamped(exception), ...changes, hangoutLink, end: endOf(exception, before, after) })
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

function saveChanged(world: World, calendar: StoredCalendar, exception: Event, composed: Composed): void {
  if (!same(unstamped(exception), composed)) saveEvent(world, calendar, composed)
}

/** How much each visibility hides. */
const HIDING = ['public', 'default', 'private', 'confidential']
const hiding = ({ visibility = 'default' }: Pick<Event, 'visibility'>) => HIDING.indexOf(visibility)

/** More restrictive visibility of one instance is that of all; less restrictive is not taken (behaviour 4.5). */
export const isStricter = (a: Pick<Event, 'visibility'>, b: Pick<Event, 'visibility'>): boolean => hiding(a) > hiding(b)
