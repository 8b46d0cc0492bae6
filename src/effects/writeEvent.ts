import { type Access, isServiceAccount, requireEvent } from '../model/access.ts'
import { changedFields, FIELD_RULES } from '../model/events/fields.ts'
import { apiError } from '../schema/apiErrors.ts'
import type { Event } from '../schema/event.ts'
import { isEqual } from '../schema/values/json.ts'
import { autoDecline } from './autoDecline.ts'
import { enqueueConferenceRequest } from './conferences.ts'
import { sendMails } from './mail.ts'
import type { MailParams } from './mailbox.ts'
import { commitWrites } from './write/commit.ts'
import { type ComposedWrite, planWrite } from './write/plan.ts'
import { findMeeting } from './write/propagate.ts'
import { WritePlan } from './write/writePlan.ts'

/**
 * Writes a composed event with all that follows from it in the same transaction: exceptions, guests' copies, the
 * conference request, mails and declines. Push follows every transaction, and reminders every commit. `current` is
 * undefined for a new event. Returns the event as the effects leave it, or `current` if nothing changes. Throws
 * `forbidden` for a change of a locked event, `forbiddenForServiceAccounts` if a service account that acts for no user
 * invites anybody (behaviour 7.21), and the errors of `planWrite`.
 */
export function writeEvent(
  access: Access,
  current: Event | undefined,
  write: ComposedWrite,
  params: MailParams,
): Event {
  const { world, calendar, caller } = access
  const { id, attendees } = write.composed
  if (current?.locked && changedFields(current, write.composed).some((field) => FIELD_RULES[field].locks))
    throw apiError('forbidden')
  if (attendees?.length && isServiceAccount(caller) && !isEqual(current?.attendees, attendees))
    throw apiError('forbiddenForServiceAccounts')
  const plan = new WritePlan(world)
  const meetingBefore = current && findMeeting(world, calendar.id, current).event
  planWrite(plan, calendar, current, write)
  if (current && plan.writes.size === 0) return current
  commitWrites(plan)
  const after = enqueueConferenceRequest(world, calendar, requireEvent(access, id))
  const meeting = findMeeting(world, calendar.id, after)
  const change = { before: current, after, meetingBefore, meeting }
  sendMails(access, change, params)
  autoDecline(world, calendar, change)
  return requireEvent(access, id)
}
