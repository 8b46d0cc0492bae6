import { expect, test } from 'vitest'
import type { Seed } from '../../../src/index.ts'
import { ALICE, allDay, at, type Client, errorOf, hour, openCalendar } from '../../support/calendar.ts'

const EVENTS = '/calendars/primary/events'
const DAILY = 'RRULE:FREQ=DAILY'
const tooLarge = {
  status: 400,
  domain: 'global',
  reason: 'invalid',
  message: 'A provided value exceeds the allowed size limit.',
}
const idsOf = async (client: Client, query: string): Promise<string[]> =>
  (await client.get(`${EVENTS}?${query}`)).body.items.map(({ id }: { id: string }) => id)

test('14.19.1 a start at the second instant of an ambiguous local time is the first instance, and later ones use the first instant', async () => {
  const alice = openCalendar().as(ALICE)
  const { body } = await alice.post(EVENTS, {
    id: 'night',
    start: at('2026-11-01T01:30:00-05:00'),
    end: at('2026-11-01T02:00:00-05:00'),
    recurrence: ['RRULE:FREQ=YEARLY;COUNT=3'],
  })
  expect(body.start.dateTime).toBe('2026-11-01T01:30:00-05:00')
  expect(await idsOf(alice, 'singleEvents=true')).toEqual([
    'night_20261101T063000Z',
    'night_20271101T053000Z',
    'night_20281101T053000Z',
  ])
  expect((await alice.get(`${EVENTS}/night_20261101T063000Z`)).body.start).toEqual(body.start)
  expect((await alice.get(`${EVENTS}/night_20261101T053000Z`)).status).toBe(404)
})

test('14.19.1 a series of one instance at the second instant of an ambiguous local time ends there', async () => {
  const alice = openCalendar().as(ALICE)
  const late = { start: at('2026-11-01T01:30:00-05:00'), end: at('2026-11-01T01:45:00-05:00') }
  await alice.post(EVENTS, { id: 'night', ...late, recurrence: [`${DAILY};COUNT=1`] })
  expect(await idsOf(alice, 'timeMin=2026-11-01T06:30:00Z')).toEqual(['night'])
  expect(await idsOf(alice, 'timeMax=2026-11-01T06:30:00Z')).toEqual([])
})

test('4.2.7 a line is returned with its property name in capitals and otherwise unchanged', async () => {
  const alice = openCalendar().as(ALICE)
  const recurrence = ['rrule:freq=daily;count=2', 'exdate;tzid=UTC:20260302T000000']
  const { body } = await alice.post(EVENTS, { ...hour('2026-03-02', 9), recurrence })
  expect(body.recurrence).toEqual(['RRULE:freq=daily;count=2', 'EXDATE;tzid=UTC:20260302T000000'])
})

test('4.9, 14.21 a list from years ahead is expanded for two years, without a limit by number', async () => {
  const alice = openCalendar().as(ALICE)
  await alice.post(EVENTS, { id: 'repeats', ...allDay('2026-03-02', '2026-03-03'), recurrence: [DAILY] })
  const ids = await idsOf(alice, 'singleEvents=true&timeMin=2029-01-01T12:00:00Z&maxResults=2500')
  expect([ids[0], ids.at(-1)]).toEqual(['repeats_20290101', 'repeats_20310101'])
  expect(ids).toHaveLength(731)
  const now = await idsOf(alice, 'singleEvents=true&maxResults=2500')
  expect([now[0], now.at(-1)]).toEqual(['repeats_20260302', 'repeats_20280301'])
})

const dates = (many: number) => `EXDATE:${Array(many).fill('20270101T000000Z').join(',')}`
const TOO_MUCH: [title: string, recurrence: string[]][] = [
  ['101 lines', [DAILY, ...Array(100).fill(dates(1))]],
  ['11 rules', [...Array(6).fill(DAILY), ...Array(5).fill('EXRULE:FREQ=YEARLY')]],
  ['more than 64 kB', [DAILY, dates(3900)]],
]

test.each(TOO_MUCH)('14.22 %s are too large a recurrence, also for a seed', async (_, recurrence) => {
  const { fake, as } = openCalendar()
  const event = { ...hour('2026-03-02', 9), recurrence }
  expect(errorOf(await as(ALICE).post(EVENTS, event))).toEqual(tooLarge)
  const { status, body } = await as(ALICE).post(EVENTS, hour('2026-03-02', 9))
  expect([status, errorOf(await as(ALICE).patch(`${EVENTS}/${body.id}`, event))]).toEqual([200, tooLarge])
  expect(() => fake.seed({ calendars: [{ id: ALICE, events: [event] }] })).toThrow(
    `calendars[0].events[0]: ${tooLarge.message}`,
  )
})

test('14.22 100 lines, 10 rules and one line of many dates are accepted', async () => {
  const alice = openCalendar().as(ALICE)
  const rules = Array(10).fill(`${DAILY};COUNT=2`)
  for (const recurrence of [
    [...rules, ...Array(90).fill(dates(1))],
    [DAILY, dates(3800)],
  ]) {
    expect((await alice.post(EVENTS, { ...hour('2026-03-02', 9), recurrence })).status).toBe(200)
  }
})

