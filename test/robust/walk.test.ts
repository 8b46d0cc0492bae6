import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFakeCalendar } from '../../src/index.ts'
import { type Client, NOW, openCalendar } from '../support/calendar.ts'
import { fold } from '../support/folding.ts'
import { agrees } from './copies.ts'
import { EVENTS, FIRST, type Item, PEOPLE, type Step, step, take, WHAT } from './people.ts'

const WINDOW = { timeMin: '2026-03-03T00:00:00Z', timeMax: '2026-03-08T00:00:00Z' }
/** Every way to list that a sync goes on from. */
const MODES: readonly Record<string, string>[] = [
  {},
  { singleEvents: 'true' },
  { showDeleted: 'true' },
  { singleEvents: 'true', showDeleted: 'true' },
  { singleEvents: 'true', ...WINDOW },
  { singleEvents: 'true', eventTypes: 'default' },
]
type Synced = { client: Client; mode: Record<string, string>; token: string; known: Map<string, Item> }

const list = async (client: Client, query: Record<string, string>, path = EVENTS) => {
  const { status, body, text } = await client.get(`${path}?${new URLSearchParams({ maxResults: '2500', ...query })}`)
  expect(status, text).toBe(200)
  return body as { items: Item[]; nextSyncToken: string }
}
const byId = (items: Iterable<Item>) => Object.fromEntries([...items].map((item) => [item.id, item]).sort())

const isLive = ({ status }: Item) => status !== 'cancelled'

/** What a client knows that took in every delta is what a fresh list says. */
async function requireInSync(synced: Synced): Promise<void> {
  const { client, mode, known, token } = synced
  const keepsDeleted = mode.showDeleted === 'true'
  const delta = await list(client, { syncToken: token })
  synced.token = delta.nextSyncToken
  fold(known, delta.items, { keepsDeleted })
  const { items } = await list(client, mode)
  const live = [...known.values()].filter(isLive)
  const left = mode.timeMin ? await outside(client) : new Set()
  expect(byId(live.filter(({ id }) => !left.has(id))), JSON.stringify(mode)).toEqual(byId(items.filter(isLive)))
  if (!keepsDeleted) return
  // Beside what a fresh list shows as deleted, deltas tell of instances that a series no longer has; and of a series that
  // is gone, not of each changed instance.
  for (const item of items) {
    const series = known.get(item.recurringEventId ?? '')
    if (series?.status !== 'cancelled') expect(known.get(item.id), JSON.stringify(mode)).toEqual(item)
  }
}

/** What left the window: no delta tells of it (behaviour 14.7). */
async function outside(client: Client): Promise<Set<string>> {
  const { items } = await list(client, { singleEvents: 'true' })
  const [from, to] = [Date.parse(WINDOW.timeMin), Date.parse(WINDOW.timeMax)]
  const lies = items.filter((item) => instantsOf(item)[1] <= from || instantsOf(item)[0] >= to)
  return new Set(lies.map(({ id }) => id))
}

/** A row of a list is what GET of it says, and a series has the instances that the list of single events has of it. */
async function requireRows(client: Client, chosen: number): Promise<void> {
  const window = { timeMin: '2026-03-01T00:00:00Z', timeMax: '2026-04-01T00:00:00Z' }
  const { items } = await list(client, { ...window })
  const { items: single } = await list(client, { ...window, singleEvents: 'true' })
  for (const rows of [items, single]) {
    const row = rows.filter(({ status }) => status !== 'cancelled').at(chosen % Math.max(rows.length, 1))
    if (!row) continue
    const { status, body } = await client.get(`${EVENTS}/${row.id}`)
    expect([status, body]).toEqual([200, row])
  }
  for (const { id } of items.filter(({ recurrence }) => recurrence)) {
    const instances = await list(client, window, `${EVENTS}/${id}/instances`)
    expect(byId(instances.items)).toEqual(byId(single.filter(({ recurringEventId }) => recurringEventId === id)))
  }
}

