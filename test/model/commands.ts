/**
 * The commands of the model test, as arbitraries of fast-check. Each makes one request or control call of the product
 * and of the model, and compares the outcome.
 */
import fc from 'fast-check'
import { expectEvent, Stamps } from './compare.ts'
import {
  ALICE,
  BOB,
  CALENDARS,
  eventsPath,
  type Harness,
  NEWCOMER,
  NOW,
  newPair,
  ODD,
  PEOPLE,
  SLASH,
  TEAM,
  type WorldPair,
} from './harness.ts'
import * as service from './service.ts'
import { type Body, importedId } from './service.ts'
import { isAllDay, isoOf, type Time } from './times.ts'
import { get, instances, type Query, viewOf } from './views.ts'

/** fast-check passes a model first, which the harness contains. */
type Command = fc.AsyncCommand<object, Harness>
/** Returns an arbitrary of one kind of command. `text` describes it in the output of a failed run. */
const command = <T>(
  arbitrary: fc.Arbitrary<T>,
  text: (input: T) => string,
  run: (harness: Harness, input: T) => Promise<void>,
): fc.Arbitrary<Command> =>
  arbitrary.map((input) => ({
    check: () => true,
    run: (_: object, harness: Harness) => run(harness, input),
    toString: () => text(input),
  }))

/** Returns an arbitrary that is undefined except in one of `n` cases. */
const oneIn = <T>(n: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: n - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => oneIn(2, arbitrary)

// Parts of commands ----------------------------------------------------------------------------------------------------

const account = fc.oneof(
  { weight: 3, arbitrary: fc.constant(ALICE) },
  { weight: 2, arbitrary: fc.constantFrom(BOB, SLASH) },
)
/** Mostly alice's calendar: most events are there, and guests' copies refer to it. */
const calendarId = fc.oneof(
  { weight: 4, arbitrary: fc.constant(ALICE) },
  { weight: 2, arbitrary: fc.constantFrom(BOB, TEAM) },
  { weight: 1, arbitrary: fc.constantFrom(SLASH, ODD) },
)
/** Mostly the default world: the others are forks. */
const world = fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(2) })
const event = fc.oneof(
  { weight: 3, arbitrary: fc.constant(1) },
  { weight: 1, arbitrary: fc.integer({ min: 2, max: 4 }) },
)
const instance = oneIn(2, fc.nat(2))
/** An event: its calendar, the calendar that its id is from, its number, and the instance of a series. */
const onEvent = {
  world,
  account,
  calendarId,
  origin: oneIn(4, calendarId),
  event,
  instance,
  imported: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
}

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
  ['RRULE:FREQ=DAILY;INTERVAL=2;UNTIL=20260308T235959Z'],
  ['EXDATE:20260303T090000Z', 'RRULE:FREQ=DAILY;COUNT=4;INTERVAL=1'],
  ['RRULE:FREQ=WEEKLY;INTERVAL=26'],
  ['RRULE:FREQ=YEARLY'],
]
const guests = fc.subarray(PEOPLE, { maxLength: 2 }).chain((emails) =>
  fc.tuple(
    ...emails.map((email) =>
      fc
        .option(fc.constantFrom<service.ResponseStatus>('accepted', 'declined', 'tentative'), {
          freq: 1,
          nil: undefined,
        })
        .map((responseStatus) => ({ email, ...(responseStatus && { responseStatus }) })),
    ),
  ),
)
const texts = {
  summary: maybe(fc.constantFrom('lunch', 'plan b')),
  location: maybe(fc.constantFrom('room', 'attic')),
  colorId: maybe(fc.constantFrom('1', '2')),
  transparency: maybe(fc.constantFrom('opaque', 'transparent')),
  visibility: fc.option(fc.constantFrom('default', 'private'), { freq: 6, nil: undefined }),
  extendedProperties: maybe(
    fc.constantFrom<Body['extendedProperties']>(
      { private: { mine: '1' } },
      { shared: { ours: '1' } },
      { private: { mine: '2' }, shared: { ours: '2' } },
    ),
  ),
  reminders: oneIn(
    5,
    fc.constantFrom<service.Reminders>(
      { useDefault: true },
      { useDefault: false, overrides: [{ method: 'popup', minutes: 5 }] },
    ),
  ),
  guestsCanModify: oneIn(4, fc.boolean()),
}
const withoutUndefined = <T extends object>(body: T): T =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as T

