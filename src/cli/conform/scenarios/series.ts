import { expectOk, expectStatus, expectTrue } from '../expect.ts'
import type { Kit } from '../kit.ts'
import { absent, contains, exactKeys } from '../matchers.ts'
import { errorScenarios, type ScenarioGroup, scenario } from '../scenario.ts'
import {
  createFourDaySeries,
  DAILY,
  joinInstants,
  listStarts,
  listStartsOfRule,
  toCompactInstant,
} from './seriesHelpers.ts'

const rules: readonly [name: string, headings: string, lines: (kit: Kit) => string[], days: number[]][] = [
  ['COUNT includes the first instance', '4.2.1, 4.7', () => ['RRULE:FREQ=DAILY;COUNT=3'], [0, 1, 2]],
  [
    'UNTIL includes the instance that starts then',
    '4.2.4',
    (kit) => [`RRULE:FREQ=DAILY;UNTIL=${toCompactInstant(kit.instant(9, 2))}`],
    [0, 1, 2],
  ],
  [
    'UNTIL as a date includes the instances of that day',
    '4.2.4',
    (kit) => [`RRULE:FREQ=DAILY;UNTIL=${kit.day(2).replaceAll('-', '')}`],
    [0, 1, 2],
  ],
  ['BYDAY of a weekly rule selects weekdays', '4.2.2', () => ['RRULE:FREQ=WEEKLY;BYDAY=MO,WE,FR;COUNT=3'], [0, 2, 4]],
  [
    'INTERVAL=3 of a daily rule selects every third day',
    '4.2.1',
    () => ['RRULE:FREQ=DAILY;INTERVAL=3;COUNT=3'],
    [0, 3, 6],
  ],
  [
    'an EXDATE excludes an instance',
    '4.2.5, 4.2.1',
    (kit) => [`EXDATE:${toCompactInstant(kit.instant(9, 1))}`, 'RRULE:FREQ=DAILY;COUNT=3'],
    [0, 2],
  ],
  [
    'an RDATE without a rule makes a series',
    '4.2.1, 4.2.5',
    (kit) => [`RDATE:${toCompactInstant(kit.instant(9, 3))}`],
    [0, 3],
  ],
  [
    'an EXDATE with a TZID excludes the instance at that instant',
    '4.2.1',
    (kit) => [`EXDATE;TZID=Asia/Tokyo:${toCompactInstant(`${kit.day(1)}T18:00:00`)}`, 'RRULE:FREQ=DAILY;COUNT=3'],
    [0, 2],
  ],
  [
    'BYSETPOS=1,-1 selects the first and the last weekday of BYDAY',
    '4.2.1, 4.8',
    () => ['RRULE:FREQ=WEEKLY;BYDAY=MO,TU,TH;BYSETPOS=1,-1;COUNT=2'],
    [0, 3],
  ],
  [
    'a series with two rules has the instances of both',
    '4.2.1',
    () => ['RRULE:FREQ=DAILY;COUNT=2', 'RRULE:FREQ=DAILY;INTERVAL=4;COUNT=2'],
    [0, 1, 4],
  ],
  [
    'an RDATE adds an instance to a rule, and an EXDATE excludes an RDATE',
    '4.2.1, 4.2.5',
    (kit) => [
      `RDATE:${toCompactInstant(kit.instant(9, 3))},${toCompactInstant(kit.instant(9, 5))}`,
      `EXDATE:${toCompactInstant(kit.instant(9, 5))}`,
      'RRULE:FREQ=DAILY;COUNT=2',
    ],
    [0, 1, 3],
  ],
  [
    'the start is an instance, even if the rule does not select it',
    '4.7',
    () => ['RRULE:FREQ=WEEKLY;BYDAY=WE;COUNT=2'],
    [0, 2],
  ],
  ['a rule may end in a semicolon', '4.2.1, 11.18', () => ['RRULE:FREQ=DAILY;COUNT=2;'], [0, 1]],
]

