import { expect, test } from 'vitest'
import { ALICE, BOB, hour, NOW, openCalendar } from '../support/calendar.ts'

const LUNCH = { ...hour('2026-03-02', 12), summary: 'Lunch', attendees: [{ email: BOB }] }

test('a call is told of with who made it, what it said, and what it was answered', async () => {
  const { fake, as } = openCalendar()
  const { body } = await as(ALICE).post('/calendars/primary/events?sendUpdates=all&fields=id', LUNCH)

  expect(fake.calls('events.insert')).toEqual([
    {
      n: 1,
      at: new Date(NOW).toISOString(),
      world: 'default',
      account: ALICE,
      client: undefined,
      method: 'events.insert',
      verb: 'POST',
      params: { calendarId: 'primary', sendUpdates: 'all', fields: 'id' },
      path: '/calendar/v3/calendars/primary/events',
      body: LUNCH,
      status: 200,
      reason: undefined,
      response: { id: body.id },
      ms: expect.any(Number),
      hints: [],
    },
  ])
})
