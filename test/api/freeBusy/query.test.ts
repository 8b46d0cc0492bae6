import { expect, test } from 'vitest'
import type { Seed } from '../../../src/index.ts'
import { ALICE, at, BOB, CAROL, type Client, errorOf, hour, openCalendar, PEOPLE } from '../../support/calendar.ts'
import { invalid, newCalendar, share } from '../../support/sharing.ts'

const FREE_BUSY = '/freeBusy'
/** A Monday, from midnight to midnight in UTC. Until 8 March New York is five hours behind. */
const MONDAY = { timeMin: '2026-03-02T00:00:00Z', timeMax: '2026-03-03T00:00:00Z' }
const ME = [{ id: 'primary' }]
const TAKEN = { errors: [{ domain: 'global', reason: 'notFound' }], busy: [] }

const utc = (from: string, to: string, more: object = {}) => ({
  start: at(`2026-03-02T${from}:00`, 'UTC'),
  end: at(`2026-03-02T${to}:00`, 'UTC'),
  ...more,
})
const periods = (...times: [string, string][]) =>
  times.map(([from, to]) => ({ start: `2026-03-02T${from}:00Z`, end: `2026-03-02T${to}:00Z` }))

async function busyOf(client: Client, events: object[], query: object = MONDAY) {
  for (const event of events) expect((await client.post('/calendars/primary/events', event)).status).toBe(200)
  return (await client.post(FREE_BUSY, { ...query, items: ME })).body.calendars.primary.busy
}

/** Events of Monday in UTC, and when they make somebody busy. */
const BUSY: [title: string, events: object[], busy: [string, string][]][] = [
  ['one event is one period', [utc('09:00', '10:00')], [['09:00', '10:00']]],
  ['periods are ordered by time', [utc('15:00', '16:00'), utc('09:00', '10:00')], [['09:00', '10:00'], ['15:00', '16:00']]],
  ['overlapping periods are merged', [utc('09:00', '10:30'), utc('10:00', '11:00')], [['09:00', '11:00']]],
  ['adjacent periods are merged', [utc('09:00', '10:00'), utc('10:00', '11:00')], [['09:00', '11:00']]],
  ['a period inside another adds nothing', [utc('09:00', '12:00'), utc('10:00', '11:00')], [['09:00', '12:00']]],
  ['periods a minute apart stay separate', [utc('09:00', '10:00'), utc('10:01', '11:00')], [['09:00', '10:00'], ['10:01', '11:00']]],
  ['an event without a duration is not busy', [utc('09:00', '09:00')], []],
  ['a tentative event is busy', [utc('09:00', '10:00', { status: 'tentative' })], [['09:00', '10:00']]],
  ['a transparent event is free', [utc('09:00', '10:00', { transparency: 'transparent' })], []],
  ['a private event is busy', [utc('09:00', '10:00', { visibility: 'private' })], [['09:00', '10:00']]],
] // biome-ignore format: a table

test.each(BUSY)('10.9, 10.11, 14.40 %s', async (_, events, busy) => {
  expect(await busyOf(openCalendar().as(CAROL), events)).toEqual(periods(...busy))
})

test('a cancelled event is free', async () => {
  const { as } = openCalendar()
  const { body } = await as(CAROL).post('/calendars/primary/events', utc('09:00', '10:00'))
  await as(CAROL).delete(`/calendars/primary/events/${body.id}`)
  expect(await busyOf(as(CAROL), [])).toEqual([])
})

test.each([
  ['needsAction', 1],
  ['tentative', 1],
  ['accepted', 1],
  ['declined', 0],
])('10.9 an invitation answered with %s is busy on %i calendar', async (responseStatus, count) => {
  const { as } = openCalendar()
  const { body } = await as(ALICE).post(
    '/calendars/primary/events',
    utc('09:00', '10:00', { attendees: [{ email: CAROL }] }),
  )
  await as(CAROL).patch(`/calendars/primary/events/${body.id}`, { attendees: [{ email: CAROL, responseStatus }] })
  expect(await busyOf(as(CAROL), [])).toHaveLength(count)
  expect(await busyOf(as(ALICE), [])).toHaveLength(1)
})

test('10.9 the instances of a series are busy, cancelled ones are not, and moved ones are at their new time', async () => {
  const { as } = openCalendar()
  const events = '/calendars/primary/events'
  const series = { id: 'standup', ...hour('2026-03-02', 9), recurrence: ['RRULE:FREQ=DAILY'] }
  await as(ALICE).post(events, series)
  await as(ALICE).delete(`${events}/standup_20260304T140000Z`)
  await as(ALICE).patch(`${events}/standup_20260305T140000Z`, hour('2026-03-06', 17))
  await as(ALICE).patch(`${events}/standup_20260311T130000Z`, hour('2026-03-03', 11))
  const week = { timeMin: '2026-03-02T00:00:00Z', timeMax: '2026-03-10T00:00:00Z', timeZone: 'America/New_York' }
  const busy = await busyOf(as(ALICE), [], week)
  expect(busy.map(({ start }: { start: string }) => start)).toEqual([
    '2026-03-02T09:00:00-05:00',
    '2026-03-03T09:00:00-05:00',
    '2026-03-03T11:00:00-05:00',
    '2026-03-06T09:00:00-05:00',
    '2026-03-06T17:00:00-05:00',
    '2026-03-07T09:00:00-05:00',
    '2026-03-08T09:00:00-04:00',
    '2026-03-09T09:00:00-04:00',
  ])
})

