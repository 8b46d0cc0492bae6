import { answeredRequest, hangoutLinkOf, isPending } from '../model/conference.ts'
import { type Answer, answerOf, checkedRule, type Outcome, type Phone } from '../model/conferencePolicy.ts'
import { eventInOrder, withoutStamps } from '../model/fields.ts'
import type {
  ConferencePolicy,
  ConferenceRule,
  ConferenceSettlement,
  ConferenceState,
  PendingConference,
} from '../wire/conferencePolicy.ts'
import type { Event } from '../wire/event.ts'
import type { StoredCalendar, World } from '../world/world.ts'
import { saveEvent } from './commit.ts'
import { storedEvents } from './eventReader.ts'
import { findOrganizerEvent } from './guests.ts'

/** A request that was answered, and how. */
export type Settled = Pick<PendingConference, 'calendarId' | 'eventId' | 'requestId'> & { outcome: Outcome }

/**
 * Takes the request for a conference that an event was saved with, once: answers it at once where the world's policy
 * says so, and else has it answered later.
 */
export function enqueueConferenceRequest(
  world: World,
  { id: calendarId }: Pick<StoredCalendar, 'id'>,
  event: Event,
): Event {
  const requestId = openRequest(event)
  if (requestId === undefined || event.status === 'cancelled' || isKnown(world, calendarId, event, requestId))
    return event
  const answer = world.conferences.answerTo(requestId, event.id)
  const { outcome, phone } = answer
  const request = { calendarId, eventId: event.id, requestId, outcome, ...(phone && { phone }) }
  awaitAnswer(world, { ...request, ...waitOf(world, answer) })
  const atOnce = answer.mode === 'immediate' || (answer.mode === 'delay' && answer.delay === 0)
  if (atOnce) settleConferences(world, { requestId, eventId: event.id })
  return world.events.of(calendarId).get(event.id) ?? event
}

