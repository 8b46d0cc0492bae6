import { composeEvent } from '../model/compose.ts'
import {
  type Composed,
  cancelled,
  changedFields,
  clientPart,
  eventInOrder,
  fieldsOf,
  isMeetings,
  isStub,
  originOf,
  unstamped,
} from '../model/fields.ts'
import { linkOf } from '../model/series.ts'
import { same, without } from '../store/merge.ts'
import type { Event, EventDraft } from '../wire/event.ts'
import { refuse } from '../wire/refusals.ts'
import type { Access } from '../world/access.ts'
import type { World } from '../world/world.ts'
import { broughtAlong, guestsOf, type Meeting, organizersOf, settledAttendees, withAnswer } from './guests.ts'
import { saveEvent } from './propagate.ts'

/** What only the organizer may set, for a guest who may change the rest (behaviour 7.3). */
const ORGANIZERS_ALONE = [
  'guestsCanInviteOthers',
  'guestsCanModify',
  'guestsCanSeeOtherGuests',
  'anyoneCanAddSelf',
] as const satisfies (keyof Event)[]

/** The fields of a copy that a guest's write never carries over as they are. */
const SETTLED: readonly (keyof Event)[] = ['attendees', 'attendeesOmitted', 'status', 'sequence']

/**
 * A guest's write to their copy (behaviour 7.2, 7.3): their answer and whom they bring along reach the organizer, and
 * with `guestsCanModify` so does the rest; otherwise the rest is a change of the copy alone, until the organizer's next.
 */
export function writeAsGuest({ world, calendar }: Access, current: Event, after: Composed): Event {
  for (const field of ORGANIZERS_ALONE) {
    if (current[field] !== after[field]) refuse('forbiddenForNonOrganizer')
  }
  if (after.status === 'cancelled' && current.status !== 'cancelled') return leave(world, calendar.id, current)
  const organizers = organizersOf(world, current)
  const brought = broughtAlong(current, after)
  const changed = changedFields(current, after).filter((field) => !SETTLED.includes(field))
  if (organizers) {
    const { calendarId, event } = organizers
    const meeting = meetingChanges(event, current, after, changed)
    const guest = after.attendees?.find(({ self }) => self)
    const attendees = withAnswer(event.attendees, guest, brought)
    saveIfNew(world, calendarId, event, rewritten(world, organizers, { ...meeting, attendees }, calendar.id))
  }
  const copy = world.events.of(calendar.id).named(current.id) ?? current
  const attendees = organizers ? copy.attendees : after.attendees
  const own = eventInOrder({ ...unstamped(copy), ...fieldsOf(after, changed), attendees, status: after.status })
  const saved = saveIfNew(world, calendar.id, copy, { ...own, htmlLink: linkOf(own, calendar.id) })
  return current.status === 'cancelled' && saved.status !== 'cancelled'
    ? withInstances(world, calendar.id, saved)
    : saved
}

/** A meeting with what a guest changes of it, as if its organizer had written that (behaviour 3.2.15, 7.3). */
function rewritten(world: World, { calendarId, event }: Meeting, changes: Partial<Event>, by: string): Composed {
  const calendar = world.calendars.get(calendarId) ?? refuse('notFound')
  const composed = composeEvent(calendar, { ...clientPart(event), ...changes } as EventDraft, originOf(event), event)
  return eventInOrder({ ...composed, attendees: settledAttendees(world, { calendarId, by }, event, composed) })
}

/** A series that its guest has back, with every changed instance that the organizer has (behaviour 7.16). */
function withInstances(world: World, calendarId: string, series: Event): Event {
  const events = world.events.of(calendarId)
  for (const id of events.exceptionsOf(series.id)) {
    const instance = events.get(id)
    const status = instance?.status === 'cancelled' ? organizersOf(world, instance)?.event.status : undefined
    if (instance && status && status !== 'cancelled') {
      saveEvent(world, { id: calendarId }, { ...unstamped(instance), status })
    }
  }
  return events.get(series.id) ?? series
}

/** What a guest's write changes of the meeting: shared properties always, the rest where guests may modify. */
function meetingChanges(
  event: Event,
  current: Event,
  after: Composed,
  changed: readonly (keyof Event)[],
): Partial<Event> {
  const { private: own } = event.extendedProperties ?? {}
  const shared = after.extendedProperties?.shared
  const sharing = !same([current.extendedProperties?.shared], [shared])
  const modified = changed.filter((field) => isMeetings(field) && field !== 'extendedProperties')
  return {
    ...(current.guestsCanModify && fieldsOf(after, modified)),
    ...(sharing && { extendedProperties: { ...(own && { private: own }), ...(shared && { shared }) } }),
  }
}

/** A guest deletes their copy, which declines the invitation: of a series, every instance of it (behaviour 7.4). */
export function leave(world: World, calendarId: string, current: Event): Event {
  const gone = saveEvent(world, { id: calendarId }, cancelled(current))
  const organizers = organizersOf(world, current)
  if (organizers) {
    const { calendarId: organizing, event } = organizers
    const events = world.events.of(organizing)
    decline(world, organizers, calendarId)
    for (const id of events.exceptionsOf(event.id)) {
      const instance = events.get(id)
      if (instance && !isStub(instance)) decline(world, { calendarId: organizing, event: instance }, calendarId)
    }
  }
  return world.events.of(calendarId).named(current.id) ?? gone
}

/** Who was invited with a group is named for the first time, so that the meeting does not come back to them. */
function decline(world: World, { calendarId, event }: Meeting, email: string): void {
  if (!guestsOf(world, event).includes(email)) return
  const named = event.attendees?.find((one) => one.email === email)
  const attendees = withAnswer(event.attendees, { ...named, email, responseStatus: 'declined' }, [])
  saveIfNew(world, calendarId, event, { ...unstamped(event), attendees })
}

/**
 * A write that changes nothing leaves no trace (behaviour 14.9), and one that changes reminders alone leaves `updated`
 * as it was (behaviour 5.1).
 */
export function saveIfNew(world: World, calendarId: string, current: Event, after: Composed): Event {
  const before = unstamped(current)
  if (same(before, after)) return current
  const remindersAlone = same(without(before, 'reminders'), without(after, 'reminders'))
  return saveEvent(world, { id: calendarId }, after, remindersAlone ? current.updated : undefined)
}
