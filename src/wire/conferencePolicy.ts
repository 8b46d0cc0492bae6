import { z } from 'zod'

/** How a world answers requests for conferences: when, and with what. `delay` and `reads` each name their own mode. */
export const conferencePolicy = z.strictObject({
  mode: z.enum(['delay', 'reads', 'immediate', 'manual']).optional(),
  /** Milliseconds on the world's clock, or text such as `90s`. */
  delay: z.union([z.string(), z.number()]).optional(),
  /** How many reads still see the request pending. */
  reads: z.int().min(1).optional(),
  outcome: z.enum(['success', 'failure']).optional(),
})

/** The same for some requests: the one with an id, those of an event, or the next so many. */
export const conferenceRule = conferencePolicy.extend({
  requestId: z.string().optional(),
  eventId: z.string().optional(),
  next: z.int().min(1).optional(),
})

export const conferenceSettlement = z.strictObject({
  requestId: z.string().optional(),
  eventId: z.string().optional(),
  outcome: z.enum(['success', 'failure']).optional(),
})

const pendingConference = z.strictObject({
  calendarId: z.string(),
  eventId: z.string(),
  requestId: z.string(),
  outcome: z.enum(['success', 'failure']),
  due: z.iso.datetime().optional(),
  reads: z.int().optional(),
})

/** The whole of it, as a seed says it and a state gives it back. */
export const conferences = z.strictObject({
  policy: conferencePolicy.optional(),
  rules: z.array(conferenceRule).optional(),
  pending: z.array(pendingConference).optional(),
})

export type ConferencePolicy = z.output<typeof conferencePolicy>
export type ConferenceRule = z.output<typeof conferenceRule>
export type ConferenceSettlement = z.output<typeof conferenceSettlement>
export type PendingConference = z.output<typeof pendingConference>
export type ConferenceState = z.output<typeof conferences>
