import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FakeWorld, Snapshot } from '../../../src/index.ts'
import { createCompany, NORA, OWEN, post, restOf, toolCall } from '../../support/mcp.ts'

// Each tool and the requests of REST that the book names for it (17.7), with random arguments: the two have the same effect.

/** The offsets of the zones from 11 to 22 March 2030. */
const OFFSETS: Record<string, string> = {
  'America/New_York': '-04:00',
  'Europe/Berlin': '+01:00',
  'Asia/Tokyo': '+09:00',
}
const OWN_ZONE = 'America/New_York'
const TEAM = 'c_lumenoperations4q9v0t2ek6m8sd1hb7@group.calendar.google.com'

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })

/** A start and a length: local to the user's zone, to a named zone, or with an offset. */
const when = fc.record({
  day: fc.integer({ min: 11, max: 19 }),
  hour: fc.integer({ min: 0, max: 23 }),
  minutes: fc.constantFrom(30, 60, 1500),
  timeZone: maybe(fc.constantFrom(...Object.keys(OFFSETS))),
  isUtc: fc.boolean(),
  allDay: maybe(fc.boolean()),
})
type When = typeof when extends fc.Arbitrary<infer T> ? T : never

const startOf = ({ day, hour }: When) => Date.UTC(2030, 2, day, hour)
const wallOf = (instant: number) => new Date(instant).toISOString().slice(0, 19)
const dateOf = (instant: number) => wallOf(instant).slice(0, 10)
/** The end of days is a day after that of the start, so that it is never before it. */
const endOf = (one: When) => startOf(one) + one.minutes * 60_000 + (one.allDay ? 86_400_000 : 0)

const toTimeArguments = (one: When) => ({
  startTime: wallOf(startOf(one)) + (one.isUtc ? 'Z' : ''),
  endTime: wallOf(endOf(one)) + (one.isUtc ? 'Z' : ''),
  ...(one.timeZone && { timeZone: one.timeZone }),
})

const text = maybe(fc.constantFrom('', 'Lunch', 'Bryant Park', '<b>Agenda</b>'))
const guest = fc.record(
  { email: fc.constantFrom(OWEN, NORA, 'guest@example.org', OWEN.toUpperCase()), optionalAttendee: fc.boolean() },
  { requiredKeys: ['email'] },
)
const reminders = maybe(
  fc.constantFrom(
    { overrideReminders: [] },
    { overrideReminders: [{ method: 'popup', minutes: 5 }] },
    { useDefaultReminders: false },
    { useDefaultReminders: true },
    { overrideReminders: [{ method: 'email', minutes: 60 }], useDefaultReminders: false },
  ),
)
const level = maybe(fc.constantFrom('NONE', 'EXTERNAL_ONLY', 'ALL', 'NOTIFICATION_LEVEL_UNSPECIFIED'))
const content = fc.record({
  description: text,
  location: text,
  colorId: maybe(fc.constantFrom('1', '11', '12')),
  visibility: maybe(fc.constantFrom('default', 'private', 'public')),
  availability: maybe(fc.constantFrom('AVAILABILITY_FREE', 'AVAILABILITY_BUSY', 'AVAILABILITY_UNSPECIFIED')),
  guestPermissions: maybe(
    fc.record({ guestsCanModify: fc.boolean(), guestsCanSeeGuests: fc.boolean() }, { requiredKeys: [] }),
  ),
  addGoogleMeetUrl: maybe(fc.boolean()),
  reminders,
  level,
})
type Content = typeof content extends fc.Arbitrary<infer T> ? T : never

const defined = (object: object) => JSON.parse(JSON.stringify(object)) as Record<string, unknown>
const toContentArguments = ({ reminders, level, ...one }: Content) =>
  defined({ ...one, ...reminders, notificationLevel: level })

/** Returns the fields of REST. `n` is the number of the tool call, which a conference request has as its id. */
function toContentBody(
  { availability, guestPermissions, addGoogleMeetUrl, reminders, level, ...one }: Content,
  n: number,
  before: Json = {},
) {
  const { overrideReminders: overrides = [], useDefaultReminders: useDefault } = Object(reminders)
  const isNone = overrides.length === 0 && useDefault === undefined
  return defined({
    ...one,
    transparency: availability && (availability === 'AVAILABILITY_FREE' ? 'transparent' : 'opaque'),
    guestsCanModify: guestPermissions?.guestsCanModify,
    guestsCanSeeOtherGuests: guestPermissions?.guestsCanSeeGuests,
    reminders: isNone
      ? undefined
      : useDefault
        ? { useDefault: true, overrides: null }
        : { useDefault: false, overrides },
    conferenceData:
      addGoogleMeetUrl && !before.conferenceData?.entryPoints
        ? { createRequest: { requestId: `mcp-${n}`, conferenceSolutionKey: { type: 'hangoutsMeet' } } }
        : undefined,
  })
}
const toQuery = ({ level = 'ALL' }: Pick<Content, 'level'>) => {
  const sendUpdates = level === 'NONE' ? 'none' : level === 'EXTERNAL_ONLY' ? 'externalOnly' : 'all'
  return `sendUpdates=${sendUpdates}&conferenceDataVersion=1&supportsAttachments=true`
}
const pathOf = (calendarId: string | undefined, eventId = '') =>
  `/calendars/${encodeURIComponent(calendarId ?? 'primary')}/events${eventId && `/${eventId}`}`

