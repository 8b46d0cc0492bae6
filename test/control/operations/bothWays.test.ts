import { expect, onTestFinished, test } from 'vitest'
import { connect } from '../../../src/connect.ts'
import { FUNCTIONS } from '../../../src/control/operations/index.ts'
import { createFakeCalendar, type FakeWorld, SeedError, VerificationError } from '../../../src/index.ts'
import { ALICE, hour, NOW } from '../../support/calendar.ts'

const EVENTS = '/calendar/v3/calendars/primary/events'
const INSTANT = '2026-03-02T10:00:00Z'
const RESULT = { task: 'Book', attempt: 1, passed: true, score: 1, missing: [], unexpected: [], calls: 2, errors: 0 }

/** Valid arguments of each function. */
const ARGUMENTS: Readonly<Record<string, readonly unknown[]>> = {
  seed: [{ accounts: [{ email: 'dana@example.com', displayName: 'Dana' }] }],
  replace: [{ accounts: [{ email: ALICE }] }],
  worlds: [{ maxResults: 1 }],
  deleteWorld: ['other'],
  'worlds.rename': ['other', 'blue'],
  'worlds.setResult': ['other', RESULT],
  // A task without a goal, and an attempt that does not exist: the same message both ways.
  'attempts.open': [{ name: 'x' }, { vary: 1 }],
  'attempts.say': ['id1', 'Which day?'],
  'attempts.grade': ['id1', { answer: 'Lunch', end: true }],
  snapshot: ['after'],
  restore: ['before'],
  deleteSnapshot: ['before'],
  fork: ['before', 'other'],
  diff: ['before', { copies: true }],
  'diff.verify': [[{ change: 'added', kind: 'event', where: { summary: 'Lunch' }, fields: { summary: 'Lunch' }, times: { max: 1 } }, { kind: 'channel', times: { min: 0 } }]],
  changes: [{ kind: 'event', by: ALICE }],
  'clock.real': [],
  'clock.set': [INSTANT],
  'clock.freeze': [INSTANT],
  'clock.run': [INSTANT],
  'clock.advance': ['1h'],
  'clock.advanceTo': [INSTANT],
  advance: ['1h'],
  advanceTo: [INSTANT],
  'conferences.policy': [{ mode: 'manual' }],
  'conferences.expect': [{ times: 1, outcome: 'failure' }],
  'conferences.settle': [{ eventId: 'lunch' }],
  mail: [ALICE],
  'mail.eml': [1],
  'mail.until': [ALICE, 1, { timeout: 1 }],
  'notifications.list': [{ channelId: 'mine', progress: 'delivered' }],
  'notifications.settled': [{ timeout: '1s' }],
  'notifications.until': ['mine', 1, { timeout: 1 }],
  'notifications.hold': ['mine'],
  'notifications.release': ['mine'],
  'notifications.drop': [{ times: 2 }],
  'notifications.duplicate': [{ channelId: 'mine' }],
  'notifications.delay': ['10m', { times: 2 }],
  'notifications.reorder': [{ times: 3 }],
  'notifications.replay': [7],
  'oauth.fail': [{ fail: 'denied', times: 1 }],
  'oauth.mint': [{ account: ALICE, life: '10m' }],
  'oauth.expire': [ALICE],
  'oauth.revoke': [ALICE],
  'oauth.consent': [ALICE],
  calls: ['events.insert', { account: ALICE, where: { status: 200, body: { summary: 'Lunch' } } }],
  'calls.until': ['events.insert', 1, { where: { body: { summary: 'Lunch' } }, timeout: 1 }],
  'calls.verify': ['events.insert', { body: { summary: 'Lunch' }, params: { calendarId: 'primary' } }, { times: 1, account: ALICE }],
  'faults.add': [{ on: 'events.insert', where: { params: { sendUpdates: 'all' }, body: { summary: 'Lunch' } }, times: 1, do: { fail: 'backendError' } }],
  'faults.remove': ['fault-9'],
  quota: [{ perMinute: 10 }],
  'syncTokens.expire': [{ account: ALICE, afterUses: 2 }],
  ical: [ALICE],
  importICalendar: ['BEGIN:VCALENDAR\r\nEND:VCALENDAR', { owner: ALICE }],
} // biome-ignore format: a table

