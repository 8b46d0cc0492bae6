import { addressOf } from '../store/address.ts'
import type { EventAttendee, EventDraft } from '../wire/event.ts'
import { refuse } from '../wire/refusals.ts'

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/**
 * Attendees as stored: one entry an address, in the order of a reply, without what goes without saying (behaviour 00,
 * 3.2). Who organizes and whose copy this is, the service says, whatever the request claims.
 */
export function readAttendees(given: EventDraft['attendees'], organizer: string, calendarId: string): EventAttendee[] {
  const byEmail = new Map<string, EventAttendee>()
  for (const attendee of given ?? []) {
    const email = addressOf(attendee.email || refuse('missingAttendeeEmail'))
    if (!EMAIL.test(email)) refuse('invalidAttendeeEmail')
    byEmail.set(email, readAttendee({ ...byEmail.get(email), ...attendee, email }, organizer, calendarId))
  }
  return [...byEmail.values()]
}

const readAttendee = (given: EventAttendee, organizer: string, calendarId: string): EventAttendee => ({
  ...(given.id && { id: given.id }),
  email: given.email,
  ...(given.displayName && { displayName: given.displayName }),
  ...(given.email === organizer && { organizer: true }),
  ...(given.email === calendarId && { self: true }),
  ...(given.resource && { resource: true }),
  ...(given.optional && { optional: true }),
  responseStatus: given.responseStatus ?? 'needsAction',
  ...(given.comment && { comment: given.comment }),
  ...(given.additionalGuests && { additionalGuests: given.additionalGuests }),
})
