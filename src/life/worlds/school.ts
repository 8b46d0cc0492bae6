import type { Seed, SeedEvent } from '../../wire/seeds/seed.ts'
import { allDay, dayAfter, pick, timed } from './making.ts'

const HEAD = { email: 'head@school.example.org', displayName: 'Ruth Adeyemi', timeZone: 'Europe/London' }
const ABROAD = [
  { email: 'lin@partner.example.net', displayName: 'Grace Lin', timeZone: 'America/New_York' },
  { email: 'tran@partner.example.net', displayName: 'Minh Tran', timeZone: 'Australia/Sydney' },
]
const ZONE = HEAD.timeZone
/** A Monday. Clocks change in New York on 8 March, in London on 29 March and in Sydney on 5 April. */
const FIRST = '2026-02-23'
const LAST = '20260417'
const BREAK = [42, 43, 44, 45, 46]
const CLASSES = ['7A', '7B', '8A'].map((name, at) => ({
  name,
  id: `c_school${at}4ve8lq41j9g0kos2r7t5n3m@group.calendar.google.com`,
}))
const SUBJECTS = ['Mathematics', 'English', 'Physics', 'History', 'French', 'Art', 'Biology', 'Music']
const PERIODS = ['08:45', '09:40', '10:50', '11:45', '13:30', '14:25']
const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR']

const stamp = (date: string, time: string): string => `${date.replaceAll('-', '')}T${time.replace(':', '')}00`

/** A lesson every week of the term, but for the week without school. */
function lesson(at: number, day: number, period: number): SeedEvent {
  const [date, time] = [dayAfter(FIRST, day), pick(PERIODS, period)]
  return {
    id: `lesson${at}${day}${period}`,
    summary: pick(SUBJECTS, at * 3 + day * 5 + period * 2),
    location: `Room ${10 + at * 4 + ((day + period) % 4)}`,
    ...timed(date, time, 50, ZONE),
    recurrence: [
      `RRULE:FREQ=WEEKLY;BYDAY=${pick(WEEKDAYS, day)};UNTIL=${LAST}T220000Z`,
      `EXDATE;TZID=${ZONE}:${stamp(dayAfter(FIRST, pick(BREAK, day)), time)}`,
    ],
  }
}

/** A term of a school in London with partners in New York and Sydney: every lesson keeps its own clock over all changes. */
export function school(): Seed {
  const timetable = CLASSES.map(({ id, name }, at) => {
    const lessons = WEEKDAYS.flatMap((_, day) => PERIODS.map((__, period) => lesson(at, day, period)))
    const moved = { recurringEventId: `lesson${at}10`, summary: 'Test, in the hall', location: 'Hall' }
    const originalStartTime = timed(dayAfter(FIRST, 15), '08:45', 50, ZONE).start
    return {
      id,
      owner: HEAD.email,
      summary: `Class ${name}`,
      timeZone: ZONE,
      acl: [
        { role: 'reader', scope: { type: 'domain', value: 'partner.example.net' } },
        ...(at === 0 ? [{ role: 'reader', scope: { type: 'default' } }] : []),
      ],
      events: [
        ...lessons,
        { ...moved, originalStartTime, ...timed(dayAfter(FIRST, 15), '09:00', 90, ZONE) },
        {
          recurringEventId: `lesson${at}42`,
          summary: lesson(at, 4, 2).summary,
          originalStartTime: timed(dayAfter(FIRST, 25), '10:50', 50, ZONE).start,
          status: 'cancelled' as const,
        },
      ],
    }
  })
  const exchange = ABROAD.map(
    ({ email, displayName, timeZone }, at): SeedEvent => ({
      id: `abroad${at}`,
      summary: `Exchange lesson with ${pick(['New York', 'Sydney'], at)}`,
      ...timed(dayAfter(FIRST, 1 + at), pick(['09:30', '19:30'], at), 45, timeZone),
      recurrence: [`RRULE:FREQ=WEEKLY;UNTIL=${LAST}T220000Z`],
      attendees: [{ email, displayName, responseStatus: 'accepted' }],
    }),
  )
  return {
    clock: { mode: 'set', now: '2026-03-09T08:00:00Z' },
    accounts: [
      {
        ...HEAD,
        settings: { weekStart: '1', format24HourTime: 'true' },
        calendarList: CLASSES.map(({ id }, at) => ({ id, colorId: pick(['14', '9', '23'], at), selected: true })),
      },
      ...ABROAD.map((one) => ({
        ...one,
        calendarList: CLASSES.slice(0, 1).map(({ id }) => ({ id, colorId: '16', selected: true })),
      })),
    ],
    calendars: [
      ...timetable,
      {
        id: HEAD.email,
        events: [
          ...exchange,
          { summary: 'Term begins', transparency: 'transparent', ...allDay(FIRST) },
          { summary: 'No school', ...allDay(dayAfter(FIRST, 42), 5) },
          { summary: 'Parents’ evening', location: 'Hall', ...timed(dayAfter(FIRST, 31), '17:30', 150, ZONE) },
          { summary: 'Night walk, over the change of clocks', ...timed(dayAfter(FIRST, 33), '23:30', 150, ZONE) },
          { summary: 'Term ends', transparency: 'transparent', ...allDay(dayAfter(FIRST, 53)) },
        ],
      },
    ],
  }
}
