import { expect, test } from 'fake-calendar/jest'

test('a world for each test, in ES modules', async ({ fake, calendar }) => {
  await calendar.events.quickAdd({ calendarId: 'primary', text: 'Lunch' })

  expect(fake).toHaveEvent({ summary: 'Lunch' })
  expect(fake).toHaveReceived('events.quickAdd')
})
