import { composeWrite, readDraft, requireWritableEvent, type WriteRequest } from '../../effects/write/compose.ts'
import { writeEvent } from '../../effects/writeEvent.ts'
import type { Access } from '../../model/access.ts'
import { isTombstone, originOf, withoutStamps } from '../../model/events/fields.ts'
import { apiError, throwApiError } from '../../schema/apiErrors.ts'
import type { Event } from '../../schema/event.ts'
import { isEqual } from '../../schema/values/json.ts'

/**
 * Replaces the fields of an event that clients write. Fields that the body omits get their defaults (behaviour 3.9.1). If
 * nothing changes, nothing is written. A cancelled event is written only by a body with another status; other changes
 * throw `forbidden` (behaviour 2.3.1).
 */
export function updateEvent(access: Access, eventId: string, { body, params, ifMatch }: WriteRequest): Event {
  const current = requireWritableEvent(access, eventId, ifMatch)
  if (isTombstone(current)) throw apiError('invalidTime', { which: 'start' }) // behaviour 2.2.2
  const draft = readDraft(access, {}, { current, body, params, how: 'update' })
  draft.reminders ??= { useDefault: true } // behaviour 14.8
  draft.eventType ??= 'default' // behaviour 8.2.1
  const write = composeWrite(access, { current, body }, draft, originOf(current))
  const isRevived = body.status && body.status !== 'cancelled'
  if (current.status === 'cancelled' && !isRevived)
    return isEqual(withoutStamps(current), write.composed) ? current : throwApiError('forbidden')
  return writeEvent(access, current, write, params)
}
