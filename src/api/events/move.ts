import { sendMails } from '../../effects/mail.ts'
import type { MailParams } from '../../effects/mailbox.ts'
import { commitWrites } from '../../effects/write/commit.ts'
import { organizerOf, requireWritableEvent } from '../../effects/write/compose.ts'
import { planChangedEvent, planEvent } from '../../effects/write/plan.ts'
import { findMeeting, guestsOf, toCalendar } from '../../effects/write/propagate.ts'
import { WritePlan } from '../../effects/write/writePlan.ts'
import { type Access, requireCalendar, requireEvent, requireRole } from '../../model/access.ts'
import { isOrganizerCopy, withSelf } from '../../model/events/compose.ts'
import { type Composed, eventInOrder, isTombstone, toTombstone, withoutStamps } from '../../model/events/fields.ts'
import { isPlainType } from '../../model/events/types.ts'
import { movedReminders } from '../../model/reminders.ts'
import type { StoredCalendar, WorldData } from '../../model/worldData.ts'
import { apiError } from '../../schema/apiErrors.ts'
import type { Event } from '../../schema/event.ts'
import { ensureHolidays } from '../calendars/publicCalendars.ts'

/**
 * Moves an event to another calendar, which becomes its organizer. Returns the source's event as cancelled, with the new
 * organizer and its old etag (behaviour 7.7). Returns it unchanged if source and destination are the same. Throws
 * `notFound` for the tombstone of an earlier move, `duplicate` if the destination uses its id, and others for an instance, a status
 * event, a guest's copy, and a role below writer.
 */
export function moveEvent(access: Access, eventId: string, destinationId: string, params: MailParams): Event {
  const { world, calendar: source, caller } = access
  const event = requireWritableEvent(access, eventId)
  ensureHolidays(world, destinationId)
  const { calendar: destination, role } = requireCalendar(world, destinationId, caller)
  requireRole(role, 'writer')
  if (event.recurringEventId) throw apiError('cannotChangeOrganizerOfInstance')
  if (isTombstone(event)) throw apiError('notFound')
  if (!isPlainType(event.eventType)) throw apiError('eventTypeRestriction', { type: String(event.eventType) })
  if (!isOrganizerCopy(event, source.id)) throw apiError('forbiddenForNonOrganizer')
  if (destination.id === source.id) return event
  if (isIdTaken(world, destination, event)) throw apiError('duplicate')
  const plan = new WritePlan(world)
  planMove(plan, { event, source, destination })
  commitWrites(plan)
  const after = requireEvent({ world, calendar: destination }, event.id)
  const change = { before: event, after, meetingBefore: event, meeting: findMeeting(world, source.id, after) }
  if (event.status !== 'cancelled') sendMails(access, change, params)
  const organizer = withSelf(organizerOf(world, destination), source.id)
  return eventInOrder({ ...event, status: 'cancelled', organizer })
}

/** A tombstone of this event, which an earlier move left, and a guest's copy of it do not count. */
function isIdTaken(world: WorldData, destination: StoredCalendar, { id, iCalUID, organizer }: Event): boolean {
  const other = world.events.of(destination.id).get(id)
  if (!other) return false
  return other.iCalUID !== iCalUID || !(isTombstone(other) || other.organizer?.email === organizer?.email)
}

type Move = { event: Event; source: StoredCalendar; destination: StoredCalendar }

/**
 * Plans a move. Writes the source first, because a guest's copy takes a new organizer only after the old organizer has
 * given up the event. Writes exceptions before their series, because a write to a series also rewrites its exceptions
 * that are not cancelled. Last, gives the new organizer to exceptions on other calendars that still have the old one.
 */
function planMove(plan: WritePlan, { event, source, destination }: Move): void {
  const { world } = plan
  const moved = [...exceptionsOf(plan, source.id, event.id), event]
  const isInvited = guestsOf(world, { ...event, organizer: undefined }).includes(source.id)
  plan.movedRequests.push({ eventIds: moved.map(({ id }) => id), from: source.id, to: destination.id })
  for (const one of moved) {
    planEvent(plan, source.id, isInvited ? remainingCopy(world, destination, source.id, one) : toTombstone(one))
  }
  for (const one of moved) {
    const { reminders, remindersToStore } = movedReminders(world, one, source.id, destination.id)
    plan.reminders.push(...remindersToStore)
    planEvent(plan, destination.id, movedEvent(world, destination, { ...one, ...(reminders && { reminders }) }))
  }
  for (const one of moved.filter(({ status }) => status === 'cancelled')) {
    const current = plan.record(destination.id, one.id)
    if (current) planChangedEvent(plan, destination.id, current, { ...withoutStamps(current), status: 'cancelled' })
  }
  for (const calendarId of [destination.id, ...guestsOf(world, event)]) {
    const exceptions = exceptionsOf(plan, calendarId, event.id)
    const withOldOrganizer = exceptions.filter(({ organizer }) => organizer?.email === source.id)
    for (const exception of withOldOrganizer) {
      planEvent(plan, calendarId, remainingCopy(world, destination, calendarId, exception))
    }
  }
}

const exceptionsOf = (plan: WritePlan, calendarId: string, masterId: string): Composed[] =>
  plan.exceptionsOf(calendarId, masterId).flatMap((id) => plan.record(calendarId, id) ?? [])

const movedEvent = (world: WorldData, destination: StoredCalendar, event: Composed): Composed =>
  toCalendar(destination.id, { ...withoutStamps(event), organizer: organizerOf(world, destination) })

/**
 * Returns a calendar's copy with the new organizer. It is cancelled if the calendar is neither a guest nor the
 * destination. Unlike a tombstone, a cancelled copy keeps its content.
 */
function remainingCopy(world: WorldData, destination: StoredCalendar, calendarId: string, copy: Composed): Composed {
  const isInvited =
    calendarId === destination.id || guestsOf(world, { ...copy, organizer: undefined }).includes(calendarId)
  const moved = { ...withoutStamps(copy), organizer: organizerOf(world, destination) }
  return toCalendar(calendarId, isInvited ? moved : { ...moved, status: 'cancelled' })
}
