import { z } from 'zod'
import { CONFERENCE_MODES } from './conferenceModes.ts'

const outcome = z.enum(['success', 'failure']).optional()
const phone = z
  .strictObject({ region: z.string() })
  .optional()
  .describe('The region of the telephone numbers in conferences of Workspace accounts, such as `US`.')

export const conferencePolicy = z
  .strictObject({
    mode: z
      .enum(CONFERENCE_MODES)
      .optional()
      .describe(
        'When a request is settled: by the next request of the world, at once, after `delay`, after `reads` reads, or by the test author.',
      ),
    delay: z
      .union([z.string(), z.number()])
      .optional()
      .describe("Milliseconds on the world's clock, or text such as `90s`. 0 answers at once."),
    reads: z
      .int()
      .min(1)
      .optional()
      .describe('The number of reads during which the request stays pending, at least 1.'),
    outcome,
    phone,
  })
  .describe('The policy of a world for conference requests. `delay` and `reads` each imply their own mode.')

export const conferenceRule = conferencePolicy
  .extend({ requestId: z.string().optional(), eventId: z.string().optional(), times: z.int().min(1).optional() })
  .describe(
    'The policy for the requests of an id, of an event, or for the next `times` requests. Fields that it omits follow the policy of the world.',
  )

export const conferenceSettlement = z
  .strictObject({
    requestId: z.string().optional(),
    eventId: z.string().optional(),
    outcome: outcome.describe('By default the one that the policy gave the request when it was made.'),
  })
  .describe('Selects the pending requests to settle: those with this id, those of this event, or all.')

const pendingConference = z
  .strictObject({
    calendarId: z.string(),
    eventId: z.string(),
    requestId: z.string(),
    outcome: z.enum(['success', 'failure']).describe('The outcome that it will have.'),
    due: z.iso.datetime().optional().describe('The instant at which it settles.'),
    reads: z.int().optional().describe('The number of reads after which it settles.'),
    nextRequest: z.literal(true).optional().describe('True if the next request of the world settles it.'),
    phone,
  })
  .describe(
    'A request that is not settled yet. Without `due`, `reads` and `nextRequest`, it waits for the test author.',
  )

export const conferences = z.strictObject({
  policy: conferencePolicy.optional(),
  rules: z.array(conferenceRule).optional(),
  pending: z.array(pendingConference).optional(),
})

/** The names of the package, whose declarations print the schemas (`build/declarations.ts`). */
export const CONFERENCE_TYPES = {
  ConferenceMode: conferencePolicy.shape.mode,
  ConferencePolicy: conferencePolicy,
  ConferenceRule: conferenceRule,
  ConferenceSettlement: conferenceSettlement,
  PendingConference: pendingConference,
  ConferenceState: conferences,
}

export type ConferencePolicy = z.output<typeof conferencePolicy>
export type ConferenceMode = NonNullable<ConferencePolicy['mode']>
export type ConferenceRule = z.output<typeof conferenceRule>
export type ConferenceSettlement = z.output<typeof conferenceSettlement>
export type PendingConference = z.output<typeof pendingConference>
export type ConferenceState = z.output<typeof conferences>
