import { addressOf } from '../store/address.ts'
import type { EventAttendee, EventDraft } from '../wire/event.ts'
import { refuse } from '../wire/refusals.ts'

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/**
 * Attendees as stored: one entry for each address, in the order of a reply, without the flags that are false (behaviour 3.2.3, 7.11). `organizer` and `self` are the service's to say, and what a request says of them is ignored.
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
