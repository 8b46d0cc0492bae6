import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFakeCalendar, type FakeWorld, type Snapshot } from '../../src/index.ts'
import { type Client, clientOf, hour, NOW } from '../support/calendar.ts'
import { applyDelta } from '../support/folding.ts'
import { requireEqualCopy } from './copies.ts'
import { EVENTS, FIRST, type Item, PEOPLE, step, takeStep } from './people.ts'
import { requireBusy, requireRows } from './rows.ts'

/** The calendar as a client sees it through deltas. */
type Synced = { token: string; items: Map<string, Item> }
/** A world of the tree, the synced state of its people, and all etags that it returned with their content. */
type Branch = { world: FakeWorld; synced: Synced[]; etags: Map<string, string> }
type Retained = { snapshot: Snapshot; text: string; synced: Synced[] }

const clientsOf = (world: FakeWorld): Client[] =>
  PEOPLE.map((email) => clientOf(world.request, { Authorization: `Bearer ${email}` }))
const copyOf = (synced: readonly Synced[]): Synced[] =>
  synced.map(({ token, items }) => ({ token, items: new Map(items) }))
const isLive = ({ status }: Item) => status !== 'cancelled'
const byId = (items: Iterable<Item>) => Object.fromEntries([...items].map((item) => [item.id, item]).sort())

async function list(client: Client, query: Record<string, string> = {}) {
  const { status, body, text } = await client.get(`${EVENTS}?${new URLSearchParams({ maxResults: '2500', ...query })}`)
  expect(status, text).toBe(200)
  return body as { items: Item[]; nextSyncToken: string }
}

/** Returns the content of a world without its counters and epochs. */
const textOf = (world: FakeWorld): string => {
  const { counters: _, ...state } = world.state()
  return JSON.stringify(state)
}

/** Checks that deltas lead to a fresh list, that copies agree, and that no etag is reused for other content. */
async function requireWhole({ world, synced, etags }: Branch): Promise<void> {
  const fresh: Item[][] = []
  for (const [at, client] of clientsOf(world).entries()) {
    const each = synced[at] as Synced
    const { items, nextSyncToken } = await list(client, { syncToken: each.token })
    each.token = nextSyncToken
    applyDelta(each.items, items, { keepsDeleted: false })
    const all = (await list(client)).items
    expect(byId([...each.items.values()].filter(isLive))).toEqual(byId(all.filter(isLive)))
    for (const item of all) {
      const [key, content] = [`${at} ${item.id} ${item.etag}`, JSON.stringify(item)]
      expect(etags.get(key) ?? content, 'an etag tells one version').toBe(content)
      etags.set(key, content)
    }
    fresh.push(all.filter(isLive))
  }
  for (const items of fresh) for (const item of items) requireEqualCopy(item, fresh)
}

/**
 * Checks that injected failures and exhausted quotas change nothing. A fork does not inherit them; a restore keeps
 * them.
 */
async function requireRefused(world: FakeWorld, who: number): Promise<void> {
  const text = textOf(world)
  const insert = async () => (await (clientsOf(world)[who] as Client).post(EVENTS, hour('2026-03-05', 9))).status
  const fault = world.faults.add({ on: 'events.*', do: { fail: 'rateLimitExceeded' } })
  const before = world.snapshot()
  const spared = world.fork(before, 'spared')
  expect(spared.faults.list()).toEqual([])
  spared.delete()
  world.restore(before)
  expect([await insert(), fault.fired]).toEqual([403, 1])
  fault.remove()
  world.quota({ perMinute: 0 })
  expect(await insert()).toBe(403)
  world.quota.remove()
  expect(textOf(world)).toBe(text)
}

const turn = fc.record({
  what: fc.constantFrom('step', 'step', 'step', 'step', 'snapshot', 'restore', 'fork', 'reset', 'fault'),
  step,
  branch: fc.nat(),
  of: fc.nat(),
})

