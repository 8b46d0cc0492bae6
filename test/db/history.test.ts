import { expect, test } from 'vitest'
import { ChangeLog } from '../../src/db/changeLog.ts'
import { Collection } from '../../src/db/collection.ts'
import { LazyTable, Store } from '../../src/db/store.ts'
import { Server } from '../../src/server/server.ts'
import { ALICE, type Client, clientOf, hour, NOW, openCalendar, PEOPLE } from '../support/calendar.ts'

const EVENTS = '/calendars/primary/events'
const daily = (count: number) => ({ recurrence: [`RRULE:FREQ=DAILY;COUNT=${count}`] })

async function withSeries() {
  const { fake, as } = openCalendar()
  const alice = as(ALICE)
  await alice.post(EVENTS, { id: 'series', ...daily(9), ...hour('2026-03-02', 9) })
  /** Returns the number of former definitions in the world: its state contains all. */
  const countFormer = () =>
    fake
      .state()
      .calendars?.flatMap((calendar) => ('series' in calendar ? (calendar.series as { former?: object[] }[]) : []))
      .flatMap(({ former = [] }) => former).length
  const redefine = (count: number) => alice.patch(`${EVENTS}/series`, daily(count))
  return { fake, alice, countFormer, redefine }
}

const sync = async (alice: Client, query: Record<string, string>) => {
  const { status, body } = await alice.get(`${EVENTS}?${new URLSearchParams(query)}`)
  expect(status).toBe(200)
  return body as { nextSyncToken: string; items: { id: string; status: string }[] }
}
const SINGLE = { singleEvents: 'true' }

test('former versions of a series are retained for deltas and lists of instances, for 30 days', async () => {
  const { fake, alice, countFormer, redefine } = await withSeries()
  const { nextSyncToken: syncToken } = await sync(alice, SINGLE)
  await alice.patch(`${EVENTS}/series`, { summary: 'Nine' })
  for (let count = 8; count > 4; count--) await redefine(count)
  expect(countFormer()).toBe(4)

  const { items } = await sync(alice, { ...SINGLE, syncToken })
  const cancelled = items.filter(({ status }) => status === 'cancelled').map(({ id }) => id)
  expect(cancelled).toEqual(['07T14', '08T13', '09T13', '10T13'].map((hour) => `series_202603${hour}0000Z`))

  fake.syncTokens.expire()
  await redefine(4)
  expect(countFormer()).toBe(5)
  fake.clock.advance('31d')
  await redefine(9)
  expect(countFormer()).toBe(1)
})

const EVENTS_COUNT = 2000

test(`${EVENTS_COUNT} former definitions are retained, and the tokens that need older ones expire`, () => {
  const store = new Store()
  const changes = new ChangeLog(store, { now: () => 1 })
  const records = new Collection<{ n: number }>(store, changes, 'records', { isRedefinition: () => true })
  const until: number[] = []
  for (let n = 0; n <= EVENTS_COUNT + 50; n++) {
    records.put('one', (revision) => {
      until.push(revision)
      return { n }
    })
  }

  expect(records.records.history.size).toBe(EVENTS_COUNT)
  expect(records.records.history.oldest).toBe(until[51])
  expect(changes.prunedUpTo).toBe((until[50] ?? 0) - 1)
})

test('a thousand snapshots are retained for pages, but only the latest that few writes followed', () => {
  const store = new Store()
  const changes = new ChangeLog(store, { now: () => 1 })
  const records = new Collection<{ n: number }>(store, changes, 'records')
  const write = (times: number) => {
    for (let n = 0; n < times; n++) records.put(`record${n % 100}`, () => ({ n }))
  }
  const countRetained = (moments: number[]) => moments.filter((moment) => store.retainedSnapshot(moment)).length
  const keep = (count: number, writes: number) =>
    Array.from({ length: count }, () => {
      write(writes)
      store.retainSnapshot(changes.latest)
      return changes.latest
    })

  const few = keep(1100, 1)
  expect([countRetained(few), countRetained(few.slice(0, 100))]).toEqual([1000, 0])
  const many = keep(50, 1000)
  expect([countRetained(few), countRetained(many), countRetained(many.slice(-20))]).toEqual([0, 20, 20])
})

test('the agenda holds only future work: no moved reminder and no stopped channel', async () => {
  const server = new Server({ seeds: [PEOPLE], now: NOW, auth: { mode: 'open' }, webhooks: 'loopback' })
  const send = (path: string, init?: RequestInit) => server.fetch(new Request(new URL(path, 'http://localhost'), init))
  const alice = clientOf(send, { Authorization: `Bearer ${ALICE}` })
  const { store } = server.world('default').data
  const due = () => new LazyTable(store, 'agenda', () => 0).size
  const reminders = { useDefault: false, overrides: [{ method: 'email', minutes: 10 }] }
  await alice.post(EVENTS, { id: 'lunch', reminders, ...hour('2026-03-02', 9) })
  expect(due()).toBe(1)

  for (let day = 3; day < 30; day++) {
    await alice.patch(`${EVENTS}/lunch`, hour(`2026-03-${String(day).padStart(2, '0')}`, 9))
    const channel = { id: `channel${day}`, type: 'web_hook', address: `http://127.0.0.1:9/${day}` }
    const { resourceId } = (await alice.post('/users/me/settings/watch', channel)).body
    await alice.post('/channels/stop', { id: channel.id, resourceId })
  }
  expect(due()).toBe(1)
  await alice.delete(`${EVENTS}/lunch`)
  expect(due()).toBe(0)
  await server.close()
})
