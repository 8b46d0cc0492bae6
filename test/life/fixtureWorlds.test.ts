import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { canonical } from '../../src/cli/seeds/canonical.ts'
import { createFakeCalendar } from '../../src/index.ts'
import { faultsOf } from '../../src/life/faults.ts'
import { clinic } from '../../src/life/worlds/clinic.ts'
import { heavy } from '../../src/life/worlds/heavy.ts'
import { school } from '../../src/life/worlds/school.ts'
import { openCalendar } from '../support/calendar.ts'

const MADE = { clinic, school, heavy }
const $schema = '../dist/seed.schema.json'

/** `npx vitest run test/life/fixtureWorlds.test.ts -u` writes the files. */
test.each(['clinic', 'school'] as const)('fixtures/%s.json is what its maker makes', async (name) => {
  const file = fileURLToPath(new URL(`../../fixtures/${name}.json`, import.meta.url))

  await expect(canonical({ $schema, ...MADE[name]() })).toMatchFileSnapshot(file)
})

test('the made worlds are the same in every run, and nothing is wrong with them', () => {
  for (const make of Object.values(MADE)) {
    expect(make()).toEqual(make())
    expect(faultsOf(make())).toEqual([])
  }
})

test('the fixtures of the package stay small', () => {
  const size = ['default', 'team', 'clinic', 'school'].map(
    (name) => readFileSync(new URL(`../../fixtures/${name}.json`, import.meta.url)).length,
  )
  expect(size.reduce((sum, one) => sum + one, 0)).toBeLessThan(250_000)
})

test('in the clinic rooms have taken every meeting, and no two at once', async () => {
  const { as } = openCalendar({ seed: 'clinic', now: '2026-01-05T07:00:00Z' })
  const desk = as('desk@clinic.example.com')
  const { body } = await desk.get('/users/me/calendarList')
  const rooms = body.items.filter(
    ({ autoAcceptInvitations }: { autoAcceptInvitations?: boolean }) => autoAcceptInvitations,
  )

  expect(rooms).toHaveLength(3)
  for (const { id } of rooms) {
    const window = 'singleEvents=true&orderBy=startTime&timeMin=2026-01-05T00:00:00Z&timeMax=2026-01-10T00:00:00Z'
    const { items } = (await desk.get(`/calendars/${encodeURIComponent(id)}/events?${window}`)).body
    type Item = {
      start: { dateTime: string }
      end: { dateTime: string }
      attendees: { email: string; responseStatus: string }[]
    }
    const answers = items.map(({ attendees }: Item) => attendees.find(({ email }) => email === id)?.responseStatus)
    expect(items.length).toBeGreaterThan(2)
    expect(new Set(answers)).toEqual(new Set(['accepted']))
    items.reduce((before: Item, after: Item) => {
      expect(Date.parse(after.start.dateTime)).toBeGreaterThanOrEqual(Date.parse(before.end.dateTime))
      return after
    })
  }
})

test('the school’s lessons keep the clock of their own zone, so that those with New York move in London for three weeks', async () => {
  const fake = createFakeCalendar({ seed: 'school' })
  const { as } = openCalendar({ seed: 'school' })
  const starts = async (id: string) => {
    const { items } = (await as('head@school.example.org').get(`/calendars/primary/events/${id}/instances`)).body
    return items.map(({ start }: { start: { dateTime: string } }) => start.dateTime.slice(5, 16))
  }

  expect(await starts('abroad0')).toEqual([
    ...['02-24T14:30', '03-03T14:30', '03-10T13:30', '03-17T13:30', '03-24T13:30'],
    ...['03-31T14:30', '04-07T14:30', '04-14T14:30'],
  ])
  expect(fake.state().accounts?.map(({ timeZone }) => timeZone)).toEqual([
    ...['Europe/London', 'America/New_York', 'Australia/Sydney'],
  ])
})

test('the heavy user has 5,000 events, 200 series and 100 changed instances', () => {
  const events = createFakeCalendar({ seed: 'heavy', now: '2026-01-05T12:00:00Z' }).state().calendars?.[0]?.events ?? []

  expect(events.filter(({ recurrence }) => recurrence)).toHaveLength(200)
  expect(events.filter(({ recurringEventId }) => recurringEventId)).toHaveLength(100)
  expect(events).toHaveLength(5300)
})
