import { createFakeCalendar } from '../../dist/index.js'

export const PERSON = 'alice@example.com'
const HOUR = 3_600_000
const WEEK = 168 * HOUR
const PER_WEEK = 10
export const MONDAY = Date.UTC(2026, 2, 2)

/** Guests without a calendar here, and accounts of the world with one. */
export const GUESTS = [{ email: 'guest@other.example' }, { email: 'visitor@other.example' }]
export const LOCAL_GUESTS = ['bob', 'carol', 'dave'].map((name) => ({ email: `${name}@example.com` }))
/** With it, an event makes a reply of 1.2 kB. */
const DESCRIPTION = 'The agenda of the meeting and its notes. '.repeat(9).trim()

/** Returns events of an hour, the same number in every week, in the weeks before and after a Monday. */
function events(count, perWeek, isLarge) {
  const first = MONDAY - Math.floor(count / perWeek / 2) * WEEK
  return Array.from({ length: count }, (_, nth) => {
    const start = first + Math.floor(nth / perWeek) * WEEK + Math.floor(((nth % perWeek) * (WEEK - HOUR)) / perWeek)
    const event = { id: `event${String(nth).padStart(6, '0')}`, summary: `Event ${nth}`, location: 'Room 1', start }
    return isLarge ? { ...event, description: DESCRIPTION, attendees: GUESTS } : event
  })
}

const instant = (time) => new Date(Math.floor(time / 1000) * 1000).toISOString()

/** Returns the events of a filled calendar as plain objects. */
export const toPlainEvents = (count, perWeek = PER_WEEK, isLarge = false) =>
  events(count, perWeek, isLarge).map(({ start, ...event }) => ({
    ...event,
    start: { dateTime: instant(start) },
    end: { dateTime: instant(start + HOUR) },
  }))

/** Creates a fake whose first calendar holds so many events. */
export function createFilled(count, { perWeek = PER_WEEK, isLarge = false, ...options } = {}) {
  const accounts = [{ email: PERSON }, ...(isLarge ? LOCAL_GUESTS : [])]
  return createFakeCalendar({
    now: new Date(MONDAY),
    seed: { accounts, calendars: [{ id: PERSON, events: toPlainEvents(count, perWeek, isLarge) }] },
    ...options,
  })
}

/** The events of a filled calendar as a seed of emulate. */
export const seedOfEmulate = (count, perWeek, isLarge) => ({
  users: [{ email: PERSON, name: 'Alice' }],
  calendars: [{ id: 'primary', user_email: PERSON, summary: PERSON, primary: true, time_zone: 'UTC' }],
  calendar_events: events(count, perWeek, isLarge).map(({ start, ...event }) => ({
    ...event,
    user_email: PERSON,
    calendar_id: 'primary',
    start_date_time: instant(start),
    end_date_time: instant(start + HOUR),
  })),
})

/** Calls one method as Alice and returns the text of the reply. Throws if the status is not 2xx. */
export async function callText(fake, path, init = {}) {
  const response = await fake.request(`/calendar/v3${path}`, {
    ...init,
    headers: { Authorization: `Bearer ${PERSON}`, 'Content-Type': 'application/json' },
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  return text
}

/** Calls one method as Alice and returns the body as a client reads it. */
export const call = async (fake, path, init) => JSON.parse(await callText(fake, path, init))
