import { commitWrites } from '../../effects/commit.ts'
import { storedEvents } from '../../effects/eventReader.ts'
import { findMeeting } from '../../effects/guests.ts'
import { planDeletion } from '../../effects/guestWrite.ts'
import { WritePlan } from '../../effects/propagate.ts'
import { sendMails } from '../../effects/runEffects.ts'
import { checkDeletion } from '../../model/types.ts'
import { refuse } from '../../wire/refusals.ts'
import { type Access, requireEvent, requireMatch } from '../../world/access.ts'
import type { SendUpdates } from '../../world/mail.ts'
import { requireWritableEvent } from './write.ts'

/** Deletes an event: the organizer for everybody, a guest on their own calendar (behaviour 7.4). */
export function deleteEvent(access: Access, eventId: string, ifMatch: string | undefined, params: SendUpdates): void {
  const { world, calendar } = access
  const before = requireWritableEvent(access, eventId)
  if (before.status === 'cancelled') refuse('deleted')
  requireMatch(before.etag, ifMatch)
  checkDeletion(before)
  const meetingBefore = findMeeting(storedEvents(world), calendar.id, before).event
  const plan = new WritePlan(world)
  planDeletion(plan, calendar.id, before)
  commitWrites(plan)
  sendMails(access, { before, after: requireEvent(access, before.id), meetingBefore }, params)
}
