import { expect, test } from 'vitest'
import { createFakeCalendar, type FakeCalendar, type FakeWorld, type Seed, type Snapshot } from '../../../src/index.ts'
import { ALICE, clientOf, hour, NOW } from '../../support/calendar.ts'
import {
  LIFECYCLE_OPERATIONS,
  LIFECYCLE_TABLE,
  type LifecycleOperation,
  OUTCOME_LABELS,
  type PartOutcome,
  type WorldPart,
} from '../../support/lifecycleTable.ts'

const as = (world: FakeWorld) => clientOf(world.request, { Authorization: `Bearer ${ALICE}` })
const WATCH = '/calendars/primary/events/watch'
const watch = (world: FakeWorld, id: string) =>
  as(world).post(WATCH, { id, type: 'web_hook', address: 'http://127.0.0.1:9/' })

type WorldRow = { name: string; result?: { task: string } }

/** Sets a mark in a part of a world, and reads the marks that are there. */
type Probe = {
  write(world: FakeWorld, mark: string): unknown
  read(world: FakeWorld): unknown[] | Promise<unknown[]>
  /** A seed that leaves one. */
  seed?(mark: string): Seed
}

const planting = (seed: (mark: string) => Seed) => ({
  seed,
  write: (world: FakeWorld, mark: string) => world.seed(seed(mark)),
})
const INSTANTS = new Map(
  ['initial', 'early', 'late', 'seeded'].map((mark, at) => [mark, `2026-03-0${at + 1}T12:00:00.000Z`]),
)
const times = (mark: string) => [...INSTANTS.keys()].indexOf(mark) + 1

const PROBES: Record<WorldPart, Probe> = {
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
    seed: (mark) => ({ oauth: { failures: [{ fail: 'denied', times: times(mark) }] } }),
    write: (world, mark) => world.oauth.fail({ fail: 'denied', times: times(mark) }),
    read: (world) => world.oauth.state().failures ?? [],
  },
  quota: {
    write: (world, mark) => world.quota({ perMinute: 100 * times(mark) }),
    read: (world) => [world.quota.state().limits?.perMinute ?? []].flat(),
  },
  journal: {
    write: (world, mark) => as(world).get(`/colors?mark=${mark}`),
    read: (world) => world.calls('colors.get').map(({ params }) => params.mark),
  },
  result: {
    write: (world, task) =>
      world.worlds.setResult(world.name, {
        ...{ task, attempt: 1, passed: true, score: 1 },
        ...{ missing: [], unexpected: [], calls: 0, errors: 0 },
      }),
    async read(world) {
      const { worlds } = await (await world.request('/_control/overview')).json()
      return worlds.flatMap(({ name, result }: WorldRow) => (name === world.name && result ? [result.task] : []))
    },
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
    // The messages of a new channel show if they are held.
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

const DO: Record<LifecycleOperation, (fake: FakeCalendar, before: Snapshot, seed: Seed) => unknown> = {
  reset: (fake) => fake.reset(),
  restore: (fake, before) => fake.restore(before),
  seed: (fake, _, seed) => fake.seed(seed),
  replace: (fake, _, seed) => fake.replace(seed),
  fork: (fake, before) => fake.fork(before, 'w1'),
}

/** The expected holds. They are not read on the way, because reading them has side effects. */
const HELD = { initial: [], early: ['early'], late: ['early', 'late'] }

const cells = (Object.keys(PROBES) as WorldPart[]).flatMap((part) =>
  LIFECYCLE_OPERATIONS.map((turn) => [part, turn, LIFECYCLE_TABLE[part][turn]] as const),
)

test.each(cells)('%s at %s: %s', async (part, turn, outcome) => {
  const { write, read, seed = () => ({}) } = PROBES[part]
  const fake = begin(seed('initial'))
  const found = async (at: keyof typeof HELD) => (part === 'holds' ? HELD[at] : read(fake))
  const initial = await found('initial')
  await write(fake, 'early')
  const early = await found('early')
  const before = fake.snapshot()
  await write(fake, 'late')
  const late = await found('late')
  const alone = begin(seed('seeded'))
  const seeded = part === 'holds' ? [] : await read(alone)
  const expected: Record<PartOutcome, unknown[]> = {
    ...{ initial, restored: early, stays: late, overridden: seeded, seeded, cleared: [] },
    added: [...new Set([...late, ...seeded])],
  }

  DO[turn](fake, before, seed('seeded'))
  const world = turn === 'fork' ? fake.world('w1') : fake
  world.onNotification(() => 200)

  expect(await read(world)).toEqual(expected[outcome])
  await Promise.all([fake.close(), alone.close()])
})

test.each(LIFECYCLE_OPERATIONS)(
  'an added fault survives %s exactly if the table says so for injected failures',
  (turn) => {
    const fake = begin()
    fake.faults.add({ on: 'colors.get', do: { fail: 'backendError' } })
    const before = fake.snapshot()
    const stays = ['stays', 'added'].includes(LIFECYCLE_TABLE.faults[turn])
    DO[turn](fake, before, {})
    const world = turn === 'fork' ? fake.world('w1') : fake
    expect(world.faults.list()).toHaveLength(stays ? 1 : 0)
  },
)

test('every part has an outcome for every operation, and every outcome a description', () => {
  expect(Object.keys(LIFECYCLE_TABLE).sort()).toEqual(Object.keys(PROBES).sort())
  for (const row of Object.values(LIFECYCLE_TABLE))
    for (const turn of LIFECYCLE_OPERATIONS) expect(OUTCOME_LABELS).toHaveProperty(row[turn])
})
