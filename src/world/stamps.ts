import type { Event } from '../wire/event.ts'
import type { Composed } from './eventFields.ts'

/** An event without what each write stamps anew. */
export function unstamped({ kind: _, etag: __, updated: ___, ...event }: Event): Composed {
  return event
}

/** A deletion is a record: the event stays, cancelled, and its id stays taken (behaviour 2.3). */
export const cancelled = (event: Event): Composed => ({ ...unstamped(event), status: 'cancelled' })

/** The revision that wrote an event. */
export const revisionOf = ({ etag }: Event): number => Number(etag.replaceAll('"', '')) / 2
