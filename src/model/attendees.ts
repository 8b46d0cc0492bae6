import type { Event, EventAttendee, EventDraft } from '../wire/event.ts'
import { refuse } from '../wire/refusals.ts'
import { addressOf } from '../wire/values/address.ts'
import { without } from '../wire/values/merge.ts'

/** A domain needs no dot (behaviour 7.11.1). */
const EMAIL = /^[^\s@]+@[^\s@]+$/

/**
 * Attendees as stored: one entry for each address, in the order of a reply, without the flags that are false (behaviour
 * 3.2.3, 7.11). `organizer` and `self` are the service's to say, and what a request says of them is ignored. Whether
 * somebody is a resource is said when they are added, and kept (behaviour 7.11.1).
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
    const email = addressOf(attendee.email || refuse('missingAttendeeEmail'))
    if (!EMAIL.test(email)) refuse('invalidAttendeeEmail')
    const entry = { ...byEmail.get(email), ...attendee, ...before.get(email), email }
    byEmail.set(email, readAttendee(entry, organizer, calendarId))
  }
  return [...byEmail.values()]
}

const NOBODY: ReadonlySet<string> = new Set()

/** The addresses of those who are named without a word on their answer. */
export function addressesWithoutResponse(given: EventDraft['attendees']): ReadonlySet<string> {
  if (!given?.length) return NOBODY
  const addresses = (some: typeof given) => some.flatMap(({ email }) => (email ? [addressOf(email)] : []))
  const answered = new Set(addresses(given.filter(({ responseStatus }) => responseStatus)))
  return new Set(addresses(given).filter((email) => !answered.has(email)))
}

/** Attendees as a request may name them: ids are the service's own (behaviour 1.9.1). */
export const withoutIds = <A extends { id?: unknown }>(attendees: readonly A[]): Omit<A, 'id'>[] =>
  attendees.map((attendee) => without(attendee, 'id'))

/** Attendees with what is said of some of them, in the places that they have (behaviour 7.19). */
export function mergeAttendees(all: readonly EventAttendee[], named: EventDraft['attendees'] = []): EventAttendee[] {
  const byEmail = new Map(all.map((one) => [one.email, one]))
  for (const one of named) {
    const email = addressOf(one.email || refuse('missingAttendeeEmail'))
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

/** Whether this is the organizer's event, which the guests' copies follow. A private copy has none (behaviour 7.3). */
export const isOrganizerCopy = (
  { organizer, privateCopy }: Pick<Event, 'organizer' | 'privateCopy'>,
  calendarId: string,
): boolean => organizer?.email === calendarId && !privateCopy

/** A person as a calendar shows them: `self` is whose calendar it is. */
export function withSelf(person: Event['organizer'], calendarId: string): Event['organizer'] {
  if (!person) return undefined
  return { ...without(person, 'self'), ...(person.email === calendarId && { self: true }) }
}
