import { z } from 'zod'
import { event } from './event.ts'

const kind = z
  .enum(['eventCreation', 'eventChange', 'eventCancellation', 'eventResponse', 'agenda', 'reminder', 'acl'])
  .describe('The kind of a mail. The first five are the notifications that a calendar list entry can switch on.')

const time = z.strictObject({
  date: z.string().optional(),
  dateTime: z.string().optional(),
  timeZone: z.string().optional(),
})

export const mail = z.strictObject({
  id: z.int().min(1).describe('The number in the outbox.'),
  from: z
    .string()
    .describe('The account that caused it. For a reminder or an agenda, `calendar-notification@google.com`.'),
  to: z.string(),
  kind,
  calendarId: z
    .string()
    .describe("The calendar of the event's organizer, the calendar that is shared, or the calendar of the agenda."),
  eventId: z.string().optional(),
  summary: z.string().optional(),
  start: time.optional().describe('The start of the event when the mail was sent, in the zone of the recipient.'),
  end: time.optional(),
  location: z.string().optional(),
  responseStatus: z.string().optional().describe('For a response: the new status.'),
  events: z
    .array(
      z.strictObject({
        eventId: z.string(),
        summary: z.string().optional(),
        start: time,
      }),
    )
    .optional()
    .describe('For an agenda: the events of the day.'),
  sentAt: z.iso.datetime().describe("The time in UTC, by the world's clock."),
})

export const seededMail = mail.extend({ id: mail.shape.id.optional() })

/** As a state has it, with the whole event when the mail was sent. */
export const storedMail = seededMail.extend({ event: event.strict().optional() })

/** A mail that the service would have sent. Nothing is sent anywhere. */
export type Mail = z.output<typeof mail>
export type MailKind = Mail['kind']
