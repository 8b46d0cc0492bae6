import { z } from 'zod'
import {
  addConferenceRule,
  conferenceState,
  setConferencePolicy,
  settleConferences,
} from '../../effects/conferences.ts'
import {
  type ConferencePolicy,
  type ConferenceRule,
  type ConferenceSettlement,
  conferencePolicy,
  conferenceRule,
  conferenceSettlement,
  conferences as state,
} from '../../schema/conferencePolicy.ts'
import { defineOperation, toNoInput, withErrorField } from './operation.ts'

const settled = z.object({
  calendarId: z.string(),
  eventId: z.string(),
  requestId: z.string(),
  outcome: z.enum(['success', 'failure']),
})

/** Operations of conference requests (behaviour 9.3). */
export const conferences = [
  defineOperation({
    id: 'control.conferences.get',
    verb: 'GET',
    path: '/_control/conferences',
    summary: 'Returns the policy for conference requests, and the open requests.',
    result: state,
    inProcess: { 'conferences.state': toNoInput },
    run: ({ world }) => conferenceState(world.data),
  }),
  defineOperation({
    id: 'control.conferences.policy',
    verb: 'PUT',
    path: '/_control/conferences',
    summary:
      'Sets when conference requests are answered (by a `mode`, after a `delay`, or after so many `reads`), and their `outcome`.',
    input: conferencePolicy,
    example: { delay: '5s' },
    result: state,
    inProcess: { 'conferences.policy': (policy: ConferencePolicy) => policy },
    run: ({ world: { data } }, policy) =>
      withErrorField(policy.phone ? 'phone.region' : policy.reads !== undefined ? 'reads' : 'delay', () =>
        setConferencePolicy(data, policy),
      ),
    reply: (_, __, { world }) => conferenceState(world.data),
  }),
  defineOperation({
    id: 'control.conferences.expect',
    verb: 'POST',
    path: '/_control/conferences/expect',
    summary:
      'Sets the same for one request (`requestId`), for those of one event (`eventId`), or for the next `times` requests.',
    input: conferenceRule,
    example: { times: 1, outcome: 'failure' },
    result: state,
    inProcess: { 'conferences.expect': (rule: ConferenceRule) => rule },
    run: ({ world: { data } }, rule) =>
      withErrorField(rule.delay === undefined ? 'requestId' : 'delay', () => addConferenceRule(data, rule)),
    reply: (_, __, { world }) => conferenceState(world.data),
  }),
  defineOperation({
    id: 'control.conferences.settle',
    verb: 'POST',
    path: '/_control/conferences/settle',
    summary: 'Answers open conference requests now: one by id, those of an event, or all.',
    input: conferenceSettlement,
    example: { outcome: 'success' },
    result: z.object({ settled: z.array(settled) }),
    inProcess: { 'conferences.settle': (which: ConferenceSettlement = {}) => which },
    run: ({ world: { data } }, which) =>
      withErrorField(which.requestId === undefined ? 'eventId' : 'requestId', () => settleConferences(data, which)),
    reply: (settled) => ({ settled }),
  }),
] as const
