import { expect, test } from 'vitest'
import { ALICE, BOB } from '../../support/calendar.ts'
import { channel, openPush, openReceiver, write } from '../../support/push.ts'
import { newCalendar, share } from '../../support/sharing.ts'

const LIST = '/users/me/calendarList'

test('a receiver gets the sequence for a list of calendars, and retries', async () => {
  const { as, fake } = openPush()
  const receiver = await openReceiver((_, nth) => (nth === 3 ? 500 : 202))
  await as(ALICE).post(`${LIST}/watch`, channel('list', receiver.address))

  const team = await newCalendar(as(ALICE))
  await as(ALICE).patch(`${LIST}/${team}`, { summaryOverride: 'Ours' })
  await as(ALICE).delete(`/calendars/${team}`)
  await write(as(ALICE))
  await fake.advance('1s')

  expect(receiver.messages()).toEqual(['1 sync', '2 exists', '3 exists', '3 exists', '4 exists'])
})

test('an account receives messages only about its own list', async () => {
  const { as, recordMessages } = openPush()
  const received = recordMessages()
  await as(ALICE).post(`${LIST}/watch`, channel('alice'))
  await as(BOB).post(`${LIST}/watch`, channel('bob'))
  const team = await newCalendar(as(ALICE))
  await share(as(ALICE), team, BOB, 'reader')
  received.length = 0

  await as(BOB).post(LIST, { id: team })
  await as(ALICE).delete(`/calendars/${team}/acl/user:${BOB}`)

  expect(received.filter((one) => one.startsWith('bob')).length).toBeGreaterThanOrEqual(2)
  expect(received.filter((one) => one.startsWith('alice'))).toEqual([])
})
