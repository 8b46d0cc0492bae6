import { z } from 'zod'
import type { ConferenceMode } from './types/publicTypes.ts'

export type {
  ConferenceMode,
  ConferencePolicy,
  ConferenceRule,
  ConferenceSettlement,
  ConferenceState,
  PendingConference,
} from './types/publicTypes.ts'

/** `manual`: when the test author settles the request. */
export const CONFERENCE_MODES = [
  'nextRequest',
  'immediate',
  'delay',
  'reads',
  'manual',
] as const satisfies readonly ConferenceMode[]

/** `delay` and `reads` each imply their own mode. */
export const conferencePolicy = z.strictObject({
  mode: z.enum(CONFERENCE_MODES).optional(),
  delay: z
    .union([z.string(), z.number()])
    .optional()
    .describe("Milliseconds on the world's clock, or text such as `90s`. 0 answers at once."),
  reads: z.int().min(1).optional().describe('The number of reads during which the request stays pending.'),
  outcome: z.enum(['success', 'failure']).optional(),
  phone: z
    .strictObject({ region: z.string() })
    .optional()
    .describe('The region of the telephone numbers in conferences of Workspace accounts.'),
})

/** For one id, the requests of one event, or the next `times` requests. */
export const conferenceRule = conferencePolicy.extend({
  requestId: z.string().optional(),
  eventId: z.string().optional(),
  times: z.int().min(1).optional(),
})

/** Requests of an id, of an event, or all. */
export const conferenceSettlement = z.strictObject({
  requestId: z.string().optional(),
  eventId: z.string().optional(),
  outcome: z.enum(['success', 'failure']).optional(),
})

/** Only one of `due`, `reads` and `nextRequest` is set; with none the request waits for the author. */
const pendingConference = z.strictObject({
  calendarId: z.string(),
  eventId: z.string(),
  requestId: z.string(),
  outcome: z.enum(['success', 'failure']),
  due: z.iso.datetime().optional(),
  reads: z.int().optional(),
  nextRequest: z.literal(true).optional(),
  phone: z.strictObject({ region: z.string() }).optional(),
})

export const conferences = z.strictObject({
  policy: conferencePolicy.optional(),
  rules: z.array(conferenceRule).optional(),
  pending: z.array(pendingConference).optional(),
})