type Span = { start: string; end: string }
const instantsOf = ({ start, end }: Item): [number, number] => {
  const [from, to] = [start, end].map((time) => {
    const { date, dateTime } = time as { date?: string; dateTime?: string }
    return Date.parse(date === undefined ? (dateTime ?? '') : `${date}T00:00:00Z`)
  })
  return [from ?? 0, to ?? 0]
}

/** Somebody is busy when their list says so: opaque, not declined, of some length. */
async function requireBusy(client: Client, email: string): Promise<void> {
  const { body } = await client.post('/freeBusy', { ...WINDOW, items: [{ id: email }] })
  const [from, to] = [Date.parse(WINDOW.timeMin), Date.parse(WINDOW.timeMax)]
  const { items } = await list(client, { singleEvents: 'true', orderBy: 'startTime', ...WINDOW })
  const spans = items
    .filter(({ transparency }) => transparency !== 'transparent')
    .filter(({ attendees }) => !attendees?.some((one) => one.email === email && one.responseStatus === 'declined'))
    .map(instantsOf)
    .map(([start, end]) => [Math.max(start, from), Math.min(end, to)] as const)
    .filter(([start, end]) => end > start)
    .sort(([a], [b]) => a - b)
  const busy: [number, number][] = []
  for (const [start, end] of spans) {
    const last = busy.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else busy.push([start, end])
  }
  expect(body.calendars[email].busy.map(({ start, end }: Span) => [Date.parse(start), Date.parse(end)])).toEqual(busy)
}

/** A world that begins with a state is, to the byte, the one that it was read from. */
async function requireRestorable(state: object): Promise<void> {
  const again = createFakeCalendar({ seed: state, now: NOW })
  expect(JSON.stringify(again.state())).toBe(JSON.stringify(state))
  await again.close()
}

test('four people at six meetings: syncs equal fresh lists, copies agree, and whatever is asked twice is answered alike', {
  timeout: 120_000,
}, async () => {
  const done = new Map<Step['what'], number>()
  let compared = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async (steps) => {
      const { fake, as } = openCalendar({ seed: { accounts: PEOPLE.map((email) => ({ email })) } })
      const clients = PEOPLE.map((email) => as(email))
      for (const [who, one] of clients.entries()) {
        for (const email of PEOPLE.filter((_, at) => at !== who))
          await one.post('/calendars/primary/acl', { role: 'writer', scope: { type: 'user', value: email } })
      }
      const synced: Synced[] = []
      for (const client of clients) {
        for (const mode of MODES)
          synced.push({ client, mode, token: (await list(client, mode)).nextSyncToken, known: new Map() })
      }

      for (const [at, one] of [...FIRST, ...steps].entries()) {
        const client = clients[one.who] as Client
        const before = JSON.stringify(fake.state())
        const { status, text } = await take(client, one)
        expect(status, text).toBeLessThan(500)
        if (status < 300) done.set(one.what, (done.get(one.what) ?? 0) + 1)
        if (status >= 400) expect(JSON.stringify(fake.state())).toBe(before)

        // One mode for everybody at each step: deltas of one write and of many, and in the end of all.
        for (const [of, each] of synced.entries()) if ((of + at) % MODES.length === 0) await requireInSync(each)
        const fresh = await Promise.all(
          clients.map(async (each) => (await list(each, {})).items.filter(({ status }) => status !== 'cancelled')),
        )
        for (const items of fresh) for (const item of items) if (agrees(item, fresh)) compared += 1
        await requireRows(client, at)
        await requireBusy(client, PEOPLE[one.who] ?? '')
      }
      for (const each of synced) await requireInSync(each)
      await requireRestorable(fake.state())
    }),
    {
      numRuns: Number(process.env.WALKS ?? 4),
      seed: Number(process.env.FUZZ_SEED ?? 1),
      endOnFailure: process.env.SHRINK === undefined,
    },
  )
  // Few seeds find an event that can be moved.
  expect([...WHAT].filter((what) => !done.has(what) && what !== 'move')).toEqual(['stale', 'bad'])
  expect(compared).toBeGreaterThan(1000)
})
