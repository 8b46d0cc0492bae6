import { composeWrite, readDraft, requireWritableEvent, type WriteRequest } from '../../effects/write/compose.ts'
import { writeEvent } from '../../effects/writeEvent.ts'
import type { Access } from '../../model/access.ts'
import { clientPart, isTombstone, originOf } from '../../model/events/fields.ts'
import { remindersOf } from '../../model/reminders.ts'
import { apiError } from '../../schema/apiErrors.ts'
import type { Event } from '../../schema/event.ts'

/**
 * Merges a body into an event: objects merge, arrays replace, `null` removes (behaviour 3.9.2). The first write to an
 * instance stores it, as an exception of its series. If nothing changes, nothing is written. Throws `invalidTime` for a
 * tombstone, and the errors of `requireWritableEvent`.
 */
export function patchEvent(access: Access, eventId: string, { body, params, ifMatch }: WriteRequest): Event {
  const current = requireWritableEvent(access, eventId, ifMatch)
  if (isTombstone(current)) throw apiError('invalidTime', { which: 'start' }) // behaviour 2.2.2
  const base = clientPart({ ...current, reminders: remindersOf(access, current) })
  const draft = readDraft(access, base, { current, body, params, how: 'patch' })
  return writeEvent(access, current, composeWrite(access, { current, body }, draft, originOf(current)), params)
}
