/**
 * The harness of the model test: sends each request to the product and to the model, and compares the replies. It also
 * reads lists page by page, and keeps clients that sync with tokens.
 */
import { expect } from 'vitest'
import { createFakeCalendar, type FakeCalendar, type FakeWorld, type Mail, type Seed } from '../../src/index.ts'
import { applyDelta } from '../support/folding.ts'
import { expectItems, type Json, type Reply, Stamps, timeOf } from './compare.ts'
import * as service from './service.ts'
import { ModelError, type World } from './service.ts'
import { horizonAfter } from './times.ts'
import { type Item, list, type Query } from './views.ts'

export const NOW = '2026-03-02T09:00:00Z'
export const [ALICE, BOB, SLASH, NEWCOMER] = [
  'alice@example.com',
  'bob@gmail.com',
  'c/d@example.com',
  'eve@example.com',
]
export const [TEAM, ODD] = ['our team', 'büro/ä b@example.com']
export const PEOPLE = [ALICE, BOB, SLASH]
export const CALENDARS = [ALICE, BOB, SLASH, TEAM, ODD]

/** The access rules at the start, besides those of the owners. */
const ROLES: Record<string, Record<string, service.Role>> = {
  [ALICE]: { [ALICE]: 'owner', [BOB]: 'writer', default: 'reader' },
  [BOB]: { [BOB]: 'owner', [ALICE]: 'reader' },
  [SLASH]: { [SLASH]: 'owner' },
  [TEAM]: { [ALICE]: 'owner', [BOB]: 'writer', [SLASH]: 'reader' },
  [ODD]: { [BOB]: 'owner', [SLASH]: 'owner', [ALICE]: 'writer' },
}
const DATA_OWNERS: Record<string, string> = { [TEAM]: ALICE, [ODD]: BOB }
export const ownerOf = (calendarId: string) => DATA_OWNERS[calendarId] ?? calendarId

/** The accounts of the seed. The account SLASH, whose address no seed can name, is created by its first request. */
const SEEDED = [ALICE, BOB]
/** A series and its successor, which "this and following" made: the instances of both have ids of one stem. */
export const SUCCESSOR = 'event3a_R20260303T090000'
const SERIES = (
  [
    ['event3a', '2026-02-26', 2],
    [SUCCESSOR, '2026-03-03', 4],
  ] as const
).map(([id, date, count]) => ({
  id,
  summary: 'lunch',
  start: { dateTime: `${date}T09:00:00Z`, timeZone: 'UTC' },
  end: { dateTime: `${date}T10:00:00Z`, timeZone: 'UTC' },
  recurrence: [`RRULE:FREQ=DAILY;COUNT=${count}`],
}))
/** A label that stands for the colour 1, and one with a colour of its own. */
export const LABELS: service.Label[] = [
  { id: '00000000-0000-4000-8000-000000000001', backgroundColor: '#7986cb' },
  { id: '00000000-0000-4000-8000-000000000002', backgroundColor: '#000000' },
]
const seed: Seed = {
  accounts: SEEDED.map((email) => ({ email, timeZone: 'UTC' })),
  calendars: CALENDARS.filter((id) => id !== SLASH).map((id) => ({
    id,
    ...(id === ALICE && { events: SERIES, labelProperties: { eventLabels: LABELS } }),
    ...(DATA_OWNERS[id] && { summary: `Calendar ${id}`, owner: DATA_OWNERS[id], timeZone: 'UTC' }),
    acl: Object.entries(ROLES[id] ?? {})
      .filter(([account]) => account !== ownerOf(id))
      .map(([account, role]) => ({
        role,
        scope: account === 'default' ? { type: 'default' as const } : { type: 'user' as const, value: account },
      })),
  })),
}

const initialCalendar = (id: string): service.Calendar => ({
  id,
  summary: DATA_OWNERS[id] ? `Calendar ${id}` : id,
  dataOwner: ownerOf(id),
  primary: !DATA_OWNERS[id],
  roles: { ...ROLES[id] },
  labels: id === ALICE ? LABELS : [],
})
const initialModel = (): World => ({
  now: Date.parse(NOW),
  accounts: [...SEEDED],
  calendars: CALENDARS.filter((id) => id !== SLASH).map(initialCalendar),
  records: SERIES.map((one) => ({
    ...one,
    ...{ calendarId: ALICE, iCalUID: `${one.id}@google.com`, creator: ALICE, organizer: { email: ALICE } },
    ...{ status: 'confirmed', sequence: 0, attendees: [], reminders: { [ALICE]: { useDefault: true } } },
  })),
  former: [],
  versions: {},
  listIds: [],
  expiries: [],
})

