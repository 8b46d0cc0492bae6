import { enqueueConferenceRequest } from '../../effects/conferences.ts'
import { commitWrites } from '../../effects/write/commit.ts'
import {
  checkSeriesId,
  newOrigin,
  organizerOf,
  readDraft,
  requirePrivateAccess,
  type WriteParams,
} from '../../effects/write/compose.ts'
import { planChangedEvent, planEvent } from '../../effects/write/plan.ts'
import { findOrganizerEvent } from '../../effects/write/propagate.ts'
import { WritePlan } from '../../effects/write/writePlan.ts'
import { type Access, requireEvent } from '../../model/access.ts'
import { composeEvent } from '../../model/events/compose.ts'
import { eventInOrder, fieldsOf, fieldsWhere, isTombstone, type Origin, originOf } from '../../model/events/fields.ts'
import { idFromUid, instanceId, requireUid } from '../../model/events/series.ts'
import { instantOfTime, requireNamedZones, storedTime } from '../../model/events/times.ts'
import { toDefaultType } from '../../model/events/types.ts'
import { separateReminders } from '../../model/reminders.ts'
import { apiError, throwApiError, throwInvalidValue } from '../../schema/apiErrors.ts'
import type { Event, EventBody, EventDraft } from '../../schema/event.ts'
import { addressOf, shownAddress } from '../../schema/values/address.ts'

const NOT_IMPORTED = fieldsWhere(({ imported }) => imported === false)

type ImportOrigin = Origin & Pick<Event, 'privateCopy'>

/**
 * Imports an event from another system, or updates the event that an earlier import stored (behaviour 7.8). The
 * calendar's owner must organize or attend it. If the owner only attends it, the copy is private: no other calendar
 * follows it. Sends no mail. Throws `missingField` without a UID, `sequenceTooLow`, and
 * `participantIsNeitherOrganizerNorAttendee`.
 */
export function importEvent(access: Access, body: EventBody, params: WriteParams): Event {
  const { world, calendar } = access
  const iCalUID = requireUid(body.iCalUID || throwApiError('missingField', { field: 'iCalUID' }))
  checkSeriesId(body)
  const id = importedId(access, body, iCalUID)
  const stored = world.events.of(calendar.id).named(id)
  const current = stored && !isTombstone(stored) ? stored : undefined
  if (current) requirePrivateAccess(access, current)
  const draft = toDefaultType(readDraft(access, {}, { ...(current && { current }), body, params, how: 'update' }))
  requireParticipant(access, draft)
  // A deleted event is revived by any sequence (behaviour 2.3). iCalendar's default is 0 (RFC 5545, 3.8.7.4).
  const [{ sequence: given = 0 }, reached] = [draft, current?.sequence ?? 0]
  if (given < reached && current?.status !== 'cancelled') throw apiError('sequenceTooLow')
  const sequence = Math.max(given, reached)
  const origin =
    current && keepsOrganizer(current) ? originOf(current) : importOrigin(access, draft, { id, iCalUID, current })
  requireNamedZones(body, draft)
  const before = current && { ...current, eventType: 'default' as const } // behaviour 8.15
  const event = { ...composeEvent(calendar, { ...draft, sequence }, origin, before), sequence }
  const { composed, ownReminders } = separateReminders(access, current, event)
  const preserved =
    current && isInvitedCopy(access, current) ? fieldsOf(current, NOT_IMPORTED) : privateCopyRights(origin)
  const imported = eventInOrder({ ...composed, ...preserved })
  const plan = new WritePlan(world)
  if (ownReminders) plan.reminders.push(ownReminders)
  if (current) planChangedEvent(plan, calendar.id, current, imported)
  else planEvent(plan, calendar.id, imported)
  commitWrites(plan)
  return enqueueConferenceRequest(
    world,
    calendar,
    plan.writes.size === 0 && current ? current : requireEvent(access, id),
  )
}

const organizerAddress = ({ calendar }: Access, { organizer }: EventDraft): string =>
  organizer?.email ? readOrganizerAddress(organizer.email) : calendar.id

/** An address by RFC 5322, section 3.4.1: words and a domain, or a quoted text and a literal (behaviour 7.8.1). */
const ADDRESS =
  /^(?:[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*|"(?:[^"\\]|\\.)*")@(?:[\w-]+(?:\.[\w-]+)*|\[[^[\]\\\s]*\])$/

const readOrganizerAddress = (email: string): string =>
  ADDRESS.test(email) ? addressOf(email) : throwInvalidValue('organizer.email', 'no address')

function requireParticipant(access: Access, draft: EventDraft): void {
  const { id } = access.calendar
  const isAttendee = draft.attendees?.some(({ email }) => email && addressOf(email) === id)
  if (organizerAddress(access, draft) !== id && !isAttendee) throw apiError('participantIsNeitherOrganizerNorAttendee')
}

/** An import changes the organizer of private copies, but not of instances (behaviour 7.3). */
const keepsOrganizer = ({ privateCopy, recurringEventId }: Event): boolean =>
  !privateCopy || recurringEventId !== undefined

type ImportTarget = { id: string; iCalUID: string; current: Event | undefined }

function importOrigin(access: Access, draft: EventDraft, { id, iCalUID, current }: ImportTarget): ImportOrigin {
  const origin = current ? originOf(current) : newOrigin(access, { id, iCalUID })
  const email = organizerAddress(access, draft)
  if (email === access.calendar.id) {
    return { ...origin, organizer: organizerOf(access.world, access.calendar), privateCopy: undefined }
  }
  const { displayName } = draft.organizer ?? {}
  return {
    ...origin,
    organizer: { email: shownAddress(draft.organizer?.email ?? email), ...(displayName && { displayName }) },
    privateCopy: true,
  }
}

/** Returns the rights of guests on a private copy, which an import cannot change (behaviour 7.8). */
const privateCopyRights = ({ privateCopy }: ImportOrigin): Partial<Event> =>
  privateCopy ? { guestsCanInviteOthers: false, guestsCanModify: false, guestsCanSeeOtherGuests: false } : {}

const isInvitedCopy = ({ world, calendar }: Access, event: Event): boolean =>
  event.organizer?.email !== calendar.id && findOrganizerEvent(world, event) !== undefined

/**
 * Returns the event id for a UID. If the UID is that of an imported series, `originalStartTime` selects one instance
 * (behaviour 4.5.5). Throws `invalidTime` if the series has no such instance.
 */
function importedId({ world, calendar }: Access, { originalStartTime }: EventBody, iCalUID: string): string {
  const id = idFromUid(iCalUID)
  const master = world.events.of(calendar.id).get(id)
  if (!originalStartTime || !master?.recurrence) return id
  const { date, dateTime, timeZone } = originalStartTime
  const original = { ...(date && { date }), ...(dateTime && { dateTime }), ...(timeZone && { timeZone }) }
  const instance = instanceId(master, instantOfTime(storedTime(original, calendar.timeZone)))
  return world.events.of(calendar.id).named(instance)
    ? instance
    : throwApiError('invalidTime', { which: 'original start' })
}