/** What a request waits for: with none of them for the test author. */
function waitOf(world: World, answer: Answer): Pick<PendingConference, 'due' | 'reads' | 'nextRequest'> {
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

const openRequest = ({ conferenceData }: Pick<Event, 'conferenceData'>): string | undefined =>
  conferenceData && isPending(conferenceData) ? conferenceData.createRequest?.requestId : undefined

/** Whether a request is open already: it was made on another copy of the event, or an instance has it from its master. */
function isKnown(world: World, calendarId: string, { id, recurringEventId }: Event, requestId: string): boolean {
  const master = recurringEventId && world.events.of(calendarId).get(recurringEventId)
  const inherited = master && master.conferenceData?.createRequest?.requestId === requestId
  return inherited || world.conferences.open().some(([, one]) => one.eventId === id && one.requestId === requestId)
}

function awaitAnswer(world: World, request: PendingConference): void {
  const number = world.conferences.keep(request)
  if (request.due === undefined) return
  const what = `conference ${request.requestId} of ${request.eventId}`
  world.clock.schedule(Date.parse(request.due), { kind: 'conference', ref: [String(number)], what })
}

/** Answers, in a transaction of its own, the requests for conferences that wait for the world's next request (behaviour 14.30). */
export function settleNextRequestConferences(world: World): void {
  const open = world.conferences.open().filter(([, { nextRequest }]) => nextRequest)
  if (open.length === 0) return
  world.store.transaction(() => {
    for (const [number, { outcome }] of open) settle(world, number, outcome)
  })
}

/** Answers the requests for conferences that fall due on the world's clock. */
export function registerConferenceTask(world: World): void {
  world.clock.on('conference', ([ref]) => {
    const request = world.conferences.request(Number(ref))
    if (request) settle(world, Number(ref), request.outcome)
    return request !== undefined
  })
}

/**
 * Answers a request that is still open, in one write to the organizer's event, from which the copies follow. A cancelled
 * event is not written.
 */
function settle(world: World, number: number, outcome: Outcome): void {
  const request = world.conferences.request(number)
  if (!request) return
  world.conferences.close(number)
  const own = world.events.of(request.calendarId).get(request.eventId)
  const organizers = own && findOrganizerEvent(storedEvents(world), own)
  const asking = [organizers, own && { calendarId: request.calendarId, event: own }]
  const found = asking.find((one) => one && openRequest(one.event) === request.requestId)
  if (!found || found.event.status === 'cancelled') return
  const { calendarId, event } = found
  const phone = phoneOf(world, calendarId, request.phone)
  const conferenceData = answeredRequest(event.conferenceData ?? {}, outcome, { ids: world.ids, phone })
  const hangoutLink = hangoutLinkOf(conferenceData)
  saveEvent(world, calendarId, eventInOrder({ ...withoutStamps(event), conferenceData, hangoutLink }))
}

/** Only a Workspace account's conferences can be joined by telephone: in the region said, else by the policy (behaviour 9.5). */
export function phoneOf(world: World, calendarId: string, said = world.conferences.policy.phone): Phone | undefined {
  const owner = world.calendars.get(calendarId)?.dataOwner ?? calendarId
  return world.accounts.get(owner)?.kind === 'workspace' ? (said ?? { region: 'US' }) : undefined
}

/** Open requests go with their events to another calendar. */
export function moveConferenceRequests(
  { conferences }: World,
  from: string,
  to: string,
  events: readonly Pick<Event, 'id'>[],
): void {
  for (const [number, request] of conferences.open()) {
    const moves = request.calendarId === from && events.some(({ id }) => id === request.eventId)
    if (moves) conferences.keep({ ...request, calendarId: to }, number)
  }
}

/** Answers open requests now: one, those of an event, or all. One that is named and not open is a RangeError. */
export function settleConferences(world: World, { requestId, eventId, outcome }: ConferenceSettlement = {}): Settled[] {
  const meant = world.conferences
    .open()
    .filter(
      ([, one]) =>
        (requestId === undefined || one.requestId === requestId) && (eventId === undefined || one.eventId === eventId),
    )
  if (meant.length === 0 && (requestId ?? eventId) !== undefined) {
    throw new RangeError(`no request for a conference is pending for ${requestId ?? eventId}`)
  }
  return meant.map(([number, request]) => {
    const { calendarId, eventId, requestId } = request
    settle(world, number, outcome ?? request.outcome)
    return { calendarId, eventId, requestId, outcome: outcome ?? request.outcome }
  })
}

/** Counts a read of each event that was shown with its request pending; the last one that it waits for answers it. */
export function countConferenceReads(world: World, shown: readonly Shown[]): void {
  for (const [number, request] of world.conferences.open()) {
    if (request.reads === undefined || !shown.some((event) => shows(event, request))) continue
    const reads = request.reads - 1
    world.conferences.keep({ ...request, reads }, number)
    if (reads < 1) settle(world, number, request.outcome)
  }
}

type Shown = Pick<Event, 'id'> & Partial<Event>

const shows = ({ id, recurringEventId, conferenceData }: Shown, { eventId, requestId }: PendingConference): boolean =>
  (id === eventId || recurringEventId === eventId) && conferenceData?.createRequest?.requestId === requestId

export const setConferencePolicy = ({ conferences }: World, policy: ConferencePolicy): void => {
  conferences.policy = answerOf(policy, conferences.policy)
}

export const addConferenceRule = ({ conferences }: World, rule: ConferenceRule): void => {
  conferences.rules = [...conferences.rules, checkedRule(rule)]
}

/** How conferences are answered, and which requests are open: what a state keeps and a seed may say. */
export const conferenceState = ({ conferences }: World): ConferenceState => ({
  policy: conferences.policy,
  rules: [...conferences.rules],
  pending: conferences.open().map(([, request]) => ({ ...request })),
})

export function applyConferenceSeed(world: World, { policy, rules = [], pending = [] }: ConferenceState): void {
  if (policy) setConferencePolicy(world, policy)
  for (const rule of rules) addConferenceRule(world, rule)
  for (const request of pending) awaitAnswer(world, { ...request })
}
