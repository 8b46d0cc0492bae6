import type { Seed, SeedEvent } from '../../wire/seeds/seed.ts'
import { allDay, dayAfter, padded, pick, timed } from './making.ts'

const ANCHOR = '2026-01-05'
const EMAIL = 'max@example.com'
const ZONE = 'America/Chicago'
const TOPICS = ['Budget', 'Hiring', 'Roadmap', 'Launch', 'Support', 'Security', 'Design', 'Data', 'Legal', 'Travel']
const KINDS = ['review', 'sync', 'interview', 'call', 'workshop', 'planning', 'demo', 'follow-up']
const GUESTS = Array.from({ length: 40 }, (_, nth) => `colleague${padded(nth + 1)}@example.com`)
const RULES = [
  'RRULE:FREQ=DAILY;COUNT=30',
  'RRULE:FREQ=WEEKLY',
  'RRULE:FREQ=WEEKLY;INTERVAL=2',
  'RRULE:FREQ=WEEKLY;BYDAY=MO,WE,FR',
  'RRULE:FREQ=MONTHLY;BYDAY=1TU',
  'RRULE:FREQ=MONTHLY;BYMONTHDAY=-1',
  'RRULE:FREQ=YEARLY',
]
const SINGLE = 5000
const SERIES = 200
/** Some fourteen months back, and as many ahead. */
const REACH = 430

const time = (nth: number): string => `${padded(7 + ((nth * 7) % 12))}:${pick(['00', '15', '30', '45'], nth * 3)}`
const guests = (nth: number): SeedEvent['attendees'] =>
  Array.from({ length: nth % 5 }, (_, at) => ({
    email: pick(GUESTS, nth * 3 + at * 7),
    responseStatus: pick(['accepted', 'needsAction', 'tentative', 'declined'] as const, nth + at),
  }))

function single(nth: number): SeedEvent {
  const date = dayAfter(ANCHOR, ((nth * 13) % (2 * REACH)) - REACH)
  const isLong = nth % 25 === 0
  return {
    id: `single${padded(nth, 5)}`,
    summary: `${pick(TOPICS, nth * 3)} ${pick(KINDS, nth * 5 + (nth >> 4))}`,
    ...(isLong ? allDay(date, 1 + (nth % 3)) : timed(date, time(nth), 15 * (1 + (nth % 6)), ZONE)),
    ...(nth % 3 === 0 && { location: `Floor ${1 + (nth % 9)}` }),
    ...(nth % 11 === 0 && { colorId: String(1 + (nth % 11)) }),
    ...(nth % 13 === 0 && { transparency: 'transparent' as const }),
    ...(nth % 4 === 0 && !isLong && nth % 5 > 0 && { attendees: guests(nth) }),
  }
}

/** A series, and of every other one an instance that was moved. */
function series(nth: number): SeedEvent[] {
  const id = `series${padded(nth, 3)}`
  const date = dayAfter(ANCHOR, ((nth * 17) % 364) - 300)
  const [at, length] = [time(nth + 5), 15 * (2 + (nth % 3))]
  const of = `${pick(TOPICS, nth)} ${pick(['stand-up', 'one-to-one', 'committee', 'office hours'], nth >> 1)}`
  const first = timed(date, at, length, ZONE)
  return [
    { id, summary: of, ...first, recurrence: [pick(RULES, nth)], ...(nth % 2 === 1 && { attendees: guests(nth) }) },
    ...(nth % 2 === 0
      ? [
          {
            recurringEventId: id,
            originalStartTime: first.start,
            summary: `${of}, moved`,
            ...timed(date, '18:30', 30, ZONE),
          },
        ]
      : []),
  ]
}

/** One account with a full calendar: 5,000 single events, 200 series, and 100 changed instances of those. */
export const heavy = (): Seed => ({
  anchor: ANCHOR,
  accounts: [{ email: EMAIL, displayName: 'Max Duarte', timeZone: ZONE }],
  calendars: [
    {
      id: EMAIL,
      events: [
        ...Array.from({ length: SERIES }, (_, nth) => series(nth)).flat(),
        ...Array.from({ length: SINGLE }, (_, nth) => single(nth)),
      ],
    },
  ],
})
