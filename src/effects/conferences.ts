import {
  answerOf,
  type ConferenceAnswer,
  type ConferenceOutcome,
  checkConferenceRule,
} from '../model/conferencePolicy.ts'
import { hangoutLinkOf, isPending, settleRequest } from '../model/events/conference.ts'
import { eventInOrder, withoutStamps } from '../model/events/fields.ts'
import type { StoredCalendar, WorldData } from '../model/worldData.ts'
import type {
  ConferencePolicy,
  ConferenceRule,
  ConferenceSettlement,
  ConferenceState,
  PendingConference,
} from '../schema/conferencePolicy.ts'
import type { Event } from '../schema/event.ts'
import { saveEvent } from './write/commit.ts'
import { phoneOf } from './write/compose.ts'
import { findOrganizerEvent } from './write/propagate.ts'

export type Settled = Pick<PendingConference, 'calendarId' | 'eventId' | 'requestId'> & { outcome: ConferenceOutcome }

/**
 * Enqueues the conference request of a saved event. The world's policy decides whether it is answered now or later.
 * Returns the event after an immediate answer. Returns it unchanged if it has no request, is cancelled, or its request is
 * open already.
 */
export function enqueueConferenceRequest(
  world: WorldData,
  { id: calendarId }: Pick<StoredCalendar, 'id'>,
  event: Event,
): Event {
  const requestId = openRequestIdOf(event)
  if (requestId === undefined || event.status === 'cancelled' || isKnown(world, calendarId, event, requestId))
    return event
  const answer = world.conferences.takeAnswer(requestId, event.id)
  const { outcome, phone } = answer
  const request = { calendarId, eventId: event.id, requestId, outcome, ...(phone && { phone }) }
  openRequestFor(world, { ...request, ...waitOf(world, answer) })
  const atOnce = answer.mode === 'immediate' || (answer.mode === 'delay' && answer.delay === 0)
  if (atOnce) settleConferences(world, { requestId, eventId: event.id })
  return world.events.of(calendarId).get(event.id) ?? event
}

function waitOf(world: WorldData, answer: ConferenceAnswer): Pick<PendingConference, 'due' | 'reads' | 'nextRequest'> {
  switch (answer.mode) {
    case 'nextRequest':
      return { nextRequest: true }
    case 'delay':
      return answer.delay > 0 ? { due: new Date(world.clock.now() + answer.delay).toISOString() } : {}
    case 'reads':
      return { reads: answer.reads }
    default:
      return {}
  }
}

const openRequestIdOf = ({ conferenceData }: Pick<Event, 'conferenceData'>): string | undefined =>
  conferenceData && isPending(conferenceData) ? conferenceData.createRequest?.requestId : undefined

function isKnown(world: WorldData, calendarId: string, { id, recurringEventId }: Event, requestId: string): boolean {
  const master = recurringEventId && world.events.of(calendarId).get(recurringEventId)
  const inherited = master && master.conferenceData?.createRequest?.requestId === requestId
  return inherited || world.conferences.listOpenBy('event', id).some(([, one]) => one.requestId === requestId)
}

function openRequestFor(world: WorldData, request: PendingConference): void {
  const number = world.conferences.put(request)
  if (request.due === undefined) return
  const what = `conference ${request.requestId} of ${request.eventId}`
  world.clock.schedule(Date.parse(request.due), { kind: 'conference', ref: [String(number)], what })
}

/** Answers the requests that wait for the world's next request, in a separate transaction (behaviour 14.30). */
export function settleNextRequestConferences(world: WorldData): void {
  const open = world.conferences.listOpenBy('nextRequest')
  if (open.length === 0) return
  const settleAll = () => {
    for (const [number, { outcome }] of open) settle(world, number, outcome)
  }
  world.store.transaction(settleAll, { by: 'clock' })
}

export function registerConferenceTask(world: WorldData): void {
  world.clock.on('conference', ([ref]) => {
    const request = world.conferences.findOpen(Number(ref))
    if (request) settle(world, Number(ref), request.outcome)
    return request !== undefined
  })
}

