import type { Event } from '../wire/event.ts'
import type { Composed } from './fields.ts'

/** An event without what each write stamps anew. */
export function unstamped({ kind: _, etag: __, updated: ___, ...event }: Event): Composed {
  return event
}

/** A deletion is a record: the event stays, cancelled, and its id stays taken (behaviour 2.3). */
export const cancelled = (event: Event): Composed => ({ ...unstamped(event), status: 'cancelled' })

/** The revision that wrote an event. */
export const revisionOf = ({ etag }: Event): number => Number(etag.replaceAll('"', '')) / 2

const LONG_AGO = { dateTime: '2000-01-01T00:00:00Z', timeZone: 'UTC' }
const A_DAY_LATER = { dateTime: '2000-01-02T00:00:00Z', timeZone: 'UTC' }

/** What stays on a calendar that an event has left: that it is gone, and not a word of what it was (behaviour 7.7). */
export const stubOf = ({ id, htmlLink, iCalUID }: Event): Composed =>
  ({
    id,
    status: 'cancelled',
    htmlLink,
    start: LONG_AGO,
    end: A_DAY_LATER,
    transparency: 'transparent',
    iCalUID,
  }) as Composed // whose `created` the service does not tell either

/** Everything else has an organizer. */
export const isStub = ({ organizer }: Pick<Event, 'organizer'>): boolean => organizer === undefined
