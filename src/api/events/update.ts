import type { Access } from '../../model/access.ts'
import { checkLimits, composeEvent, mergeAttendees } from '../../model/events/compose.ts'
import { originOf, withoutStamps } from '../../model/events/fields.ts'
import { separateReminders } from '../../model/reminders.ts'
import { throwApiError } from '../../schema/apiErrors.ts'
import type { Event } from '../../schema/event.ts'
import { isEqual } from '../../schema/values/json.ts'
import {
  readBody,
  readGatedFields,
  requireContent,
  requireWritableEvent,
  type WriteRequest,
  writeEvent,
} from './write.ts'

/**
 * Replaces the fields of an event that clients write. Fields that the body omits get their defaults (behaviour 3.9.1). If
 * nothing changes, nothing is written. A cancelled event is written only by a body with another status; other changes
 * throw `forbidden` (behaviour 2.3.1).
 */
export function updateEvent(access: Access, eventId: string, { body, params, ifMatch }: WriteRequest): Event {
  const current = requireWritableEvent(access, eventId, ifMatch)
  requireContent(current)
  const draft = Object.assign(readBody({}, body), readGatedFields(access, { current, body, params, how: 'update' }))
  draft.reminders ??= { useDefault: true } // behaviour 14.8
  draft.eventType ??= 'default' // behaviour 8.2.1
  if (body.attendeesOmitted) draft.attendees = mergeAttendees(current.attendees ?? [], draft.attendees) // behaviour 7.19
  checkLimits(draft, current)
  const event = composeEvent(access.calendar, draft, originOf(current), current)
  const { composed, ownReminders } = separateReminders(access, current, event)
  const isRevived = body.status && body.status !== 'cancelled'
  if (current.status === 'cancelled' && !isRevived) {
    return isEqual(withoutStamps(current), composed) ? current : throwApiError('forbidden')
  }
  return writeEvent(access, { current, draft, composed, ownReminders }, params)
}
