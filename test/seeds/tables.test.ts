import { expect, test } from 'vitest'
import { Store } from '../../src/db/store.ts'
import { WorldClock } from '../../src/model/clock.ts'
import { WorldData } from '../../src/model/worldData.ts'
import { applyFirstSeed } from '../../src/seeds/worldStart.ts'
import { exportWorldState } from '../../src/seeds/worldState.ts'
import { firstEpoch } from '../../src/sync/epochs.ts'

const ALICE = 'alice@example.com'
const NOW = '2026-03-02T08:00:00Z'
const [token, account, client, scopes, expires] = ['secret', ALICE, 'app', ['openid'], '2027-03-02T08:00:00Z']
const at = (time: string) => ({ dateTime: `2026-03-02T${time}:00Z`, timeZone: 'UTC' })

/** A seed with records for nearly every table. */
const SEED = {
  accounts: [
    { email: ALICE, settings: { weekStart: '1' } },
    {
      email: 'bob@example.com',
      calendarList: [{ id: ALICE, defaultReminders: [{ method: 'email', minutes: 10 }] }],
      reminders: [{ calendarId: ALICE, eventId: 'lunch', useDefault: true }],
    },
  ],
  groups: [{ email: 'staff@example.com', members: [ALICE] }],
  calendars: [
    {
      id: ALICE,
      acl: [{ scope: { type: 'user', value: 'bob@example.com' }, role: 'writer' }],
      events: [{ id: 'lunch', start: at('12:00'), end: at('13:00'), attendees: [{ email: 'guest@example.com' }] }],
    },
  ],
  tokens: [{ token, account }],
  apiKeys: ['key'],
  files: [{ id: 'file', title: 'Plan', mimeType: 'text/plain' }],
  mail: [{ from: ALICE, to: ALICE, kind: 'acl', calendarId: ALICE, summary: 'Shared', sentAt: NOW }],
  conferences: { policy: 'failure', rules: [{ requestId: 'one', outcome: 'failure' }] },
  oauth: {
    clients: [{ id: client }],
    serviceAccounts: [{ email: 'robot@example.com' }],
    subjects: [{ subject: 'other', account }],
    grants: [{ client, account, scopes }],
    revocations: [{ account }],
    codes: [{ code: 'code', client, account, scopes, redirectUri: 'http://localhost', expires }],
    devices: [{ deviceCode: 'device', userCode: 'AAAA-BBBB', client, scopes, expires }],
    failures: [{ fail: 'denied' }],
  },
} as never

/** Notes the names of the parts that are read. */
class NotingStore extends Store {
  readonly names = new Set<string>()

  override read(name: string) {
    this.names.add(name)
    return super.read(name)
  }
}

function open(seed: never) {
  const store = new NotingStore()
  const clock = new WorldClock(store)
  clock.freeze(NOW)
  const world = new WorldData(store, clock)
  applyFirstSeed(world, seed, firstEpoch('default'), undefined)
  return { store, world }
}

/** Reads each table of a world once. Those that have an owner are read for Alice. */
function readTables(tables: object): void {
  for (const table of Object.values(tables).filter((value) => typeof value === 'object')) {
    if ('of' in table) table.of(ALICE).records
    else if ('records' in table) table.records
    else if ('size' in table) table.size
    else if ('value' in table) table.value
    else if ('changes' in table || 'policy' in table) readTables(table)
  }
}

/** Not part of a state: open consent pages, whose form a browser holds. */
const NOT_IN_STATES = ['oauth/forms']

test('a state has the records of each table of its world', () => {
  const { world } = open(SEED)
  world.channels.restore('channel', { id: 'channel', address: 'http://localhost', path: 'events' } as never, 0)
  world.messageCounts.set('channel', { made: 2, last: 2 })
  world.creatorClients.set(ALICE, client)
  const restored = open(JSON.parse(JSON.stringify(exportWorldState(world))) as never)

  restored.store.names.clear()
  readTables(restored.world)
  const { parts } = restored.store.snapshot()
  const missing = [...restored.store.names].filter((name) => !parts.has(name))
  expect(restored.store.names.size).toBeGreaterThan(25)
  expect(missing).toEqual(NOT_IN_STATES)
})
