/**
 * The commands of the model test, as arbitraries of fast-check. Each makes one request or control call of the product
 * and of the model, and compares the outcome.
 */
import fc from 'fast-check'
import { expect } from 'vitest'
import { expectEvent, Stamps } from './compare.ts'
import {
  ALICE,
  BOB,
  CALENDARS,
  eventsPath,
  type Harness,
  LABELS,
  NEWCOMER,
  NOW,
  newPair,
  ODD,
  ownerOf,
  PEOPLE,
  type RequestLine,
  SLASH,
  SUCCESSOR,
  TEAM,
  type ToolLine,
  type WorldPair,
} from './harness.ts'
import * as service from './service.ts'
import { type Body, importedId } from './service.ts'
import { isAllDay, isoOf, type Time } from './times.ts'
import { get, instances, type Query, viewOf } from './views.ts'

/** The harness is the model of fast-check too, so that a command can decide by the state if it is worth its requests. */
export type Command = fc.AsyncCommand<Harness, Harness>
/**
 * Returns an arbitrary of one kind of command. `text` describes it in the output of a failed run. A command that is not
 * useful in the present state is skipped.
 */
const command = <T>(
  arbitrary: fc.Arbitrary<T>,
  text: (input: T) => string,
  run: (harness: Harness, input: T) => Promise<void>,
  isUseful: (harness: Harness, input: T) => boolean = () => true,
): fc.Arbitrary<Command> =>
  arbitrary.map((input) => ({
    check: (harness) => isUseful(harness as Harness, input),
    run: (_: Harness, harness: Harness) => run(harness, input),
    toString: () => text(input),
  }))

/** Returns an arbitrary of weighted ones. It shrinks towards the first. */
const weighted = <T>(...choices: [weight: number, fc.Arbitrary<T>][]): fc.Arbitrary<T> =>
  fc.oneof({ withCrossShrink: true }, ...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })))
