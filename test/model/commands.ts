/** The commands of the model test. Each makes one request or control call of both services, and compares the outcome. */
import fc from 'fast-check'
import { Stamps } from './compare.ts'
import { ALICE, BOB, type Both, CALENDARS, NEWCOMER, NOW, ODD, PEOPLE, type Side, SLASH, TEAM } from './harness.ts'
import * as service from './service.ts'
import { type Body, importedId } from './service.ts'
import { isAllDay, isoOf, type Time } from './times.ts'
import { get, instances, type Query, show } from './views.ts'

/** fast-check passes the model first: here both services are one object. */
export type Command = fc.AsyncCommand<object, Both>
const command = <T>(
  arbitrary: fc.Arbitrary<T>,
  text: (input: T) => string,
  run: (both: Both, input: T) => Promise<void>,
): fc.Arbitrary<Command> =>
  arbitrary.map((input) => ({
    check: () => true,
    run: (_: object, both: Both) => run(both, input),
    toString: () => text(input),
  }))

/** A value in one of `n` cases, else undefined. */
const oneIn = <T>(n: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: n - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => oneIn(2, arbitrary)

// Parts of commands ----------------------------------------------------------------------------------------------------

const who = fc.oneof(
  { weight: 3, arbitrary: fc.constant(ALICE) },
  { weight: 2, arbitrary: fc.constantFrom(BOB, SLASH) },
)
/** Mostly a calendar that meetings reach: the primary ones, and those that everybody shares. */
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
const onEvent = {
  world,
  who,
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

const eventsPath = (id: string) => `/calendars/${encodeURIComponent(id)}/events`
type OnEvent = {
  world: number
  calendarId: string
  event: number
  instance: number | undefined
  imported: boolean
  origin?: string | undefined
}

/** Ids on two calendars differ: what becomes of one id and one UID for two meetings of a guest is not decided. */
const eventId = (event: number, calendarId: string) => `event${event}${'abcde'[CALENDARS.indexOf(calendarId)]}`

/** The id of an event, or of one of its instances if it is a series. */
function idOf(side: Side, { calendarId, origin = calendarId, event, instance, imported }: OnEvent): string {
  const id = imported ? importedId(`uid${event}@elsewhere.example`) : eventId(event, origin)
  const master = side.model.records.find((one) => one.calendarId === calendarId && one.id === id)
  const isGone = side.model.calendars.some((one) => one.id === calendarId && one.deleted)
  if (instance === undefined || !master?.recurrence || isGone) return id
  const all = instances(side.model, master.calendarId === ODD ? BOB : ownerOf(side, calendarId), calendarId, id, true)
  return [...all].sort((a, b) => (a.shown.id < b.shown.id ? -1 : 1))[instance]?.shown.id ?? `${id}_20260101`
}
const ownerOf = (side: Side, calendarId: string) =>
  side.model.calendars.find(({ id }) => id === calendarId)?.dataOwner ?? ''
const named = ({ calendarId, origin = calendarId, event, instance, imported, world }: OnEvent) =>
  `${imported ? `import${event}` : eventId(event, origin)}${instance === undefined ? '' : `#${instance}`} on "${calendarId}"${inWorld(world)}`
const inWorld = (world: number) => (world ? ` in world ${world}` : '')
const short = (value: object) => JSON.stringify(value)

/** Compares the event of a write's reply, as the writer sees it. */
function expectReply(
  both: Both,
  side: Side,
  who: string,
  calendarId: string,
  done: { body: unknown; answer: service.Record_ | undefined } | undefined,
): void {
  if (!done?.answer) return
  const { role } = service.access(side.model, who, calendarId)
  both.expectEvent(done.body, show(side.model, who, role, done.answer))
}

// Commands -------------------------------------------------------------------------------------------------------------

const insert = command(
  fc.record({
    world,
    who,
    calendarId,
    event,
    when,
    rule: oneIn(2, fc.constantFrom(...RULES)),
    guests,
    texts: fc.record(texts),
  }),
  ({ world, who, calendarId, event, when, rule, guests, texts }) =>
    `${who} inserts ${eventId(event, calendarId)} on "${calendarId}"${inWorld(world)} ${short(withoutUndefined({ ...when, recurrence: rule, attendees: guests, ...texts }))}`,
  async (both, { world, who, calendarId, event, when, rule, guests, texts }) => {
    const side = both.side(world)
    const body = withoutUndefined<Body>({
      id: eventId(event, calendarId),
      ...when,
      recurrence: rule,
      ...(guests.length > 0 && { attendees: guests }),
      ...texts,
    } as Body)
    const done = await both.write(side, who, ['POST', eventsPath(calendarId), body], () =>
      service.insert(side.model, who, calendarId, body),
    )
    expectReply(both, side, who, calendarId, done)
  },
)

/** Not decided: what becomes of the other fields of a guest's write that cancels. So nothing stands beside such a status. */
const NOTHING_ELSE = { when: undefined, rule: undefined, guests: undefined, texts: {} as Body }

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
    .map((one) => (one.status === 'cancelled' ? { ...one, ...NOTHING_ELSE } : one)),
  (one) =>
    `${one.who} ${one.how === 'patch' ? 'patches' : 'puts'} ${named(one)} ${short(withoutUndefined({ ...one.when, recurrence: one.rule, status: one.status, attendees: one.guests, ...one.texts }))}`,
  async (both, { world, who, calendarId, how, when, rule, status, guests, texts, ...target }) => {
    const side = both.side(world)
    const id = idOf(side, { ...target, calendarId, world })
    const current = side.model.records.find((one) => one.calendarId === calendarId && one.id === id)
    const { recurringEventId } = service.find(side.model, calendarId, id) ?? {}
    // A PUT replaces the event, so that it says the times that it keeps.
    const times = when ?? (how === 'update' && current ? { start: current.start, end: current.end } : undefined)
    const recurrence =
      recurringEventId || (rule === undefined && how === 'patch')
        ? undefined
        : (rule ?? (how === 'patch' ? null : undefined))
    const body = withoutUndefined<Body>({ ...times, recurrence, status, attendees: guests, ...texts } as Body)
    // Fields of the other kind are nulled on the wire, or a patch would merge both (behaviour 3.9.2).
    const wire = how === 'patch' && times ? { ...body, start: bothKinds(times.start), end: bothKinds(times.end) } : body
    const done = await both.write(
      side,
      who,
      [how === 'patch' ? 'PATCH' : 'PUT', `${eventsPath(calendarId)}/${id}`, wire],
      () => service.change(side.model, who, calendarId, id, body, { how }),
    )
    expectReply(both, side, who, calendarId, done)
  },
)
const bothKinds = (time: Time) =>
  isAllDay(time) ? { date: time.date, dateTime: null, timeZone: null } : { date: null, ...time }

const stalePatch = command(
  fc.record(onEvent),
  (one) => `${one.who} patches ${named(one)} with an old etag`,
  async (both, { who, ...target }) => {
    const side = both.side(target.world)
    const id = idOf(side, target)
    await both.write(
      side,
      who,
      ['PATCH', `${eventsPath(target.calendarId)}/${id}`, { summary: 'never' }, { 'If-Match': '"1"' }],
      () =>
        service.change(side.model, who, target.calendarId, id, { summary: 'never' }, { how: 'patch', isStale: true }),
    )
  },
)

const answer = command(
  fc.record({
    ...onEvent,
    responseStatus: fc.constantFrom<service.ResponseStatus>('accepted', 'declined', 'tentative'),
  }),
  (one) =>
    `${one.who} answers ${named({ ...one, calendarId: one.who, origin: one.origin ?? ALICE })}: ${one.responseStatus}`,
  async (both, { who, responseStatus, ...target }) => {
    const side = both.side(target.world)
    const id = idOf(side, { ...target, calendarId: who, origin: target.origin ?? ALICE })
    const body = { attendees: [{ email: who, responseStatus }] }
    const done = await both.write(
      side,
      who,
      ['PATCH', `${eventsPath(who)}/${id}`, { ...body, attendeesOmitted: true }],
      () => service.change(side.model, who, who, id, body, { how: 'patch', attendeesOmitted: true }),
    )
    expectReply(both, side, who, who, done)
  },
)

const remove = command(
  fc.record(onEvent),
  (one) => `${one.who} deletes ${named(one)}`,
  async (both, { who, ...target }) => {
    const side = both.side(target.world)
    const id = idOf(side, target)
    await both.write(side, who, ['DELETE', `${eventsPath(target.calendarId)}/${id}`], () =>
      service.remove(side.model, who, target.calendarId, id),
    )
  },
)

const move = command(
  fc.record({ ...onEvent, destination: calendarId }),
  (one) => `${one.who} moves ${named(one)} to "${one.destination}"`,
  async (both, { who, destination, ...target }) => {
    const side = both.side(target.world)
    const id = idOf(side, target)
    const path = `${eventsPath(target.calendarId)}/${id}/move?destination=${encodeURIComponent(destination)}`
    const done = await both.write(side, who, ['POST', path], () =>
      service.move(side.model, who, target.calendarId, id, destination),
    )
    // Not decided: whose entry the reply marks as the organizer's.
    if (done?.answer) delete done.body.attendees
    if (done?.answer)
      expectReply(both, side, who, target.calendarId, { ...done, answer: { ...done.answer, attendees: [] } })
  },
)

const importing = command(
  // The owner of the calendar attends, and only an account's address can be an attendee.
  fc.record({
    world,
    who,
    calendarId: fc.constantFrom(...PEOPLE),
    event,
    when,
    rule: maybe(fc.constantFrom(...RULES)),
    isGuest: fc.integer({ min: 0, max: 5 }).map((n) => n > 0),
    isCancelled: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
  }),
  (one) =>
    `${one.who} imports import${one.event} on "${one.calendarId}"${inWorld(one.world)} ${short({ ...one.when, recurrence: one.rule, isGuest: one.isGuest, isCancelled: one.isCancelled })}`,
  async (both, { world, who, calendarId, event, when, rule, isGuest, isCancelled }) => {
    const side = both.side(world)
    const body: Body = withoutUndefined<Body>({
      iCalUID: `uid${event}@elsewhere.example`,
      organizer: { email: 'x@elsewhere.example' },
      ...when,
      recurrence: rule,
      attendees: [{ email: isGuest ? calendarId : 'nobody@elsewhere.example' }],
      status: isCancelled ? 'cancelled' : undefined,
    } as Body)
    const done = await both.write(side, who, ['POST', `${eventsPath(calendarId)}/import`, body], () =>
      service.importEvent(side.model, who, calendarId, body),
    )
    expectReply(both, side, who, calendarId, done)
  },
)

const clear = command(
  fc
    .record({ world, who: oneIn(5, who), calendarId: fc.constantFrom(...PEOPLE) })
    .map((one) => ({ ...one, who: one.who ?? one.calendarId })),
  ({ world, who, calendarId }) => `${who} clears "${calendarId}"${inWorld(world)}`,
  (both, { world, who, calendarId }) => both.clear(both.side(world), who, calendarId),
)

const deleteCalendar = command(
  fc.record({ world, who, calendarId: fc.constantFrom(TEAM, ODD) }),
  ({ world, who, calendarId }) => `${who} deletes the calendar "${calendarId}"${inWorld(world)}`,
  (both, { world, who, calendarId }) => both.deleteCalendar(both.side(world), who, calendarId),
)

const badRequest = command(
  fc.record({
    world,
    who,
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
  (one) => `${one.who} inserts nonsense on "${one.calendarId}" ${short(one.body)}`,
  async (both, { world, who, calendarId, body }) => {
    const side = both.side(world)
    const nonsense = { id: 'never', ...body }
    await both.write(side, who, ['POST', eventsPath(calendarId), nonsense], () =>
      service.insert(side.model, who, calendarId, nonsense),
    )
  },
)

const DRY = { 'X-Fake-Calendar-Inspector': '1' }
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

const newcomer = fc.oneof({ weight: 6, arbitrary: who }, { weight: 1, arbitrary: fc.constant(NEWCOMER) })
const listing = command(
  fc.record({
    world,
    who: newcomer,
    calendarId,
    query,
    maxResults: fc.constantFrom(1, 2, 3, 250),
    isDry: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
  }),
  (one) =>
    `${one.who} lists "${one.calendarId}"${inWorld(one.world)} ${short(one.query)} in pages of ${one.maxResults}${one.isDry ? ' (dry run)' : ''}`,
  async (both, { world, who, calendarId, query, maxResults, isDry }) => {
    const side = both.side(world)
    await both.signIn(side, who)
    const before = isDry ? JSON.stringify(side.product.state()) : ''
    await both.readPage(both.open(side, who, calendarId, query, maxResults), true, isDry ? DRY : {})
    if (isDry && before !== JSON.stringify(side.product.state())) throw new Error('a dry run changed the world')
  },
)

/** A dry run of somebody who comes into being with it, and whose account the service takes back. */
const dryListing = command(
  fc.record({ world, who: fc.constantFrom(NEWCOMER, BOB), maxResults: fc.constantFrom(1, 2) }),
  ({ world, who, maxResults }) => `${who} lists "${ALICE}"${inWorld(world)} in pages of ${maxResults} (dry run)`,
  async (both, { world, who, maxResults }) => {
    const side = both.side(world)
    const before = JSON.stringify(side.product.state())
    await both.readPage(both.open(side, who, ALICE, {}, maxResults), true, DRY)
    if (before !== JSON.stringify(side.product.state())) throw new Error('a dry run changed the world')
  },
)

const nextPage = command(
  fc.record({
    n: fc.nat(5),
    isDry: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
  }),
  ({ n, isDry }) => `next page of list ${n}${isDry ? ' (dry run)' : ''}`,
  async (both, { n, isDry }) => {
    const pages = both.pages[n % Math.max(both.pages.length, 1)]
    if (pages) await both.readPage(pages, false, isDry ? DRY : {})
  },
)

const sync = command(
  fc.record({ n: fc.nat(10) }),
  ({ n }) => `client ${n} syncs`,
  async (both, { n }) => {
    const client = both.clients[n % Math.max(both.clients.length, 1)]
    if (client) await both.sync(client)
  },
)

const getting = command(
  fc.record(onEvent),
  (one) => `${one.who} gets ${named(one)}`,
  async (both, { who, ...target }) => {
    const side = both.side(target.world)
    const id = idOf(side, target)
    const done = await both.compare(
      side,
      await both.request(side, who, 'GET', `${eventsPath(target.calendarId)}/${id}`),
      () => get(side.model, who, target.calendarId, id),
    )
    if (!done) return
    both.expectEvent(done.body, done.answer.shown)
    side.stamps.check(target.calendarId, done.answer, done.body)
  },
)

const listInstances = command(
  fc.record({ ...onEvent, showDeleted: fc.boolean() }),
  (one) =>
    `${one.who} lists the instances of ${named({ ...one, instance: undefined })}${one.showDeleted ? ' with deleted ones' : ''}`,
  async (both, { who, showDeleted, ...target }) => {
    const side = both.side(target.world)
    const id = idOf(side, { ...target, instance: undefined })
    const path = `${eventsPath(target.calendarId)}/${id}/instances?maxResults=2500&showDeleted=${showDeleted}`
    const done = await both.compare(side, await both.request(side, who, 'GET', path), () =>
      instances(side.model, who, target.calendarId, id, showDeleted),
    )
    if (done)
      both.checkList(side, {
        ...both.open(side, who, target.calendarId, {}, 2500),
        query: { singleEvents: true },
        expected: done.answer,
        items: done.body.items,
      })
  },
)

const setClock = command(
  fc.record({ world, hours: fc.integer({ min: -240, max: 240 }) }),
  ({ world, hours }) => `the clock shows ${isoOf(Date.parse(NOW) + hours * 3_600_000)}${inWorld(world)}`,
  async (both, { world, hours }) => {
    const side = both.side(world)
    side.model.now = Date.parse(NOW) + hours * 3_600_000
    side.product.clock.freeze(isoOf(side.model.now))
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
  async (both, { world, calendarId, to, role }) => {
    const side = both.side(world)
    if (calendarId === SLASH) await both.signIn(side, SLASH)
    const calendar = side.model.calendars.find(({ id }) => id === calendarId)
    if (!calendar || calendar.deleted || calendar.roles[to] === 'owner' || (to === 'default' && role === 'writer'))
      return
    if (role === 'none' && (calendar.roles[to] ?? 'none') === 'none') return
    const scope = to === 'default' ? { type: 'default' } : { type: 'user', value: to }
    const path = `/calendars/${encodeURIComponent(calendarId)}/acl`
    const { status } = await both.request(side, calendar.dataOwner, 'POST', path, { role, scope })
    if (status !== 200) throw new Error(`acl.insert answers ${status}`)
    calendar.roles[to] = role
  },
)

const snapshot = command(
  fc.record({ world, name: fc.constantFrom('s1', 's2') }),
  ({ world, name }) => `snapshot ${name}${inWorld(world)}`,
  async (both, { world, name }) => {
    const side = both.side(world)
    side.product.snapshot(name)
    side.snapshots.set(name, { model: structuredClone(side.model), stamps: side.stamps })
  },
)

const restore = command(
  fc.record({ world, name: fc.constantFrom('s1', 's2') }),
  ({ world, name }) => `restore ${name}${inWorld(world)}`,
  async (both, { world, name }) => {
    const side = both.side(world)
    const snapshot = side.snapshots.get(name)
    if (!snapshot) return
    side.product.restore(name)
    side.model = structuredClone(snapshot.model)
    side.stamps = snapshot.stamps // a reset in between began the stamps again
  },
)

const reset = command(
  fc.record({ world }),
  ({ world }) => `reset${inWorld(world)}`,
  async (both, { world }) => {
    const side = both.side(world)
    side.product.reset()
    side.model = { ...structuredClone(side.first), moments: [] }
    side.stamps = new Stamps()
    await both.begin(side)
  },
)

const fork = command(
  fc.record({ world, name: fc.constantFrom('s1', 's2'), fork: fc.integer({ min: 1, max: 2 }) }),
  ({ world, name, fork }) => `fork${fork} begins with ${name}${inWorld(world)}`,
  async (both, { world, name, fork }) => {
    const from = both.side(world)
    const snapshot = from.snapshots.get(name)
    const target = `fork${fork}`
    if (!snapshot || from.name === target) return
    const product = from.product.fork(name, target)
    const at = both.sides.findIndex((one) => one.name === target)
    const side = {
      name: target,
      product,
      model: structuredClone(snapshot.model),
      first: structuredClone(snapshot.model),
      snapshots: new Map(),
      stamps: new Stamps(),
    }
    if (at < 0) both.sides.push(side)
    else both.sides[at] = side
    both.forget(target)
    // A client may go on in a fork with the token that it had before.
    for (const client of both.clients.filter((one) => one.world === from.name))
      both.clients.push({ ...client, world: target, isForeign: true })
  },
)

const check = command(
  fc.record({ world }),
  ({ world }) => `compare all calendars${inWorld(world)}`,
  async (both, { world }) => both.checkWorld(both.side(world)),
)

/** Makes the sync tokens of a world or of one calendar expire. Page tokens stay valid. */
const expireTokens = command(
  fc.record({ world, calendarId: maybe(calendarId) }),
  ({ world, calendarId }) => `all sync tokens${calendarId ? ` of "${calendarId}"` : ''} expire${inWorld(world)}`,
  async (both, { world, ...filter }) => both.expireTokens(both.side(world), filter),
)

export const commands = [
  ...[insert, insert, insert, insert, change, change, change, stalePatch, answer, answer, remove, remove, move],
  ...[
    importing,
    clear,
    deleteCalendar,
    badRequest,
    listing,
    listing,
    listing,
    dryListing,
    nextPage,
    nextPage,
    nextPage,
  ],
  ...[sync, sync, sync, getting, listInstances, setClock, share, snapshot, restore, reset, fork, check, expireTokens],
]