/** The text of a tool that read a deleted event and does not write it. */
const NOT_FOUND = 'Requested entity was not found.'

/** One world of the product, and its model. */
export type WorldPair = {
  name: string
  product: FakeWorld
  model: World
  /** The model after a reset: as the seed or the snapshot made it. */
  initial: World
  snapshots: Map<string, { model: World; stamps: Stamps }>
  stamps: Stamps
  /** The mails so far. */
  mails: readonly Mail[]
}
/** A list that is read page by page. All pages show the state at the first one. */
export type ListReader = {
  world: string
  account: string
  calendarId: string
  query: Query
  maxResults: number
  /** The caller's role at the first page; `none` without access. */
  role: string
  /** The items of the model, at the first page. */
  expected: Item[]
  /** The items of all pages so far. */
  items: Json[]
  pageToken: string
  listId: number
  /** The earliest time of the clock at a page, in milliseconds. */
  now: number
  /** True if the clock was set between two pages. */
  isClockMoved?: boolean
}
/** `repeatsFilters`: a page after the first is requested with the filters of the list, which its token contains too. */
type PageOptions = { isFirst?: boolean; repeatsFilters?: boolean; headers?: Record<string, string> }
/** A syncing client: its sync token, the list that the token is from, and its items by id. */
export type Client = {
  world: string
  account: string
  calendarId: string
  query: Query
  token: string
  listId: number
  role: string
  items: Map<string, Json>
  /** The earliest time of the clock at a request, in milliseconds. */
  now: number
  /** True if another world issued the token, from which this world was forked. */
  isForeign?: boolean
}

export class Harness {
  readonly fake: FakeCalendar = createFakeCalendar({ seed, now: NOW })
  readonly worlds: WorldPair[] = []
  /** The lists with a next page. */
  readonly readers: ListReader[] = []
  readonly clients: Client[] = []
  /** The number of lists so far, which numbers them. */
  #lastListId = 0

  constructor() {
    this.worlds.push(newPair('default', this.fake, initialModel()))
  }

  /**
   * Makes a first write in a new world. Without it, a clock that is set back changes all stamps (behaviour 14.52), which
   * no client can sync.
   */
  async begin(pair: WorldPair): Promise<void> {
    await this.signIn(pair, SLASH)
    const body = { id: 'event0', start: { date: '2026-03-02' }, end: { date: '2026-03-03' } }
    await this.write(pair, ALICE, ['POST', '/calendars/primary/events', body], () =>
      service.insert(pair.model, ALICE, ALICE, body),
    )
  }

  /** Adds a world, or replaces the one with its name, together with its lists and clients. */
  setWorld(pair: WorldPair): void {
    for (const all of [this.worlds, this.readers, this.clients] as { name?: string; world?: string }[][])
      all.splice(0, all.length, ...all.filter(({ name, world = name }) => world !== pair.name))
    this.worlds.push(pair)
  }

  /** Returns a world by a number of any size. 0 is the default world. */
  pair(n: number): WorldPair {
    return this.worlds[n % this.worlds.length] as WorldPair
  }

  /** Sends the first request of the account SLASH, which creates it. */
  async signIn({ product, model }: WorldPair, account: string): Promise<void> {
    if (account !== SLASH || model.accounts.includes(account)) return
    const headers = { Authorization: `Bearer ${account}` }
    const { status } = await product.request('/calendar/v3/calendars/primary', { headers })
    expect(status).toBe(200)
    model.accounts.push(account)
    model.calendars.push(initialCalendar(account))
  }

  /** Sends a request to the product. */
  async request(pair: WorldPair, account: string, [method, path, body, headers = {}]: RequestLine): Promise<Reply> {
    await this.signIn(pair, account)
    const response = await pair.product.request(`/calendar/v3${path}`, {
      method,
      headers: { Authorization: `Bearer ${account}`, 'Content-Type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const { status } = response
    const text = await response.text()
    const json = text ? JSON.parse(text) : undefined
    return { status, ...(status >= 400 && { reason: json?.error?.errors?.[0]?.reason }), body: json }
  }

  /** Calls a tool of the MCP server. Returns the reply of the last request of REST beneath it. */
  async callTool({ product }: WorldPair, account: string, { tool, args }: ToolLine): Promise<Reply> {
    const response = await product.request('/mcp/v1', {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${account}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: args } }),
    })
    const { result } = await response.json()
    const { status = 0, reason, response: body } = product.calls('events.*').at(-1) ?? {}
    if (result.content[0].text === NOT_FOUND && status < 400) return { status: 404, reason: 'notFound', body: result }
    expect(result.isError === true, `the result of ${tool}: ${JSON.stringify(result)}`).toBe(status >= 400)
    return { status, ...(reason !== undefined && { reason }), body }
  }

