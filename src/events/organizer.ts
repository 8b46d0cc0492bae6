import type { Event } from '../wire/event.ts'

/** Whether this is the organizer's own, from which all copies follow; a private copy follows nobody (behaviour 7.3). */
export const isOrganizers = (
  { organizer, privateCopy }: Pick<Event, 'organizer' | 'privateCopy'>,
  calendarId: string,
): boolean => organizer?.email === calendarId && !privateCopy

/** A person as a calendar shows them: `self` is whose calendar it is. */
export function withSelf(person: Event['organizer'], calendarId: string): Event['organizer'] {
  if (!person) return undefined
  const { self: _, ...rest } = person
  return { ...rest, ...(person.email === calendarId && { self: true }) }
}
