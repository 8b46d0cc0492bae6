import { expect, test } from 'vitest'
import { World } from '../../src/control/worlds/world.ts'
import { findConflicts } from '../../src/effects/autoDecline.ts'
import type { Event } from '../../src/schema/event.ts'
import { createStartFromSeeds } from '../../src/seeds/worldStart.ts'
import { firstEpoch } from '../../src/sync/epochs.ts'
import { ALICE, allDay, BOB, CAROL, hour, NOW, openCalendar, PEOPLE } from '../support/calendar.ts'

const utc = (day: string, from: number) => hour(day, from, 'UTC')
const lastHour = { start: utc('2026-03-02', 23).start, end: utc('2026-03-03', 0).start }
const keeper = (settings: object = {}, times: object = utc('2026-03-02', 12)) => ({
  id: 'keeper001',
  eventType: 'focusTime',
  ...times,
  focusTimeProperties: {
    autoDeclineMode: 'declineOnlyNewConflictingInvitations',
    declineMessage: 'Writing',
    ...settings,
  },
})

/** Returns the instances of an invitation from Alice that Bob's calendar declines, with the given events. */
function declined(events: object[], invitation: object) {
  const seeds = [PEOPLE, { calendars: [{ id: BOB, events }] } as never]
  const start = createStartFromSeeds({ seeds, now: NOW, policy: undefined })
  const world = new World(start, firstEpoch('default'), { webhooks: 'loopback', post: async () => 204 })
  const calendar = world.data.calendars.get(BOB)
  const invited = { id: 'lunch001', status: 'confirmed', organizer: { email: ALICE }, ...invitation } as Event
  return calendar && findConflicts(world.data, calendar, invited)
}

const noon = {
  start: { dateTime: '2026-03-02T12:00:00Z', timeZone: 'UTC' },
  end: { dateTime: '2026-03-02T13:00:00Z', timeZone: 'UTC' },
}
const later = {
  start: { dateTime: '2026-03-02T13:00:00Z', timeZone: 'UTC' },
  end: { dateTime: '2026-03-02T14:00:00Z', timeZone: 'UTC' },
}
const daily = { ...noon, recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] }
const LUNCH = [{ eventId: 'lunch001', comment: 'Writing' }]
const away = {
  id: 'gone001',
  eventType: 'outOfOffice',
  ...utc('2026-03-02', 11),
  end: { dateTime: '2026-03-04T12:30:00', timeZone: 'UTC' },
  outOfOfficeProperties: { autoDeclineMode: 'declineAllConflictingInvitations' },
}

const CASES: [title: string, events: object[], invitation: object, declines: object[]][] = [
  ['is declined in focus time, with its message', [keeper()], noon, LUNCH],
  ['is declined out of office, without a message', [away], noon, [{ eventId: 'lunch001' }]],
  ['is declined with the mode declineAllConflictingInvitations', [keeper({ autoDeclineMode: 'declineAllConflictingInvitations' })], noon, LUNCH],
  ['is not declined with the mode declineNone', [keeper({ autoDeclineMode: 'declineNone' })], noon, []],
  ['is not declined next to focus time', [keeper()], later, []],
  ['is not declined in cancelled focus time', [{ ...keeper(), status: 'cancelled' }], noon, []],
  ['is not declined in a default event', [{ id: 'plain001', ...utc('2026-03-02', 12) }], noon, []],
  ['is not declined if it is transparent', [keeper()], { ...noon, transparency: 'transparent' }, []],
  ['is not declined if it is cancelled', [keeper()], { ...noon, status: 'cancelled' }, []],
  ['is not declined if the guest organizes it', [keeper()], { ...noon, organizer: { email: BOB } }, []],
  ['is declined if it is all-day on that day in the guest’s zone', [keeper({}, utc('2026-03-02', 22))], allDay('2026-03-02', '2026-03-03'), LUNCH],
  ['is not declined if it is all-day on the day before in the guest’s zone', [keeper({}, lastHour)], allDay('2026-03-02', '2026-03-03'), []],
  ['is declined in any instance of a focus time series', [{ ...keeper({}, utc('2026-02-23', 12)), recurrence: ['RRULE:FREQ=WEEKLY'] }], noon, LUNCH],
  ['is not declined between the instances of a focus time series', [{ ...keeper({}, utc('2026-02-24', 12)), recurrence: ['RRULE:FREQ=WEEKLY'] }], noon, []],
  ['of a series is declined for each conflicting instance', [away], daily, ['02', '03', '04'].map((day) => ({ eventId: `lunch001_202603${day}T120000Z` }))],
  ['of a series is declined for no other instance', [keeper()], daily, [{ eventId: 'lunch001_20260302T120000Z', comment: 'Writing' }]],
] // biome-ignore format: a table

test.each(CASES)('an invitation %s', (_, events, invitation, declines) => {
  expect(declined(events, invitation)).toEqual(declines)
})

test('a moved instance of focus time declines invitations at its new time only', () => {
  const weekly = { ...keeper({}, utc('2026-02-23', 12)), recurrence: ['RRULE:FREQ=WEEKLY'] }
  const originalStartTime = noon.start
  const moved = { recurringEventId: 'keeper001', originalStartTime, ...utc('2026-03-02', 13) }
  expect(declined([weekly, moved], noon)).toEqual([])
  expect(declined([weekly, moved], later)).toEqual(LUNCH)
})

test('the answers of several guests to one invitation are written together, each record once', async () => {
  const blocked = (id: string) => ({ id, events: [{ ...keeper(), id: `keeper${id[0]}` }] })
  const { as, fake } = openCalendar({ seed: { ...PEOPLE, calendars: [blocked(BOB), blocked(CAROL)] } as never })
  const revision = () => fake.state().counters?.revision ?? 0
  const before = revision()
  const invitation = { id: 'lunch001', ...noon, attendees: [{ email: BOB }, { email: CAROL }] }
  const { status } = await as(ALICE).post('/calendars/primary/events', invitation)
  expect(status).toBe(200)

  const { body } = await as(ALICE).get('/calendars/primary/events/lunch001')
  expect(body.attendees.map((one: { responseStatus: string }) => one.responseStatus)).toEqual(['declined', 'declined'])
  // The event and two copies are created, then declined. Each write takes one revision, because the clock is frozen.
  expect(revision() - before).toBe(6)
})
