import { countReads } from '../meetings/conferenceRequests.ts'
import { storedEvent } from '../meetings/events.ts'
import type { Event } from '../wire/event.ts'
import type { Access } from '../world/access.ts'
import { showEvent, type Viewing } from './view.ts'

/** Shows one event. A request for a conference that waits for reads counts this one. */
export function readEvent(access: Access, eventId: string, viewing: Viewing): Event {
  const shown = showEvent(access, storedEvent(access, eventId), viewing)
  countReads(access.world, [shown])
  return shown
}
