import { type Composed, changedFields, eventInOrder, fieldsOf, isMeetings } from '../events/fields.ts'
import { cancelled, unstamped } from '../events/stamps.ts'
import { same, without } from '../store/merge.ts'
import type { Event } from '../wire/event.ts'
import { refuse } from '../wire/refusals.ts'
import type { Access } from '../world/access.ts'
import type { World } from '../world/world.ts'
import { broughtAlong, withAnswer } from './answers.ts'
import { saveEvent } from './record.ts'
import { guestsOf } from './sharing.ts'

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
  const changes = fieldsOf(after, changed)
  if (organizers) {
    const { calendarId, event } = organizers
    const meeting = meetingChanges(event, current, after, changed)
    const guest = after.attendees?.find(({ self }) => self)
    const attendees = withAnswer(event.attendees, guest, brought)
    saveIfNew(world, calendarId, event, eventInOrder({ ...unstamped(event), ...meeting, attendees }))
  }
  const copy = world.events.of(calendar.id).named(current.id) ?? current
  const attendees = organizers ? copy.attendees : after.attendees
  const own = eventInOrder({ ...unstamped(copy), ...changes, attendees, status: after.status })
  return saveIfNew(world, calendar.id, copy, own)
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

/** A guest deletes their copy, which declines the invitation (behaviour 7.4). */
export function leave(world: World, calendarId: string, current: Event): Event {
  const gone = saveEvent(world, { id: calendarId }, cancelled(current))
  const organizers = organizersOf(world, current)
  // Who was invited with a group is named for the first time, so that the meeting does not come back to them.
  const invited = organizers && guestsOf(world, organizers.event).includes(calendarId)
  if (organizers && invited) {
    const named = organizers.event.attendees?.find(({ email }) => email === calendarId)
    const guest = { ...named, email: calendarId }
    const attendees = withAnswer(organizers.event.attendees, { ...guest, responseStatus: 'declined' }, [])
    saveIfNew(world, organizers.calendarId, organizers.event, { ...unstamped(organizers.event), attendees })
  }
  return world.events.of(calendarId).named(current.id) ?? gone
}

/** The organizer's event of a guest's copy, where the organizer has a calendar in this world. */
export function organizersOf(
  world: World,
  { id, iCalUID, organizer, privateCopy }: Event,
): { calendarId: string; event: Event } | undefined {
  if (!organizer?.email || privateCopy || world.calendars.get(organizer.email) === undefined) return undefined
  const event = world.events.of(organizer.email).named(id)
  return event && event.iCalUID === iCalUID ? { calendarId: organizer.email, event } : undefined
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