  /**
   * Compares status and reason of a reply with the model. Returns the body and the model's result, or undefined if both
   * reject the request.
   */
  compare<R>(reply: Reply, runModel: () => R): { body: Json; result: R } | undefined {
    try {
      const result = runModel()
      expect(reply.status, `the model accepts it: ${JSON.stringify(reply.body)}`).toBeLessThan(300)
      return { body: reply.body, result }
    } catch (error) {
      if (!(error instanceof ModelError)) throw error
      const { status, reason } = error
      expect([reply.status, reply.reason], `the model rejects it: ${error.message}`).toEqual([status, reason])
      return undefined
    }
  }

  /** Makes a write in both services. It changes no other world, and nothing if it is rejected. */
  async write(
    pair: WorldPair,
    account: string,
    request: RequestLine | ToolLine,
    runModel: () => service.Record_ | undefined,
  ) {
    await this.signIn(pair, account)
    if (Array.isArray(request)) request[1] += flagsOf(request)
    const states = this.worlds.map(({ product }) => [product, JSON.stringify(product.state())] as const)
    const isTool = 'tool' in request
    const reply = await (isTool ? this.callTool(pair, account, request) : this.request(pair, account, request))
    const before = { ...pair.model.versions }
    const [events, sent] = [structuredClone(pair.model), pair.mails]
    pair.mails = pair.product.mail()
    expect(pair.mails.slice(0, sent.length), 'mails that were sent before').toEqual(sent)
    const outcome = this.compare(reply, () => service.write(pair.model, runModel))
    if (outcome) for (const one of pair.mails.slice(sent.length)) checkMail(one, events, pair.model)
    for (const [product, state] of states)
      if (product !== pair.product || !outcome)
        expect(JSON.stringify(product.state()), `the world ${product.name} changed`).toBe(state)
    const changed = Object.entries(pair.model.versions).filter(([key, version]) => before[key] !== version)
    for (const id of new Set(changed.map(([key]) => service.calendarIdOf(key)))) await this.checkCalendar(pair, id)
    return outcome
  }

  /** Reads the first or next page of a list, and compares the whole list after the last page. */
  async readPage(
    reader: ListReader,
    { isFirst = false, repeatsFilters = true, headers = {} }: PageOptions = {},
  ): Promise<void> {
    const pair = this.worlds.find(({ name }) => name === reader.world)
    if (!pair) return
    await this.signIn(pair, reader.account)
    const { model } = pair
    const { account, calendarId, query, maxResults, pageToken, listId } = reader
    const updated = query.updatedMin && isFirst ? updatedOf(pair, calendarId) : undefined
    const filters = isFirst || repeatsFilters ? query : {}
    const path = `${eventsPath(calendarId)}?${toParams({ ...filters, maxResults, ...(!isFirst && { pageToken }) })}`
    const reply = await this.request(pair, account, ['GET', path, undefined, headers])
    if (!isFirst) this.readers.splice(this.readers.indexOf(reader), 1)
    const isKnown = isFirst || model.listIds.includes(listId)
    const outcome = this.compare(reply, () => {
      const { role } = service.access(model, account, calendarId)
      if (!isKnown) throw new ModelError(400, 'invalid')
      if (isFirst) model.listIds.push(listId)
      if (isFirst) reader.expected = list(model, account, calendarId, query, (id) => updated?.get(id) ?? NOW)
      return role
    })
    if (!outcome || outcome.result !== reader.role) return // a new role sees other fields: the rest is undefined
    const { items, nextPageToken, nextSyncToken } = outcome.body
    expect(items.length).toBeLessThanOrEqual(maxResults)
    reader.items.push(...items)
    reader.isClockMoved ||= model.now !== reader.now
    reader.now = Math.min(reader.now, model.now)
    if (nextPageToken) {
      this.readers.push(Object.assign(reader, { pageToken: nextPageToken }))
      return
    }
    this.checkList(pair, reader)
    const withoutToken: (keyof Query)[] = [
      'orderBy',
      'q',
      'iCalUID',
      'privateExtendedProperty',
      'sharedExtendedProperty',
    ]
    const hasToken = withoutToken.every((name) => !query[name])
    expect(nextSyncToken !== undefined, 'a sync token on the last page').toBe(hasToken)
    if (nextSyncToken && !query.updatedMin && !query.timeMin && !query.timeMax)
      this.clients.push({ ...reader, token: nextSyncToken, items: new Map(reader.items.map((one) => [one.id, one])) })
  }

