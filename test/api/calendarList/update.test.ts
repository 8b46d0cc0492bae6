import { expect, test } from 'vitest'
import { ALICE, errorOf, openCalendar } from '../../support/calendar.ts'
import { LIST, openListed, testEntryWrites } from '../../support/calendarList.writes.ts'
import { invalid } from '../../support/sharing.ts'

testEntryWrites('put')

test('3.5.5, 3.5.7 a PUT removes missing fields, except the colour and the notification settings', async () => {
  const { write } = await openListed('put')
  const notificationSettings = { notifications: [{ type: 'eventCreation', method: 'email' }] }
  await write({
    summaryOverride: 'Ours',
    selected: true,
    defaultReminders: [{ method: 'email', minutes: 60 }],
    notificationSettings,
    colorId: '3',
  })

  const { body } = await write({})

  expect(body).toMatchObject({ colorId: '3', backgroundColor: '#f83a22', defaultReminders: [], notificationSettings })
  for (const field of ['summaryOverride', 'selected']) expect(body).not.toHaveProperty(field)
})

test('1.6, 2.2.4 a PUT accepts the address and rejects primary', async () => {
  const { as } = openCalendar()

  expect(errorOf(await as(ALICE).put(`${LIST}/primary`, { selected: true }))).toEqual(
    invalid('Invalid resource id value.'),
  )
  expect((await as(ALICE).put(`${LIST}/${ALICE}`, { selected: true })).body).toMatchObject({
    id: ALICE,
    primary: true,
    selected: true,
    defaultReminders: [],
  })
})
