import { createFakeCalendar } from '../../dist/index.js'

const ALICE = 'alice@example.com'
const WEEK = 7 * 86_400_000
const PER_WEEK = 10
export const MONDAY = Date.UTC(2026, 2, 2)

/** A fake whose one calendar holds so many events, ten in every week, the weeks before and after a Monday. */
export function filled(count) {
  const first = MONDAY - Math.floor(count / PER_WEEK / 2) * WEEK
  const events = Array.from({ length: count }, (_, nth) => {
    const start = first + Math.floor(nth / PER_WEEK) * WEEK + (nth % PER_WEEK) * 36_000_000
    return {
      id: `event${String(nth).padStart(6, '0')}`,
      summary: `Event ${nth}`,
      location: 'Room 1',
      start: { dateTime: new Date(start).toISOString() },
      end: { dateTime: new Date(start + 3_600_000).toISOString() },
    }
  })
  return createFakeCalendar({
    now: new Date(MONDAY),
    seed: { accounts: [{ email: ALICE }], calendars: [{ id: ALICE, events }] },
  })
}

/** Calls one method as Alice and returns its answer. Anything but success is an error. */
export async function call(fake, path, init = {}) {
  const response = await fake.request(`/calendar/v3${path}`, {
    ...init,
    headers: { Authorization: `Bearer ${ALICE}`, 'Content-Type': 'application/json' },
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  return JSON.parse(text)
}