  /** Compares the items of a whole list, their stamps and their order. */
  checkList(pair: WorldPair, reader: ListReader): void {
    const { calendarId, query, expected, items, now, isClockMoved } = reader
    const isBefore = isClockMoved ? beforeHorizon(now) : () => true
    const [actual, expectedItems] = [items.filter(isBefore), expected.filter(({ view }) => isBefore(view))]
    expectItems(actual, expectedItems, JSON.stringify(query))
    for (const one of actual) {
      const item = expectedItems.find(({ view }) => view.id === one.id)
      if (item) pair.stamps.check(calendarId, item, one)
    }
    const ascending = (numbers: number[]) => [...numbers].sort((a, b) => a - b)
    // A cancelled instance is where its series has it (behaviour 4.10).
    const starts = items.map((one) =>
      startOf(one.status === 'cancelled' && one.originalStartTime ? { start: one.originalStartTime } : one),
    )
    if (query.orderBy === 'startTime') expect(starts, 'the order of starts').toEqual(ascending(starts))
    const etags = items.map(({ etag }) => Number(JSON.parse(etag)))
    if (!query.orderBy && !query.singleEvents) expect(etags, 'the order of last change').toEqual(ascending(etags))
  }

  /** Applies a delta to a client's items, and compares them with a new list. Adds the client with its next token. */
  async sync(client: Client): Promise<void> {
    const pair = this.worlds.find(({ name }) => name === client.world)
    if (!pair) return
    const { model } = pair
    const { account, calendarId, query, role, listId } = client
    const read = (params: object) =>
      this.request(pair, account, ['GET', `${eventsPath(calendarId)}?${toParams({ maxResults: 2500, ...params })}`])
    const reply = await read({ syncToken: client.token })
    const outcome = this.compare(reply, () => {
      const current = service.access(model, account, calendarId)
      // A token of another world is either unknown, or of a state that this world never had.
      if (client.isForeign && reply.status === 400) throw new ModelError(400, 'invalid')
      const isExpired = model.expiries.some(
        (one) => listId <= one.upTo && (one.calendarId ?? calendarId) === calendarId,
      )
      if (isExpired || !model.listIds.includes(listId) || current.role !== role)
        throw new ModelError(410, 'fullSyncRequired')
    })
    if (!outcome) return
    const items = new Map(client.items)
    applyDelta(items, outcome.body.items, { keepsDeleted: query.showDeleted ?? false })
    const full = await read(query)
    // A delta has no instances that only the passing of time adds, so the earliest horizon counts.
    const now = Math.min(client.now, model.now)
    const isLive = (one: Json) => one.status !== 'cancelled' && beforeHorizon(now)(one)
    const liveOf = (all: Iterable<Json>) => Object.fromEntries([...all].filter(isLive).map((one) => [one.id, one]))
    const message = `a client's items after its delta, and a new list ${JSON.stringify(query)}`
    expect(liveOf(items.values()), message).toEqual(liveOf(full.body.items))
    model.listIds.push(++this.#lastListId)
    this.clients.push({
      ...client,
      listId: this.#lastListId,
      token: outcome.body.nextSyncToken,
      items,
      now,
      isForeign: false,
    })
  }

  /**
   * Reads the rest of all lists, syncs all clients, expires the tokens of two calendars, clears and deletes all
   * calendars, and compares all. So a short sequence also finds wrong state that its writes left behind.
   */
  async finish(): Promise<void> {
    for (const reader of [...this.readers]) await this.readPage(Object.assign(reader, { maxResults: 2500 }))
    for (const client of [...this.clients]) await this.sync(client)
    for (const pair of this.worlds) await this.checkWorld(pair)
    const pair = this.pair(0)
    const expired = [SLASH, ODD]
    for (const calendarId of expired) this.expireTokens(pair, { calendarId })
    for (const client of this.clients.filter(({ calendarId }) => expired.includes(calendarId))) await this.sync(client)
    for (const account of PEOPLE) await this.clear(pair, account, account)
    for (const [id, owner] of Object.entries(DATA_OWNERS)) await this.deleteCalendar(pair, owner, id)
    await this.checkWorld(pair)
  }

  expireTokens({ product, model }: WorldPair, filter: { calendarId?: string | undefined }): void {
    product.syncTokens.expire(filter)
    model.expiries.push({ ...filter, upTo: this.#lastListId })
  }

  async clear(pair: WorldPair, account: string, calendarId: string): Promise<void> {
    await this.write(pair, account, ['POST', `/calendars/${encodeURIComponent(calendarId)}/clear`], () =>
      service.clear(pair.model, account, calendarId),
    )
  }

  async deleteCalendar(pair: WorldPair, account: string, calendarId: string): Promise<void> {
    await this.write(pair, account, ['DELETE', `/calendars/${encodeURIComponent(calendarId)}`], () =>
      service.deleteCalendar(pair.model, account, calendarId),
    )
  }

  /** Compares a calendar as its owner sees it, with deleted events. */
  async checkCalendar(pair: WorldPair, calendarId: string): Promise<void> {
    const { dataOwner, deleted } = pair.model.calendars.find(({ id }) => id === calendarId) as service.Calendar
    if (deleted) return
    const query = { showDeleted: true }
    const path = `${eventsPath(calendarId)}?${toParams({ ...query, maxResults: 2500 })}`
    const { body } = await this.request(pair, dataOwner, ['GET', path])
    const expected = list(pair.model, dataOwner, calendarId, query, () => NOW)
    this.checkList(pair, {
      ...this.newReader(pair, dataOwner, calendarId, query, 2500),
      ...{ expected, items: body.items },
    })
  }

  /** Compares all calendars of a world, as their owners see them: with deleted events, and with instances. */
  async checkWorld(pair: WorldPair): Promise<void> {
    for (const { id, dataOwner } of pair.model.calendars.filter(({ deleted }) => !deleted)) {
      for (const query of [{ showDeleted: true }, { singleEvents: true }, { singleEvents: true, showDeleted: true }])
        await this.readPage(this.newReader(pair, dataOwner, id, query, 2500), { isFirst: true })
    }
  }

  /** Returns a reader of a list, before its first page. */
  newReader(pair: WorldPair, account: string, calendarId: string, query: Query, maxResults: number): ListReader {
    let role = 'none'
    try {
      role = service.access(pair.model, account, calendarId).role
    } catch {}
    const list = { world: pair.name, account, calendarId, query, maxResults, role, now: pair.model.now }
    return { ...list, expected: [], items: [], pageToken: '', listId: ++this.#lastListId }
  }
}

/** A request to the product, with a path below `/calendar/v3`. */
export type RequestLine = [method: string, path: string, body?: object, headers?: Record<string, string>]

/** A call of a tool of the MCP server. */
export type ToolLine = { tool: string; args: Readonly<Record<string, unknown>> }

export const eventsPath = (calendarId: string) => `/calendars/${encodeURIComponent(calendarId)}/events`
/** A write mails all guests. A label of a body counts only with its version. */
const flagsOf = ([, path, body]: RequestLine) =>
  `${path.includes('?') ? '&' : '?'}sendUpdates=all${Object.hasOwn(body ?? {}, 'eventLabelId') ? '&eventLabelVersion=1' : ''}`
const toParams = (params: object) =>
  new URLSearchParams(Object.entries(params).map(([name, value]) => [name, String(value)]))

/** Returns a world of the product with its model, without snapshots. */
export const newPair = (name: string, product: FakeWorld, model: World): WorldPair => ({
  ...{ name, product, model: structuredClone(model), initial: structuredClone(model) },
  ...{ snapshots: new Map(), stamps: new Stamps(), mails: product.mail() },
})

/** Compares a mail with its event after the write, or before it if the write cancelled the event. */
function checkMail(
  { calendarId, eventId = '', summary, location, start, end }: Mail,
  before: World,
  after: World,
): void {
  const now = service.find(after, calendarId, eventId)
  const event = now && !service.isCancelled(now) ? now : service.find(before, calendarId, eventId)
  if (!event || service.isTombstone(event)) return
  const expected = {
    summary: event.summary,
    location: event.location,
    start: timeOf(event.start),
    end: timeOf(event.end),
  }
  expect({ summary, location, start: timeOf(start), end: timeOf(end) }, `the mail about ${eventId}`).toEqual(expected)
}

/** Returns `updated` of each record of a calendar by id, which the model cannot compute. */
function updatedOf({ product }: WorldPair, calendarId: string): ReadonlyMap<string, string> {
  const events = product.state().calendars?.find(({ id }) => id === calendarId)?.events ?? []
  return new Map(events.map(({ id, updated }) => [id ?? '', updated ?? NOW]))
}

/** Returns the start of an event in milliseconds; NaN for a cancelled instance, which has none. */
const startOf = ({ start }: Json): number => Date.parse(start?.dateTime ?? `${start?.date}T00:00:00Z`)

/**
 * Returns a filter that drops instances after the horizon of a time, in milliseconds. Each read of an endless series
 * has its own horizon, if the clock was set between them (behaviour 14.21).
 */
const beforeHorizon = (now: number) => (one: Json) => !one.recurringEventId || !(startOf(one) >= horizonAfter(now))
