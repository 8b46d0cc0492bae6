import { expectError, expectOk, expectTrue, type ReceivedBody } from '../../expect.ts'
import type { Kit } from '../../kit.ts'
import { absent, contains, exactKeys } from '../../matchers.ts'
import { type ScenarioGroup, scenario } from '../../scenario.ts'
import { listStarts } from '../seriesHelpers.ts'

const DAY_MS = 86_400_000
/** Returns the date after a date such as `2031-01-31`. */
const getDayAfter = (date: string) => new Date(Date.parse(date) + DAY_MS).toISOString().slice(0, 10)

/**
 * Creates a series by these recurrence lines; `times` are `start` and `end` of the first instance. Returns the starts of its
 * instances until 2045, dates or instants in UTC, separated by commas. Rejects with an InconclusiveError if a request fails.
 */
async function listInstanceStarts(kit: Kit, times: object, recurrence: readonly string[]): Promise<string> {
  const path = await kit.eventsPath()
  const { id } = await kit.require(kit.post(path, { ...times, recurrence }))
  const { items } = await kit.listAll(`${path}/${id}/instances`, { timeMax: '2045-01-01T00:00:00Z' })
  return listStarts(items).join()
}

/** All-day series: the headings of docs/behaviour, the lines, the first day and the days. */
const DATES: readonly (readonly [name: string, headings: string, lines: string, start: string, days: string])[] = [
  [
    'BYDAY=2TU selects the second Tuesday of each month',
    '4.2.1',
    'RRULE:FREQ=MONTHLY;BYDAY=2TU;COUNT=3',
    '2031-01-14',
    '2031-01-14,2031-02-11,2031-03-11',
  ],
  [
    'BYMONTH of a monthly rule selects months',
    '4.2.1',
    'RRULE:FREQ=MONTHLY;BYMONTH=1,4;COUNT=3',
    '2031-01-14',
    '2031-01-14,2031-04-14,2032-01-14',
  ],
  [
    'BYYEARDAY selects days of the year',
    '4.2.1',
    'RRULE:FREQ=YEARLY;BYYEARDAY=1,-1;COUNT=3',
    '2031-01-01',
    '2031-01-01,2031-12-31,2032-01-01',
  ],
  [
    'BYWEEKNO selects weeks of the year',
    '4.2.1',
    'RRULE:FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;COUNT=2',
    '2031-05-12',
    '2031-05-12,2032-05-10',
  ],
  [
    'BYMONTHDAY=31 skips shorter months',
    '4.2.1, 4.8',
    'RRULE:FREQ=MONTHLY;BYMONTHDAY=31;COUNT=3',
    '2031-01-31',
    '2031-01-31,2031-03-31,2031-05-31',
  ],
  [
    'BYMONTHDAY=1,15 selects two days of each month',
    '4.2.1',
    'RRULE:FREQ=MONTHLY;BYMONTHDAY=1,15;COUNT=3',
    '2031-01-01',
    '2031-01-01,2031-01-15,2031-02-01',
  ],
  [
    'INTERVAL=2 of a monthly rule selects every second month',
    '4.2.1',
    'RRULE:FREQ=MONTHLY;INTERVAL=2;COUNT=3',
    '2031-01-14',
    '2031-01-14,2031-03-14,2031-05-14',
  ],
  [
    'INTERVAL=2 of a yearly rule selects every second year',
    '4.2.1',
    'RRULE:FREQ=YEARLY;INTERVAL=2;COUNT=2',
    '2031-01-14',
    '2031-01-14,2033-01-14',
  ],
  [
    'BYMONTH=11 with BYDAY=4TH selects the fourth Thursday of November',
    '4.2.1',
    'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH;COUNT=2',
    '2031-11-27',
    '2031-11-27,2032-11-25',
  ],
  [
    'BYMONTH=2 with BYMONTHDAY=-1 selects the last day of February',
    '4.2.1, 8.7',
    'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1;COUNT=2',
    '2032-02-29',
    '2032-02-29,2033-02-28',
  ],
  [
    'UNTIL includes its date in an all-day series',
    '4.2.4',
    'RRULE:FREQ=DAILY;UNTIL=20310116',
    '2031-01-14',
    '2031-01-14,2031-01-15,2031-01-16',
  ],
  [
    'EXDATE;VALUE=DATE excludes a day of an all-day series',
    '4.2.5',
    'EXDATE;VALUE=DATE:20310115 RRULE:FREQ=DAILY;COUNT=3',
    '2031-01-14',
    '2031-01-14,2031-01-16',
  ],
  [
    'RDATE;VALUE=DATE adds a day to an all-day series',
    '4.2.5',
    'RDATE;VALUE=DATE:20310120 RRULE:FREQ=DAILY;COUNT=2',
    '2031-01-14',
    '2031-01-14,2031-01-15,2031-01-20',
  ],
  [
    'an EXRULE excludes the days that it selects',
    '4.2.1',
    'EXRULE:FREQ=DAILY;INTERVAL=2 RRULE:FREQ=DAILY;COUNT=4',
    '2031-01-14',
    '2031-01-15,2031-01-17',
  ],
  [
    'an excluded instance counts for COUNT',
    '4.2.5',
    'RRULE:FREQ=WEEKLY;COUNT=3 EXDATE;VALUE=DATE:20310114',
    '2031-01-14',
    '2031-01-21,2031-01-28',
  ],
  [
    'an EXDATE of a day without an instance has no effect',
    '4.2.5',
    'RRULE:FREQ=DAILY;COUNT=2 EXDATE;VALUE=DATE:20310120',
    '2031-01-14',
    '2031-01-14,2031-01-15',
  ],
  [
    'the example of the API guide has the days that it describes',
    '4.2.5',
    'EXDATE;VALUE=DATE:20150610 RDATE;VALUE=DATE:20150609,20150611 RRULE:FREQ=DAILY;UNTIL=20150628;INTERVAL=3',
    '2015-06-01',
    '2015-06-01,2015-06-04,2015-06-07,2015-06-09,2015-06-11,2015-06-13,2015-06-16,2015-06-19,2015-06-22,2015-06-25,2015-06-28',
  ],
]

