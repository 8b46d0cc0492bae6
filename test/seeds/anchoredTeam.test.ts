import { expect, test } from 'vitest'
import { createFakeCalendar, type Seed } from '../../src/index.ts'
import { clientOf } from '../support/calendar.ts'
import teamSeed from '../support/team.json' with { type: 'json' }

const team = teamSeed as Seed
const TALKS = 'c_7hbrtalks5n2ve8lq41j9g0kos@group.calendar.google.com'

/** Wednesdays and the edges of weeks: before, in and after both changes of clocks in New York and in Berlin. */
const MOMENTS = [
  '2026-01-05T00:00:00Z',
  '2026-01-11T23:59:59Z',
  '2026-03-04T12:00:00Z',
  '2026-03-11T12:00:00Z',
  '2026-03-25T12:00:00Z',
  '2026-04-01T12:00:00Z',
  '2026-10-28T12:00:00Z',
  '2026-11-04T12:00:00Z',
  '2025-07-16T12:00:00Z',
  '2031-12-31T12:00:00Z',
]

const DAY = 86_400_000
/** The Monday of the week in New York, the zone of the first account. */
const mondayOf = (now: string): number => {
  const day = new Date(now).toLocaleDateString('en-CA', { timeZone: 'America/New_York' })
  const midnight = Date.parse(`${day}T00:00:00Z`)
  return midnight - ((new Date(midnight).getUTCDay() + 6) % 7) * DAY
}
const dated = (day: number): string => new Date(day).toISOString().slice(0, 10)

function openTeam(now: string) {
  const fake = createFakeCalendar({ seed: team, now })
  return { fake, as: (email: string) => clientOf(fake.request, { Authorization: `Bearer ${email}` }) }
}

const seeded = (team.calendars ?? []).flatMap(({ id, events = [] }) => events.map((event) => ({ id, event })))

test('the team has four people in three zones, each with a calendar in their own zone', async () => {
  const { as } = openTeam('2026-03-04T12:00:00Z')

  const zones = await Promise.all(
    (team.accounts ?? []).map(async ({ email }) => [
      email,
      (await as(email).get('/calendars/primary')).body.timeZone,
      (await as(email).get('/users/me/settings/timezone')).body.value,
    ]),
  )

  expect(zones).toEqual([
    ['alice@example.com', 'America/New_York', 'America/New_York'],
    ['bob@example.com', 'Europe/Berlin', 'Europe/Berlin'],
    ['chiyo@example.com', 'Asia/Tokyo', 'Asia/Tokyo'],
    ['dana@example.com', 'America/New_York', 'America/New_York'],
  ])
})

test('the calendar lists have the colours, names and roles of the seed', async () => {
  const { as } = openTeam('2026-03-04T12:00:00Z')
  const shown = async (email: string) =>
    (await as(email).get('/users/me/calendarList?showHidden=true')).body.items.map((entry: Record<string, unknown>) => [
      entry.summaryOverride ?? entry.summary,
      entry.accessRole,
      entry.backgroundColor,
      entry.hidden ? 'hidden' : entry.selected ? 'selected' : 'off',
    ])

  expect(await shown('alice@example.com')).toEqual([
    ['alice@example.com', 'owner', '#9fe1e7', 'selected'],
    ['Team', 'owner', '#4986e7', 'selected'],
    ['Harbour Talks', 'writer', '#42d692', 'selected'],
    ['Bob (Berlin)', 'reader', '#b3dc6c', 'selected'],
    ['Saturday trails', 'writer', '#16a765', 'hidden'],
  ])
  expect(await shown('chiyo@example.com')).toEqual([
    ['chiyo@example.com', 'owner', '#ac725e', 'selected'],
    ['Harbour team', 'reader', '#4986e7', 'selected'],
    ['Harbour Talks', 'reader', '#cd74e6', 'hidden'],
  ])
})

