import { createFakeCalendar } from '../../dist/index.js'

export const PERSON = 'alice@example.com'
const HOUR = 3_600_000
const WEEK = 168 * HOUR
const PER_WEEK = 10
export const MONDAY = Date.UTC(2026, 2, 2)

/** So many events of an hour, as many in every week, the weeks before and after a Monday. */
function events(count, perWeek) {
  const first = MONDAY - Math.floor(count / perWeek / 2) * WEEK
  return Array.from({ length: count }, (_, nth) => {
    const start = first + Math.floor(nth / perWeek) * WEEK + Math.floor(((nth % perWeek) * (WEEK - HOUR)) / perWeek)
    return { id: `event${String(nth).padStart(6, '0')}`, summary: `Event ${nth}`, location: 'Room 1', start }
  })
}

const instant = (time) => new Date(Math.floor(time / 1000) * 1000).toISOString()

/** A fake whose one calendar holds them. */
export function filled(count, perWeek = PER_WEEK, options = {}) {
  const seeds = events(count, perWeek).map(({ start, ...event }) => ({
    ...event,
    start: { dateTime: instant(start) },
    end: { dateTime: instant(start + HOUR) },
  }))
  return createFakeCalendar({
    now: new Date(MONDAY),
    seed: { accounts: [{ email: PERSON }], calendars: [{ id: PERSON, events: seeds }] },
    ...options,
  })
}

/** A fake whose one calendar holds so many daily series, begun in 2000 and never to end. */
export function seriesOnly(count) {
  const events = Array.from({ length: count }, (_, nth) => {
    const start = Date.UTC(2000, 0, 3) + Math.floor((nth * 86_400) / count) * 1000
    return {
      id: `series${String(nth).padStart(6, '0')}`,
      summary: `Series ${nth}`,
      start: { dateTime: instant(start), timeZone: 'UTC' },
      end: { dateTime: instant(start + HOUR / 2), timeZone: 'UTC' },
      recurrence: ['RRULE:FREQ=DAILY'],
    }
  })
  return createFakeCalendar({
    now: new Date(MONDAY),
    seed: { accounts: [{ email: PERSON }], calendars: [{ id: PERSON, events }] },
  })
}

/** The events of a filled calendar in the words of another emulator. */
export const seedOfOthers = (count, perWeek) => ({
  users: [{ email: PERSON, name: 'Alice' }],
  calendars: [{ id: 'primary', user_email: PERSON, summary: PERSON, primary: true, time_zone: 'UTC' }],
  calendar_events: events(count, perWeek).map(({ start, ...event }) => ({
    ...event,
    user_email: PERSON,
    calendar_id: 'primary',
    start_date_time: instant(start),
    end_date_time: instant(start + HOUR),
  })),
})

/** An event that makes a reply of 1.2 kB. */
export const bigEvent = {
  id: 'large0',
  summary: 'Quarterly planning',
  location: 'Room 1',
  description: 'What we do next, and why. '.repeat(20).trim(),
  start: { dateTime: '2026-03-02T09:00:00Z' },
  end: { dateTime: '2026-03-02T10:00:00Z' },
  extendedProperties: { shared: { project: 'apollo' } },
}

/** Calls one method as Alice and returns the text of its answer. Anything but success is an error. */
export async function answered(fake, path, init = {}) {
  const response = await fake.request(`/calendar/v3${path}`, {
    ...init,
    headers: { Authorization: `Bearer ${PERSON}`, 'Content-Type': 'application/json' },
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  return text
}

/** The same, read as a client reads it. */
export const call = async (fake, path, init) => JSON.parse(await answered(fake, path, init))
