/** Two services side by side: the model, and the product behind its public interface. */
import { expect } from 'vitest'
import { createFakeCalendar, type FakeCalendar, type FakeWorld, type Seed } from '../../src/index.ts'
import { fold } from '../support/folding.ts'
import { expectEvent, expectItems, type Json, type Reply, Stamps } from './compare.ts'
import * as service from './service.ts'
import { ModelError, type World } from './service.ts'
import { horizonAfter } from './times.ts'
import { type Item, list, type Query } from './views.ts'

export const NOW = '2026-03-02T09:00:00Z'
export const [ALICE, BOB, SLASH, NEWCOMER] = [
  'alice@example.com',
  'bob@example.com',
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

/** An account whose address no seed takes comes into being with its first request. */
const SEEDED = [ALICE, BOB]
const seed: Seed = {
  accounts: SEEDED.map((email) => ({ email, timeZone: 'UTC' })),
  calendars: CALENDARS.filter((id) => id !== SLASH).map((id) => ({
    id,
    ...(DATA_OWNERS[id] && { summary: `Calendar ${id}`, owner: DATA_OWNERS[id], timeZone: 'UTC' }),
    acl: Object.entries(ROLES[id] ?? {})
      .filter(([who]) => who !== (DATA_OWNERS[id] ?? id))
      .map(([who, role]) => ({
        role,
        scope: who === 'default' ? { type: 'default' as const } : { type: 'user' as const, value: who },
      })),
  })),
}

const firstCalendar = (id: string): service.Calendar => ({
  id,
  summary: DATA_OWNERS[id] ? `Calendar ${id}` : id,
  dataOwner: DATA_OWNERS[id] ?? id,
  primary: !DATA_OWNERS[id],
  roles: { ...ROLES[id] },
})
const firstModel = (): World => ({
  now: Date.parse(NOW),
  accounts: [...SEEDED],
  calendars: CALENDARS.filter((id) => id !== SLASH).map(firstCalendar),
  records: [],
  moments: [],
  expiries: [],
})

/** One world in both services. */
export type Side = {
  name: string
  product: FakeWorld
  model: World
  first: World
  snapshots: Map<string, { model: World; stamps: Stamps }>
  stamps: Stamps
}
/** A list whose pages are read one by one: all of them show what there was at the first one. */
export type Pages = {
  world: string
  who: string
  calendarId: string
  query: Query
  maxResults: number
  role: string
  expected: Item[]
  items: Json[]
  pageToken: string
  moment: number
  /** The earliest time that the clock showed at a page. */
  now: number
  /** True if the clock was moved between two pages. */
  isClockMoved?: boolean
}
/** The state of a syncing client: its token and its items. */
export type Client = {
  world: string
  who: string
  calendarId: string
  query: Query
  token: string
  moment: number
  role: string
  known: Map<string, Json>
  now: number
  isForeign?: boolean
}

export class Both {
  readonly fake: FakeCalendar = createFakeCalendar({ seed, now: NOW })
  readonly sides: Side[] = []
  readonly pages: Pages[] = []
  readonly clients: Client[] = []

  constructor() {
    const first = firstModel()
    this.sides.push({
      name: 'default',
      product: this.fake,
      model: structuredClone(first),
      first,
      snapshots: new Map(),
      stamps: new Stamps(),
    })
  }

  /**
   * Makes a first write. Before it a clock that is set back stamps everything anew (behaviour 14.52), which no client
   * can work with.
   */
  async begin(side: Side): Promise<void> {
    await this.signIn(side, SLASH)
    const body = { id: 'event0', start: { date: '2026-03-02' }, end: { date: '2026-03-03' } }
    await this.write(side, ALICE, ['POST', '/calendars/primary/events', body], () =>
      service.insert(side.model, ALICE, ALICE, body),
    )
  }

  /** Drops what clients have of a world that another one replaces. */
  forget(world: string): void {
    for (const list of [this.pages, this.clients] as { world: string }[][]) {
      list.splice(0, list.length, ...list.filter((one) => one.world !== world))
    }
  }

  side(n: number): Side {
    return this.sides[n % this.sides.length] as Side
  }

  /** Makes the account that comes into being with its first request. */
  async signIn(side: Side, who: string): Promise<void> {
    if (who !== SLASH || side.model.accounts.includes(who)) return
    const { status } = await side.product.request('/calendar/v3/calendars/primary', {
      headers: { Authorization: `Bearer ${who}` },
    })
    expect(status).toBe(200)
    side.model.accounts.push(who)
    side.model.calendars.push(firstCalendar(who))
  }

  async request(
    side: Side,
    who: string,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    await this.signIn(side, who)
    const response = await side.product.request(`/calendar/v3${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${who}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const json = text ? JSON.parse(text) : undefined
    return {
      status: response.status,
      ...(response.status >= 400 && { reason: json?.error?.errors?.[0]?.reason }),
      body: json,
    }
  }

  /**
   * Makes a request of both services and compares status and reason. Returns the product's body and the model's
   * answer, unless both refuse.
   */
  async compare<R>(_side: Side, reply: Reply, act: () => R): Promise<{ body: Json; answer: R } | undefined> {
    try {
      const answer = act()
      expect(reply.status, `the model takes it: ${JSON.stringify(reply.body)}`).toBeLessThan(300)
      return { body: reply.body, answer }
    } catch (error) {
      if (!(error instanceof ModelError)) throw error
      expect([reply.status, reply.reason], `the model refuses it: ${error.message}`).toEqual([
        error.status,
        error.reason,
      ])
      return undefined
    }
  }

  /** A write to an event in both services. No other world may change, nor this one if the write is refused. */
  async write(
    side: Side,
    who: string,
    request: [method: string, path: string, body?: unknown, headers?: Record<string, string>],
    act: () => service.Record_ | undefined,
  ) {
    await this.signIn(side, who)
    const others = this.sides
      .filter((one) => one !== side)
      .map((one) => [one.product, JSON.stringify(one.product.state())] as const)
    const before = JSON.stringify(side.product.state())
    const reply = await this.request(side, who, ...request)
    const done = await this.compare(side, reply, () => service.write(side.model, () => act()))
    for (const [product, state] of others)
      expect(JSON.stringify(product.state()), `the world ${product.name} changed`).toBe(state)
    if (!done) expect(JSON.stringify(side.product.state()), 'a refused request changed the world').toBe(before)
    return done
  }

  /** Reads one page, and compares the whole list after the last one. */
  async readPage(pages: Pages, first: boolean, headers: Record<string, string> = {}): Promise<void> {
    const side = this.sides.find(({ name }) => name === pages.world)
    if (!side) return
    await this.signIn(side, pages.who)
    const { who, calendarId, query, maxResults, pageToken } = pages
    const updated = query.updatedMin && first ? updatedOf(side, calendarId) : NO_STAMPS
    const parameters = new URLSearchParams(
      Object.entries({ ...query, maxResults, ...(!first && { pageToken }) }).map(([name, value]) => [
        name,
        String(value),
      ]),
    )
    const reply = await this.request(
      side,
      who,
      'GET',
      `/calendars/${encodeURIComponent(calendarId)}/events?${parameters}`,
      undefined,
      headers,
    )
    this.close(pages)
    const known = first || side.model.moments.includes(pages.moment)
    const done = await this.compare(side, reply, () => {
      const { role } = service.access(side.model, who, calendarId)
      if (!known) throw new ModelError(400, 'invalid')
      if (first) side.model.moments.push(pages.moment)
      if (first) pages.expected = list(side.model, who, calendarId, query, (id) => updated.get(id) ?? NOW)
      return role
    })
    if (!done || done.answer !== pages.role) return // another role sees other fields: nothing is promised for the rest of these pages
    const { items, nextPageToken, nextSyncToken } = done.body
    expect(items.length).toBeLessThanOrEqual(maxResults)
    pages.items.push(...items)
    pages.isClockMoved ||= side.model.now !== pages.now
    pages.now = Math.min(pages.now, side.model.now)
    if (nextPageToken) {
      pages.pageToken = nextPageToken
      this.pages.push(pages)
      return
    }
    this.checkList(side, pages)
    const hasToken =
      !query.orderBy && !query.q && !query.iCalUID && !query.privateExtendedProperty && !query.sharedExtendedProperty
    expect(nextSyncToken !== undefined, 'a sync token on the last page').toBe(hasToken)
    if (nextSyncToken && !query.updatedMin && !query.timeMin && !query.timeMax)
      this.remember(side, {
        ...pages,
        token: nextSyncToken,
        known: new Map(items && pages.items.map((one) => [one.id, one])),
      })
  }

  /** The number of lists so far: each begins at a moment of its own. */
  lastMoment = 0

  close(pages: Pages): void {
    const at = this.pages.indexOf(pages)
    if (at >= 0) this.pages.splice(at, 1)
  }

  remember(_side: Side, { world, who, calendarId, query, token, moment, role, known, now }: Client): void {
    this.clients.push({ world, who, calendarId, query, token, moment, role, known, now })
  }

  checkList(side: Side, { calendarId, query, expected, items, now, isClockMoved }: Pages): void {
    const isBefore = isClockMoved ? beforeHorizon(now) : () => true
    const wanted = expected.filter(({ shown }) => isBefore(shown))
    const got = items.filter(isBefore)
    expectItems(got, wanted, JSON.stringify(query))
    for (const one of got) {
      const item = wanted.find(({ shown }) => shown.id === one.id)
      if (item) side.stamps.check(calendarId, item, one)
    }
    const starts = items.map((one) => Date.parse(one.start?.dateTime ?? `${one.start?.date}T00:00:00Z`))
    if (query.orderBy === 'startTime') expect(starts, 'the order of starts').toEqual([...starts].sort((a, b) => a - b))
    if (!query.orderBy && !query.singleEvents) {
      const etags = items.map(({ etag }) => Number(JSON.parse(etag)))
      expect(etags, 'the order of last change').toEqual([...etags].sort((a, b) => a - b))
    }
  }

  /** Takes a delta into a client's copy, and compares it with a fresh list. */
  async sync(client: Client): Promise<void> {
    const side = this.sides.find(({ name }) => name === client.world)
    if (!side) return
    const { who, calendarId, query } = client
    const path = `/calendars/${encodeURIComponent(calendarId)}/events`
    const parameters = (more: Record<string, string>) => new URLSearchParams({ maxResults: '2500', ...more })
    const reply = await this.request(side, who, 'GET', `${path}?${parameters({ syncToken: client.token })}`)
    const done = await this.compare(side, reply, () => {
      const { role } = service.access(side.model, who, calendarId)
      // A token that another world handed out is either unknown or of another future.
      if (client.isForeign && reply.status === 400) throw new ModelError(400, 'invalid')
      const isExpired = side.model.expiries.some(
        (one) => client.moment <= one.upTo && (one.calendarId ?? calendarId) === calendarId,
      )
      if (isExpired || !side.model.moments.includes(client.moment) || role !== client.role)
        throw new ModelError(410, 'fullSyncRequired')
    })
    if (!done) return
    const known = new Map(client.known)
    fold(known, done.body.items, { keepsDeleted: query.showDeleted ?? false })
    const fresh = await this.request(
      side,
      who,
      'GET',
      `${path}?${parameters(Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])))}`,
    )
    const isBefore = beforeHorizon(Math.min(client.now, side.model.now))
    const live = (items: Iterable<Json>) =>
      Object.fromEntries(
        [...items]
          .filter((one) => one.status !== 'cancelled' && isBefore(one))
          .map((one) => [one.id, one])
          .sort(),
      )
    expect(live(known.values()), `a client's copy after its delta, and a fresh list ${JSON.stringify(query)}`).toEqual(
      live(fresh.body.items),
    )
    side.model.moments.push(++this.lastMoment)
    this.remember(side, {
      ...client,
      moment: this.lastMoment,
      token: done.body.nextSyncToken,
      known,
      // A delta has no instances that came only by the passing of time, so that the earliest horizon stays.
      now: Math.min(client.now, side.model.now),
    })
  }

  /**
   * Reads the rest of all lists, syncs all clients, expires the tokens of two calendars, clears and deletes all, and
   * compares everything. So also a short sequence finds what its writes left behind.
   */
  async finish(): Promise<void> {
    for (const pages of [...this.pages]) await this.readPage(Object.assign(pages, { maxResults: 2500 }), false)
    for (const client of [...this.clients]) await this.sync(client)
    for (const side of this.sides) await this.checkWorld(side)
    const side = this.side(0)
    const slashed = [SLASH, ODD]
    for (const calendarId of slashed) this.expireTokens(side, { calendarId })
    for (const client of this.clients.filter(({ calendarId }) => slashed.includes(calendarId))) await this.sync(client)
    for (const who of PEOPLE) await this.clear(side, who, who)
    for (const [id, owner] of Object.entries(DATA_OWNERS)) await this.deleteCalendar(side, owner, id)
    await this.checkWorld(side)
  }

  expireTokens(side: Side, filter: { calendarId?: string | undefined }): void {
    side.product.syncTokens.expire(filter)
    side.model.expiries.push({ ...filter, upTo: this.lastMoment })
  }

  async clear(side: Side, who: string, calendarId: string): Promise<void> {
    await this.write(side, who, ['POST', `/calendars/${encodeURIComponent(calendarId)}/clear`], () =>
      service.clear(side.model, who, calendarId),
    )
  }

  async deleteCalendar(side: Side, who: string, calendarId: string): Promise<void> {
    await this.write(side, who, ['DELETE', `/calendars/${encodeURIComponent(calendarId)}`], () =>
      service.deleteCalendar(side.model, who, calendarId),
    )
  }

  /** Compares all calendars of a world, as their owners see them with everything that is deleted. */
  async checkWorld(side: Side): Promise<void> {
    for (const { id, dataOwner } of side.model.calendars.filter(({ deleted }) => !deleted)) {
      for (const query of [{ showDeleted: true }, { singleEvents: true }]) {
        await this.readPage(this.open(side, dataOwner, id, query, 2500), true)
      }
    }
  }

  open(side: Side, who: string, calendarId: string, query: Query, maxResults: number): Pages {
    let role = 'none'
    try {
      role = service.access(side.model, who, calendarId).role
    } catch {}
    return {
      world: side.name,
      who,
      calendarId,
      query,
      maxResults,
      role,
      expected: [],
      items: [],
      pageToken: '',
      moment: ++this.lastMoment,
      now: side.model.now,
    }
  }

  expectEvent = expectEvent
}

const NO_STAMPS: ReadonlyMap<string, string> = new Map()
/** Returns `updated` of each record of a calendar, which the model cannot compute. */
function updatedOf(side: Side, calendarId: string): ReadonlyMap<string, string> {
  const events = side.product.state().calendars?.find(({ id }) => id === calendarId)?.events ?? []
  return new Map(events.map(({ id, updated }) => [id ?? '', updated ?? NOW]))
}

/**
 * Leaves out instances that an endless series shows only because the clock moved between two reads: each read has its
 * own horizon (behaviour 14.21).
 */
const beforeHorizon = (now: number) => (one: Json) =>
  !one.recurringEventId ||
  Date.parse(one.start?.dateTime ?? `${one.start?.date ?? '0001-01-01'}T00:00:00Z`) < horizonAfter(now)
