import { sendMails } from '../../effects/mail.ts'
import type { MailParams } from '../../effects/mailbox.ts'
import { commitWrites } from '../../effects/write/commit.ts'
import { requireWritableEvent } from '../../effects/write/compose.ts'
import { planDeletion } from '../../effects/write/plan.ts'
import { findMeeting } from '../../effects/write/propagate.ts'
import { WritePlan } from '../../effects/write/writePlan.ts'
import { type Access, requireEvent, requireEventMatch } from '../../model/access.ts'
import { checkDeletion } from '../../model/events/types.ts'
import { apiError } from '../../schema/apiErrors.ts'

/**
 * Deletes an event, and sends mails. On the organizer's calendar it is deleted for everybody. On a guest's calendar only
 * the copy is deleted, which declines the invitation (behaviour 7.4). Throws `deleted` for a cancelled event, `staleEtag`,
 * and `eventTypeRestriction` for a contact's birthday.
 */
export function deleteEvent(access: Access, eventId: string, ifMatch: string | undefined, params: MailParams): void {
  const { world, calendar } = access
  const before = requireWritableEvent(access, eventId)
  if (before.status === 'cancelled') throw apiError('deleted')
  if (ifMatch !== undefined) requireEventMatch(access, before, ifMatch)
  checkDeletion(before)
  const plan = new WritePlan(world)
  const meetingBefore = findMeeting(world, calendar.id, before).event
  planDeletion(plan, calendar.id, before)
  commitWrites(plan)
  const after = requireEvent(access, before.id)
  const meeting = findMeeting(world, calendar.id, after)
  sendMails(access, { before, after, meetingBefore, meeting }, params)
}