type OnEvent = {
  world: number
  calendarId: string
  event: number
  instance: number | undefined
  imported: boolean
  origin?: string | undefined
}

/** Returns the id of an event. Ids of two calendars differ, because two events of one id and UID are undefined. */
const eventId = (event: number, calendarId: string) => `event${event}${'abcde'[CALENDARS.indexOf(calendarId)]}`

/** Returns the id of an event, or of one of its instances if it is a series. */
function idOf(pair: WorldPair, { calendarId, origin = calendarId, event, instance, imported }: OnEvent): string {
  const id = imported ? importedId(`uid${event}@elsewhere.example`) : eventId(event, origin)
  const master = pair.model.records.find((one) => one.calendarId === calendarId && one.id === id)
  const isDeleted = pair.model.calendars.some((one) => one.id === calendarId && one.deleted)
  if (instance === undefined || !master?.recurrence || isDeleted) return id
  const all = instances(pair.model, master.calendarId === ODD ? BOB : ownerOf(pair, calendarId), calendarId, id, true)
  return [...all].sort((a, b) => (a.view.id < b.view.id ? -1 : 1))[instance]?.view.id ?? `${id}_20260101`
}
const ownerOf = (pair: WorldPair, calendarId: string) =>
  pair.model.calendars.find(({ id }) => id === calendarId)?.dataOwner ?? ''
const describeTarget = ({ calendarId, origin = calendarId, event, instance, imported, world }: OnEvent) =>
  `${imported ? `import${event}` : eventId(event, origin)}${instance === undefined ? '' : `#${instance}`} on "${calendarId}"${inWorld(world)}`
const inWorld = (world: number) => (world ? ` in world ${world}` : '')
const toText = (value: object) => JSON.stringify(value)

/** Compares the event of a write's reply, as the writer sees it. Undefined: the write was rejected. */
function expectReply(
  { model }: WorldPair,
  account: string,
  calendarId: string,
  outcome: { body: unknown; result: service.Record_ | undefined } | undefined,
): void {
  if (!outcome?.result) return
  const { role } = service.access(model, account, calendarId)
  expectEvent(outcome.body, viewOf(model, account, role, outcome.result))
}

// Commands -------------------------------------------------------------------------------------------------------------

const insert = command(
  fc.record({
    world,
    account,
    calendarId,
    event,
    when,
    rule: oneIn(2, fc.constantFrom(...RULES)),
    guests,
    texts: fc.record(texts),
  }),
  ({ world, account, calendarId, event, when, rule, guests, texts }) =>
    `${account} inserts ${eventId(event, calendarId)} on "${calendarId}"${inWorld(world)} ${toText(withoutUndefined({ ...when, recurrence: rule, attendees: guests, ...texts }))}`,
  async (harness, { world, account, calendarId, event, when, rule, guests, texts }) => {
    const pair = harness.pair(world)
    const body = withoutUndefined<Body>({
      id: eventId(event, calendarId),
      ...when,
      recurrence: rule,
      ...(guests.length > 0 && { attendees: guests }),
      ...texts,
    } as Body)
    const outcome = await harness.write(pair, account, ['POST', eventsPath(calendarId), body], () =>
      service.insert(pair.model, account, calendarId, body),
    )
    expectReply(pair, account, calendarId, outcome)
  },
)

/** A cancelling write has no other fields, because their effect in a guest's write is undefined. */
const NO_OTHER_FIELDS = { when: undefined, rule: undefined, guests: undefined, texts: {} as Body }

