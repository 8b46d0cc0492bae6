import { z } from 'zod'

/** The kinds of notification that a list entry can switch, and the notice that a calendar is shared. */
export const MAIL_KINDS = ['eventCreation', 'eventChange', 'eventCancellation', 'eventResponse', 'acl'] as const
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
  sentAt: string
}

export const mail: z.ZodType<Mail> = z.strictObject({
  from: z.string(),
  to: z.string(),
  kind: z.enum(MAIL_KINDS),
  calendarId: z.string(),
  eventId: z.string().optional(),
  summary: z.string().optional(),
  responseStatus: z.string().optional(),
  sentAt: z.iso.datetime(),
})
