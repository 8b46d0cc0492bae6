import { expect, test } from 'vitest'
import { ALICE, errorOf, hour, openCalendar } from '../../support/calendar.ts'

test('14.37 in strict mode a status event on a consumer’s calendar is refused in a whole sentence', async () => {
  const { fake, as } = openCalendar({ strict: true })
  const body = { ...hour('2026-03-02', 9), eventType: 'focusTime', focusTimeProperties: {} }
  const reply = await as(fake.oauth.mint({ account: ALICE })).post('/calendars/primary/events', body)

  expect(errorOf(reply)).toMatchObject({
    status: 400,
    reason: 'eventTypeRestriction',
    message: "A consumer's calendar is not supported for this event type.",
  })
  expect(JSON.stringify(reply.body)).not.toContain('#"')
})