const change = command(
  fc
    .record({
      ...onEvent,
      how: fc.constantFrom<'patch' | 'update'>('patch', 'patch', 'update'),
      when: maybe(when),
      rule: oneIn(4, fc.constantFrom(null, ...RULES)),
      status: oneIn(3, fc.constantFrom<service.Status>('confirmed', 'tentative', 'cancelled')),
      guests: maybe(guests),
      texts: fc.record(texts) as fc.Arbitrary<Body>,
    })
    .map((one) => (one.status === 'cancelled' ? { ...one, ...NO_OTHER_FIELDS } : one)),
  (one) =>
    `${one.account} ${one.how === 'patch' ? 'patches' : 'puts'} ${describeTarget(one)} ${toText(withoutUndefined({ ...one.when, recurrence: one.rule, status: one.status, attendees: one.guests, ...one.texts }))}`,
  async (harness, { world, account, calendarId, how, when, rule, status, guests, texts, ...target }) => {
    const pair = harness.pair(world)
    const id = idOf(pair, { ...target, calendarId, world })
    const current = pair.model.records.find((one) => one.calendarId === calendarId && one.id === id)
    const { recurringEventId } = service.find(pair.model, calendarId, id) ?? {}
    // A PUT replaces the event, so it needs the times that stay.
    const times = when ?? (how === 'update' && current ? { start: current.start, end: current.end } : undefined)
    const recurrence =
      recurringEventId || (rule === undefined && how === 'patch')
        ? undefined
        : (rule ?? (how === 'patch' ? null : undefined))
    const body = withoutUndefined<Body>({ ...times, recurrence, status, attendees: guests, ...texts } as Body)
    // A patch sends null for the fields of the other kind of time, because it merges (behaviour 3.9.2).
    const sent = how === 'patch' && times ? { ...body, start: withNulls(times.start), end: withNulls(times.end) } : body
    const outcome = await harness.write(
      pair,
      account,
      [how === 'patch' ? 'PATCH' : 'PUT', `${eventsPath(calendarId)}/${id}`, sent],
      () => service.change(pair.model, account, calendarId, id, body, { how }),
    )
    expectReply(pair, account, calendarId, outcome)
  },
)
/** Returns a time with null for the fields of the other kind. */
const withNulls = (time: Time) =>
  isAllDay(time) ? { date: time.date, dateTime: null, timeZone: null } : { date: null, ...time }

const stalePatch = command(
  fc.record(onEvent),
  (one) => `${one.account} patches ${describeTarget(one)} with an old etag`,
  async (harness, { account, ...target }) => {
    const pair = harness.pair(target.world)
    const id = idOf(pair, target)
    await harness.write(
      pair,
      account,
      ['PATCH', `${eventsPath(target.calendarId)}/${id}`, { summary: 'never' }, { 'If-Match': '"1"' }],
      () =>
        service.change(
          pair.model,
          account,
          target.calendarId,
          id,
          { summary: 'never' },
          { how: 'patch', isStale: true },
        ),
    )
  },
)

const respond = command(
  fc.record({
    ...onEvent,
    responseStatus: fc.constantFrom<service.ResponseStatus>('accepted', 'declined', 'tentative'),
  }),
  (one) =>
    `${one.account} responds to ${describeTarget({ ...one, calendarId: one.account, origin: one.origin ?? ALICE })}: ${one.responseStatus}`,
  async (harness, { account, responseStatus, ...target }) => {
    const pair = harness.pair(target.world)
    const id = idOf(pair, { ...target, calendarId: account, origin: target.origin ?? ALICE })
    const body = { attendees: [{ email: account, responseStatus }] }
    const outcome = await harness.write(
      pair,
      account,
      ['PATCH', `${eventsPath(account)}/${id}`, { ...body, attendeesOmitted: true }],
      () => service.change(pair.model, account, account, id, body, { how: 'patch', attendeesOmitted: true }),
    )
    expectReply(pair, account, account, outcome)
  },
)

const remove = command(
  fc.record(onEvent),
  (one) => `${one.account} deletes ${describeTarget(one)}`,
  async (harness, { account, ...target }) => {
    const pair = harness.pair(target.world)
    const id = idOf(pair, target)
    await harness.write(pair, account, ['DELETE', `${eventsPath(target.calendarId)}/${id}`], () =>
      service.remove(pair.model, account, target.calendarId, id),
    )
  },
)

