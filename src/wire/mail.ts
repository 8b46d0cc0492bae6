import { z } from 'zod'

/** The kinds of notification that a list entry can switch, reminders of events, and the notice that a calendar is shared. */
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
  /** Whoever caused it. */
  from: string
  to: string
  kind: MailKind
  /** The calendar that organizes the event, or that is shared. */
  calendarId: string
  eventId?: string | undefined
  summary?: string | undefined
  /** Of a response, what it says. */
  responseStatus?: string | undefined
  /** Of an agenda, the events of the day. */
  events?: AgendaEvent[] | undefined
  sentAt: string
}
export type AgendaEvent = {
  eventId: string
  summary?: string | undefined
  start: { date?: string | undefined; dateTime?: string | undefined; timeZone?: string | undefined }
}

export const mail: z.ZodType<Mail> = z.strictObject({
  from: z.string(),
  to: z.string(),
  kind: z.enum(MAIL_KINDS),
  calendarId: z.string(),
  eventId: z.string().optional(),
  summary: z.string().optional(),
  responseStatus: z.string().optional(),
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
    .optional(),
  sentAt: z.iso.datetime(),
})
