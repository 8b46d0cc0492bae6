import { expect, test } from 'vitest'
import { ALICE, BOB, CAROL, errorOf } from '../../support/calendar.ts'
import { channel, openPush, openReceiver, write } from '../../support/push.ts'
import { needsRole, share } from '../../support/sharing.ts'

const WATCH = '/calendars/primary/acl/watch'

test('a receiver gets the sequence for rules, and retries', async () => {
  const { as, fake } = openPush()
  const receiver = await openReceiver((_, nth) => (nth === 2 ? 503 : 204))
  await as(ALICE).post(WATCH, channel('rules', receiver.address))

  await share(as(ALICE), 'primary', BOB, 'reader')
  await share(as(ALICE), 'primary', BOB, 'reader')
  await write(as(ALICE))
  await as(ALICE).delete(`/calendars/primary/acl/user:${BOB}`)
  await fake.advance('1s')

  expect(receiver.messages()).toEqual(['1 sync', '2 exists', '2 exists', '3 exists'])
})

test('a reader cannot watch the rules', async () => {
  const { as } = openPush()
  await share(as(ALICE), 'primary', BOB, 'reader')

  expect(errorOf(await as(BOB).post(`/calendars/${ALICE}/acl/watch`, channel('rules')))).toEqual(needsRole('writer'))
})

test('a channel on rules sends no messages while its owner is a reader, and resumes when they are a writer', async () => {
  const { as, recordMessages } = openPush()
  const received = recordMessages()
  await share(as(ALICE), 'primary', BOB, 'writer')
  await as(BOB).post(`/calendars/${ALICE}/acl/watch`, channel('rules'))

  await share(as(ALICE), 'primary', BOB, 'reader')
  await share(as(ALICE), 'primary', CAROL, 'reader')
  await share(as(ALICE), 'primary', BOB, 'writer')

  expect(received).toEqual(['rules 1 sync', 'rules 2 exists'])
})
