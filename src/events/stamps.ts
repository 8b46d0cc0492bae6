import type { Event } from '../wire/event.ts'
import { without } from '../wire/values/merge.ts'
import type { Composed } from './fields.ts'

/** An event without the fields that each write sets anew. */
export const unstamped = (event: Event): Composed => without(event, 'kind', 'etag', 'updated')

/** A deleted event stays as a record with the status `cancelled`, and its id stays taken (behaviour 2.3). */
export const cancelled = (event: Event): Composed => ({ ...unstamped(event), status: 'cancelled' })

const LONG_AGO = { dateTime: '2000-01-01T00:00:00Z', timeZone: 'UTC' }
const A_DAY_LATER = { dateTime: '2000-01-02T00:00:00Z', timeZone: 'UTC' }

/**
 * What stays on a calendar when an event has moved to another, or its guest was removed: a cancelled record without the
 * event's content (behaviour 7.7, 7.16).
 */
export const stubOf = ({ id, htmlLink, iCalUID, recurringEventId, originalStartTime }: Event): Composed => ({
  id,
  status: 'cancelled',
  htmlLink,
  start: LONG_AGO,
  end: A_DAY_LATER,
  ...(recurringEventId && { recurringEventId, originalStartTime }), // an instance leaves its place in the series empty
  transparency: 'transparent',
  iCalUID,
})

/** A stub is known by having no organizer: every other event has one. */
export const isStub = ({ organizer }: Pick<Event, 'organizer'>): boolean => organizer === undefined
