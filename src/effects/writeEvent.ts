import { type Access, requireEvent } from '../model/access.ts'
import type { Event } from '../schema/event.ts'
import { autoDecline } from './autoDecline.ts'
import { enqueueConferenceRequest } from './conferences.ts'
import { sendMails } from './mail.ts'
import type { MailParams } from './mailbox.ts'
import { commitWrites } from './write/commit.ts'
import { checkChange } from './write/compose.ts'
import { type ComposedWrite, planWrite } from './write/plan.ts'
import { findMeeting } from './write/propagate.ts'
import { WritePlan } from './write/writePlan.ts'

/**
 * Writes a composed event with all that follows from it in the same transaction: exceptions, guests' copies, the
 * conference request, mails and declines. Push follows every transaction, and reminders every commit. `current` is
 * undefined for a new event. Returns the event as the effects leave it, or `current` if nothing changes. Throws the errors of
 * `checkChange` and `planWrite`.
 */
export function writeEvent(
  access: Access,
  current: Event | undefined,
  write: ComposedWrite,
  params: MailParams,
): Event {
  const { world, calendar } = access
  checkChange(access, current, write.composed)
  const plan = new WritePlan(world)
  const meetingBefore = current && findMeeting(world, calendar.id, current).event
  planWrite(plan, calendar, current, write)
  if (current && plan.writes.size === 0) return current
  commitWrites(plan)
  const { id } = write.composed
  const after = enqueueConferenceRequest(world, calendar, requireEvent(access, id))
  const meeting = findMeeting(world, calendar.id, after)
  const change = { before: current, after, meetingBefore, meeting }
  sendMails(access, change, params)
  autoDecline(world, calendar, change)
  return requireEvent(access, id)
}