const create = fc.record({
  summary: fc.constantFrom('Lunch', 'Plan'),
  when,
  content,
  guests: fc.array(guest, { maxLength: 3 }),
  calendarId: maybe(fc.constantFrom('primary', TEAM)),
  recurrenceData: maybe(
    fc.constantFrom(['RRULE:FREQ=DAILY;COUNT=3'], [], ['RRULE:FREQ=WEEKLY', 'EXDATE:20300318T100000Z']),
  ),
})
/** The position of an event among those that Nora sees, and of its series. */
const target = fc.record({ n: fc.nat(), isSeries: fc.boolean() })
const update = fc.record({
  target,
  summary: text,
  when: maybe(when),
  isStartAlone: fc.boolean(),
  content,
  added: maybe(fc.array(guest, { maxLength: 2 })),
  removed: maybe(fc.subarray([OWEN, 'guest@example.org', NORA])),
})
const respond = fc.record({
  target,
  responseStatus: fc.constantFrom('accepted', 'declined', 'tentative'),
  responseComment: maybe(fc.constantFrom('', 'I am away.')),
  level,
})
const remove = fc.record({ target, level })

// biome-ignore lint/suspicious/noExplicitAny: replies have every shape
type Json = any
type Rest = ReturnType<typeof restOf>
/** The call of a tool, and the requests that have its effect. `event` is the event of the target. */
type Pair = { tool: string; args: object; rest: (rest: Rest, event: Json, n: number) => Promise<Json> }

function toCreatePair({ summary, when, content, guests, calendarId, recurrenceData }: Value<typeof create>): Pair {
  const zone = when.timeZone ?? OWN_ZONE
  const hasOffset = when.isUtc && !when.timeZone
  const toTime = (instant: number) =>
    when.allDay
      ? { date: dateOf(instant) }
      : hasOffset
        ? { dateTime: `${wallOf(instant)}Z`, ...(recurrenceData?.length && { timeZone: zone }) }
        : { dateTime: wallOf(instant), timeZone: zone }
  const known = [...new Map(guests.map((one) => [one.email.toLowerCase(), one])).values()]
  const isComplete = known.length === 0 || calendarId === TEAM || known.some(({ email }) => email === NORA)
  const attendees = [
    ...known.map(({ email, optionalAttendee: optional }) => defined({ email, optional })),
    ...(isComplete ? [] : [{ email: NORA, responseStatus: 'accepted' }]),
  ]
  return {
    tool: 'create_event',
    args: defined({
      ...toContentArguments(content),
      ...toTimeArguments(when),
      ...{ summary, calendarId, recurrenceData, allDay: when.allDay, attendees: known },
    }),
    rest: (rest, _, n) =>
      rest('POST', `${pathOf(calendarId)}?${toQuery(content)}`, {
        ...toContentBody(content, n),
        ...{ summary, start: toTime(startOf(when)), end: toTime(endOf(when)) },
        ...(attendees.length > 0 && { attendees }),
        ...(recurrenceData?.length && { recurrence: recurrenceData }),
      }),
  }
}
type Value<A> = A extends fc.Arbitrary<infer T> ? T : never

function toUpdatePair({ summary, when, isStartAlone, content, added = [], removed = [] }: Value<typeof update>): Pair {
  const isAlone = isStartAlone && when?.allDay === undefined
  const { startTime, endTime, timeZone } = Object(when && toTimeArguments(when))
  return {
    tool: 'update_event',
    args: defined({
      ...toContentArguments(content),
      ...{ summary, startTime, timeZone, endTime: isAlone ? undefined : endTime, allDay: when?.allDay },
      ...{ addedAttendees: added, removedAttendeeEmails: removed },
    }),
    rest: async (rest, event, n) => {
      if (when && isRefused(when, isAlone, event)) return { error: {} }
      const guests: Json[] = (event.attendees ?? []).filter(({ email }: Json) => !removed.includes(email))
      for (const { email, optionalAttendee: optional } of added) {
        const known = guests.find((one) => one.email.toLowerCase() === email.toLowerCase())
        if (!known) guests.push(defined({ email, optional }))
        else if (optional !== undefined) guests[guests.indexOf(known)] = { ...known, optional }
      }
      return rest('PATCH', `${pathOf(undefined, event.id)}?${toQuery(content)}`, {
        ...toContentBody(content, n, event),
        ...(summary !== undefined && { summary }),
        ...(when && toChangedTimes(when, isAlone, event)),
        ...(added.length + removed.length > 0 && { attendees: guests }),
      })
    },
  }
}