/** Timed series of an hour: the lines, the zone, the first start by its clock, and the starts in UTC. */
const INSTANTS: readonly (readonly [
  name: string,
  headings: string,
  lines: string,
  zone: string,
  start: string,
  starts: string,
])[] = [
  [
    'a series keeps its local hour when the clocks go back',
    '13.10, 4.8',
    'RRULE:FREQ=DAILY;COUNT=2',
    'Europe/Berlin',
    '2031-10-25T09:00:00',
    '2031-10-25T07:00:00Z,2031-10-26T08:00:00Z',
  ],
  [
    'a timed monthly series on the 31st skips shorter months',
    '4.2.1, 4.8',
    'RRULE:FREQ=MONTHLY;COUNT=3',
    'America/New_York',
    '2031-01-31T09:00:00',
    '2031-01-31T14:00:00Z,2031-03-31T13:00:00Z,2031-05-31T13:00:00Z',
  ],
  [
    'UNTIL of a timed series is in UTC',
    '4.2.4',
    'RRULE:FREQ=DAILY;UNTIL=20310115T140000Z',
    'America/New_York',
    '2031-01-14T09:00:00',
    '2031-01-14T14:00:00Z,2031-01-15T14:00:00Z',
  ],
  [
    'UNTIL excludes an instance that starts a second later',
    '4.2.4',
    'RRULE:FREQ=DAILY;UNTIL=20310115T135959Z',
    'America/New_York',
    '2031-01-14T09:00:00',
    '2031-01-14T14:00:00Z',
  ],
  [
    'BYDAY selects weekdays in the zone of the series',
    '4.8',
    'RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=2',
    'Asia/Tokyo',
    '2031-01-14T01:00:00',
    '2031-01-13T16:00:00Z,2031-01-20T16:00:00Z',
  ],
  [
    'an EXDATE in UTC excludes the instance at that instant',
    '4.2.5',
    'EXDATE:20310115T140000Z RRULE:FREQ=DAILY;COUNT=3',
    'America/New_York',
    '2031-01-14T09:00:00',
    '2031-01-14T14:00:00Z,2031-01-16T14:00:00Z',
  ],
  [
    'an RDATE with a TZID adds an instance at that instant',
    '4.2.5',
    'RDATE;TZID=Asia/Tokyo:20310120T090000 RRULE:FREQ=DAILY;COUNT=1',
    'America/New_York',
    '2031-01-14T09:00:00',
    '2031-01-14T14:00:00Z,2031-01-20T00:00:00Z',
  ],
]

