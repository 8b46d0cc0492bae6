import { expect, test } from 'vitest'
import { createFakeCalendar, type Seed } from '../../src/index.ts'
import { clientOf } from '../support/calendar.ts'
import teamSeed from '../support/team.json' with { type: 'json' }

const team = teamSeed as Seed

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
