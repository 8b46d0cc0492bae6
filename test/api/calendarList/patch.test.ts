import { expect, test } from 'vitest'
import { ALICE, hour, openCalendar, PEOPLE } from '../../support/calendar.ts'
import { LIST, openListed, testEntryWrites } from '../../support/calendarList.writes.ts'
import { countSteps } from '../../support/work.ts'

testEntryWrites('patch')

test('a patch leaves what it does not name, replaces lists and removes with null', async () => {
  const { write } = await openListed('patch')
  const reminders = [
    { method: 'email', minutes: 60 },
    { method: 'popup', minutes: 5 },
  ]
  const notificationSettings = { notifications: [{ type: 'eventCreation', method: 'email' }] }
  await write({ summaryOverride: 'Ours', defaultReminders: reminders, notificationSettings, colorId: '3' })

  expect((await write({ defaultReminders: reminders.slice(1) })).body).toMatchObject({
    summaryOverride: 'Ours',
    defaultReminders: [{ method: 'popup', minutes: 5 }],
    notificationSettings,
    colorId: '3',
  })
  const { body } = await write({ summaryOverride: null, defaultReminders: null, notificationSettings: null })
  expect(body).toMatchObject({ defaultReminders: [], colorId: '3', selected: true })
  expect(body).not.toHaveProperty('summaryOverride')
  expect(body).not.toHaveProperty('notificationSettings')
})

test('a name of one’s own that is emptied is gone', async () => {
  const { write } = await openListed('patch')
  await write({ summaryOverride: 'Ours' })

  expect((await write({ summaryOverride: '' })).body).not.toHaveProperty('summaryOverride')
})

test('a patch goes by primary too', async () => {
  const { as } = openCalendar()

  const { body } = await as(ALICE).patch(`${LIST}/primary`, { colorId: '5' })

  expect(body).toMatchObject({ id: ALICE, colorId: '5', backgroundColor: '#ff7537', primary: true, selected: true })
})

test('7.23 an entry that reminds of nothing by mail costs as much to write for 300 events as for 30', async () => {
  const work = async (count: number) => {
    const events = Array.from({ length: count }, () => hour('2026-03-02', 9))
    const { as } = openCalendar({ seed: [PEOPLE, { calendars: [{ id: ALICE, events }] }] })
    await as(ALICE).get(LIST)
    return countSteps(() => as(ALICE).patch(`${LIST}/primary`, { summaryOverride: 'Ours' }))
  }

  expect(await work(300)).toBeLessThan((await work(30)) + 100)
})