export const expansion: ScenarioGroup = {
  name: 'expansion',
  scenarios: [
    ...DATES.map(([name, headings, lines, start, days]) =>
      scenario(name, headings, async (kit) => {
        const times = { start: { date: start }, end: { date: getDayAfter(start) } }
        const found = await listInstanceStarts(kit, times, lines.split(' '))
        expectTrue(found === days, `${lines} from ${start} gives ${found || 'nothing'}`)
      }),
    ),
    ...INSTANTS.map(([name, headings, lines, timeZone, start, starts]) =>
      scenario(name, headings, async (kit) => {
        const time = (dateTime: string) => ({ dateTime, timeZone })
        const end = start.replace(/T(\d\d)/, (_, hour) => `T${String(Number(hour) + 1).padStart(2, '0')}`)
        const found = await listInstanceStarts(kit, { start: time(start), end: time(end) }, lines.split(' '))
        expectTrue(found === starts, `${lines} from ${start} in ${timeZone} gives ${found || 'nothing'}`)
      }),
    ),
    scenario(
      'instances of an all-day series have dates in their ids and the length of the first',
      '4.1.2, 4.8',
      async (kit) => {
        const { id } = await kit.createEvent({
          ...kit.allDay(0, 2),
          recurrence: ['RRULE:FREQ=WEEKLY;COUNT=1', `RDATE;VALUE=DATE:${kit.day(3).replaceAll('-', '')}`],
        })
        const instance = (from: number) => ({
          id: `${id}_${kit.day(from).replaceAll('-', '')}`,
          start: { date: kit.day(from) },
          end: { date: kit.day(from + 2) },
          originalStartTime: { date: kit.day(from), dateTime: absent },
        })
        expectOk(await kit.get(`${await kit.eventsPath()}/${id}/instances`), { items: [instance(0), instance(3)] })
      },
    ),
    scenario('the link of a series contains its first instance', '3.2.5', async (kit) => {
      const { id, htmlLink } = await kit.createEvent({ recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
      const eid = atob(new URL(htmlLink).searchParams.get('eid') ?? '')
      expectTrue(eid.startsWith(`${id}_${kit.instant(9).replace(/[-:]/g, '')} `), `the link of the series holds ${eid}`)
    }),
    scenario('links begin with https://www.google.com/calendar/event', '3.2.5', async (kit) => {
      const { htmlLink } = await kit.createEvent({ summary: 'Linked' })
      expectTrue(htmlLink.startsWith('https://www.google.com/calendar/event?eid='), `a link is ${htmlLink}`)
    }),
    scenario('a timed series without a zone at its end is rejected', '4.2.6, 2.2.2', async (kit) => {
      const { start, end } = kit.hour(9)
      const body = { start, end: { dateTime: end.dateTime }, recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] }
      expectError(await kit.post(await kit.eventsPath(), body), {
        ...{ status: 400, reason: 'required', message: 'Missing time zone definition for end time.' },
      })
    }),
    scenario('timeZone of a query changes the offsets of instances and their original starts', '13.5', async (kit) => {
      const path = await kit.eventsPath()
      const { id } = await kit.createEvent({ recurrence: ['RRULE:FREQ=DAILY;COUNT=1'] })
      const time = { dateTime: `${kit.day()}T14:30:00+05:30`, timeZone: 'UTC' }
      const turned = { start: time, originalStartTime: time }
      const timeZone = 'Asia/Kolkata'
      expectOk(await kit.get(`${path}/${id}/instances`, { timeZone }), { timeZone, items: [turned] })
      expectOk(await kit.get(path, { ...kit.week(), timeZone, singleEvents: true }), { items: [turned] })
    }),
    scenario('the iCalUID of a series lists only the series and its exceptions', '1.18, 4.1.6', async (kit) => {
      const path = await kit.eventsPath()
      const iCalUID = `${await kit.unusedId()}@example.com`
      const { id } = await kit.createEvent({ iCalUID, recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
      await kit.createEvent({ iCalUID: `${iCalUID}.org` })
      const instance = `${id}_${kit.instant(9, 1).replace(/[-:]/g, '')}`
      await kit.require(kit.patch(`${path}/${instance}`, { summary: 'Own' }))
      const list = await kit.get(path, { iCalUID })
      expectOk(list, { items: contains({ id }, { id: instance }) })
      expectTrue(list.body.items.length === 2, `the iCalUID of a series lists ${list.body.items.length} events`)
    }),
    scenario('orderBy=startTime orders instances and single events together', '4.3, 5.3', async (kit) => {
      const path = await kit.eventsPath()
      const single = await kit.createEvent(kit.hour(12, 0))
      const { id } = await kit.createEvent({ recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
      const { items } = await kit.listAll(path, { ...kit.week(), singleEvents: true, orderBy: 'startTime' })
      const order = items.map((one) =>
        one.id === single.id ? 'single' : one.recurringEventId === id ? 'instance' : '?',
      )
      expectTrue(order.join() === 'instance,single,instance', `the list shows ${order.join()}`)
    }),
    scenario('orderBy=updated is accepted with singleEvents', '5.3, 1.16', async (kit) => {
      const [old, young] = [await kit.createEvent(kit.hour(12)), await kit.createEvent(kit.hour(8))]
      await kit.require(kit.patch(`${await kit.eventsPath()}/${old.id}`, { summary: 'Changed' }))
      const query = { ...kit.week(), singleEvents: true, orderBy: 'updated' }
      expectOk(await kit.get(await kit.eventsPath(), query), { items: [{ id: young.id }, { id: old.id }] })
    }),
    scenario('orderBy=updated orders by the last change, without regard to the start', '5.3, 1.16', async (kit) => {
      const made = [
        await kit.createEvent(kit.hour(12)),
        await kit.createEvent(kit.hour(8)),
        await kit.createEvent(kit.hour(10)),
      ]
      const shape = { items: made.map(({ id }) => ({ id })) }
      expectOk(await kit.get(await kit.eventsPath(), { ...kit.week(), orderBy: 'updated' }), shape)
    }),
    scenario('pages of instances contain each instance once', '4.4, 1.11', async (kit) => {
      const path = await kit.eventsPath()
      const { id } = await kit.createEvent({ recurrence: ['RRULE:FREQ=DAILY;COUNT=5'] })
      const first = expectOk(await kit.get(`${path}/${id}/instances`, { maxResults: 2 }))
      expectTrue(first.items.length === 2, `a page of two has ${first.items.length} instances`)
      const { items } = await kit.listAll(`${path}/${id}/instances`, { maxResults: 2 })
      expectTrue(
        listStarts(items).join() === [0, 1, 2, 3, 4].map((day) => kit.instant(9, day)).join(),
        `the pages hold ${listStarts(items)}`,
      )
    }),
    scenario(
      'a moved instance keeps its originalStartTime with the zone of the series',
      '4.1.4, 4.1.3',
      async (kit) => {
        const path = await kit.eventsPath()
        const time = (hour: number) => ({ dateTime: `${kit.day()}T0${hour}:00:00`, timeZone: 'America/New_York' })
        const { id } = await kit.createEvent({ start: time(3), end: time(4), recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
        const { items } = expectOk(await kit.get(`${path}/${id}/instances`))
        const [first] = items as unknown as { id: string; start: { dateTime: string; timeZone: string } }[]
        const moved = await kit.patch(`${path}/${first?.id}`, kit.hour(20))
        expectOk(moved, { id: first?.id, recurringEventId: id, originalStartTime: first?.start })
        expectOk({ ...moved, body: moved.body.originalStartTime as ReceivedBody }, exactKeys('dateTime', 'timeZone'))
      },
    ),
  ],
}
