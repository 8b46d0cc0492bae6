import { z } from 'zod'
import { addConferenceRule, conferenceState, setConferencePolicy, settleConferences } from '../effects/conferences.ts'
import {
  type ConferencePolicy,
  type ConferenceRule,
  type ConferenceSettlement,
  conferencePolicy,
  conferenceRule,
  conferenceSettlement,
  conferences as state,
} from '../wire/conferencePolicy.ts'
import { nothing, of, operation } from './operation.ts'

const settled = z.object({
  calendarId: z.string(),
  eventId: z.string(),
  requestId: z.string(),
  outcome: z.enum(['success', 'failure']),
})

/** How requests for conferences are answered (behaviour 9.3). */
export const conferences = [
  operation({
    id: 'control.conferences.get',
    verb: 'GET',
    path: '/_control/conferences',
    summary: 'Returns how requests for conferences are answered, and which are still open.',
    result: state,
    inProcess: { 'conferences.state': nothing },
    run: ({ realm }) => conferenceState(realm.world),
  }),
  operation({
    id: 'control.conferences.policy',
    verb: 'PUT',
    path: '/_control/conferences',
    summary:
      'Sets when requests for conferences are answered from here on (by a `mode`, after a `delay`, or after so many `reads`), and with what `outcome`.',
    input: conferencePolicy,
    example: { delay: '5s' },
    result: state,
    inProcess: { 'conferences.policy': (policy: ConferencePolicy) => policy },
    run: ({ realm: { world } }, policy) =>
      of(policy.phone ? 'phone.region' : policy.reads !== undefined ? 'reads' : 'delay', () =>
        setConferencePolicy(world, policy),
      ),
    reply: (_, __, { realm }) => conferenceState(realm.world),
  }),
  operation({
    id: 'control.conferences.expect',
    verb: 'POST',
    path: '/_control/conferences/expect',
    summary:
      'Sets the same for one request (`requestId`), for those of one event (`eventId`), or for so many `times` the next one.',
    input: conferenceRule,
    example: { times: 1, outcome: 'failure' },
    result: state,
    inProcess: { 'conferences.expect': (rule: ConferenceRule) => rule },
    run: ({ realm: { world } }, rule) =>
      of(rule.delay === undefined ? 'requestId' : 'delay', () => addConferenceRule(world, rule)),
    reply: (_, __, { realm }) => conferenceState(realm.world),
  }),
  operation({
    id: 'control.conferences.settle',
    verb: 'POST',
    path: '/_control/conferences/settle',
    summary: 'Answers open requests for conferences now: the one named, those of an event, or all.',
    input: conferenceSettlement,
    example: { outcome: 'success' },
    result: z.object({ settled: z.array(settled) }),
    inProcess: { 'conferences.settle': (which: ConferenceSettlement = {}) => which },
    run: ({ realm: { world } }, which) =>
      of(which.requestId === undefined ? 'eventId' : 'requestId', () => settleConferences(world, which)),
    reply: (settled) => ({ settled }),
  }),
] as const
