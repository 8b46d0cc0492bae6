import { z } from 'zod'

/** The kinds of mail. The first five are the notifications that a calendar list entry can switch on. */
export const MAIL_KINDS = [
  'eventCreation',
  'eventChange',
  'eventCancellation',
  'eventResponse',
  'agenda',
  'reminder',
  'acl',
] as const
export type MailKind = (typeof MAIL_KINDS)[number]

/** A mail that the service would have sent. Nothing is sent anywhere. */
export type Mail = {
  /** The account that caused it. For a reminder or an agenda, the recipient. */
  from: string
  to: string
  kind: MailKind
  /** The calendar of the event's organizer, the calendar that is shared, or the calendar of the agenda. */
  calendarId: string
  eventId?: string | undefined
  /** The title of the event. */
  summary?: string | undefined
  /** For a response: the new status. */
  responseStatus?: string | undefined
  /** For an agenda: the events of the day. */
  events?: AgendaEvent[] | undefined
  /** The time in UTC, by the world's clock. */
  sentAt: string
}
/** An event of an agenda. Its start has a `date` or a `dateTime`. */
export type AgendaEvent = {
  eventId: string
  summary?: string | undefined
  start: { date?: string | undefined; dateTime?: string | undefined; timeZone?: string | undefined }
}

export const mail: z.ZodType<Mail> = z.strictObject({
  from: z.string().describe('The account that caused it.'),
  to: z.string(),
  kind: z.enum(MAIL_KINDS),
  calendarId: z.string().describe("The calendar of the event's organizer, or the calendar that is shared."),
  eventId: z.string().optional(),
  summary: z.string().optional(),
  responseStatus: z.string().optional().describe('For a response: the new status.'),
  events: z
    .array(
      z.strictObject({
        eventId: z.string(),
        summary: z.string().optional(),
        start: z.strictObject({
          date: z.string().optional(),
          dateTime: z.string().optional(),
          timeZone: z.string().optional(),
        }),
      }),
    )
    .optional()
    .describe('For an agenda: the events of the day.'),
  sentAt: z.iso.datetime(),
})