/**
 * Answers an open request with one write to the organizer's event, which also updates the guests' copies. Writes nothing
 * if the event is cancelled or no longer contains the request.
 */
function settle(world: WorldData, number: number, outcome: ConferenceOutcome): void {
  const request = world.conferences.findOpen(number)
  if (!request) return
  world.conferences.close(number)
  const own = world.events.of(request.calendarId).get(request.eventId)
  const organizers = own && findOrganizerEvent(world, own)
  const candidates = [organizers, own && { calendarId: request.calendarId, event: own }]
  const found = candidates.find((one) => one && openRequestIdOf(one.event) === request.requestId)
  if (!found || found.event.status === 'cancelled') return
  const { calendarId, event } = found
  const phone = phoneOf(world, calendarId, request.phone)
  const conferenceData = settleRequest(event.conferenceData ?? {}, outcome, { ids: world.ids, phone })
  const hangoutLink = hangoutLinkOf(conferenceData)
  saveEvent(world, calendarId, eventInOrder({ ...withoutStamps(event), conferenceData, hangoutLink }), {
    isAutomatic: true,
  })
}

/**
 * Answers open requests now: the request `requestId`, the requests of `eventId`, or all. Throws a RangeError if an id is
 * given and no open request matches.
 */
export function settleConferences(
  world: WorldData,
  { requestId, eventId, outcome }: ConferenceSettlement = {},
): Settled[] {
  const { conferences } = world
  const open = eventId === undefined ? conferences.listOpen() : conferences.listOpenBy('event', eventId)
  const matching = open.filter(([, one]) => requestId === undefined || one.requestId === requestId)
  if (matching.length === 0 && (requestId ?? eventId) !== undefined) {
    throw new RangeError(`no request for a conference is pending for ${requestId ?? eventId}`)
  }
  return matching.map(([number, request]) => {
    const { calendarId, eventId, requestId } = request
    settle(world, number, outcome ?? request.outcome)
    return { calendarId, eventId, requestId, outcome: outcome ?? request.outcome }
  })
}

/** Counts a read of each open request that a reply shows, and answers requests with no reads left. */
export function countConferenceReads(world: WorldData, shown: readonly Shown[]): void {
  const counted = new Map<number, PendingConference>()
  for (const { id, recurringEventId = id, conferenceData } of shown) {
    const requestId = conferenceData?.createRequest?.requestId
    if (requestId === undefined) continue
    for (const eventId of new Set([id, recurringEventId]))
      for (const [number, request] of world.conferences.listOpenBy('event', eventId))
        if (request.reads !== undefined && request.requestId === requestId) counted.set(number, request)
  }
  for (const [number, request] of [...counted].sort(([a], [b]) => a - b)) {
    const reads = (request.reads ?? 0) - 1
    world.conferences.put({ ...request, reads }, number)
    if (reads < 1) settle(world, number, request.outcome)
  }
}

type Shown = Pick<Event, 'id'> & Partial<Event>

/** Options that are not given stay. Throws for an invalid policy. */
export const setConferencePolicy = ({ conferences }: WorldData, policy: ConferencePolicy): void => {
  conferences.policy.value = answerOf(policy, conferences.policy.value)
}

/** Applies before the policy. Throws for an invalid rule. */
export const addConferenceRule = ({ conferences }: WorldData, rule: ConferenceRule): void => {
  checkConferenceRule(rule)
  conferences.rules.value = [...conferences.rules.value, rule]
}

/** The requests and rules as a state or a seed contains them. */
export const conferenceState = ({ conferences }: WorldData): ConferenceState => ({
  policy: conferences.policy.value,
  rules: [...conferences.rules.value],
  pending: conferences.listOpen().map(([, request]) => ({ ...request })),
})

/** Sets policy and rules, and opens the pending requests, of a seed or a state. */
export function applyConferenceSeed(world: WorldData, { policy, rules = [], pending = [] }: ConferenceState): void {
  if (policy) setConferencePolicy(world, policy)
  for (const rule of rules) addConferenceRule(world, rule)
  for (const request of pending) openRequestFor(world, { ...request })
}
