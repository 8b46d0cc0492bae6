import { expect, test } from 'vitest'
import { ALICE, hour, openCalendar, PEOPLE } from '../../support/calendar.ts'
import { LIST, openListed, testEntryWrites } from '../../support/calendarList.writes.ts'
import { countSteps } from '../../support/work.ts'

testEntryWrites('patch')

test('a patch keeps missing fields, replaces lists and removes fields of null', async () => {
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

test('an empty summaryOverride is removed', async () => {
  const { write } = await openListed('patch')
  await write({ summaryOverride: 'Ours' })

  expect((await write({ summaryOverride: '' })).body).not.toHaveProperty('summaryOverride')
})

test('a patch accepts the id primary', async () => {
  const { as } = openCalendar()

  const { body } = await as(ALICE).patch(`${LIST}/primary`, { colorId: '5' })

  expect(body).toMatchObject({ id: ALICE, colorId: '5', backgroundColor: '#ff7537', primary: true, selected: true })
})

test('7.23 a write of an entry without mail reminders costs the same for 300 events as for 30', async () => {
  const work = async (count: number) => {
    const events = Array.from({ length: count }, () => hour('2026-03-02', 9))
    const { as } = openCalendar({ seed: [PEOPLE, { calendars: [{ id: ALICE, events }] }] })
    await as(ALICE).get(LIST)
    return countSteps(() => as(ALICE).patch(`${LIST}/primary`, { summaryOverride: 'Ours' }))
  }

  expect(await work(300)).toBeLessThan((await work(30)) + 100)
})
