import { expect, test } from 'vitest'
import { Store } from '../../src/db/store.ts'
import { createFakeCalendar } from '../../src/index.ts'
import { subscribersOf } from '../../src/model/access.ts'
import { WorldClock } from '../../src/model/clock.ts'
import { WorldData } from '../../src/model/worldData.ts'
import { applySeed } from '../../src/seeds/applySeed.ts'
import { ALICE, BOB, openCalendar } from '../support/calendar.ts'

const accounts = (count: number) => Array.from({ length: count }, (_, n) => ({ email: `person${n}@example.com` }))

function seededStore(count: number): Store {
  const store = new Store()
  const world = new WorldData(store, new WorldClock(store))
  world.changes.writes.withoutLogging(() => applySeed(world, { accounts: accounts(count) }))
  return store
}

test('the settings, rules and lists of seeded accounts are not stored', () => {
  const statesOf = (count: number) => [...seededStore(count).partsUnder('')].length

  expect(statesOf(500)).toBe(statesOf(1))
})

test('every record of a seeded account has its own revision', () => {
  const { accounts: stored = [], calendars = [] } = createFakeCalendar({ seed: { accounts: accounts(3) } }).state()
  const etags = [...calendars, ...stored.flatMap(({ calendarList = [] }) => calendarList)].map(({ etag }) => etag)

  expect(etags).toHaveLength(6)
  expect(new Set(etags).size).toBe(6)
})

test('a state with initial records restores the same world, and so does a reset', async () => {
  const { fake, as } = openCalendar()
  const before = fake.state()
  const restored = createFakeCalendar({ seed: before as never }).state()
  expect(restored.accounts).toEqual(before.accounts)
  expect(restored.calendars).toEqual(before.calendars)

  await as(ALICE).patch(`/users/me/calendarList/${ALICE}`, { summaryOverride: 'Mine' })
  await as(ALICE).post(`/calendars/${ALICE}/acl`, { scope: { type: 'user', value: BOB }, role: 'reader' })
  expect((await as(ALICE).get(`/calendars/${ALICE}/acl`)).body.items).toHaveLength(2)
  fake.reset()

  expect(fake.state().accounts).toEqual(before.accounts)
  expect(fake.state().calendars).toEqual(before.calendars)
})

test('a diff compares a written record with its initial value', async () => {
  const { fake, as } = openCalendar()
  const before = fake.snapshot('before')
  fake.seed({ accounts: [{ email: ALICE, settings: { weekStart: '1' } }, { email: 'new@example.com' }] })
  await as(BOB).patch(`/users/me/calendarList/${BOB}`, { summaryOverride: 'Mine' })

  const found = fake.diff(before).map(({ change, kind, account, id }) => [change, kind, account, id].join(' '))
  expect(found.sort()).toEqual([`changed calendarList ${BOB} ${BOB}`, `changed setting ${ALICE} weekStart`])
  expect(fake.diff(before).find(({ kind }) => kind === 'setting')?.fields).toEqual({ value: ['0', '1'] })
})

test('an account without a list in a restored state has an empty list', async () => {
  const state = openCalendar().fake.state()
  const accounts = state.accounts?.map((account) => ({ ...account, calendarList: [] }))
  const { as } = openCalendar({ seed: { ...state, accounts } as never })

  expect((await as(ALICE).get('/users/me/calendarList')).body.items).toEqual([])
})

test('an account whose own calendar selects no event mail gets none', () => {
  const world = new WorldData(new Store(), new WorldClock(new Store()))
  world.changes.writes.withoutLogging(() =>
    applySeed(world, {
      accounts: [
        { email: ALICE, calendarList: [{ id: ALICE, notificationSettings: { notifications: [] } }] },
        { email: BOB },
      ],
    }),
  )

  expect([ALICE, BOB].map((id) => subscribersOf(world, id, 'notifications'))).toEqual([[], [BOB]])
  expect([ALICE, BOB].map((id) => subscribersOf(world, id, 'entry'))).toEqual([[ALICE], [BOB]])
})
