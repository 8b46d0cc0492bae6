import { expect, test } from 'vitest'
import { ALICE, BOB } from '../../support/calendar.ts'
import { channel, openPush, openReceiver } from '../../support/push.ts'

const WATCH = '/users/me/settings/watch'
const set = (email: string, settings: Record<string, string>) => ({ accounts: [{ email, settings }] })

test('a receiver gets the sequence for settings, which only a seed changes, and retries', async () => {
  const { as, anonymous, fake } = openPush()
  const receiver = await openReceiver((_, nth) => (nth === 1 ? 502 : 201))
  await as(ALICE).post(WATCH, channel('settings', receiver.address))
  await fake.advance('1s')

  fake.seed(set(ALICE, { weekStart: '1', locale: 'de' }))
  await fake.notifications.settled()
  fake.seed(set(BOB, { weekStart: '1' }))
  await anonymous.post('/_control/seed', set(ALICE, { weekStart: '6' }))
  await fake.notifications.settled()

  expect(receiver.messages()).toEqual(['1 sync', '1 sync', '2 exists', '3 exists'])
})
