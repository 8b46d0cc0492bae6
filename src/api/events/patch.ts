import type { Access } from '../../model/access.ts'
import { checkLimits, composeEvent, mergeAttendees } from '../../model/events/compose.ts'
import { clientPart, originOf } from '../../model/events/fields.ts'
import { remindersOf, separateReminders } from '../../model/reminders.ts'
import type { Event } from '../../schema/event.ts'
import {
  readBody,
  readGatedFields,
  requireContent,
  requireWritableEvent,
  type WriteRequest,
  writeEvent,
} from './write.ts'

/**
 * Merges a body into an event: objects merge, arrays replace, `null` removes (behaviour 3.9.2). The first write to an
 * instance stores it, as an exception of its series. If nothing changes, nothing is written. Throws `invalidTime` for a
 * tombstone, and the errors of `requireWritableEvent`.
 */
export function patchEvent(access: Access, eventId: string, { body, params, ifMatch }: WriteRequest): Event {
  const current = requireWritableEvent(access, eventId, ifMatch)
  requireContent(current)
  const base = clientPart({ ...current, reminders: remindersOf(access, current) })
  const draft = Object.assign(readBody(base, body), readGatedFields(access, { current, body, params, how: 'patch' }))
  if (body.attendeesOmitted) draft.attendees = mergeAttendees(current.attendees ?? [], draft.attendees) // behaviour 7.19
  checkLimits(draft, current)
  const event = composeEvent(access.calendar, draft, originOf(current), current)
  return writeEvent(access, { current, draft, ...separateReminders(access, current, event) }, params)
}