/** All-day rules over months and years. */
const longRules: readonly [name: string, headings: string, rule: string, start: string, expected: string][] = [
  [
    'a monthly rule from the 31st skips shorter months',
    '4.2.1, 4.8',
    'RRULE:FREQ=MONTHLY;COUNT=3',
    '2031-01-31',
    '2031-01-31,2031-03-31,2031-05-31',
  ],
  [
    'BYMONTHDAY=-1 selects the last day of each month',
    '4.2.1, 4.8',
    'RRULE:FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=3',
    '2031-01-31',
    '2031-01-31,2031-02-28,2031-03-31',
  ],
  [
    'BYDAY=-1FR selects the last Friday of each month',
    '4.2.1, 4.8',
    'RRULE:FREQ=MONTHLY;BYDAY=-1FR;COUNT=3',
    '2031-01-31',
    '2031-01-31,2031-02-28,2031-03-28',
  ],
  [
    'BYSETPOS=-1 selects the last working day of each month',
    '4.2.1, 4.8',
    'RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=3',
    '2031-05-30',
    '2031-05-30,2031-06-30,2031-07-31',
  ],
  [
    'a yearly rule from 29 February selects leap years only',
    '4.2.1, 4.8',
    'RRULE:FREQ=YEARLY;COUNT=2',
    '2032-02-29',
    '2032-02-29,2036-02-29',
  ],
  [
    'weeks of a rule with INTERVAL=2 begin on the day of WKST',
    '4.2.1',
    'RRULE:FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=TU,SU;COUNT=4',
    '2031-01-07',
    '2031-01-07,2031-01-19,2031-01-21,2031-02-02',
  ],
  [
    'weeks of a rule with INTERVAL=2 begin on Monday without WKST',
    '4.2.1',
    'RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;COUNT=4',
    '2031-01-07',
    '2031-01-07,2031-01-12,2031-01-21,2031-01-26',
  ],
]

