import { z } from 'zod'
import type { MailKind } from './types/publicTypes.ts'

export type { AgendaEvent, Mail, MailKind } from './types/publicTypes.ts'

/** The first five are the notifications that a calendar list entry can switch on. */
export const MAIL_KINDS = [
  'eventCreation',
  'eventChange',
  'eventCancellation',
  'eventResponse',
  'agenda',
  'reminder',
  'acl',
] as const satisfies readonly MailKind[]

export const mail = z.strictObject({
  from: z.string().describe('The account that caused it; the service for a reminder or an agenda.'),
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