const SPLIT = '4eahs9ghkhrvkld72hogu9ph3e_R20201028T090000'
const split: Seed = {
  accounts: [{ email: ALICE, timeZone: 'UTC' }],
  calendars: [
    {
      id: ALICE,
      events: [
        { id: SPLIT, ...hour('2026-03-02', 9, 'UTC'), recurrence: [DAILY] },
        { id: 'holidam_R20260302', ...allDay('2026-03-02', '2026-03-03'), recurrence: [DAILY] },
      ],
    },
  ],
}

test('4.12.1, 14.24 a seed can set the ids of split series, and an insert cannot', async () => {
  const alice = openCalendar({ seed: split }).as(ALICE)
  expect((await alice.get(`${EVENTS}/${SPLIT}`)).body).toMatchObject({ id: SPLIT, iCalUID: `${SPLIT}@google.com` })
  const path = `${EVENTS}/4eahs9ghkhrvkld72hogu9ph3e_20260305T090000Z`
  expect((await alice.get(path)).body).toMatchObject({ recurringEventId: SPLIT, iCalUID: `${SPLIT}@google.com` })
  expect((await alice.patch(path, { summary: 'Moved' })).body.summary).toBe('Moved')
  expect((await alice.get(`${EVENTS}/holidam_20260305`)).body.start).toEqual({ date: '2026-03-05' })
  expect(errorOf(await alice.post(EVENTS, { id: SPLIT, ...hour('2026-03-02', 9) }))).toMatchObject({
    status: 400,
    message: 'Invalid resource id value.',
  })
})

test('no instance and no time is in a year of five digits', async () => {
  const alice = openCalendar().as(ALICE)
  await alice.post(EVENTS, { id: 'last0', ...allDay('9999-12-28', '9999-12-29'), recurrence: [DAILY] })
  const ids = await idsOf(alice, 'singleEvents=true&timeMin=9999-12-01T00:00:00Z')
  expect(ids).toEqual(['last0_99991228', 'last0_99991229', 'last0_99991230'])
  expect((await alice.get(`${EVENTS}/last0_99991231`)).status).toBe(404)
  const beyond = { start: at('9999-12-31T23:00:00'), end: at('9999-12-31T23:30:00') }
  expect(errorOf(await alice.post(EVENTS, beyond)).reason).toBe('badRequest')
  const { body } = await alice.post(EVENTS, hour('9999-12-31', 22, 'UTC'))
  expect((await alice.get(`${EVENTS}/${body.id}?timeZone=Asia/Tokyo`)).body.start.dateTime).toBe('9999-12-31T22:00:00Z')
})

const WEEKLY = 'RRULE:FREQ=WEEKLY;BYDAY=MO'

test.each<[title: string, from: string[], to: string[] | null, raised: number]>([
  ['a new UNTIL', [WEEKLY], [`${WEEKLY};UNTIL=20260330T000000Z`], 0],
  ['an earlier UNTIL', [`${WEEKLY};UNTIL=20260530T000000Z`], [`${WEEKLY};UNTIL=20260330T000000Z`], 0],
  ['an earlier UNTIL that is a date', [`${WEEKLY};UNTIL=20260530T000000Z`], [`${WEEKLY};UNTIL=20260330`], 0],
  ['an earlier UNTIL at another place in the rule', [WEEKLY], ['RRULE:UNTIL=20260330T000000Z;FREQ=WEEKLY;BYDAY=MO'], 0],
  ['a lower COUNT', [`${WEEKLY};COUNT=10`], [`${WEEKLY};COUNT=4`], 0],
  [
    'an earlier UNTIL beside an EXDATE',
    [WEEKLY, 'EXDATE:20260309T140000Z'],
    [`${WEEKLY};COUNT=9`, 'EXDATE:20260309T140000Z'],
    0,
  ],
  ['a later UNTIL', [`${WEEKLY};UNTIL=20260330T000000Z`], [`${WEEKLY};UNTIL=20260530T000000Z`], 1],
  ['a removed UNTIL', [`${WEEKLY};UNTIL=20260330T000000Z`], [WEEKLY], 1],
  ['a higher COUNT', [`${WEEKLY};COUNT=4`], [`${WEEKLY};COUNT=10`], 1],
  ['UNTIL in place of COUNT', [`${WEEKLY};COUNT=10`], [`${WEEKLY};UNTIL=20260330T000000Z`], 1],
  ['another day of the week', [WEEKLY], ['RRULE:FREQ=WEEKLY;BYDAY=MO,TU;UNTIL=20260330T000000Z'], 1],
  ['an additional EXDATE', [WEEKLY], [`${WEEKLY};COUNT=9`, 'EXDATE:20260309T140000Z'], 1],
  ['a removed rule', [WEEKLY], null, 1],
])('3.2.16 %s: the sequence of a series whose rule %j becomes %j rises by %i', async (_, from, to, raised) => {
  const alice = openCalendar().as(ALICE)
  const { id, sequence } = (await alice.post(EVENTS, { ...hour('2026-03-02', 9), recurrence: from })).body

  const { body } = await alice.patch(`${EVENTS}/${id}`, { recurrence: to })

  expect(body.sequence - sequence).toBe(raised)
})
