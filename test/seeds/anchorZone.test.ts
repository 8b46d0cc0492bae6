import { expect, test } from 'vitest'
import { createFakeCalendar } from '../../src/index.ts'

test.each([
  ['Asia/Tokyo', '2026-03-08T14:59:00Z', '2026-03-02'],
  ['Asia/Tokyo', '2026-03-08T15:00:00Z', '2026-03-09'],
  ['America/New_York', '2026-03-09T03:59:00Z', '2026-03-02'],
  ['America/New_York', '2026-03-09T04:00:00Z', '2026-03-09'],
])('a seed with an anchor in %s begins its week at %s on %s', (timeZone, now, monday) => {
  const email = 'alice@example.com'
  const day = { start: { date: '2026-03-02' }, end: { date: '2026-03-03' } }
  const fake = createFakeCalendar({
    now,
    seed: {
      anchor: '2026-03-02',
      accounts: [{ email, timeZone }],
      calendars: [{ id: email, events: [{ id: 'first1', ...day }] }],
    },
  })
  expect(fake.state().calendars?.find(({ id }) => id === email)?.events?.[0]?.start?.date).toBe(monday)
})
