import { runEffects } from '../../effects/runEffects.ts'
import { commitWrites } from '../../effects/write/commit.ts'
import {
  checkChange,
  composeWrite,
  readDraft,
  requireContent,
  requireWritableEvent,
  type WriteParams,
  type WriteRequest,
} from '../../effects/write/compose.ts'
import { type ComposedWrite, planWrite } from '../../effects/write/plan.ts'
import { findMeeting, storedEvents } from '../../effects/write/propagate.ts'
import { type Access, requireEvent } from '../../model/access.ts'
import { clientPart } from '../../model/events/fields.ts'
import { remindersOf } from '../../model/reminders.ts'
import type { Event } from '../../schema/event.ts'

/**
 * Merges a body into an event: objects merge, arrays replace, `null` removes (behaviour 3.9.2). The first write to an
 * instance stores it, as an exception of its series. If nothing changes, nothing is written. Throws `invalidTime` for a
 * tombstone, and the errors of `requireWritableEvent`.
 */
export function patchEvent(access: Access, eventId: string, { body, params, ifMatch }: WriteRequest): Event {
  const current = requireWritableEvent(access, eventId, ifMatch)
  requireContent(current)
  const base = clientPart({ ...current, reminders: remindersOf(access, current) })
  const draft = readDraft(access, base, { current, body, params, how: 'patch' })
  return writeEvent(access, current, composeWrite(access, current, body, draft), params)
}

/**
 * Writes a composed event with all that follows from it: exceptions, guests' copies, conference requests, mails and declines.
 * Returns the event as these leave it, or `current` if nothing changes.
 */
export function writeEvent(access: Access, current: Event, write: ComposedWrite, params: WriteParams): Event {
  const { world, calendar } = access
  checkChange(access, current, write.composed)
  const meetingBefore = findMeeting(storedEvents(world), calendar.id, current).event
  const plan = planWrite(world, calendar, current, write)
  if (plan.isEmpty) return current
  commitWrites(plan)
  const after = requireEvent(access, current.id)
  return runEffects(access, { before: current, after, meetingBefore }, params)
}
