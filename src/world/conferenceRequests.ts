import type {
  ConferencePolicy,
  ConferenceRule,
  ConferenceSettlement,
  ConferenceState,
  PendingConference,
} from '../wire/conferencePolicy.ts'
import type { ConferenceData, Event } from '../wire/event.ts'
import { answered, hangoutLinkOf, isPending } from './conference.ts'
import { answerOf, checkedRule, type Outcome } from './conferencePolicy.ts'
import { type Composed, inOrder } from './eventFields.ts'
import { saveEvent, unstamped } from './eventRecord.ts'
import { spread } from './exceptions.ts'
import { isMaster } from './series.ts'
import type { StoredCalendar, World } from './world.ts'

/** A request that was answered, and how. */
export type Settled = Pick<PendingConference, 'calendarId' | 'eventId' | 'requestId'> & { outcome: Outcome }

/**
 * Takes the request for a conference that an event brings, once: answers it at once where the world's policy says so,
 * and else has it answered later. To be called when nothing can refuse the write any more.
 */
export function requested(world: World, calendar: Pick<StoredCalendar, 'id'>, event: Composed): Composed {
  const { conferenceData, id: eventId } = event
  const requestId = conferenceData && isPending(conferenceData) && conferenceData.createRequest?.requestId
  if (!requestId || isKnown(world, calendar, event, requestId)) return event
  const answer = world.conferences.answerTo(requestId, eventId)
  const { outcome } = answer
  if (answer.mode === 'immediate')
    return withConference(
      event,
      answered(conferenceData, outcome, () => world.ids.meetingCode()),
    )
  const due = answer.mode === 'delay' ? new Date(world.clock.now() + answer.delay).toISOString() : undefined
  const reads = answer.mode === 'reads' ? answer.reads : undefined
  awaitAnswer(world, {
    calendarId: calendar.id,
    eventId,
    requestId,
    outcome,
    ...(due && { due }),
    ...(reads && { reads }),
  })
  return event
}

/** A request is known on every copy of its event, and an instance does not repeat its master's. */
function isKnown(
  world: World,
  calendar: Pick<StoredCalendar, 'id'>,
  { id, recurringEventId }: Composed,
  requestId: string,
): boolean {
  const master = recurringEventId && world.events.of(calendar.id).get(recurringEventId)
  const inherited = master && master.conferenceData?.createRequest?.requestId === requestId
  return inherited || world.conferences.pending.some((one) => one.eventId === id && one.requestId === requestId)
}

function awaitAnswer(world: World, request: PendingConference): void {
  world.conferences.pending.push(request)
  if (request.due === undefined) return
  const what = `conference ${request.requestId} of ${request.eventId}`
  world.clock.schedule(Date.parse(request.due), what, () => settle(world, request, request.outcome))
}

const withConference = <E extends Composed>(event: E, conferenceData: ConferenceData): E =>
  inOrder({ ...event, conferenceData, hangoutLink: hangoutLinkOf(conferenceData) })

/** Answers a request that is still open: all that says so changes in one write. An event that is gone stays as it is. */
function settle(world: World, request: PendingConference, outcome: Outcome): void {
  const { pending } = world.conferences
  if (!pending.includes(request)) return
  world.conferences.pending = pending.filter((one) => one !== request)
  const { calendarId, eventId, requestId } = request
  const event = world.events.of(calendarId).get(eventId)
  const data = event?.conferenceData
  if (
    !event ||
    event.status === 'cancelled' ||
    !data ||
    !isPending(data) ||
    data.createRequest?.requestId !== requestId
  )
    return
  saveAnswered(
    world,
    calendarId,
    event,
    answered(data, outcome, () => world.ids.meetingCode()),
  )
}

function saveAnswered(world: World, calendarId: string, event: Event, data: ConferenceData): void {
  const calendar = world.calendars.get(calendarId)
  if (!calendar) return
  const after = saveEvent(world, calendar, withConference(unstamped(event), data))
  if (isMaster(event)) spread(world, calendar, event, after)
}

/** Answers open requests now: one, those of an event, or all. One that is named and not open is a RangeError. */
export function settleConferences(world: World, { requestId, eventId, outcome }: ConferenceSettlement = {}): Settled[] {
  const meant = world.conferences.pending.filter(
    (one) =>
      (requestId === undefined || one.requestId === requestId) && (eventId === undefined || one.eventId === eventId),
  )
  if (meant.length === 0 && (requestId ?? eventId) !== undefined) {
    throw new RangeError(`no request for a conference is pending for ${requestId ?? eventId}`)
  }
  return meant.map((request) => {
    const { calendarId, eventId, requestId } = request
    settle(world, request, outcome ?? request.outcome)
    return { calendarId, eventId, requestId, outcome: outcome ?? request.outcome }
  })
}

/** Counts a read of each event that was shown with its request pending; the last one that it waits for answers it. */
export function countReads(world: World, shown: readonly Event[]): void {
  const waiting = world.conferences.pending.filter(({ reads }) => reads !== undefined)
  for (const request of waiting) {
    if (!shown.some((event) => shows(event, request))) continue
    request.reads = (request.reads ?? 1) - 1
    if (request.reads < 1) settle(world, request, request.outcome)
  }
}

const shows = ({ id, recurringEventId, conferenceData }: Event, { eventId, requestId }: PendingConference): boolean =>
  (id === eventId || recurringEventId === eventId) && conferenceData?.createRequest?.requestId === requestId

export const setConferencePolicy = ({ conferences }: World, policy: ConferencePolicy): void => {
  conferences.policy = answerOf(policy, conferences.policy)
}

export const addConferenceRule = ({ conferences }: World, rule: ConferenceRule): void => {
  conferences.rules = [...conferences.rules, checkedRule(rule)]
}

/** How conferences are answered, and which requests are open: what a state keeps and a seed may say. */
export const conferenceState = ({ conferences: { policy, rules, pending } }: World): ConferenceState => ({
  policy,
  rules,
  pending: pending.map((request) => ({ ...request })),
})

export function plantConferences(world: World, { policy, rules = [], pending = [] }: ConferenceState): void {
  if (policy) setConferencePolicy(world, policy)
  for (const rule of rules) addConferenceRule(world, rule)
  for (const request of pending) awaitAnswer(world, { ...request })
}
