import { z } from 'zod'
import {
  addConferenceRule,
  conferenceState,
  setConferencePolicy,
  settleConferences,
} from '../../effects/conferences.ts'
import {
  conferencePolicy,
  conferenceRule,
  conferenceSettlement,
  conferences as state,
} from '../../schema/conferencePolicy.ts'
import { returns } from './inputs.ts'
import { defineOperation, withErrorField } from './operation.ts'

const settled = z.object({
  calendarId: z.string(),
  eventId: z.string(),
  requestId: z.string(),
  outcome: z.enum(['success', 'failure']),
})

/** Operations of conference requests (behaviour 9.3). */
export const conferences = {
  'conferences.state': defineOperation({
    route: 'GET /conferences',
    summary: 'Returns the policy for conference requests, and the open requests.',
    result: state,
    run: ({ world }) => conferenceState(world.data),
  }),
  'conferences.policy': defineOperation({
    route: 'PUT /conferences/policy',
    summary:
      'Sets when conference requests are answered (by a `mode`, after a `delay`, or after so many `reads`), and their `outcome`.',
    input: conferencePolicy,
    example: { delay: '5s' },
    result: state,
    field: null,
    run: ({ world: { data } }, policy) =>
      withErrorField(policy.phone ? 'phone.region' : policy.reads !== undefined ? 'reads' : 'delay', () =>
        setConferencePolicy(data, policy),
      ),
    reply: (_, __, { world }) => conferenceState(world.data),
  }),
  'conferences.expect': defineOperation({
    route: 'POST /conferences/expect',
    summary:
      'Sets the same for one request (`requestId`), for those of one event (`eventId`), or for the next `times` requests.',
    input: conferenceRule,
    example: { times: 1, outcome: 'failure' },
    result: state,
    field: null,
    run: ({ world: { data } }, rule) =>
      withErrorField(rule.delay === undefined ? 'requestId' : 'delay', () => addConferenceRule(data, rule)),
    reply: (_, __, { world }) => conferenceState(world.data),
  }),
  'conferences.settle': defineOperation({
    route: 'POST /conferences/settle',
    summary: 'Answers open conference requests now: one by id, those of an event, or all.',
    input: conferenceSettlement,
    example: { outcome: 'success' },
    ...returns({ settled: z.array(settled) }),
    run: ({ world: { data } }, which) =>
      withErrorField(which.requestId === undefined ? 'eventId' : 'requestId', () => settleConferences(data, which)),
  }),
}
