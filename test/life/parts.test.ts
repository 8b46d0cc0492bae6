import { expect, test } from 'vitest'
import { createFakeCalendar, type FakeCalendar, type FakeWorld, type Seed, type Snapshot } from '../../src/index.ts'
import { firstLife, planted } from '../../src/life/beginning.ts'
import { FATES, type Fate, PARTS, type Part, TURNS, type Turn } from '../../src/life/parts.ts'
import { Realm } from '../../src/life/realm.ts'
import { ALICE, clientOf, hour, NOW } from '../support/calendar.ts'

const as = (world: FakeWorld) => clientOf(world.request, { Authorization: `Bearer ${ALICE}` })
const WATCH = '/calendars/primary/events/watch'
const watch = (world: FakeWorld, id: string) =>
  as(world).post(WATCH, { id, type: 'web_hook', address: 'http://127.0.0.1:9/' })

/** How a mark is left on a part of a world, and which marks are found there. */
type Probe = {
  write(world: FakeWorld, mark: string): unknown
  read(world: FakeWorld): unknown[] | Promise<unknown[]>
  /** A seed that leaves one. */
  seed?(mark: string): Seed
}
type Marked = Exclude<Part, 'quota' | 'journal'>

const planting = (seed: (mark: string) => Seed) => ({
  seed,
  write: (world: FakeWorld, mark: string) => world.seed(seed(mark)),
})
const INSTANTS = new Map(
  ['begun', 'early', 'late', 'seeded'].map((mark, at) => [mark, `2026-03-0${at + 1}T12:00:00.000Z`]),
)
const times = (mark: string) => [...INSTANTS.keys()].indexOf(mark) + 1

const PROBES: Record<Marked, Probe> = {
  data: {
    ...planting((mark) => ({ accounts: [{ email: `${mark}@example.com` }] })),
    read: (world) => world.state().accounts?.map(({ email }) => email) ?? [],
  },
  clock: {
    seed: (mark) => ({ clock: { mode: 'frozen', now: INSTANTS.get(mark) ?? NOW } }),
    write: (world, mark) => world.clock.freeze(INSTANTS.get(mark)),
    read: (world) => [world.clock.state()],
  },
  ids: {
    write: (world) => as(world).post('/calendars/primary/events', hour('2026-03-02', 9)),
    read: (world) => [world.state().counters?.ids],
  },
  grants: {
    ...planting((mark) => ({ tokens: [{ token: mark, account: ALICE }] })),
    read: (world) => world.state().tokens?.map(({ token }) => token) ?? [],
  },
  faults: {
    seed: (mark) => ({ oauth: { cues: [{ fail: 'invalidGrant', times: times(mark) }] } }),
    write: (world, mark) => world.oauth.fail({ fail: 'invalidGrant', times: times(mark) }),
    read: (world) => world.oauth.state().cues ?? [],
  },
  mail: {
    ...planting((mark) => ({
      mail: [{ from: ALICE, to: ALICE, kind: 'acl', calendarId: ALICE, summary: mark, sentAt: NOW }],
    })),
    read: (world) => world.mail().map(({ summary }) => summary),
  },
  channels: {
    async write(world, mark) {
      expect((await watch(world, mark)).status).toBe(200)
      await world.notifications.settled()
    },
    read: (world) => world.channels().map(({ id, messages }) => [id, messages]),
  },
  holds: {
    write: (world, mark) => world.notifications.hold(mark),
    // A channel that is opened now tells whether its messages are held.
    async read(world) {
      for (const mark of ['early', 'late']) expect((await watch(world, mark)).status).toBeLessThan(500)
      await world.notifications.settled()
      return world.notifications.list({ progress: 'held' }).map(({ channelId }) => channelId)
    },
  },
  conferences: {
    ...planting((mark) => ({ conferences: { rules: [{ requestId: mark, outcome: 'failure' }] } })),
    read: (world) => world.conferences.state().rules?.map(({ requestId }) => requestId) ?? [],
  },
  snapshots: {
    write: (world, mark) => world.snapshot(mark),
    read: (world) => world.snapshots().map(({ name }) => name),
  },
}

const begin = (seed: Seed = {}) => {
  const fake = createFakeCalendar({ seed, ...(!seed.clock && { now: NOW }) })
  fake.onNotification(() => 200)
  return fake
}

const DO: Record<Turn, (fake: FakeCalendar, before: Snapshot, seed: Seed) => FakeWorld> = {
  reset: (fake) => (fake.reset(), fake),
  restore: (fake, before) => (fake.restore(before), fake),
  seed: (fake, _, seed) => (fake.seed(seed), fake),
  replace: (fake, _, seed) => (fake.replace(seed), fake),
  fork: (fake, before) => fake.fork(before, 'w1'),
}

/** What is read of a part where nothing was read on the way: reading holds leaves traces. */
const HELD = { begun: [], early: ['early'], late: ['early', 'late'] }

const cells = (Object.keys(PROBES) as Marked[]).flatMap((part) =>
  TURNS.map((turn) => [part, turn, PARTS[part][turn]] as const),
)

test.each(cells)('%s at %s: %s', async (part, turn, fate) => {
  const { write, read, seed = () => ({}) } = PROBES[part]
  const fake = begin(seed('begun'))
  const found = async (at: keyof typeof HELD) => (part === 'holds' ? HELD[at] : read(fake))
  const begun = await found('begun')
  await write(fake, 'early')
  const early = await found('early')
  const before = fake.snapshot()
  await write(fake, 'late')
  const late = await found('late')
  const alone = begin(seed('seeded'))
  const seeded = part === 'holds' ? [] : await read(alone)
  const expected: Record<Fate, unknown[]> = {
    ...{ begun, taken: early, stays: late, said: seeded, seeded, anew: [] },
    added: [...new Set([...late, ...seeded])],
  }

  const world = DO[turn](fake, before, seed('seeded'))
  world.onNotification(() => 200)

  expect(await read(world)).toEqual(expected[fate])
  await Promise.all([fake.close(), alone.close()])
})

const BESIDE = ['faults', 'quota', 'journal'] as const

test.each(BESIDE.flatMap((part) => TURNS.map((turn) => [part, turn, PARTS[part][turn]] as const)))(
  'what is kept of %s beside the data is at %s: %s',
  (part, turn, fate) => {
    const beginning = planted({ seeds: [{}], now: NOW, policy: undefined })
    const realm = new Realm(beginning, firstLife(beginning, 'default', 0), {
      webhooks: 'loopback',
      post: async () => 200,
    })
    let cleared = false
    realm.beside[part] = { clear: () => (cleared = true) }
    const before = realm.snapshot()

    const turns: Record<Turn, () => unknown> = {
      reset: () => realm.reset(),
      restore: () => realm.restore(before),
      seed: () => realm.seed({}),
      replace: () => realm.replace({}),
      // Another world, which has its own.
      fork: () =>
        (cleared =
          new Realm(realm.snapshots.get(before), realm.world.life, { webhooks: 'any', post: async () => 200 }).beside[
            part
          ] === undefined),
    }
    turns[turn]()

    expect(cleared).toBe(fate !== 'stays' && fate !== 'added')
    realm.close()
  },
)

test('every part has a fate at every turn, and every fate its words', () => {
  expect(Object.keys(PARTS).sort()).toEqual([...new Set([...Object.keys(PROBES), ...BESIDE])].sort())
  for (const row of Object.values(PARTS)) for (const turn of TURNS) expect(FATES).toHaveProperty(row[turn])
})
