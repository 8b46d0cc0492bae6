import { expect, test } from 'vitest'
import { ALICE, BOB, hour } from '../support/calendar.ts'
import { channel, EVENTS, openPush } from '../support/push.ts'

const V1 = '?conferenceDataVersion=1'
const conferenceData = { createRequest: { requestId: 'r1' } }

test.each(['success', 'failure'] as const)(
  'a conference request that ends in %s sends one message for each calendar of the event',
  async (outcome) => {
    const { as, fake, recordMessages } = openPush()
    fake.conferences.policy({ delay: '1s', outcome })
    await as(ALICE).post(EVENTS + V1, {
      id: 'lunch001',
      ...hour('2026-03-02', 12),
      attendees: [{ email: BOB }],
      conferenceData,
    })
    await as(ALICE).post(`${EVENTS}/watch`, channel('alices'))
    await as(BOB).post(`${EVENTS}/watch`, channel('bobs'))
    const received = recordMessages()

    fake.clock.advance('1s')
    await fake.notifications.settled()

    expect(received.filter((one) => one.endsWith('exists')).sort()).toEqual(['alices 2 exists', 'bobs 2 exists'])
  },
)