/** Every value in nested data, replaced in turn. */
function* replaceEach(data: unknown, replace: (holder: Record<string, unknown>, key: string) => void, path: readonly string[] = []): Generator<unknown> {
  const part = path.reduce<unknown>((value, key) => Reflect.get(Object(value), key), data)
  if (typeof part !== 'object' || part === null) return
  for (const key of Object.keys(part)) {
    const copy = structuredClone(data)
    replace(path.reduce<unknown>((value, step) => Reflect.get(Object(value), step), copy) as Record<string, unknown>, key)
    yield copy
    yield* replaceEach(data, replace, [...path, key])
  }
} // biome-ignore format: the long line of a signature

function misspell(holder: Record<string, unknown>, key: string): void {
  if (Array.isArray(holder)) return
  holder[`${key}s`] = holder[key]
  delete holder[key]
}

function* variantsOf(given: readonly unknown[]): Generator<readonly unknown[]> {
  yield given
  for (const value of [undefined, null, {}, 7, 'x']) {
    for (const variant of replaceEach(given, (holder, key) => { holder[key] = value })) yield variant as unknown[]
  }
  for (const variant of replaceEach(given, misspell)) yield variant as unknown[]
} // biome-ignore format: one line for each kind

type Act = (...given: readonly unknown[]) => unknown

async function outcomeOf(world: object, name: string, given: readonly unknown[]): Promise<unknown> {
  try {
    const act = name.split('.').reduce<unknown>((part, key) => Reflect.get(Object(part), key), world) as Act
    return toPlain(name, await act(...given))
  } catch (error) {
    const kind = [SeedError, VerificationError, RangeError].find((one) => error instanceof one)?.name ?? 'Error'
    return `${kind}: ${(error as Error).message}`
  }
}

/** A world becomes its name, a fault its view, and a list is followed by its properties. */
function toPlain(name: string, value: unknown): unknown {
  const { operation } = FUNCTIONS.get(name) ?? {}
  if (operation?.opens) return (value as FakeWorld).name
  if (name === 'faults.add') return Reflect.get(Object(value), 'view') ?? value
  const properties = (operation?.properties ?? []).map((own) => Reflect.get(Object(value), own) ?? null)
  return JSON.parse(JSON.stringify([value ?? null, ...properties]))
}

/** Calls `diff().verify` in process, where it is a function of the result. */
const IN_PROCESS: Readonly<Record<string, (world: FakeWorld) => object>> = {
  'diff.verify': (world) => ({ diff: { verify: (expected: never, ...moments: never[]) => world.diff(...moments).verify(expected) } }),
} // biome-ignore format: a table

async function prepare(): Promise<FakeWorld> {
  const fake = createFakeCalendar({ seed: { accounts: [{ email: ALICE }] }, now: NOW })
  onTestFinished(() => fake.close())
  fake.snapshot('before')
  fake.fork('before', 'other')
  const headers = { Authorization: `Bearer ${ALICE}`, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ id: 'lunch', summary: 'Lunch', ...hour('2026-03-02', 12) })
  await fake.request(EVENTS, { method: 'POST', headers, body })
  return fake
}

test.each([...FUNCTIONS.keys()])('%s has the same outcome in process and by address, whatever its arguments', async (name) => {
  const { operation } = FUNCTIONS.get(name) ?? {}
  const given = operation?.input ? ARGUMENTS[name] : []
  if (!given) throw new Error(`${name} has no row in ARGUMENTS: add one`)
  for (const variant of variantsOf(given)) {
    // Another timeout waits for seconds.
    if (name.endsWith('.until') && !JSON.stringify(variant).includes('"timeout":1')) continue
    const [local, served] = [await prepare(), await prepare()]
    const remote = connect('http://localhost', { fetch: (input, init) => served.fetch(input as string, init) })
    const inProcess = await outcomeOf(IN_PROCESS[name]?.(local) ?? local, name, variant)
    const byAddress = await outcomeOf(remote, name, variant)

    expect({ variant, outcome: withoutTimes(byAddress) }).toEqual({ variant, outcome: withoutTimes(inProcess) })
    expect(withoutTimes((await outcomeOf(served, 'state', [])))).toEqual(withoutTimes(await outcomeOf(local, 'state', [])))
  }
}) // biome-ignore format: a table

/** Real time differs from run to run, and only a server generates the name of a snapshot, because a handle cannot be sent. */
const withoutTimes = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value ?? null)
      .replace(/"ms":[\d.e-]+/g, '"ms":0')
      .replace(/"now":"[^"]*"/g, '"now":""')
      .replace(/,"name":"snapshot-\d+"|"name":"snapshot-\d+",/g, ''),
  )
