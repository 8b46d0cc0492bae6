import type { Event, EventBody } from '../wire/event.ts'
import { refuse } from '../wire/refusals.ts'
import type { Access } from './access.ts'
import { carried } from './carried.ts'
import { taken } from './conferenceRequests.ts'
import { compose } from './eventDraft.ts'
import { inOrder, type Origin, originOf } from './eventFields.ts'
import { idOfUid } from './eventIds.ts'
import { eventNamed, saveEvent } from './eventRecord.ts'
import { newOrigin, organizerOf, readBody, type WriteParams } from './events.ts'
import { instantOfTime, storedTime } from './eventTimes.ts'
import { saveIfNew } from './guests.ts'
import { instanceId } from './series.ts'
import { asPlain } from './typedDraft.ts'
import { addressOf } from './world.ts'

/**
 * Adds a copy of an event that lives elsewhere, or brings one that was imported before up to date (behaviour 7.8). The
 * calendar's owner organizes or attends it; where somebody else organizes it, the copy is private.
 */
export function importEvent(access: Access, body: EventBody, params: WriteParams): Event {
  const { world, calendar } = access
  const iCalUID = body.iCalUID || refuse('missingField', { field: 'iCalUID' })
  const draft = asPlain(readBody({}, body))
  const organizer = body.organizer?.email ? addressOf(body.organizer.email) : calendar.id
  const attends = draft.attendees?.some(({ email }) => email && addressOf(email) === calendar.id)
  if (organizer !== calendar.id && !attends) refuse('participantIsNeitherOrganizerNorAttendee')
  const id = idImported(access, body, iCalUID)
  const current = eventNamed(world, calendar.id, id)
  if (current && (draft.sequence ?? 0) < (current.sequence ?? 0)) refuse('sequenceTooLow')
  const foreign = organizer !== calendar.id
  const origin: Origin & { privateCopy?: boolean } = {
    ...(current ? originOf(current) : newOrigin(access, { id, iCalUID })),
    organizer: foreign ? { email: organizer, ...named(body) } : organizerOf(world, calendar),
    ...(foreign && { privateCopy: true }),
  }
  const carrying = carried(access, { ...(current && { current }), body, params, how: 'update' })
  const composed = compose(calendar, { ...draft, ...carrying }, origin)
  const guestsCan = foreign ? { guestsCanInviteOthers: false, guestsCanSeeOtherGuests: false } : {}
  const imported = inOrder({ ...composed, ...guestsCan, sequence: draft.sequence ?? 0 })
  const saved = current ? saveIfNew(world, calendar.id, current, imported) : saveEvent(world, calendar, imported)
  return taken(world, calendar, saved)
}

const named = ({ organizer }: EventBody) => organizer?.displayName && { displayName: organizer.displayName }

/** The id that a UID makes; of one instance of a series that was imported, the instance's (behaviour 4.5). */
function idImported({ world, calendar }: Access, { originalStartTime }: EventBody, iCalUID: string): string {
  const id = idOfUid(iCalUID)
  const master = world.events.of(calendar.id).get(id)
  if (!originalStartTime || !master?.recurrence) return id
  const { date, dateTime, timeZone } = originalStartTime
  const original = { ...(date && { date }), ...(dateTime && { dateTime }), ...(timeZone && { timeZone }) }
  const instance = instanceId(master, instantOfTime(storedTime(original, calendar.timeZone)))
  return eventNamed(world, calendar.id, instance) ? instance : refuse('invalidTime', { which: 'original start' })
}