test('in a tree of worlds deltas lead to fresh lists over restores, no etag is reused, and branches are independent', {
  timeout: 120_000,
}, async () => {
  const done = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 20, maxLength: 40 }), async (turns) => {
      const fake = createFakeCalendar({ seed: { accounts: PEOPLE.map((email) => ({ email })) }, now: NOW })
      const fresh = async (world: FakeWorld): Promise<Synced[]> => {
        const synced: Synced[] = []
        for (const client of clientsOf(world)) {
          const { items, nextSyncToken } = await list(client)
          synced.push({ token: nextSyncToken, items: new Map(items.map((item) => [item.id, item])) })
        }
        return synced
      }
      for (const one of FIRST) expect((await takeStep(clientsOf(fake)[one.who] as Client, one)).status).toBe(200)
      const start: Retained = { snapshot: fake.snapshot(), text: textOf(fake), synced: await fresh(fake) }
      // A restore makes the tokens from before the snapshot valid again.
      fake.restore(start.snapshot)
      start.synced = await fresh(fake)
      const snapshotsOf = new Map<FakeWorld, Retained[]>([[fake, []]])
      const branches: Branch[] = [{ world: fake, synced: copyOf(start.synced), etags: new Map() }]

      for (const [at, { what, step, branch, of }] of turns.entries()) {
        const one = branches[branch % branches.length] as Branch
        const own = snapshotsOf.get(one.world) ?? []
        const others = branches.filter((other) => other !== one).map(({ world }) => [world, textOf(world)] as const)
        const back = own[of % Math.max(own.length, 1)]
        if (what === 'step') {
          const { status, text } = await takeStep(clientsOf(one.world)[step.who] as Client, step)
          expect(status, text).toBeLessThan(500)
        } else if (what === 'snapshot') {
          await requireWhole(one)
          own.push({ snapshot: one.world.snapshot(), text: textOf(one.world), synced: copyOf(one.synced) })
        } else if (what === 'restore' && back) {
          const late = one.synced.map(({ token }) => token)
          one.world.restore(back.snapshot)
          expect(textOf(one.world)).toBe(back.text)
          for (const [who, { token }] of back.synced.entries()) {
            const items = back.synced[who]?.token === late[who]
            const { status } = await (clientsOf(one.world)[who] as Client).get(
              `${EVENTS}?syncToken=${encodeURIComponent(late[who] ?? '')}`,
            )
            if (!items) expect([200, 410]).toContain(status)
            expect((await list(clientsOf(one.world)[who] as Client, { syncToken: token })).items).toEqual([])
          }
          one.synced = copyOf(back.synced)
        } else if (what === 'fork' && back) {
          const world = one.world.fork(back.snapshot, `w${at}`)
          expect(textOf(world)).toBe(back.text)
          snapshotsOf.set(world, [])
          branches.push({ world, synced: copyOf(back.synced), etags: new Map() })
        } else if (what === 'reset') {
          one.world.reset()
          for (const [who, { token }] of one.synced.entries()) {
            const path = `${EVENTS}?syncToken=${encodeURIComponent(token)}`
            expect((await (clientsOf(one.world)[who] as Client).get(path)).status).toBe(410)
          }
          one.synced = await fresh(one.world)
          // A reset returns equal bytes, so its etags equal those before.
          one.etags.clear()
        } else if (what === 'fault') {
          await requireRefused(one.world, step.who)
        } else continue
        done.set(what, (done.get(what) ?? 0) + 1)
        for (const [world, text] of others) expect(textOf(world)).toBe(text)
        await requireWhole(one)
        await requireRows(clientsOf(one.world)[step.who] as Client, at)
        await requireBusy(clientsOf(one.world)[step.who] as Client, PEOPLE[step.who] ?? '')
      }
      await fake.close()
    }),
    {
      numRuns: Number(process.env.WALKS ?? 4),
      seed: Number(process.env.FUZZ_SEED ?? 1),
      endOnFailure: process.env.SHRINK === undefined,
    },
  )
  for (const what of ['step', 'snapshot', 'restore', 'fork', 'reset', 'fault'])
    expect(done.get(what), what).toBeGreaterThan(0)
})