const move = command(
  fc.record({ ...onEvent, destination: calendarId }),
  (one) => `${one.account} moves ${describeTarget(one)} to "${one.destination}"`,
  async (harness, { account, destination, ...target }) => {
    const pair = harness.pair(target.world)
    const id = idOf(pair, target)
    const path = `${eventsPath(target.calendarId)}/${id}/move?destination=${encodeURIComponent(destination)}`
    const outcome = await harness.write(pair, account, ['POST', path], () =>
      service.move(pair.model, account, target.calendarId, id, destination),
    )
    // Undefined: which attendee the reply marks as the organizer.
    if (outcome?.result) delete outcome.body.attendees
    if (outcome?.result)
      expectReply(pair, account, target.calendarId, { ...outcome, result: { ...outcome.result, attendees: [] } })
  },
)

const importEvent = command(
  // The owner of the calendar attends, and only an account's address can be an attendee.
  fc.record({
    world,
    account,
    calendarId: fc.constantFrom(...PEOPLE),
    event,
    when,
    rule: maybe(fc.constantFrom(...RULES)),
    isGuest: fc.integer({ min: 0, max: 5 }).map((n) => n > 0),
    isCancelled: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
  }),
  (one) =>
    `${one.account} imports import${one.event} on "${one.calendarId}"${inWorld(one.world)} ${toText({ ...one.when, recurrence: one.rule, isGuest: one.isGuest, isCancelled: one.isCancelled })}`,
  async (harness, { world, account, calendarId, event, when, rule, isGuest, isCancelled }) => {
    const pair = harness.pair(world)
    const body: Body = withoutUndefined<Body>({
      iCalUID: `uid${event}@elsewhere.example`,
      organizer: { email: 'x@elsewhere.example' },
      ...when,
      recurrence: rule,
      attendees: [{ email: isGuest ? calendarId : 'nobody@elsewhere.example' }],
      status: isCancelled ? 'cancelled' : undefined,
    } as Body)
    const outcome = await harness.write(pair, account, ['POST', `${eventsPath(calendarId)}/import`, body], () =>
      service.importEvent(pair.model, account, calendarId, body),
    )
    expectReply(pair, account, calendarId, outcome)
  },
)

