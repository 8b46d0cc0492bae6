import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFakeCalendar } from '../../src/index.ts'
import { type Client, NOW, openCalendar } from '../support/calendar.ts'
import { applyDelta } from '../support/folding.ts'
import { requireEqualCopy } from './copies.ts'
import { ACTIONS, FIRST, type Item, PEOPLE, type Step, step, takeStep } from './people.ts'
import { indexById, list, requireBusy, requireRows, toInstants, WINDOW } from './rows.ts'

/** All ways to list for a later sync. */
const MODES: readonly Record<string, string>[] = [
  {},
  { singleEvents: 'true' },
  { showDeleted: 'true' },
  { singleEvents: 'true', showDeleted: 'true' },
  { singleEvents: 'true', ...WINDOW },
  { singleEvents: 'true', eventTypes: 'default' },
]
type Synced = { client: Client; mode: Record<string, string>; token: string; known: Map<string, Item> }

const isLive = ({ status }: Item) => status !== 'cancelled'

/** Checks that the state from all deltas equals a fresh list. */
async function requireInSync(synced: Synced): Promise<void> {
  const { client, mode, known, token } = synced
  const keepsDeleted = mode.showDeleted === 'true'
  const delta = await list(client, { syncToken: token })
  synced.token = delta.nextSyncToken
  applyDelta(known, delta.items, { keepsDeleted })
  const { items } = await list(client, mode)
  const live = [...known.values()].filter(isLive)
  const left = mode.timeMin ? await outside(client) : new Set()
  expect(indexById(live.filter(({ id }) => !left.has(id))), JSON.stringify(mode)).toEqual(
    indexById(items.filter(isLive)),
  )
  if (!keepsDeleted) return
  // Deltas also report instances that a series no longer has. Of a deleted series, they do not report each exception.
  for (const item of items) {
    const series = known.get(item.recurringEventId ?? '')
    if (series?.status !== 'cancelled') expect(known.get(item.id), JSON.stringify(mode)).toEqual(item)
  }
}

/** Returns the events that left the window, which no delta reports (behaviour 14.7). */
async function outside(client: Client): Promise<Set<string>> {
  const { items } = await list(client, { singleEvents: 'true' })
  const [from, to] = [Date.parse(WINDOW.timeMin), Date.parse(WINDOW.timeMax)]
  const lies = items.filter((item) => toInstants(item)[1] <= from || toInstants(item)[0] >= to)
  return new Set(lies.map(({ id }) => id))
}

/** Checks that a world restored from a state exports the same bytes. */
async function requireRestorable(state: object): Promise<void> {
  const again = createFakeCalendar({ seed: state, now: NOW })
  expect(JSON.stringify(again.state())).toBe(JSON.stringify(state))
  await again.close()
}

test('in a random walk of four people and six meetings syncs equal fresh lists, copies agree, and repeated reads are equal', {
  timeout: 120_000,
}, async () => {
  const done = new Map<Step['kind'], number>()
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
        const { status, text } = await takeStep(client, one)
        expect(status, text).toBeLessThan(500)
        if (status < 300) done.set(one.kind, (done.get(one.kind) ?? 0) + 1)
        if (status >= 400) expect(JSON.stringify(fake.state())).toBe(before)

        // One mode per step, so that deltas contain one write or many; all modes at the end.
        for (const [of, each] of synced.entries()) if ((of + at) % MODES.length === 0) await requireInSync(each)
        const fresh = await Promise.all(
          clients.map(async (each) => (await list(each, {})).items.filter(({ status }) => status !== 'cancelled')),
        )
        for (const items of fresh) for (const item of items) if (requireEqualCopy(item, fresh)) compared += 1
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
  // Few seeds contain an event that can be moved.
  expect([...ACTIONS].filter((what) => !done.has(what) && what !== 'move')).toEqual(['stale', 'bad'])
  expect(compared).toBeGreaterThan(1000)
})