test('every guest has a copy of the event with the response of the seed', async () => {
  const { as } = openTeam('2026-03-04T12:00:00Z')
  const { items } = (await as('chiyo@example.com').get('/calendars/primary/events')).body
  const invited = items.filter(({ organizer }: { organizer: { self?: boolean } }) => !organizer.self)
  expect(invited).toMatchObject([
    {
      summary: 'Call with Chiyo',
      organizer: { email: 'alice@example.com' },
      attendees: [{ self: true, responseStatus: 'accepted' }],
    },
    { summary: 'Planning', organizer: { displayName: 'Harbour team' } },
  ])
})

test('only the talks are public', async () => {
  const { fake } = openTeam('2026-03-04T12:00:00Z')
  const visitor = clientOf(fake.request, {})
  const statuses = await Promise.all(
    (team.calendars ?? []).map(async ({ id }) => [
      id,
      (await visitor.get(`/calendars/${encodeURIComponent(id)}/events?key=AIzaVisitor`)).status,
    ]),
  )
  const talksList = (await visitor.get(`/calendars/${TALKS}/events?key=AIzaVisitor`)).body

  expect(statuses.filter(([, status]) => status === 200)).toEqual([[TALKS, 200]])
  expect(statuses.filter(([, status]) => status === 404)).toHaveLength(statuses.length - 1)
  expect(talksList.accessRole).toBe('reader')
  expect(talksList.items.map(({ summary }: { summary?: string }) => summary)).toEqual([
    'Reading a tide table',
    'Maps without north',
    undefined,
    'Open dock day',
    'Why ships carried three clocks',
  ])
})

test('every calendar has events in the week of the anchor, and none more than two weeks away', () => {
  const anchor = Date.parse(`${team.anchor}T00:00:00Z`)
  const days = seeded.map(({ id, event }) => {
    const day = Date.parse(`${(event.start?.date ?? event.start?.dateTime ?? '').slice(0, 10)}T00:00:00Z`)
    return { id, days: (day - anchor) / DAY }
  })

  expect(new Date(anchor).getUTCDay()).toBe(1)
  expect(seeded.length).toBeGreaterThanOrEqual(40)
  for (const { id } of team.calendars ?? []) {
    expect(days.filter((one) => one.id === id && one.days >= 0 && one.days < 7).length).toBeGreaterThanOrEqual(4)
    expect(days.filter((one) => one.id === id && one.days >= 7).length).toBeGreaterThanOrEqual(1)
  }
  expect(Math.min(...days.map((one) => one.days))).toBeGreaterThanOrEqual(-7)
  expect(Math.max(...days.map((one) => one.days))).toBeLessThan(14)
})

/**
 * Returns the expected time: the same distance of days from this Monday as from the anchor, and the same wall-clock
 * time.
 */
function expectedAt(reading: string, now: string): string {
  const anchor = Date.parse(`${team.anchor}T00:00:00Z`)
  const day = Date.parse(`${reading.slice(0, 10)}T00:00:00Z`)
  return dated(mondayOf(now) + (day - anchor)) + reading.slice(10, 19)
}

test.each(MOMENTS)('at %s every event lies around this week, on its weekday at its local time', async (now) => {
  const { as } = openTeam(now)
  const zones = [...new Set(seeded.flatMap(({ event: { start, end } }) => [start?.timeZone, end?.timeZone]))]

  for (const zone of zones.filter((one) => typeof one === 'string')) {
    for (const { id, owner = id, events = [] } of team.calendars ?? []) {
      const path = `/calendars/${encodeURIComponent(id)}/events?timeZone=${encodeURIComponent(zone)}`
      const { items: all } = (await as(owner).get(path)).body
      const items = all.filter(({ organizer }: { organizer: { self?: boolean } }) => organizer.self)
      expect(items).toHaveLength(events.length)
      for (const [at, { start, end }] of events.entries()) {
        for (const [which, time] of Object.entries({ start, end })) {
          const { date, dateTime } = items[at][which]
          if (time?.date) expect(date).toBe(expectedAt(time.date, now))
          if (time?.timeZone === zone) expect(dateTime.slice(0, 19)).toBe(expectedAt(time.dateTime ?? '', now))
        }
      }
    }
  }
})
