import {
  addConferenceRule,
  conferenceState,
  setConferencePolicy,
  settleConferences,
} from '../meetings/conferenceRequests.ts'
import { conferencePolicy, conferenceRule, conferenceSettlement } from '../wire/conferencePolicy.ts'
import { control, timely } from './endpoint.ts'

/** How requests for conferences are answered (behaviour 9.3). */
export const conferences = [
  control({
    id: 'control.conferences.get',
    verb: 'GET',
    path: '/_control/conferences',
    summary: 'Returns how requests for conferences are answered, and which are still open.',
    handle: ({ realm }) => conferenceState(realm.world),
  }),
  control({
    id: 'control.conferences.policy',
    verb: 'PUT',
    path: '/_control/conferences',
    summary: 'Sets when requests for conferences are answered from here on, and with what.',
    body: conferencePolicy,
    handle: ({ realm: { world }, body }) => {
      timely(body.mode === 'reads' || body.reads !== undefined ? 'reads' : 'delay', () =>
        setConferencePolicy(world, body),
      )
      return conferenceState(world)
    },
  }),
  control({
    id: 'control.conferences.expect',
    verb: 'POST',
    path: '/_control/conferences/expect',
    summary: 'Sets how one request for a conference, those of one event, or the next so many are answered.',
    body: conferenceRule,
    handle: ({ realm: { world }, body }) => {
      timely(body.delay === undefined ? 'requestId' : 'delay', () => addConferenceRule(world, body))
      return conferenceState(world)
    },
  }),
  control({
    id: 'control.conferences.settle',
    verb: 'POST',
    path: '/_control/conferences/settle',
    summary: 'Answers open requests for conferences now: the one named, those of an event, or all.',
    body: conferenceSettlement,
    handle: ({ realm: { world }, body }) => ({
      settled: timely(body.requestId === undefined ? 'eventId' : 'requestId', () => settleConferences(world, body)),
    }),
  }),
]