test('an instance that a guest declined is free, and the rest of the series is busy', async () => {
  const { as } = openCalendar()
  const series = { id: 'standup', ...hour('2026-03-02', 9), recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] }
  await as(ALICE).post('/calendars/primary/events', { ...series, attendees: [{ email: CAROL }] })
  await as(CAROL).patch('/calendars/primary/events/standup_20260302T140000Z', {
    attendees: [{ email: CAROL, responseStatus: 'declined' }],
  })
  const busy = await busyOf(as(CAROL), [], { timeMin: '2026-03-01T00:00:00Z', timeMax: '2026-03-05T00:00:00Z' })
  expect(busy).toEqual([{ start: '2026-03-03T14:00:00Z', end: '2026-03-03T15:00:00Z' }])
})

test.each([
  ['Asia/Kolkata', '2026-03-02T14:30:00+05:30', '2026-03-02T15:30:00+05:30'],
  ['America/New_York', '2026-03-02T04:00:00-05:00', '2026-03-02T05:00:00-05:00'],
  ['Europe/London', '2026-03-02T09:00:00Z', '2026-03-02T10:00:00Z'],
  [null, '2026-03-02T09:00:00Z', '2026-03-02T10:00:00Z'],
])('10.12 times have the offset of the zone %s, and the bounds stay in UTC', async (timeZone, start, end) => {
  const { as } = openCalendar()
  await as(CAROL).post('/calendars/primary/events', utc('09:00', '10:00'))
  const { body } = await as(CAROL).post(FREE_BUSY, { ...MONDAY, timeZone, items: ME })
  expect(body.calendars.primary.busy).toEqual([{ start, end }])
  expect(body.timeMin).toBe('2026-03-02T00:00:00.000Z')
})

test('1.14 an offset can be written without a colon', async () => {
  const { as } = openCalendar()
  const bounds = { timeMin: '2026-03-02T01:00:00+0100', timeMax: '2026-03-02T18:59:59-0500' }
  const { body } = await as(ALICE).post(FREE_BUSY, { ...bounds, items: [] })
  expect(body).toMatchObject({ timeMin: '2026-03-02T00:00:00.000Z', timeMax: '2026-03-02T23:59:59.000Z' })
})

test('10.13 a free/busy reader gets busy times without details', async () => {
  const { as } = openCalendar()
  const secret = {
    summary: 'Secret',
    description: 'Secret',
    location: 'Secret',
    attendees: [{ email: 'secret@example.net' }],
  }
  await as(ALICE).post('/calendars/primary/events', { id: 'secret0', ...utc('09:00', '10:00', secret) })
  await share(as(ALICE), ALICE, BOB, 'freeBusyReader')
  const { text, body } = await as(BOB).post(FREE_BUSY, { ...MONDAY, items: [{ id: ALICE }] })
  expect(body.calendars[ALICE]).toEqual({ busy: periods(['09:00', '10:00']) })
  expect(text).not.toMatch(/secret/i)
})

test('1.1, 10.13 an API key gets the busy times of public calendars, and has no primary', async () => {
  const { as, anonymous } = openCalendar()
  const open = await newCalendar(as(ALICE))
  await as(ALICE).post(`/calendars/${open}/acl`, { role: 'freeBusyReader', scope: { type: 'default' } })
  await as(ALICE).post(`/calendars/${open}/events`, utc('09:00', '10:00'))
  const items = [open, ALICE, 'primary'].map((id) => ({ id }))
  const { body } = await anonymous.post(`${FREE_BUSY}?key=abc`, { ...MONDAY, items })
  expect(body.calendars).toEqual({ [open]: { busy: periods(['09:00', '10:00']) }, [ALICE]: TAKEN, primary: TAKEN })
})

const GROUP = 'everyone@example.com'
const grouped: Seed = {
  accounts: [ALICE, BOB, CAROL].map((email) => ({ email })),
  groups: [{ email: GROUP, members: [ALICE, BOB, 'unknown@example.com'] }],
}

test('10.7 a group is expanded to its members, each with the access of the caller', async () => {
  const { as } = openCalendar({ seed: grouped })
  const { body } = await as(ALICE).post(FREE_BUSY, { ...MONDAY, items: [{ id: GROUP }, { id: ALICE }] })
  const members = [ALICE, BOB, 'unknown@example.com']
  expect(Object.keys(body)).toEqual(['kind', 'timeMin', 'timeMax', 'groups', 'calendars'])
  expect(body.groups).toEqual({ [GROUP]: { calendars: members } })
  expect(Object.keys(body.calendars)).toEqual(members)
  expect(body.calendars).toEqual({ [ALICE]: { busy: [] }, [BOB]: TAKEN, 'unknown@example.com': TAKEN })
})