/** Returns an arbitrary that is undefined except in one of `n` cases. */
const oneIn = <T>(n: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  weighted<T | undefined>([n - 1, fc.constant(undefined)], [1, arbitrary])
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => oneIn(2, arbitrary)
/** Returns an arbitrary that is true in one of `n` cases. */
const rarely = (n: number) => oneIn(n, fc.constant(true)).map((one) => one ?? false)

// Parts of commands ----------------------------------------------------------------------------------------------------

const account = weighted([3, fc.constant(ALICE)], [2, fc.constantFrom(BOB, SLASH)])
/** Mostly the calendars of alice and bob: most events are of alice, and bob has copies of them. */
const calendarId = weighted(
  [4, fc.constant(ALICE)],
  [3, fc.constant(BOB)],
  [1, fc.constant(SLASH)],
  [1, fc.constantFrom(TEAM, ODD)],
)
/** Mostly the default world: the others are forks. */
const world = weighted([5, fc.constant(0)], [1, fc.nat(2)])
const event = weighted([5, fc.constant(1)], [1, fc.constant(2)])

/** An event on a calendar: its number and the calendar that its id is from, or an import; or an instance of a series. */
type Target = {
  world: number
  account: string
  calendarId: string
  event: number
  origin: string
  instance?: number | undefined
  imported?: boolean
  /** True to make the request even if its event does not exist. */
  isRejected?: boolean
}
/** Mostly an event of alice, and mostly by the owner of the calendar: a guest's request is about the guest's copy. */
const target: fc.Arbitrary<Target> = fc
  .record({
    world,
    account: oneIn(4, account),
    calendarId,
    event: weighted([3, event], [1, fc.constant(3)]),
    origin: weighted([5, fc.constant(ALICE)], [1, fc.constant(undefined)], [1, calendarId]),
    instance: maybe(fc.nat(2)),
    imported: rarely(12),
    isRejected: rarely(10),
  })
  .map(({ account, origin, ...one }) => ({
    ...one,
    account: account ?? ownerOf(one.calendarId),
    origin: origin ?? one.calendarId,
  }))

const at = (day: number, hour: number, timeZone = 'UTC'): Time => ({
  dateTime: isoOf(Date.UTC(2026, 2, day, hour)),
  timeZone,
})
/** Zones without changes of the clock, so that the model needs no zones: a series repeats every 24 hours. */
const zone = fc.constantFrom('UTC', 'UTC', 'Asia/Kolkata')
const date = (day: number): Time => ({ date: isoOf(Date.UTC(2026, 2, day)).slice(0, 10) })
const when = fc.oneof(
  fc
    .tuple(fc.integer({ min: 2, max: 5 }), fc.constantFrom(9, 12), fc.integer({ min: 1, max: 2 }), zone)
    .map(([day, hour, length, zone]) => ({ start: at(day, hour, zone), end: at(day, hour + length, zone) })),
  fc
    .tuple(fc.integer({ min: 2, max: 5 }), fc.integer({ min: 1, max: 2 }))
    .map(([day, length]) => ({ start: date(day), end: date(day + length) })),
)
const RULES = [
  ['RRULE:FREQ=DAILY;COUNT=3'],
  ['RRULE:FREQ=WEEKLY;COUNT=2'],
  ['RRULE:FREQ=WEEKLY;BYDAY=WE;COUNT=2'],
  ['RRULE:FREQ=DAILY;INTERVAL=2;UNTIL=20260308T235959Z'],
  ['EXDATE:20260303T090000Z', 'RRULE:FREQ=DAILY;COUNT=4;INTERVAL=1'],
  ['RRULE:FREQ=WEEKLY;INTERVAL=26'],
  ['RRULE:FREQ=YEARLY'],
]
const responseStatus = fc.constantFrom<service.ResponseStatus>('accepted', 'declined', 'tentative')
/** Attendees, some of them with a response. */
const guestsAmong = (people: string[], minLength = 0) =>
  fc
    .tuple(
      fc.subarray(people, { minLength, maxLength: 2 }),
      fc.tuple(maybe(responseStatus), maybe(responseStatus)),
      rarely(3),
    )
    .map(([emails, responses, isAlias]) =>
      emails.map((email, n) => ({
        ...(responses[n] && { responseStatus: responses[n] }),
        email: email.replace('@gmail.', isAlias ? '@googlemail.' : '@gmail.'),
      })),
    )
const guests = guestsAmong(PEOPLE)
/** The most overrides of an event: out of order, out of range, and two of them equal after that. */
const FIVE_OVERRIDES = [50_000, 7, 40_320, -3, 7].map((minutes, at) => ({
  method: at === 1 || at === 4 ? 'email' : 'popup',
  minutes,
}))

const CONFERENCE_BLOCK = `${service.DELIMITER}\nJoin: https://meet.google.com/abc-defg-hij\n${service.DELIMITER}`
/** The series that a new event names, of which the second is refused. */
const series = oneIn(12, fc.constantFrom(SUCCESSOR, 'Event1'))

const texts = {
  summary: maybe(fc.constantFrom('lunch', 'plan b')),
  location: maybe(fc.constantFrom('room', 'attic')),
  description: oneIn(4, fc.constantFrom('agenda', CONFERENCE_BLOCK, `agenda\n${CONFERENCE_BLOCK} plan`)),
  colorId: maybe(weighted([9, fc.constantFrom('1', '2')], [1, fc.constant('12')])),
  eventLabelId: oneIn(8, fc.constantFrom(...LABELS.map(({ id }) => id))),
  transparency: maybe(fc.constantFrom('opaque', 'transparent')),
  visibility: oneIn(4, fc.constantFrom('default', 'private')),
  extendedProperties: maybe(
    fc.constantFrom<Body['extendedProperties']>(
      { private: { mine: '1' } },
      { shared: { ours: '1' } },
      { private: { mine: '2' }, shared: { ours: '2' } },
    ),
  ),
  reminders: oneIn(
    5,
    fc.constantFrom<Body['reminders']>(
      { useDefault: true },
      { useDefault: true, overrides: [] },
      { useDefault: false },
      { useDefault: false, overrides: [{ method: 'popup', minutes: 5 }] },
      { overrides: [{ method: 'popup', minutes: 5 }] },
      { useDefault: false, overrides: FIVE_OVERRIDES },
      { useDefault: false, overrides: [...FIVE_OVERRIDES, { method: 'popup', minutes: 1 }] },
    ),
  ),
  guestsCanModify: oneIn(4, fc.boolean()),
}
const withoutUndefined = <T extends object>(body: T): T =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as T

/** Returns the id of an event. Ids of two calendars differ, because two events of one id and UID are undefined. */
const eventId = (event: number, calendarId: string) =>
  event === 3 ? SUCCESSOR : `event${event}${'abcde'[CALENDARS.indexOf(calendarId)]}`

/** Returns the id of an event, or of one of its instances if it is a series. */
function idOf({ model }: WorldPair, { calendarId, origin, event, instance, imported }: Target): string {
  const id = imported ? importedId(`uid${event}@elsewhere.example`) : eventId(event, origin)
  const master = model.records.find((one) => one.calendarId === calendarId && one.id === id)
  const calendar = model.calendars.find((one) => one.id === calendarId)
  if (instance === undefined || !master?.recurrence || !calendar || calendar.deleted) return id
  const ids = instances(model, calendar.dataOwner, calendarId, id, true).map(({ view }) => view.id)
  return ids.sort()[instance] ?? `${id}_20260101`
}
/** Returns the event of a target in the model. */
function findTarget(harness: Harness, target: Target): service.Record_ | undefined {
  const pair = harness.pair(target.world)
  return service.find(pair.model, target.calendarId, idOf(pair, target))
}
/** Returns true if the event of a target exists, or if the request is to be rejected. */
const isFound = (harness: Harness, { target }: { target: Target }): boolean =>
  target.isRejected || findTarget(harness, target) !== undefined
const describeTarget = ({ calendarId, origin, event, instance, imported, world }: Target) =>
  `${imported ? `import${event}` : eventId(event, origin)}${instance === undefined ? '' : `#${instance}`} on "${calendarId}"${inWorld(world)}`
const inWorld = (world: number) => (world ? ` in world ${world}` : '')
const toText = (value: object) => JSON.stringify(value)

// Writes of events -----------------------------------------------------------------------------------------------------

/** Sends a write of an event to both services, and compares the event of the reply, as the writer sees it. */
async function write(
  harness: Harness,
  pair: WorldPair,
  { account, calendarId }: Pick<Target, 'account' | 'calendarId'>,
  request: RequestLine | ToolLine,
  runModel: () => service.Record_ | undefined,
): Promise<void> {
  const outcome = await harness.write(pair, account, request, runModel)
  if (!outcome?.result) return
  const { role } = service.access(pair.model, account, calendarId)
  expectEvent(outcome.body, viewOf(pair.model, account, role, outcome.result))
  const { id, recurrence } = outcome.result
  if (recurrence && Array.isArray(request) && Object.hasOwn(request[2] ?? {}, 'reminders'))
    await compareInstances(harness, pair, account, calendarId, id, false)
}

/** Compares the instances of a series, as an account sees them, with the model. */
async function compareInstances(
  harness: Harness,
  pair: WorldPair,
  account: string,
  calendarId: string,
  id: string,
  showDeleted: boolean,
): Promise<void> {
  const path = `${eventsPath(calendarId)}/${id}/instances?maxResults=2500&showDeleted=${showDeleted}`
  const outcome = harness.compare(await harness.request(pair, account, ['GET', path]), () =>
    instances(pair.model, account, calendarId, id, showDeleted),
  )
  if (outcome)
    harness.checkList(pair, {
      ...harness.newReader(pair, account, calendarId, { singleEvents: true }, 2500),
      expected: outcome.result,
      items: outcome.body.items,
    })
}

type Insertion = Pick<Target, 'world' | 'account' | 'calendarId' | 'event'> & { body: Body }
const describeInsertion = ({ world, account, calendarId, event, body }: Insertion) =>
  `${account} inserts ${eventId(event, calendarId)} on "${calendarId}"${inWorld(world)} ${toText(body)}`

function insertEvent(harness: Harness, { world, event, body, ...by }: Insertion): Promise<void> {
  const pair = harness.pair(world)
  const given = { id: eventId(event, by.calendarId), ...body }
  return write(harness, pair, by, ['POST', eventsPath(by.calendarId), given], () =>
    service.insert(pair.model, by.account, by.calendarId, given),
  )
}

/** A change of an event. Fields that are undefined stay as they are, also in a PUT, except for the texts. */
type Change = {
  target: Target
  how: 'patch' | 'update'
  when?: { start: Time; end: Time } | undefined
  rule?: string[] | null | undefined
  status?: service.Status | undefined
  guests?: Body['attendees']
  texts: Body
}
const describeChange = ({ target, how, when, rule, status, guests, texts }: Change) =>
  `${target.account} ${how === 'patch' ? 'patches' : 'puts'} ${describeTarget(target)} ${toText(withoutUndefined({ ...when, recurrence: rule, status, attendees: guests, ...texts }))}`

function changeEvent(harness: Harness, { target, how, when, rule, status, guests, texts }: Change): Promise<void> {
  const { account, calendarId } = target
  const pair = harness.pair(target.world)
  const id = idOf(pair, target)
  const current = service.find(pair.model, calendarId, id)
  // A PUT replaces the event, so it needs the parts that stay.
  const base = how === 'update' && current && !service.isTombstone(current) ? current : undefined
  const times = when ?? (base && { start: base.start, end: base.end })
  const recurrence = current?.recurringEventId ? undefined : rule === undefined ? base?.recurrence : rule
  const attendees = guests ?? base?.attendees.map(({ written, email, ...one }) => ({ ...one, email: written ?? email }))
  const body = withoutUndefined<Body>({ ...times, recurrence, status, attendees, ...texts } as Body)
  // A patch sends null for the fields of the other kind of time, because it merges (behaviour 3.9.2).
  const sent = how === 'patch' && times ? { ...body, start: withNulls(times.start), end: withNulls(times.end) } : body
  const line: RequestLine = [how === 'patch' ? 'PATCH' : 'PUT', `${eventsPath(calendarId)}/${id}`, sent]
  return write(harness, pair, target, line, () => service.change(pair.model, account, calendarId, id, body, { how }))
}
/** Returns a time with null for the fields of the other kind. */
const withNulls = (time: Time) =>
  isAllDay(time) ? { date: time.date, dateTime: null, timeZone: null } : { date: null, ...time }

function removeEvent(harness: Harness, target: Target): Promise<void> {
  const pair = harness.pair(target.world)
  const id = idOf(pair, target)
  return write(harness, pair, target, ['DELETE', `${eventsPath(target.calendarId)}/${id}`], () =>
    service.remove(pair.model, target.account, target.calendarId, id),
  )
}

const insert = command(
  fc
    .record({
      ...{ world, account, calendarId, event, when, guests, texts: fc.record({ ...texts, recurringEventId: series }) },
      rule: maybe(fc.constantFrom(...RULES)),
    })
    .map(({ when, rule, guests, texts, ...one }) => ({
      ...one,
      body: withoutUndefined({
        ...when,
        recurrence: rule,
        attendees: guests.length ? guests : undefined,
        ...texts,
      }) as Body,
    })),
  describeInsertion,
  insertEvent,
)

/** A cancelling write has no other fields, because their effect in a guest's write is undefined. */
const NO_OTHER_FIELDS = { when: undefined, rule: undefined, guests: undefined, texts: {} }

const change = command(
  fc
    .record({
      target,
      how: weighted<Change['how']>([3, fc.constant('patch')], [1, fc.constant('update')]),
      when: oneIn(3, when),
      rule: oneIn(5, fc.constantFrom(null, ...RULES)),
      status: oneIn(4, fc.constantFrom<service.Status>('confirmed', 'tentative', 'cancelled')),
      guests: oneIn(3, guests),
      texts: fc.record(texts) as fc.Arbitrary<Body>,
    })
    .map((one): Change => (one.status === 'cancelled' ? { ...one, ...NO_OTHER_FIELDS } : one)),
  describeChange,
  changeEvent,
  isFound,
)

/** Returns the change that a command makes to an instance of a new meeting, in its first world. */
const ofInstance = (
  { account, calendarId, event }: Omit<Insertion, 'body'>,
  instance: number,
  change: Pick<Change, 'when' | 'texts'> = { texts: {} },
): Change => ({
  ...{ target: { world: 0, account, calendarId, event, origin: calendarId, instance }, how: 'patch' },
  ...change,
})

/** A series with guests, a changed and a cancelled instance, whose guests respond: a start for interesting sequences. */
const meeting = command(
  fc
    .record({
      calendarId: weighted([5, fc.constant(ALICE)], [1, fc.constantFrom(TEAM, BOB)]),
      guests: guestsAmong([BOB, SLASH], 1),
      when,
      rule: fc.constantFrom(...RULES),
      texts: fc.record(texts),
      changed: fc.record({ when: maybe(when), texts: fc.record(texts) as fc.Arbitrary<Body> }),
      isCancelled: fc.boolean(),
      response: maybe(responseStatus),
    })
    .map(({ calendarId, guests, when, rule, texts, ...one }) => ({
      ...{ ...one, world: 0, event: 1, calendarId, account: ownerOf(calendarId) },
      body: withoutUndefined({ ...when, recurrence: rule, attendees: guests, ...texts }) as Body,
    })),
  (one) =>
    [
      describeInsertion(one),
      describeChange(ofInstance(one, 1, one.changed)),
      ...(one.isCancelled ? [`deletes #2`] : []),
      ...(one.response ? [`each guest responds ${one.response}`] : []),
    ].join(', '),
  async (harness, one) => {
    await insertEvent(harness, one)
    for (const { email } of (one.response && one.body.attendees) || [])
      await respondTo(
        harness,
        { ...ofInstance(one, 0).target, instance: undefined, account: email.replace('@googlemail.', '@gmail.') },
        one.response,
      )
    await changeEvent(harness, ofInstance(one, 1, one.changed))
    if (one.isCancelled) await removeEvent(harness, ofInstance(one, 2).target)
  },
)

const stalePatch = command(
  fc.record({ target }),
  ({ target }) => `${target.account} patches ${describeTarget(target)} with an old etag`,
  async (harness, { target }) => {
    const { world, account, calendarId } = target
    const pair = harness.pair(world)
    const id = idOf(pair, target)
    const body = { summary: 'never' }
    const line: RequestLine = ['PATCH', `${eventsPath(calendarId)}/${id}`, body, { 'If-Match': '"1"' }]
    await write(harness, pair, target, line, () =>
      service.change(pair.model, account, calendarId, id, body, { how: 'patch', isStale: true }),
    )
  },
  isFound,
)

/** Sends the response of an account to an event on its own calendar. */
function respondTo(harness: Harness, target: Target, responseStatus: service.ResponseStatus = 'accepted') {
  const { account } = target
  const pair = harness.pair(target.world)
  const id = idOf(pair, { ...target, calendarId: account })
  const body = { attendees: [{ email: account, responseStatus }] }
  const line: RequestLine = ['PATCH', `${eventsPath(account)}/${id}`, { ...body, attendeesOmitted: true }]
  return write(harness, pair, { account, calendarId: account }, line, () =>
    service.change(pair.model, account, account, id, body, { how: 'patch', attendeesOmitted: true }),
  )
}

/** A change of an event by a tool. The zone of its times is UTC, because the model has no zones. */
type ToolChange = {
  target: Target
  account: string
  tool: 'update_event' | 'delete_event' | 'respond_to_event'
  when: { start: Time; end: Time } | undefined
  texts: Pick<Body, 'summary' | 'location' | 'colorId' | 'transparency' | 'visibility'>
  responseStatus: service.ResponseStatus
}

/** Changes an event by a tool of the MCP server, whose effect is that of the requests of REST in the other commands. */
function callTool(harness: Harness, { target, tool, when, texts, responseStatus }: ToolChange): Promise<void> {
  const { account, calendarId } = target
  const pair = harness.pair(target.world)
  const id = idOf(pair, target)
  const { transparency, ...others } = texts
  const availability = transparency && (transparency === 'transparent' ? 'AVAILABILITY_FREE' : 'AVAILABILITY_BUSY')
  const given = { calendarId, eventId: id }
  // The tools read the event before they write it, and do not find a deleted one to change (behaviour 17.7.5).
  const send = (args: ToolLine['args'], runModel: () => service.Record_ | undefined) =>
    write(harness, pair, target, { tool, args }, () => {
      const { status } = get(pair.model, account, calendarId, id).view
      if (status === 'cancelled' && tool !== 'delete_event') throw new service.ModelError(404, 'notFound')
      return runModel()
    })
  if (tool === 'delete_event') return send(given, () => service.remove(pair.model, account, calendarId, id))
  if (tool === 'respond_to_event') {
    const body = { attendees: [{ email: account, responseStatus }] }
    return send({ ...given, responseStatus }, () =>
      service.change(pair.model, account, calendarId, id, body, { how: 'patch', attendeesOmitted: true }),
    )
  }
  const times = when && {
    startTime: textOf(when.start),
    endTime: textOf(when.end),
    allDay: isAllDay(when.start),
    timeZone: 'UTC',
  }
  const args = withoutUndefined({ ...given, ...others, availability, ...times })
  const body = withoutUndefined<Body>({ ...when, ...texts } as Body)
  return send(args, () => service.change(pair.model, account, calendarId, id, body, { how: 'patch' }))
}

const textOf = (time: Time): string => (isAllDay(time) ? time.date : time.dateTime)

const { summary, location, colorId, transparency, visibility } = texts
const useTool = command(
  fc
    .record({
      target,
      account: fc.constantFrom(BOB, SLASH, ALICE),
      tool: fc.constantFrom<ToolChange['tool']>('update_event', 'delete_event', 'respond_to_event'),
      when: oneIn(3, when),
      texts: fc.record({ summary, location, colorId, transparency, visibility }) as fc.Arbitrary<ToolChange['texts']>,
      responseStatus,
    })
    .map(({ account, ...one }): ToolChange => {
      const own = one.tool === 'respond_to_event' ? { account, calendarId: account } : {}
      return { ...one, account, target: { ...one.target, ...own } }
    }),
  ({ target, tool, when, texts, responseStatus }) =>
    `${target.account} calls ${tool} on ${describeTarget(target)} ${toText(withoutUndefined({ ...when, ...texts, responseStatus }))}`,
  callTool,
  // Only a guest's answer has the same request of REST.
  (harness, one) =>
    one.tool === 'respond_to_event'
      ? (findTarget(harness, one.target)?.attendees ?? []).some(({ email }) => email === one.target.account)
      : isFound(harness, one),
)

const respond = command(
  fc
    .record({ target, account: fc.constantFrom(BOB, SLASH, ALICE), responseStatus })
    .map(({ target, account, responseStatus }) => ({
      responseStatus,
      target: { ...target, account, calendarId: account },
    })),
  ({ target, responseStatus }) => `${target.account} responds to ${describeTarget(target)}: ${responseStatus}`,
  (harness, { target, responseStatus }) => respondTo(harness, target, responseStatus),
  isFound,
)

const remove = command(
  fc.record({ target }),
  ({ target }) => `${target.account} deletes ${describeTarget(target)}`,
  (harness, { target }) => removeEvent(harness, target),
  isFound,
)

const move = command(
  fc.record({ target, destination: calendarId }),
  ({ target, destination }) => `${target.account} moves ${describeTarget(target)} to "${destination}"`,
  async (harness, { target, destination }) => {
    const { world, account, calendarId } = target
    const pair = harness.pair(world)
    const id = idOf(pair, target)
    const path = `${eventsPath(calendarId)}/${id}/move?destination=${encodeURIComponent(destination)}`
    const outcome = await harness.write(pair, account, ['POST', path], () =>
      service.move(pair.model, account, calendarId, id, destination),
    )
    if (!outcome?.result) return
    // Undefined: which attendee the reply marks as the organizer.
    const { attendees, ...shown } = outcome.body
    const { role } = service.access(pair.model, account, calendarId)
    expectEvent(shown, viewOf(pair.model, account, role, { ...outcome.result, attendees: [] }))
  },
  // Only the organizer moves an event, and no instance of a series.
  (harness, { target }) => {
    const { organizer, recurringEventId } = findTarget(harness, target) ?? {}
    return target.isRejected || (organizer?.email === target.calendarId && !recurringEventId)
  },
)

const importEvent = command(
  // The owner of the calendar attends, and only an account's address can be an attendee.
  fc
    .record({
      ...{ world, account, event, when },
      calendarId: fc.constantFrom(...PEOPLE),
      rule: maybe(fc.constantFrom(...RULES)),
      isNoGuest: rarely(6),
      isCancelled: rarely(6),
      sequence: oneIn(4, fc.nat(2)),
      recurringEventId: series,
    })
    .map(({ when, rule, isNoGuest, isCancelled, sequence, recurringEventId, ...one }) => {
      const attendees = [{ email: isNoGuest ? 'nobody@elsewhere.example' : one.calendarId }]
      const status = isCancelled ? 'cancelled' : undefined
      return {
        ...one,
        body: withoutUndefined({ ...when, recurrence: rule, attendees, status, sequence, recurringEventId }) as Body,
      }
    }),
  ({ world, account, calendarId, event, body }) =>
    `${account} imports import${event} on "${calendarId}"${inWorld(world)} ${toText(body)}`,
  async (harness, { world, account, calendarId, event, body }) => {
    const pair = harness.pair(world)
    const uid = { iCalUID: `uid${event}@elsewhere.example`, organizer: { email: 'x@elsewhere.example' } }
    const given = { ...uid, ...body }
    await write(harness, pair, { account, calendarId }, ['POST', `${eventsPath(calendarId)}/import`, given], () =>
      service.importEvent(pair.model, account, calendarId, given),
    )
  },
)

const clear = command(
  fc
    .record({ world, account: oneIn(5, account), calendarId: fc.constantFrom(...PEOPLE) })
    .map((one) => ({ ...one, account: one.account ?? one.calendarId })),
  ({ world, account, calendarId }) => `${account} clears "${calendarId}"${inWorld(world)}`,
  (harness, { world, account, calendarId }) => harness.clear(harness.pair(world), account, calendarId),
)

/** An account replaces a calendar, with other labels, with none, or without a word about labels. */
const putCalendar = command(
  fc.record({ world, account, calendarId, labels: maybe(fc.subarray(LABELS)) }),
  ({ world, account, calendarId, labels }) =>
    `${account} puts the calendar "${calendarId}"${inWorld(world)} ${toText({ labels })}`,
  async (harness, { world, account, calendarId, labels }) => {
    const pair = harness.pair(world)
    await harness.signIn(pair, account)
    const { summary = '' } = pair.model.calendars.find(({ id }) => id === calendarId) ?? {}
    const eventLabels = labels?.map((one) => ({ ...one, name: 'label' }))
    const body = { summary, timeZone: 'UTC', ...(eventLabels && { labelProperties: { eventLabels } }) }
    const line: RequestLine = ['PUT', `/calendars/${encodeURIComponent(calendarId)}`, body]
    const outcome = harness.compare(await harness.request(pair, account, line), () =>
      service.putCalendar(pair.model, account, calendarId, labels),
    )
    if (outcome) expect(outcome.body.labelProperties?.eventLabels ?? []).toMatchObject(outcome.result)
  },
  // Undefined: the labels of later pages, and of events that a delta does not have.
  ({ readers, clients }, one) => [...readers, ...clients].every(({ calendarId }) => calendarId !== one.calendarId),
)

const deleteCalendar = command(
  fc.record({ world, account, calendarId: fc.constantFrom(TEAM, ODD) }),
  ({ world, account, calendarId }) => `${account} deletes the calendar "${calendarId}"${inWorld(world)}`,
  (harness, { world, account, calendarId }) => harness.deleteCalendar(harness.pair(world), account, calendarId),
)

const insertInvalid = command(
  fc.record({
    world,
    account,
    calendarId,
    body: fc.constantFrom<Body>(
      {},
      { end: at(2, 9) },
      { start: at(2, 9), end: at(2, 8) },
      { start: date(2), end: date(2) },
      { start: date(2), end: at(3, 9) },
      { start: date(2), end: date(3), recurrence: ['RRULE:FREQ=NEVER'] },
    ),
  }),
  (one) => `${one.account} inserts an invalid event on "${one.calendarId}" ${toText(one.body)}`,
  async (harness, { world, account, calendarId, body }) => {
    const pair = harness.pair(world)
    const invalid = { id: 'never', ...body }
    await harness.write(pair, account, ['POST', eventsPath(calendarId), invalid], () =>
      service.insert(pair.model, account, calendarId, invalid),
    )
  },
)

/** The hours at which many events begin or end. */
const hour = fc.constantFrom(0, 9, 10)
const query: fc.Arbitrary<Query> = fc
  .record({
    singleEvents: maybe(fc.constant(true)),
    showDeleted: maybe(fc.constant(true)),
    timeMin: oneIn(
      3,
      fc.tuple(fc.integer({ min: 1, max: 8 }), hour).map(([day, hour]) => isoOf(Date.UTC(2026, 2, day, hour))),
    ),
    timeMax: oneIn(
      3,
      fc.tuple(fc.integer({ min: 1, max: 12 }), hour).map(([day, hour]) => isoOf(Date.UTC(2026, 2, day, hour))),
    ),
    orderBy: oneIn(3, fc.constantFrom<'startTime' | 'updated'>('startTime', 'updated')),
    q: oneIn(6, fc.constantFrom('lunch', 'room', 'PLAN attic', 'bob')),
    iCalUID: oneIn(8, fc.constantFrom('event1a@google.com', 'uid1@elsewhere.example')),
    privateExtendedProperty: oneIn(8, fc.constant('mine=1')),
    sharedExtendedProperty: oneIn(8, fc.constant('ours=1')),
    eventTypes: oneIn(8, fc.constant('default')),
    updatedMin: oneIn(
      8,
      fc.integer({ min: -48, max: 48 }).map((hours) => isoOf(Date.parse(NOW) + hours * 3_600_000)),
    ),
  })
  .map(withoutUndefined)

// Reads and controls ---------------------------------------------------------------------------------------------------

type Listing = {
  world: number
  account: string
  calendarId: string
  query: Query
  maxResults: number
  isDry: boolean
}
const describeListing = ({ world, account, calendarId, query, maxResults, isDry }: Listing) =>
  `${account} lists "${calendarId}"${inWorld(world)} ${toText(query)} in pages of ${maxResults}${isDry ? ' (dry run)' : ''}`
const DRY_RUN = { 'X-Fake-Calendar-Inspector': '1' }
async function readFirstPage(harness: Harness, { world, account, calendarId, query, maxResults, isDry }: Listing) {
  const pair = harness.pair(world)
  await harness.signIn(pair, account)
  const before = isDry ? JSON.stringify(pair.product.state()) : ''
  const reader = harness.newReader(pair, account, calendarId, query, maxResults)
  await harness.readPage(reader, { isFirst: true, headers: isDry ? DRY_RUN : {} })
  if (isDry && before !== JSON.stringify(pair.product.state())) throw new Error('a dry run changed the world')
}

const listEvents = command(
  fc
    .record({
      ...{ world, calendarId, query, maxResults: fc.constantFrom(1, 2, 3, 250), isDry: rarely(5) },
      // Mostly the owner, who sees all events.
      account: weighted([3, fc.constant(undefined)], [2, account], [1, fc.constant(NEWCOMER)]),
    })
    .map((one) => ({ ...one, account: one.account ?? ownerOf(one.calendarId) })),
  describeListing,
  readFirstPage,
)

/** A dry run of an account that it creates and then removes, or of another. */
const listInDryRun = command(
  fc
    .record({ world, account: fc.constantFrom(NEWCOMER, BOB), maxResults: fc.constantFrom(1, 2) })
    .map((one): Listing => ({ ...one, calendarId: ALICE, query: {}, isDry: true })),
  describeListing,
  readFirstPage,
)

const nextPage = command(
  fc.record({ n: fc.nat(5), repeatsFilters: fc.boolean(), isDry: rarely(5) }),
  ({ n, repeatsFilters, isDry }) =>
    `next page of list ${n}${repeatsFilters ? '' : ' without its filters'}${isDry ? ' (dry run)' : ''}`,
  async (harness, { n, repeatsFilters, isDry }) => {
    const reader = harness.readers[n % harness.readers.length]
    if (reader) await harness.readPage(reader, { repeatsFilters, headers: isDry ? DRY_RUN : {} })
  },
  (harness) => harness.readers.length > 0,
)

const sync = command(
  fc.record({ n: fc.nat(10) }),
  ({ n }) => `client ${n} syncs`,
  async (harness, { n }) => {
    const client = harness.clients[n % harness.clients.length]
    if (client) await harness.sync(client)
  },
  (harness) => harness.clients.length > 0,
)

const getEvent = command(
  fc.record({ target }),
  ({ target }) => `${target.account} gets ${describeTarget(target)}`,
  async (harness, { target }) => {
    const { account, calendarId } = target
    const pair = harness.pair(target.world)
    const id = idOf(pair, target)
    const reply = await harness.request(pair, account, ['GET', `${eventsPath(calendarId)}/${id}`])
    const outcome = harness.compare(reply, () => get(pair.model, account, calendarId, id))
    if (!outcome) return
    expectEvent(outcome.body, outcome.result.view)
    pair.stamps.check(calendarId, outcome.result, outcome.body)
  },
  isFound,
)

/** An account sets its reminders for a whole series or a single event. */
const remind = command(
  fc.record({ target, account, minutes: fc.constantFrom(3, 7) }).map(({ target, account, minutes }) => ({
    target: { ...target, account, instance: undefined },
    minutes,
  })),
  ({ target, minutes }) => `${target.account} is reminded of ${describeTarget(target)} ${minutes} minutes before`,
  (harness, { target, minutes }) => {
    const { account, calendarId } = target
    const pair = harness.pair(target.world)
    const id = idOf(pair, target)
    const body = { reminders: { useDefault: false, overrides: [{ method: 'popup', minutes }] } }
    return write(harness, pair, target, ['PATCH', `${eventsPath(calendarId)}/${id}`, body], () =>
      service.change(pair.model, account, calendarId, id, body, { how: 'patch' }),
    )
  },
  isFound,
)
const listInstances = command(
  fc.record({ target, showDeleted: fc.boolean() }).map(({ target, showDeleted }) => ({
    target: { ...target, instance: undefined },
    showDeleted,
  })),
  ({ target, showDeleted }) =>
    `${target.account} lists the instances of ${describeTarget(target)}${showDeleted ? ' with deleted ones' : ''}`,
  async (harness, { target, showDeleted }) => {
    const { account, calendarId } = target
    const pair = harness.pair(target.world)
    await compareInstances(harness, pair, account, calendarId, idOf(pair, target), showDeleted)
  },
  isFound,
)

const setClock = command(
  fc.record({ world, hours: fc.integer({ min: -240, max: 240 }) }),
  ({ world, hours }) => `the clock shows ${isoOf(Date.parse(NOW) + hours * 3_600_000)}${inWorld(world)}`,
  async (harness, { world, hours }) => {
    const pair = harness.pair(world)
    pair.model.now = Date.parse(NOW) + hours * 3_600_000
    pair.product.clock.freeze(isoOf(pair.model.now))
  },
)

const share = command(
  fc.record({
    world,
    calendarId,
    to: fc.constantFrom(...PEOPLE, 'default'),
    role: fc.constantFrom<service.Role>('none', 'freeBusyReader', 'reader', 'writer'),
  }),
  ({ world, calendarId, to, role }) => `"${calendarId}" is shared with ${to} as ${role}${inWorld(world)}`,
  async (harness, { world, calendarId, to, role }) => {
    const pair = harness.pair(world)
    if (calendarId === SLASH) await harness.signIn(pair, SLASH)
    const calendar = pair.model.calendars.find(({ id }) => id === calendarId)
    if (!calendar || calendar.deleted || calendar.roles[to] === 'owner' || (to === 'default' && role === 'writer'))
      return
    if (role === 'none' && (calendar.roles[to] ?? 'none') === 'none') return
    const scope = to === 'default' ? { type: 'default' } : { type: 'user', value: to }
    const path = `/calendars/${encodeURIComponent(calendarId)}/acl`
    const { status } = await harness.request(pair, calendar.dataOwner, ['POST', path, { role, scope }])
    if (status !== 200) throw new Error(`acl.insert returns ${status}`)
    calendar.roles[to] = role
  },
)

const snapshot = command(
  fc.record({ world, name: fc.constantFrom('s1', 's2') }),
  ({ world, name }) => `snapshot ${name}${inWorld(world)}`,
  async (harness, { world, name }) => {
    const pair = harness.pair(world)
    pair.product.snapshot(name)
    pair.snapshots.set(name, { model: structuredClone(pair.model), stamps: pair.stamps })
  },
)

const restore = command(
  fc.record({ world, name: fc.constantFrom('s1', 's2') }),
  ({ world, name }) => `restore ${name}${inWorld(world)}`,
  async (harness, { world, name }) => {
    const pair = harness.pair(world)
    const snapshot = pair.snapshots.get(name)
    if (!snapshot) return
    pair.product.restore(name)
    pair.mails = pair.product.mail()
    pair.model = structuredClone(snapshot.model)
    pair.stamps = snapshot.stamps // a reset since then has begun new stamps
  },
)

const reset = command(
  fc.record({ world }),
  ({ world }) => `reset${inWorld(world)}`,
  async (harness, { world }) => {
    const pair = harness.pair(world)
    pair.product.reset()
    pair.mails = pair.product.mail()
    pair.model = { ...structuredClone(pair.initial), listIds: [] }
    pair.stamps = new Stamps()
    await harness.begin(pair)
  },
)

const fork = command(
  fc.record({ world, name: fc.constantFrom('s1', 's2'), fork: fc.integer({ min: 1, max: 2 }) }),
  ({ world, name, fork }) => `fork${fork} begins with ${name}${inWorld(world)}`,
  async (harness, { world, name, fork }) => {
    const from = harness.pair(world)
    const snapshot = from.snapshots.get(name)
    const target = `fork${fork}`
    if (!snapshot || from.name === target) return
    harness.setWorld(newPair(target, from.product.fork(name, target), snapshot.model))
    // Clients may sync in the fork with their tokens of the original world.
    for (const client of harness.clients.filter((one) => one.world === from.name))
      harness.clients.push({ ...client, world: target, isForeign: true })
  },
)

const check = command(
  fc.record({ world }),
  ({ world }) => `compare all calendars${inWorld(world)}`,
  async (harness, { world }) => harness.checkWorld(harness.pair(world)),
)

/** Makes the sync tokens of a world or of one calendar expire. Page tokens stay valid. */
const expireTokens = command(
  fc.record({ world, calendarId: maybe(calendarId) }),
  ({ world, calendarId }) => `all sync tokens${calendarId ? ` of "${calendarId}"` : ''} expire${inWorld(world)}`,
  async (harness, { world, ...filter }) => harness.expireTokens(harness.pair(world), filter),
)

/** The commands by how often they come. */
const BY_WEIGHT: Record<number, fc.Arbitrary<Command>[]> = {
  7: [change],
  6: [listEvents],
  5: [respond, sync],
  4: [nextPage],
  3: [insert, remove, useTool],
  2: [move, importEvent, getEvent, remind],
  1: [
    ...[
      stalePatch,
      clear,
      putCalendar,
      deleteCalendar,
      insertInvalid,
      listInDryRun,
      listInstances,
      setClock,
      share,
      snapshot,
    ],
    ...[restore, reset, fork, check, expireTokens],
  ],
}
export const commands = Object.entries(BY_WEIGHT).flatMap(([weight, some]) =>
  Array.from({ length: Number(weight) }, () => some).flat(),
)
/** Most sequences start with a meeting. */
export const start = weighted<Command[]>([1, fc.constant([])], [3, fc.tuple(meeting)])