const clear = command(
  fc
    .record({ world, account: oneIn(5, account), calendarId: fc.constantFrom(...PEOPLE) })
    .map((one) => ({ ...one, account: one.account ?? one.calendarId })),
  ({ world, account, calendarId }) => `${account} clears "${calendarId}"${inWorld(world)}`,
  (harness, { world, account, calendarId }) => harness.clear(harness.pair(world), account, calendarId),
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

/** The header of the inspector's reads, which are dry runs. */
const DRY_RUN = { 'X-Fake-Calendar-Inspector': '1' }
const query: fc.Arbitrary<Query> = fc
  .record({
    singleEvents: maybe(fc.constant(true)),
    showDeleted: maybe(fc.constant(true)),
    timeMin: oneIn(
      3,
      fc.integer({ min: 1, max: 8 }).map((day) => isoOf(Date.UTC(2026, 2, day, 9))),
    ),
    timeMax: oneIn(
      3,
      fc.integer({ min: 1, max: 12 }).map((day) => isoOf(Date.UTC(2026, 2, day, 10))),
    ),
    orderBy: oneIn(3, fc.constantFrom<'startTime' | 'updated'>('startTime', 'updated')),
    q: oneIn(6, fc.constantFrom('lunch', 'ROOM plan', 'bob')),
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

const newcomer = fc.oneof({ weight: 6, arbitrary: account }, { weight: 1, arbitrary: fc.constant(NEWCOMER) })
const listEvents = command(
  fc.record({
    world,
    account: newcomer,
    calendarId,
    query,
    maxResults: fc.constantFrom(1, 2, 3, 250),
    isDry: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
  }),
  (one) =>
    `${one.account} lists "${one.calendarId}"${inWorld(one.world)} ${toText(one.query)} in pages of ${one.maxResults}${one.isDry ? ' (dry run)' : ''}`,
  async (harness, { world, account, calendarId, query, maxResults, isDry }) => {
    const pair = harness.pair(world)
    await harness.signIn(pair, account)
    const before = isDry ? JSON.stringify(pair.product.state()) : ''
    await harness.readPage(harness.newReader(pair, account, calendarId, query, maxResults), true, isDry ? DRY_RUN : {})
    if (isDry && before !== JSON.stringify(pair.product.state())) throw new Error('a dry run changed the world')
  },
)

/** A dry run, also of an account that the dry run creates and then removes. */
const listInDryRun = command(
  fc.record({ world, account: fc.constantFrom(NEWCOMER, BOB), maxResults: fc.constantFrom(1, 2) }),
  ({ world, account, maxResults }) =>
    `${account} lists "${ALICE}"${inWorld(world)} in pages of ${maxResults} (dry run)`,
  async (harness, { world, account, maxResults }) => {
    const pair = harness.pair(world)
    const before = JSON.stringify(pair.product.state())
    await harness.readPage(harness.newReader(pair, account, ALICE, {}, maxResults), true, DRY_RUN)
    if (before !== JSON.stringify(pair.product.state())) throw new Error('a dry run changed the world')
  },
)

const nextPage = command(
  fc.record({
    n: fc.nat(5),
    isDry: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
  }),
  ({ n, isDry }) => `next page of list ${n}${isDry ? ' (dry run)' : ''}`,
  async (harness, { n, isDry }) => {
    const pages = harness.readers[n % Math.max(harness.readers.length, 1)]
    if (pages) await harness.readPage(pages, false, isDry ? DRY_RUN : {})
  },
)

const sync = command(
  fc.record({ n: fc.nat(10) }),
  ({ n }) => `client ${n} syncs`,
  async (harness, { n }) => {
    const client = harness.clients[n % Math.max(harness.clients.length, 1)]
    if (client) await harness.sync(client)
  },
)

const getEvent = command(
  fc.record(onEvent),
  (one) => `${one.account} gets ${describeTarget(one)}`,
  async (harness, { account, ...target }) => {
    const pair = harness.pair(target.world)
    const id = idOf(pair, target)
    const reply = await harness.request(pair, account, ['GET', `${eventsPath(target.calendarId)}/${id}`])
    const outcome = harness.compare(reply, () => get(pair.model, account, target.calendarId, id))
    if (!outcome) return
    expectEvent(outcome.body, outcome.result.view)
    pair.stamps.check(target.calendarId, outcome.result, outcome.body)
  },
)

const listInstances = command(
  fc.record({ ...onEvent, showDeleted: fc.boolean() }),
  (one) =>
    `${one.account} lists the instances of ${describeTarget({ ...one, instance: undefined })}${one.showDeleted ? ' with deleted ones' : ''}`,
  async (harness, { account, showDeleted, ...target }) => {
    const pair = harness.pair(target.world)
    const id = idOf(pair, { ...target, instance: undefined })
    const path = `${eventsPath(target.calendarId)}/${id}/instances?maxResults=2500&showDeleted=${showDeleted}`
    const outcome = harness.compare(await harness.request(pair, account, ['GET', path]), () =>
      instances(pair.model, account, target.calendarId, id, showDeleted),
    )
    if (outcome)
      harness.checkList(pair, {
        ...harness.newReader(pair, account, target.calendarId, {}, 2500),
        query: { singleEvents: true },
        expected: outcome.result,
        items: outcome.body.items,
      })
  },
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

export const commands = [
  ...[insert, insert, insert, insert, change, change, change, stalePatch, respond, respond, remove, remove, move],
  ...[
    importEvent,
    clear,
    deleteCalendar,
    insertInvalid,
    listEvents,
    listEvents,
    listEvents,
    listInDryRun,
    nextPage,
    nextPage,
    nextPage,
  ],
  ...[sync, sync, sync, getEvent, listInstances, setClock, share, snapshot, restore, reset, fork, check, expireTokens],
]