export const recurrence: ScenarioGroup = {
  name: 'recurrence',
  scenarios: [
    ...rules.map(([name, headings, lines, days]) =>
      scenario(name, headings, async (kit) => {
        const found = await listStartsOfRule(kit, lines(kit))
        expectTrue(
          found === joinInstants(kit, ...days),
          `${lines(kit).join(' ')} from ${kit.instant(9)} gives ${found || 'nothing'}`,
        )
      }),
    ),
    ...longRules.map(([name, headings, rule, start, expected]) =>
      scenario(name, headings, async (kit) => {
        const path = await kit.eventsPath()
        const end = new Date(Date.parse(start) + 86_400_000).toISOString().slice(0, 10)
        const { id } = await kit.createEvent({ start: { date: start }, end: { date: end }, recurrence: [rule] })
        const { items } = await kit.listAll(`${path}/${id}/instances`, { maxResults: 10 })
        expectTrue(
          listStarts(items).join() === expected,
          `${rule} from ${start} gives ${listStarts(items).join() || 'nothing'}`,
        )
      }),
    ),
    scenario('the id of an instance is its start in UTC, whatever the zone', '4.1.2', async (kit) => {
      const path = await kit.eventsPath()
      const time = (hour: number) => ({ dateTime: `${kit.day()}T0${hour}:30:00`, timeZone: 'Asia/Kolkata' })
      const { id } = await kit.createEvent({ start: time(3), end: time(4), recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
      const dayBefore = new Date(Date.parse(kit.day()) - 86_400_000).toISOString().slice(0, 10)
      const ids = [dayBefore, kit.day()].map((day) => ({ id: `${id}_${toCompactInstant(`${day}T22:00:00Z`)}` }))
      expectOk(await kit.get(`${path}/${id}/instances`), { items: ids })
    }),
    scenario('an earlier end of a series keeps exceptions after it', '4.11', async (kit) => {
      const { path, id, at } = await createFourDaySeries(kit)
      await kit.require(kit.patch(`${path}/${at(3)}`, { summary: 'Own' }))
      await kit.require(kit.patch(`${path}/${id}`, { recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] }))
      const { items } = await kit.listAll(path, { ...kit.week(), singleEvents: true, orderBy: 'startTime' })
      expectTrue(
        items.map((item) => item.id).join() === [at(0), at(1), at(3)].join(),
        `listed: ${items.map((item) => item.id)}`,
      )
    }),
    scenario('a series is split by an earlier end and a new series', '4.12', async (kit) => {
      const { path, id } = await createFourDaySeries(kit)
      await kit.require(
        kit.patch(`${path}/${id}`, { recurrence: [`RRULE:FREQ=DAILY;UNTIL=${toCompactInstant(kit.instant(8, 2))}`] }),
      )
      await kit.createEvent({ ...kit.hour(14, 2), recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
      const { items } = await kit.listAll(path, { ...kit.week(), singleEvents: true, orderBy: 'startTime' })
      const expected = [kit.instant(9), kit.instant(9, 1), kit.instant(14, 2), kit.instant(14, 3)].join()
      expectTrue(listStarts(items).join() === expected, `the two series show ${listStarts(items).join()}`)
    }),
    scenario('an instance that ends at timeMin is listed', '4.4.1', async (kit) => {
      const { path, id, at } = await createFourDaySeries(kit)
      const window = { timeMin: kit.instant(10, 2) }
      expectOk(await kit.get(`${path}/${id}/instances`, window), { items: [{ id: at(2) }, { id: at(3) }] })
    }),
    scenario('instances of an all-day series have dates', '4.8, 4.1.2, 4.2.6', async (kit) => {
      const { id } = await kit.createEvent({ ...kit.allDay(), recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
      const instance = `${id}_${kit.day(1).replaceAll('-', '')}`
      expectOk(await kit.get(`${await kit.eventsPath()}/${instance}`), {
        start: { date: kit.day(1) },
        originalStartTime: { date: kit.day(1) },
      })
    }),
    scenario('a series keeps its local hour when the clocks change', '13.10, 4.8', async (kit) => {
      const id = await kit.createOwnCalendar()
      const time = (at: string) => ({ dateTime: `2031-03-08T${at}`, timeZone: 'America/New_York' })
      const body = { start: time('09:00:00'), end: time('10:00:00'), recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] }
      await kit.require(kit.post(`/calendars/${id}/events`, body))
      const list = await kit.get(`/calendars/${id}/events`, { singleEvents: true, orderBy: 'startTime' })
      expectOk(list, {
        items: [{ start: { dateTime: '2031-03-08T14:00:00Z' } }, { start: { dateTime: '2031-03-09T13:00:00Z' } }],
      })
    }),
    scenario('recurrence lines are returned as sent', '4.2.2, 4.1.1', async (kit) => {
      const lines = [
        `EXDATE:${toCompactInstant(kit.instant(9, 1))}`,
        'RRULE:FREQ=WEEKLY;WKST=SU;COUNT=3;INTERVAL=1;BYDAY=MO,TU',
      ]
      expectOk(await kit.post(await kit.eventsPath(), { ...kit.hour(9), recurrence: lines }), {
        recurrence: lines,
        recurringEventId: absent,
      })
    }),
    scenario('an event with an empty recurrence is a single event', '4.2.1, 11.18', async (kit) => {
      const { start, end } = kit.hour(9)
      const body = { start: { dateTime: start.dateTime }, end: { dateTime: end.dateTime }, recurrence: [] }
      expectOk(await kit.post(await kit.eventsPath(), body), { recurrence: absent })
    }),
    scenario('a change of a series applies to its instances', '4.6.1', async (kit) => {
      const { path, id, at } = await createFourDaySeries(kit)
      await kit.require(kit.patch(`${path}/${id}`, { summary: 'Renamed' }))
      expectOk(await kit.get(`${path}/${at(2)}`), { summary: 'Renamed' })
    }),
    scenario('a new start moves all instances of a series', '4.6.2', async (kit) => {
      const { path, id, at } = await createFourDaySeries(kit)
      await kit.require(kit.patch(`${path}/${id}`, kit.hour(11)))
      expectStatus(await kit.get(`${path}/${at(1)}`), 404)
      expectOk(await kit.get(`${path}/${at(1, 11)}`), { start: { dateTime: kit.instant(11, 1) } })
    }),
    scenario('a series whose recurrence is removed is a single event with the same id', '4.6.3', async (kit) => {
      const { path, id, at } = await createFourDaySeries(kit)
      expectOk(await kit.patch(`${path}/${id}`, { recurrence: null }), {
        id,
        recurrence: absent,
        start: { dateTime: kit.instant(9) },
      })
      expectStatus(await kit.get(`${path}/${at(1)}`), 404)
    }),
    scenario('the instances of a deleted series are deleted', '4.13', async (kit) => {
      const { path, id } = await createFourDaySeries(kit)
      expectStatus(await kit.delete(`${path}/${id}`), 204)
      expectOk(await kit.get(path, { ...kit.week(), singleEvents: true }), { items: [] })
      expectOk(await kit.get(`${path}/${id}`), { status: 'cancelled' })
    }),
    scenario('a list contains a series, or with singleEvents=true its instances', '4.3', async (kit) => {
      const { path, id } = await createFourDaySeries(kit)
      expectOk(await kit.get(path, kit.week()), { items: [{ id, recurrence: DAILY }] })
      const { items } = await kit.listAll(path, { ...kit.week(), singleEvents: true })
      expectTrue(items.length === 4, `singleEvents=true shows ${items.length} of 4 instances`)
      expectTrue(
        items.every((item) => item.recurringEventId === id && item.recurrence === undefined),
        'singleEvents=true shows something else than instances',
      )
    }),
    scenario('a changed instance is an item beside its series', '4.3, 4.5.2', async (kit) => {
      const { path, id, at } = await createFourDaySeries(kit)
      await kit.require(kit.patch(`${path}/${at(1)}`, { summary: 'Changed' }))
      expectOk(await kit.get(path, kit.week()), {
        items: contains({ id }, { id: at(1), summary: 'Changed', recurringEventId: id }),
      })
    }),
    scenario('a list without singleEvents contains a cancelled instance as a stub', '4.1.5, 4.3', async (kit) => {
      const { path, id, at } = await createFourDaySeries(kit)
      await kit.require(kit.delete(`${path}/${at(1)}`))
      const list = await kit.get(path, kit.week())
      const stub = { id: at(1), status: 'cancelled', recurringEventId: id, summary: absent }
      expectOk(list, { items: contains({ id }, stub) })
      const found = list.body.items.find((item) => item.id === at(1))
      expectOk(
        { ...list, body: found ?? list.body },
        exactKeys('kind', 'etag', 'id', 'status', 'recurringEventId', 'originalStartTime'),
      )
    }),
    scenario('a list with singleEvents=true omits a cancelled instance', '4.3', async (kit) => {
      const { path, at } = await createFourDaySeries(kit)
      await kit.require(kit.delete(`${path}/${at(1)}`))
      const { items } = await kit.listAll(path, { ...kit.week(), singleEvents: true })
      expectTrue(listStarts(items).join() === joinInstants(kit, 0, 2, 3), `the list shows ${listStarts(items).join()}`)
    }),
    scenario('a series is listed if one of its instances is in the window', '4.10', async (kit) => {
      const { path, id } = await createFourDaySeries(kit)
      const window = { timeMin: kit.instant(0, 2), timeMax: kit.instant(0, 3) }
      expectOk(await kit.get(path, window), { items: [{ id, start: { dateTime: kit.instant(9) } }] })
    }),
    ...errorScenarios([
      [
        'a timed series without a zone at its start is rejected',
        '4.2.6, 2.2.3, 2.2.2',
        'POST',
        '',
        (kit) => ({ body: { ...kit.hour(9), start: { dateTime: kit.instant(9) }, recurrence: DAILY } }),
        { status: 400, reason: 'required', message: 'Missing time zone definition for start time.' },
      ],
      ...(
        [
          ['a recurrence line without its name is rejected', '4.2.1, 2.2.3', 'FREQ=DAILY'],
          ['a recurrence with a DTSTART line is rejected', '4.2.1, 2.2.3', 'DTSTART:20310101T090000Z'],
          ['a rule with an unknown FREQ is rejected', '4.2.1, 2.2.3', 'RRULE:FREQ=NEVER'],
          ['a rule by the hour is rejected', '4.2.3, 2.2.3', 'RRULE:FREQ=HOURLY;COUNT=2'],
          [
            'a rule with COUNT and UNTIL is rejected',
            '4.2.3, 2.2.3',
            'RRULE:FREQ=DAILY;COUNT=2;UNTIL=20310109T000000Z',
          ],
          ['a rule with COUNT=0 is rejected', '4.2.3, 2.2.3', 'RRULE:FREQ=DAILY;COUNT=0'],
          ['a rule with a local time in UNTIL is rejected', '4.2.7, 2.2.3', 'RRULE:FREQ=DAILY;UNTIL=20400101T000000'],
        ] as const
      ).map(
        ([name, headings, line]) =>
          [
            name,
            headings,
            'POST' as const,
            '',
            (kit: Kit) => ({ body: { ...kit.hour(9), recurrence: [line] } }),
            { status: 400, reason: 'invalid', message: 'Invalid recurrence rule.' },
          ] as const,
      ),
    ]),
  ],
}