test('10.7 a group with more members than groupExpansionMax has the error groupTooBig', async () => {
  const { as } = openCalendar({ seed: grouped })
  const { body } = await as(ALICE).post(FREE_BUSY, { ...MONDAY, groupExpansionMax: 2, items: [{ id: GROUP }] })
  expect(body.groups).toEqual({ [GROUP]: { errors: [{ domain: 'global', reason: 'groupTooBig' }] } })
  expect(body.calendars).toEqual({})
})

test('10.7 a group with exactly groupExpansionMax members is expanded, and a negative limit is refused', async () => {
  const team = { email: 'team@example.com', members: [ALICE, BOB] }
  const alice = openCalendar({ seed: [PEOPLE, { groups: [team] }] }).as(ALICE)
  const query = { timeMin: '2026-03-02T00:00:00Z', timeMax: '2026-03-03T00:00:00Z', items: [{ id: team.email }] }
  const { body } = await alice.post('/freeBusy', { ...query, groupExpansionMax: 2 })
  expect(body.groups).toEqual({ [team.email]: { calendars: team.members } })
  expect(errorOf(await alice.post('/freeBusy', { ...query, groupExpansionMax: -1 })).status).toBe(400)
})

test('without a limit, fifty calendars are returned', async () => {
  const items = Array.from({ length: 51 }, (_, at) => ({ id: `c${at}@example.com` }))
  const { body } = await openCalendar()
    .as(ALICE)
    .post(FREE_BUSY, { ...MONDAY, items })
  const reasons = Object.values(body.calendars as Record<string, typeof TAKEN>).map(({ errors }) => errors[0]?.reason)
  expect(reasons).toEqual([...Array(50).fill('notFound'), 'tooManyCalendarsRequested'])
})

const EMPTY_RANGE = {
  ...invalid('The specified time range is empty.', 'timeMax', 'timeRangeEmpty'),
  domain: 'calendar',
}
const TOO_LONG = {
  ...invalid('The requested time range is too long.', 'timeMax', 'timeRangeTooLong'),
  domain: 'calendar',
}
const REFUSED: [title: string, query: object, refused: object][] = [
  ['a missing timeMin', { timeMax: MONDAY.timeMax }, invalid('Missing timeMin parameter.', undefined, 'required')],
  ['a missing timeMax', { timeMin: MONDAY.timeMin }, invalid('Missing timeMax parameter.', undefined, 'required')],
  ['a missing timeMin and timeMax', {}, invalid('Missing timeMin parameter.', undefined, 'required')],
  ['a missing offset', { ...MONDAY, timeMin: '2026-03-02T00:00:00' }, invalid('Bad Request', undefined, 'badRequest')],
  ['the hour 24', { ...MONDAY, timeMin: '2026-03-01T24:00:00Z' }, invalid('Bad Request', undefined, 'badRequest')],
  ['an empty range', { timeMin: MONDAY.timeMin, timeMax: MONDAY.timeMin }, EMPTY_RANGE],
  ['a range that ends before it begins', { timeMin: MONDAY.timeMax, timeMax: MONDAY.timeMin }, EMPTY_RANGE],
  ['a range over three months', { ...MONDAY, timeMax: '2026-06-04T00:00:00Z' }, TOO_LONG],
  ['an unknown zone', { ...MONDAY, timeZone: 'Mars/Base' }, invalid('Invalid Value: timeZone: no time zone Mars/Base')],
  ['too many calendars', { ...MONDAY, calendarExpansionMax: 51 }, invalid('Invalid Value: calendarExpansionMax: must be at most 50')],
  ['too many members', { ...MONDAY, groupExpansionMax: 101 }, invalid('Invalid Value: groupExpansionMax: must be at most 100')],
] // biome-ignore format: a table

test.each(REFUSED)('2.2.5, 10.4, 10.8, 12.11 %s is refused', async (_, query, refused) => {
  const { as } = openCalendar()
  expect(errorOf(await as(ALICE).post(FREE_BUSY, { ...query, items: ME }))).toEqual(refused)
})

test('14.38 a range of three months is accepted, and a longer one refused', async () => {
  const { as } = openCalendar()
  const until = async (timeMax: string) => (await as(ALICE).post(FREE_BUSY, { ...MONDAY, timeMax, items: ME })).status

  expect(await until('2026-06-03T00:00:00Z')).toBe(200)
  expect(await until('2026-06-03T00:00:00.001Z')).toBe(400)
})

test('12.11 the maximum number of calendars and members is accepted', async () => {
  const { as } = openCalendar()
  const most = { calendarExpansionMax: 50, groupExpansionMax: 100 }

  expect((await as(ALICE).post(FREE_BUSY, { ...MONDAY, ...most, items: ME })).status).toBe(200)
})
