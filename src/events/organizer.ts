import type { Event } from '../wire/event.ts'
import { without } from '../wire/values/merge.ts'

/** Whether this is the organizer's event, which the guests' copies follow. A private copy has none (behaviour 7.3). */
export const isOrganizers = (
  { organizer, privateCopy }: Pick<Event, 'organizer' | 'privateCopy'>,
  calendarId: string,
): boolean => organizer?.email === calendarId && !privateCopy

/** A person as a calendar shows them: `self` is whose calendar it is. */
export function withSelf(person: Event['organizer'], calendarId: string): Event['organizer'] {
  if (!person) return undefined
  return { ...without(person, 'self'), ...(person.email === calendarId && { self: true }) }
}
