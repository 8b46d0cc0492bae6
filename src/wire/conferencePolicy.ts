import { z } from 'zod'

/** When requests for conferences are answered. */
export const CONFERENCE_MODES = ['nextRequest', 'immediate', 'delay', 'reads', 'manual'] as const
export type ConferenceMode = (typeof CONFERENCE_MODES)[number]

/** How a world answers requests for conferences: when, and with what. `delay` and `reads` each name their own mode. */
export const conferencePolicy = z.strictObject({
  mode: z.enum(CONFERENCE_MODES).optional(),
  /** Milliseconds on the world's clock, or text such as `90s`. None is at once. */
  delay: z.union([z.string(), z.number()]).optional(),
  /** How many reads still see the request pending. */
  reads: z.int().min(1).optional(),
  outcome: z.enum(['success', 'failure']).optional(),
  /** Where the telephone numbers of Workspace accounts' conferences are. */
  phone: z.strictObject({ region: z.string() }).optional(),
})

/** The same for some requests: the one with an id, those of an event, or so many `times` the next one. */
export const conferenceRule = conferencePolicy.extend({
  requestId: z.string().optional(),
  eventId: z.string().optional(),
  times: z.int().min(1).optional(),
  /** The older name of `times`. */
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
  nextRequest: z.literal(true).optional(),
  phone: z.strictObject({ region: z.string() }).optional(),
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
