import { type Access, requireEvent } from '../model/access.ts'
import type { MailParams } from '../model/mail.ts'
import type { Event } from '../schema/event.ts'
import { autoDecline } from './autoDecline.ts'
import { enqueueConferenceRequest } from './conferences.ts'
import { type EventChange, sendMails } from './mail.ts'

/**
 * Runs the effects of an insert, a patch or an update that has been committed, in the same transaction: the conference
 * request, mails, and auto-declines. Push follows every transaction, and reminders every commit. Returns the event as
 * the effects leave it.
 */
export function runEffects(access: Access, change: EventChange, params: MailParams): Event {
  const after = enqueueConferenceRequest(access.world, access.calendar, change.after)
  sendMails(access, { ...change, after }, params)
  const isDeclined = autoDecline(access.world, access.calendar, { before: change.meetingBefore, after })
  return isDeclined ? requireEvent(access, after.id) : after
}
