import { apiError, throwApiError } from '../../schema/apiErrors.ts'
import type { Event, EventAttendee, EventDraft } from '../../schema/event.ts'
import { addressOf } from '../../schema/values/address.ts'
import { without } from '../../schema/values/merge.ts'

/** A domain needs no dot (behaviour 7.11.1). */
const EMAIL = /^[^\s@]+@[^\s@]+$/

/**
 * Returns attendees as they are stored: one for each address, without flags that are false (behaviour 3.2.3, 7.11).
 * `organizer` and `self` are computed; a request's values are ignored. `resource` is set when an attendee is added and
 * never changes (behaviour 7.11.1). Throws `missingAttendeeEmail` and `invalidAttendeeEmail`.
 */
export function readAttendees(
  given: EventDraft['attendees'],
  organizer: string,
  calendarId: string,
  known: readonly EventAttendee[] = [],
): EventAttendee[] {
  if (!given?.length) return []
  const before = new Map(known.map(({ email, id, resource }) => [email, { id, resource }]))
  const byEmail = new Map<string, EventAttendee>()
  for (const attendee of given) {
    const email = addressOf(attendee.email || throwApiError('missingAttendeeEmail'))
    if (!EMAIL.test(email)) throw apiError('invalidAttendeeEmail')
    const entry = { ...byEmail.get(email), ...attendee, ...before.get(email), email }
    byEmail.set(email, readAttendee(entry, organizer, calendarId))
  }
  return [...byEmail.values()]
}

const NOBODY: ReadonlySet<string> = new Set()

/** Returns the addresses of attendees that are given without a response. */
export function addressesWithoutResponse(given: EventDraft['attendees']): ReadonlySet<string> {
  if (!given?.length) return NOBODY
  const addresses = (some: typeof given) => some.flatMap(({ email }) => (email ? [addressOf(email)] : []))
  const answered = new Set(addresses(given.filter(({ responseStatus }) => responseStatus)))
  return new Set(addresses(given).filter((email) => !answered.has(email)))
}

/** Removes the ids of attendees, which no request sets (behaviour 1.9.1). */
export const withoutIds = <A extends { id?: unknown }>(attendees: readonly A[]): Omit<A, 'id'>[] =>
  attendees.map((attendee) => without(attendee, 'id'))

/** Merges some attendees into all of them, in their order (behaviour 7.19). */
export function mergeAttendees(all: readonly EventAttendee[], named: EventDraft['attendees'] = []): EventAttendee[] {
  const byEmail = new Map(all.map((one) => [one.email, one]))
  for (const one of named) {
    const email = addressOf(one.email || throwApiError('missingAttendeeEmail'))
    byEmail.set(email, { ...byEmail.get(email), ...one, email })
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

/** Returns true for the organizer's event, which the guests' copies follow. A private copy has none (behaviour 7.3). */
export const isOrganizerCopy = (
  { organizer, privateCopy }: Pick<Event, 'organizer' | 'privateCopy'>,
  calendarId: string,
): boolean => organizer?.email === calendarId && !privateCopy

/** Returns a person with `self` set if the calendar is theirs. */
export function withSelf(person: Event['organizer'], calendarId: string): Event['organizer'] {
  if (!person) return undefined
  return { ...without(person, 'self'), ...(person.email === calendarId && { self: true }) }
}
