import { taken } from '../../effects/conferences.ts'
import { organizersOf } from '../../effects/guests.ts'
import { saveIfNew } from '../../effects/guestWrites.ts'
import { saveEvent } from '../../effects/propagate.ts'
import { composeEvent } from '../../model/compose.ts'
import { eventInOrder, isStub, type Origin, originOf } from '../../model/fields.ts'
import { idOfUid } from '../../model/ids.ts'
import { instanceId } from '../../model/series.ts'
import { instantOfTime, storedTime } from '../../model/times.ts'
import { asPlain } from '../../model/types.ts'
import { addressOf } from '../../store/address.ts'
import type { Event, EventBody, EventDraft } from '../../wire/event.ts'
import { refuse } from '../../wire/refusals.ts'
import type { Access } from '../../world/access.ts'
import { withRemindersAside } from '../../world/reminders.ts'
import { carried } from './gatedFields.ts'
import { newOrigin, organizerOf, readBody, requirePrivateAccess, type WriteParams } from './write.ts'

type Imported = Origin & Pick<Event, 'privateCopy'>

/**
 * Adds a copy of an event that lives elsewhere, or brings one that was imported before up to date (behaviour 7.8). The
 * calendar's owner organizes or attends it; where somebody else organizes it, the copy is private. Nobody is mailed.
 */
export function importEvent(access: Access, body: EventBody, params: WriteParams): Event {
  const { world, calendar } = access
  const iCalUID = body.iCalUID || refuse('missingField', { field: 'iCalUID' })
  const id = idImported(access, body, iCalUID)
  const there = world.events.of(calendar.id).named(id)
  const current = there && !isStub(there) ? there : undefined
  if (current) requirePrivateAccess(access, current)
  const carrying = carried(access, { ...(current && { current }), body, params, how: 'update' })
  const draft = asPlain({ ...readBody({}, body), ...carrying })
  requireParticipant(access, draft)
  // What was deleted here is brought back by any sequence (behaviour 2.3); iCalendar's default is 0 (RFC 5545, 3.8.7.4).
  const [{ sequence: said = 0 }, reached] = [draft, current?.sequence ?? 0]
  if (said < reached && current?.status !== 'cancelled') refuse('sequenceTooLow')
  const sequence = Math.max(said, reached)
  const origin = current && staysWith(current) ? originOf(current) : originSaid(access, draft, { id, iCalUID, current })
  const before = current && { ...current, eventType: 'default' as const } // behaviour 8.15
  const asked = { ...composeEvent(calendar, { ...draft, sequence }, origin, before), sequence }
  const { composed } = withRemindersAside(access, current, asked)
  const kept = current && isGuestsCopy(access, current) ? organizersShare(current) : asPrivate(origin)
  const imported = eventInOrder({ ...composed, ...kept })
  const saved = current ? saveIfNew(world, calendar.id, current, imported) : saveEvent(world, calendar, imported)
  return taken(world, calendar, saved)
}

const organizerSaid = ({ calendar }: Access, { organizer }: EventDraft): string =>
  organizer?.email ? addressRead(organizer.email) : calendar.id

/** An address by RFC 5322, section 3.4.1: words and a domain, or a quoted text and a literal (behaviour 7.8.1). */
const ADDRESS =
  /^(?:[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*|"(?:[^"\\]|\\.)*")@(?:[\w-]+(?:\.[\w-]+)*|\[[^[\]\\\s]*\])$/

const addressRead = (email: string): string =>
  ADDRESS.test(email) ? addressOf(email) : refuse('invalidValue', { field: 'organizer.email', problem: 'no address' })

function requireParticipant(access: Access, draft: EventDraft): void {
  const { id } = access.calendar
  const attends = draft.attendees?.some(({ email }) => email && addressOf(email) === id)
  if (organizerSaid(access, draft) !== id && !attends) refuse('participantIsNeitherOrganizerNorAttendee')
}

/** Only a private copy takes another organizer from an import; everything else is moved to one (behaviour 7.3). */
const staysWith = ({ privateCopy, recurringEventId }: Event): boolean => !privateCopy || recurringEventId !== undefined

type Named = { id: string; iCalUID: string; current: Event | undefined }

function originSaid(access: Access, draft: EventDraft, { id, iCalUID, current }: Named): Imported {
  const born = current ? originOf(current) : newOrigin(access, { id, iCalUID })
  const email = organizerSaid(access, draft)
  if (email === access.calendar.id) {
    return { ...born, organizer: organizerOf(access.world, access.calendar), privateCopy: undefined }
  }
  const { displayName } = draft.organizer ?? {}
  return { ...born, organizer: { email, ...(displayName && { displayName }) }, privateCopy: true }
}

/** The rights of guests on a private copy, whatever the import says of them (behaviour 7.8). */
const asPrivate = ({ privateCopy }: Imported): Partial<Event> =>
  privateCopy ? { guestsCanInviteOthers: false, guestsCanModify: false, guestsCanSeeOtherGuests: false } : {}

/** A copy that the organizer's event of this world keeps up to date. */
const isGuestsCopy = ({ world, calendar }: Access, event: Event): boolean =>
  event.organizer?.email !== calendar.id && organizersOf(world, event) !== undefined

/**
 * What an import leaves to the organizer where it meets a guest's copy: who comes, who may do what, and how often it was
 * moved. The rest is a change of the copy alone, until the organizer's next (behaviour 7.3).
 */
const organizersShare = ({ sequence, attendees, ...event }: Event): Partial<Event> => ({
  sequence,
  attendees,
  anyoneCanAddSelf: event.anyoneCanAddSelf,
  guestsCanInviteOthers: event.guestsCanInviteOthers,
  guestsCanModify: event.guestsCanModify,
  guestsCanSeeOtherGuests: event.guestsCanSeeOtherGuests,
})

/** The id for a UID. With `originalStartTime`, the id of that instance of the series imported before (behaviour 4.5.5). */
function idImported({ world, calendar }: Access, { originalStartTime }: EventBody, iCalUID: string): string {
  const id = idOfUid(iCalUID)
  const master = world.events.of(calendar.id).get(id)
  if (!originalStartTime || !master?.recurrence) return id
  const { date, dateTime, timeZone } = originalStartTime
  const original = { ...(date && { date }), ...(dateTime && { dateTime }), ...(timeZone && { timeZone }) }
  const instance = instanceId(master, instantOfTime(storedTime(original, calendar.timeZone)))
  return world.events.of(calendar.id).named(instance) ? instance : refuse('invalidTime', { which: 'original start' })
}
