import { expect, test } from 'vitest'
import { ALICE, type Client, hour, openCalendar } from '../../support/calendar.ts'

const EVENTS = '/calendars/primary/events'
/** A Monday that the rule does not make. */
const monday = hour('2026-03-02', 9, 'UTC')
const RULE = 'RRULE:FREQ=WEEKLY;BYDAY=TU,TH,SA'
const series = (recurrence: string[], id = 'series') => ({ id, ...monday, recurrence })

const daysOf = async (client: Client, query = 'singleEvents=true&orderBy=startTime'): Promise<string[]> =>
  (await client.get(`${EVENTS}?${query}`)).body.items.map(({ start }: { start: { dateTime: string } }) =>
    start.dateTime.slice(8, 10),
  )

test('14.10 COUNT counts the instances that the rule makes, and the start is one more', async () => {
  const { as } = openCalendar()
  await as(ALICE).post(EVENTS, series([`${RULE};COUNT=5`]))
  const days = ['02', '03', '05', '07', '10', '12']

  expect(await daysOf(as(ALICE))).toEqual(days)
  const { items } = (await as(ALICE).get(`${EVENTS}/series/instances`)).body
  expect(items).toHaveLength(days.length)
  const { calendars } = (
    await as(ALICE).post('/freeBusy', {
      ...{ timeMin: '2026-03-01T00:00:00Z', timeMax: '2026-04-01T00:00:00Z' },
      items: [{ id: ALICE }],
    })
  ).body
  expect(calendars[ALICE].busy.map(({ start }: { start: string }) => start.slice(8, 10))).toEqual(days)
  for (const day of ['02', '12'])
    expect((await as(ALICE).get(`${EVENTS}/series_202603${day}T090000Z`)).status, day).toBe(200)
  expect((await as(ALICE).get(`${EVENTS}/series_20260314T090000Z`)).status).toBe(404)
})

test('14.10 a lower COUNT trims a series, and an excluded start does not count', async () => {
  const { as } = openCalendar()
  await as(ALICE).post(EVENTS, series([`${RULE};COUNT=5`]))
  await as(ALICE).patch(`${EVENTS}/series`, { recurrence: [`${RULE};COUNT=2`] })
  expect(await daysOf(as(ALICE))).toEqual(['02', '03', '05'])
  await as(ALICE).patch(`${EVENTS}/series`, { recurrence: [`${RULE};COUNT=2`, 'EXDATE:20260302T090000Z'] })
  expect(await daysOf(as(ALICE))).toEqual(['03', '05'])
})

test('14.10 a series that is split keeps its instances, if the second COUNT is what the rule makes from there', async () => {
  const { as } = openCalendar()
  const alice = as(ALICE)
  await alice.post(EVENTS, series([`${RULE};COUNT=5`]))
  const before = await daysOf(alice)
  await alice.patch(`${EVENTS}/series`, { recurrence: [`${RULE};UNTIL=20260306T235959Z`] })
  await alice.post(EVENTS, { ...series([`${RULE};COUNT=3`], 'series2'), ...hour('2026-03-07', 9, 'UTC') })
  expect(await daysOf(alice)).toEqual(before)
})

test('14.10 a seed and an import count as an insert does', async () => {
  const { fake, as } = openCalendar()
  fake.seed({ calendars: [{ id: ALICE, events: [series([`${RULE};COUNT=2`])] }] })
  expect(await daysOf(as(ALICE))).toEqual(['02', '03', '05'])
  const { id: _, ...imported } = series([`${RULE};COUNT=2`])
  await as(ALICE).post(`${EVENTS}/import`, { iCalUID: 'series@example.net', ...imported })
  expect(await daysOf(as(ALICE))).toEqual(['02', '02', '03', '03', '05', '05'])
})

test('14.10, 7.23 reminders are sent for the start and for the counted instances', async () => {
  const { fake, as } = openCalendar()
  const reminders = { useDefault: false, overrides: [{ method: 'email', minutes: 10 }] }
  await as(ALICE).post(EVENTS, { ...series([`${RULE};COUNT=2`]), reminders })
  await fake.advance('30d')
  expect(fake.mail().filter(({ kind }) => kind === 'reminder')).toHaveLength(3)
})
