import { expect, test } from 'vitest'
import type { Seed } from '../../src/index.ts'
import { ALICE, BOB, openCalendar } from '../support/calendar.ts'

const FEED = 'feed@import.calendar.google.com'
const TEAM = 'c_team@group.calendar.google.com'
const ROOMS = 'c_rooms@group.calendar.google.com'
const reader = (value: string) => ({ role: 'reader' as const, scope: { type: 'user' as const, value } })

const seedOf = (calendarList: NonNullable<NonNullable<Seed['accounts']>[number]['calendarList']>): Seed => ({
  accounts: [{ email: ALICE, calendarList }, { email: BOB }],
  calendars: [
    { id: TEAM, owner: ALICE, summary: 'Team' },
    { id: ROOMS, owner: ALICE, summary: 'Rooms' },
    { id: FEED, summary: 'Feed', acl: [reader(ALICE)] },
  ],
})

test('14.11 a calendar list has the order of its seed, also of entries with default values', async () => {
  const seed = seedOf([
    { id: ROOMS },
    { id: FEED, summaryOverride: 'News' },
    { id: ALICE },
    { id: TEAM, selected: true },
  ])
  const { fake, as } = openCalendar({ seed })
  const list = async () => (await as(ALICE).get('/users/me/calendarList')).body
  const { items, nextSyncToken } = await list()

  expect(items.map(({ id }: { id: string }) => id)).toEqual([ROOMS, FEED, ALICE, TEAM])
  fake.seed({ accounts: seed.accounts ?? [] })
  expect((await list()).items).toEqual(items)
  expect((await as(ALICE).get(`/users/me/calendarList?syncToken=${nextSyncToken}`)).body.items).toEqual([])
})

test('15.5, 15.17 a calendar that the service imports has rules and no data owner', async () => {
  const { fake, as } = openCalendar({ seed: seedOf([{ id: FEED }]) })
  const entry = (await as(ALICE).get(`/users/me/calendarList/${FEED}`)).body
  const calendar = (await as(ALICE).get(`/calendars/${FEED}`)).body

  expect(entry).toMatchObject({ id: FEED, summary: 'Feed', accessRole: 'reader' })
  for (const one of [entry, calendar]) expect(one).not.toHaveProperty('dataOwner')
  expect((await as(ALICE).get(`/calendars/${FEED}/events`)).body.accessRole).toBe('reader')
  expect((await as(BOB).get(`/calendars/${FEED}`)).status).toBe(404)
  const rules = fake.state().calendars?.find(({ id }) => id === FEED)?.acl ?? []
  expect(rules.map(({ scope }) => scope?.value).sort()).toEqual([ALICE, FEED])
})