/** An event of whole days takes no time of day unless `allDay` is false. */
const isRefused = (when: When, isAlone: boolean, { start }: Json): boolean =>
  start.date !== undefined &&
  when.allDay === undefined &&
  [startOf(when), ...(isAlone ? [] : [endOf(when)])].some((instant) => instant % 86_400_000 !== 0)

function toChangedTimes(when: When, isAlone: boolean, event: Json) {
  const wasAllDay = event.start.date !== undefined
  const isAllDay = when.allDay ?? wasAllDay
  const lengthOf = (start: string, end: string) => Date.parse(end) - Date.parse(start)
  const length = wasAllDay
    ? lengthOf(event.start.date, event.end.date)
    : lengthOf(event.start.dateTime, event.end.dateTime)
  const start = startOf(when)
  const end = isAlone ? (wasAllDay ? Date.parse(`${dateOf(start)}T00:00:00Z`) : start) + length : endOf(when)
  const offset = when.isUtc ? 'Z' : OFFSETS[when.timeZone ?? OWN_ZONE]
  const toTime = (instant: number) =>
    isAllDay
      ? { date: dateOf(instant), ...(!wasAllDay && { dateTime: null }) }
      : {
          dateTime: wallOf(instant) + offset,
          ...((when.timeZone || wasAllDay) && { timeZone: when.timeZone ?? OWN_ZONE }),
          ...(wasAllDay && { date: null }),
        }
  return { start: toTime(start), end: toTime(end) }
}

const toRespondPair = ({ responseStatus, responseComment, level }: Value<typeof respond>): Pair => ({
  tool: 'respond_to_event',
  args: defined({ responseStatus, responseComment, notificationLevel: level }),
  rest: async (rest, event) => {
    const answer = { responseStatus, ...(responseComment !== undefined && { comment: responseComment }) }
    const attendees = (event.attendees ?? []).map((one: Json) => (one.self ? { ...one, ...answer } : one))
    const isGuest = attendees.some(({ self }: Json) => self)
    return isGuest
      ? rest('PATCH', `${pathOf(undefined, event.id)}?${toQuery({ level })}`, { attendees })
      : { error: {} }
  },
})
const toRemovePair = ({ level }: Value<typeof remove>): Pair => ({
  tool: 'delete_event',
  args: defined({ notificationLevel: level }),
  rest: (rest, event) => rest('DELETE', `${pathOf(undefined, event.id)}?${toQuery({ level })}`),
})

const step = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), input: create }),
  { arbitrary: fc.record({ kind: fc.constant('update' as const), input: update }), weight: 2 },
  fc.record({ kind: fc.constant('respond' as const), input: respond }),
  fc.record({ kind: fc.constant('remove' as const), input: remove }),
)

function toPair({ kind, input }: Value<typeof step>): Pair {
  if (kind === 'create') return toCreatePair(input)
  if (kind === 'update') return toUpdatePair(input)
  return kind === 'respond' ? toRespondPair(input) : toRemovePair(input)
}

/** The number of sequences of up to six calls, which FC_SEQUENCES sets. */
const SEQUENCES = Number(process.env.FC_SEQUENCES ?? 15)

test('each tool has the effect of the requests of REST that the book names for it, with random arguments', async () => {
  const fake = createCompany({ conferences: { mode: 'immediate' } })
  const start = fake.snapshot('start')
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      const [one, other] = [fake.fork(start, 'tool'), fake.fork(start, 'rest')]
      for (const step of steps) {
        const pair = toPair(step)
        const event = step.kind === 'create' ? undefined : await findEvent(one, step.input.target)
        const args = { ...pair.args, ...(event && { eventId: event.id }) }
        const { result } = await (await post(one, toolCall(pair.tool, args), { token: NORA })).json()
        const reply = await pair.rest(restOf(other), event, one.calls('mcp.*').at(-1)?.n ?? 0)
        const message = `${pair.tool} ${JSON.stringify(args)}: ${JSON.stringify(result)}, ${JSON.stringify(reply?.error)}`
        expect(result.isError === true, message).toBe(reply?.error !== undefined)
        expect(changesOf(one, start), message).toEqual(changesOf(other, start))
      }
      expect(one.mail()).toEqual(other.mail())
    }),
    { numRuns: SEQUENCES },
  )
}, 600_000)

/** Returns an event of Nora's in two weeks of March, or the series of an instance. */
async function findEvent(world: FakeWorld, { n, isSeries }: Value<typeof target>): Promise<Json> {
  const window = 'timeMin=2030-03-11T00:00:00Z&timeMax=2030-03-23T00:00:00Z'
  const { items } = await restOf(world)('GET', `${pathOf(undefined)}?singleEvents=true&orderBy=startTime&${window}`)
  const event = items[n % items.length]
  const id = isSeries ? (event.recurringEventId ?? event.id) : event.id
  return restOf(world)('GET', pathOf(undefined, id))
}

/** Returns all changes of a world, the guests' copies included. */
const changesOf = (world: FakeWorld, start: Snapshot) => [...world.diff(start, { all: true, copies: true })]
