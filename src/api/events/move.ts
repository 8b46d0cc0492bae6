import { guestsOf, toCalendar } from '../../effects/guests.ts'
import { sendMails } from '../../effects/mail.ts'
import { commitWrites, WritePlan } from '../../effects/writePlan.ts'
import { type Access, requireEvent, requireRole, roleFor } from '../../model/access.ts'
import { isOrganizerCopy, withSelf } from '../../model/events/attendees.ts'
import { type Composed, eventInOrder, isTombstone, toTombstone, withoutStamps } from '../../model/events/fields.ts'
import type { MailParams } from '../../model/mail.ts'
import { movedReminders } from '../../model/reminders.ts'
import type { StoredCalendar, WorldData } from '../../model/worldData.ts'
import { apiError } from '../../schema/apiErrors.ts'
import type { Event } from '../../schema/event.ts'
import { organizerOf, requireWritableEvent } from './write.ts'

/**
 * Moves an event to another calendar, which organizes it from then on. The reply is the source's copy, with the version
 * that it had (behaviour 7.7).
 */
export function moveEvent(access: Access, eventId: string, destinationId: string, params: MailParams): Event {
  const { world, calendar: source, caller } = access
  const event = requireWritableEvent(access, eventId)
  const { calendar: destination, role } = roleFor(world, destinationId, caller)
  requireRole(role, 'writer')
  if (event.recurringEventId) throw apiError('cannotChangeOrganizerOfInstance')
  if (event.status === 'cancelled') throw apiError('notFound')
  const { eventType: type = 'default' } = event
  if (type !== 'default') throw apiError('eventTypeRestriction', { type })
  if (!isOrganizerCopy(event, source.id)) throw apiError('forbiddenForNonOrganizer')
  if (destination.id === source.id) return event
  if (isIdTaken(world, destination, event)) throw apiError('duplicate')
  const plan = new WritePlan(world)
  planMove(plan, { event, source, destination })
  commitWrites(plan)
  const after = requireEvent({ world, calendar: destination }, event.id)
  sendMails(access, { before: event, after, meetingBefore: event }, params)
  const organizer = withSelf(organizerOf(world, destination), source.id)
  return eventInOrder({ ...event, status: 'cancelled', organizer })
}

/**
 * Returns true if another event has the id on the destination. A tombstone of this event, or a guest's copy of it,
 * gives way.
 */
function isIdTaken(world: WorldData, destination: StoredCalendar, { id, iCalUID, organizer }: Event): boolean {
  const other = world.events.of(destination.id).get(id)
  if (!other) return false
  return other.iCalUID !== iCalUID || !(isTombstone(other) || other.organizer?.email === organizer?.email)
}

type Move = { event: Event; source: StoredCalendar; destination: StoredCalendar }

/**
 * Plans a move. The source is written first, because a guest's copy accepts a new organizer only when the old one has
 * let go. Exceptions come before their series, because a write to a series also writes its live exceptions.
 */
function planMove(plan: WritePlan, { event, source, destination }: Move): void {
  const { world } = plan
  const moved = [...exceptionsOf(plan, source.id, event.id), event]
  const isInvited = guestsOf(world, { ...event, organizer: undefined }).includes(source.id)
  plan.movedRequests.push({ eventIds: moved.map(({ id }) => id), from: source.id, to: destination.id })
  for (const one of moved) {
    plan.put(source.id, isInvited ? remainingCopy(world, destination, source.id, one) : toTombstone(one))
  }
  for (const one of moved) {
    const { held, stored } = movedReminders(world, one, source.id, destination.id)
    plan.reminders.push(...stored)
    plan.put(destination.id, movedEvent(world, destination, { ...one, ...(held && { reminders: held }) }))
  }
  for (const calendarId of [destination.id, ...guestsOf(world, event)]) {
    const own = exceptionsOf(plan, calendarId, event.id).filter(({ organizer }) => organizer?.email === source.id)
    for (const one of own) plan.put(calendarId, remainingCopy(world, destination, calendarId, one))
  }
}

const exceptionsOf = (plan: WritePlan, calendarId: string, masterId: string): Composed[] =>
  plan.exceptionsOf(calendarId, masterId).flatMap((id) => plan.record(calendarId, id) ?? [])

/** Returns the event as the destination's own. */
const movedEvent = (world: WorldData, destination: StoredCalendar, event: Composed): Composed =>
  toCalendar(destination.id, { ...withoutStamps(event), organizer: organizerOf(world, destination) })

/**
 * Returns what stays on a calendar: a copy under the new organizer, cancelled if the calendar's owner is not invited.
 */
function remainingCopy(world: WorldData, destination: StoredCalendar, calendarId: string, own: Composed): Composed {
  const isInvited =
    calendarId === destination.id || guestsOf(world, { ...own, organizer: undefined }).includes(calendarId)
  const copy = { ...withoutStamps(own), organizer: organizerOf(world, destination) }
  return toCalendar(calendarId, isInvited ? copy : { ...copy, status: 'cancelled' })
}
