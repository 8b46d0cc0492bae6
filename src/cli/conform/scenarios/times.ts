import { expectOk } from '../expect.ts'
import { absent } from '../matchers.ts'
import { errorScenarios, type ScenarioGroup, scenario } from '../scenario.ts'

export const times: ScenarioGroup = {
  name: 'times',
  scenarios: [
    scenario(
      'an instant has the offset of the calendar’s zone and the zone of the event',
      '13.5, 13.6',
      async (kit) => {
        const id = await kit.createOwnCalendar({ timeZone: 'Europe/London' })
        const time = (at: string) => ({ dateTime: at, timeZone: 'America/New_York' })
        const body = { start: time('2031-07-07T17:00:00'), end: time('2031-07-07T18:00:00') }
        expectOk(await kit.post(`/calendars/${id}/events`, body), { start: time('2031-07-07T22:00:00+01:00') })
      },
    ),
    scenario('a time with the offset zero ends in Z', '13.7', async (kit) => {
      const id = await kit.createOwnCalendar({ timeZone: 'Europe/London' })
      const body = {
        start: { dateTime: '2031-01-06T17:00:00+00:00' },
        end: { dateTime: '2031-01-06T18:00:00.750+00:00' },
      }
      expectOk(await kit.post(`/calendars/${id}/events`, body), {
        start: { dateTime: '2031-01-06T17:00:00Z' },
        end: { dateTime: '2031-01-06T18:00:00Z' },
      })
    }),
    scenario('a time without a zone is returned with the zone of the calendar', '13.6, 13.3', async (kit) => {
      const id = await kit.createOwnCalendar({ timeZone: 'Asia/Tokyo' })
      const body = { start: { dateTime: kit.instant(1) }, end: { dateTime: kit.instant(2) } }
      const start = { dateTime: `${kit.day()}T10:00:00+09:00`, timeZone: 'Asia/Tokyo' }
      expectOk(await kit.post(`/calendars/${id}/events`, body), { start })
    }),
    scenario('timeZone of a query changes the offsets of times, and not their zones', '13.5, 1.20', async (kit) => {
      const { id } = await kit.createEvent()
      const turned = { start: { dateTime: `${kit.day()}T14:30:00+05:30`, timeZone: 'UTC' } }
      const path = await kit.eventsPath()
      expectOk(await kit.get(`${path}/${id}`, { timeZone: 'Asia/Kolkata' }), turned)
      expectOk(await kit.get(path, { ...kit.week(), timeZone: 'Asia/Kolkata' }), {
        timeZone: 'Asia/Kolkata',
        items: [turned],
      })
    }),
    scenario('timeZone of a query does not change dates', '13.8', async (kit) => {
      const { id } = await kit.createEvent(kit.allDay(1))
      const shape = { start: { date: kit.day(1), dateTime: absent }, end: { date: kit.day(2) } }
      expectOk(await kit.get(`${await kit.eventsPath()}/${id}`, { timeZone: 'Pacific/Auckland' }), shape)
    }),
    scenario('start and end may have different zones', '3.2.11, 13.6', async (kit) => {
      const start = { dateTime: `${kit.day()}T10:00:00`, timeZone: 'Asia/Tokyo' }
      const end = { dateTime: `${kit.day()}T10:00:00`, timeZone: 'Asia/Kolkata' }
      expectOk(await kit.post(await kit.eventsPath(), { start, end }), {
        start: { dateTime: kit.instant(1), timeZone: 'Asia/Tokyo' },
        end: { dateTime: `${kit.day()}T04:30:00Z`, timeZone: 'Asia/Kolkata' },
      })
    }),
    ...errorScenarios([
      [
        'an event without an end is rejected',
        '2.2.2, 1.25',
        'POST',
        '',
        (kit) => ({ body: { start: kit.hour(9).start } }),
        { status: 400, reason: 'required', message: 'Missing end time.' },
      ],
      [
        'an event without start and end is rejected with an error that names the end',
        '2.2.2, 2.4, 3.2.11',
        'POST',
        '',
        () => ({ body: { summary: 'x' } }),
        { status: 400, reason: 'required', message: 'Missing end time.' },
      ],
      [
        'an event without a start is rejected',
        '2.2.2, 3.2.11',
        'POST',
        '',
        (kit) => ({ body: { end: kit.hour(9).end } }),
        { status: 400, reason: 'required', message: 'Missing start time.' },
      ],
      [
        'a start with date and dateTime is rejected',
        '2.2.2, 3.2.11',
        'POST',
        '',
        (kit) => ({ body: { start: { date: kit.day() }, end: kit.hour(9).end } }),
        {
          status: 400,
          reason: 'invalid',
          message: 'Start and end times must either both be date or both be dateTime.',
        },
      ],
      [
        'an event that ends before its start is rejected',
        '2.2.2, 3.2.11',
        'POST',
        '',
        (kit) => ({ body: { start: kit.hour(9).start, end: kit.hour(7).end } }),
        {
          status: 400,
          domain: 'calendar',
          reason: 'timeRangeEmpty',
          location: 'timeMax',
          message: 'The specified time range is empty.',
        },
      ],
      [
        'an all-day event of no days is rejected',
        '3.2.11, 14.39',
        'POST',
        '',
        (kit) => ({ body: { start: { date: kit.day() }, end: { date: kit.day() } } }),
        { status: 400, reason: 'timeRangeEmpty' },
      ],
      [
        'a time without an offset and a zone is rejected',
        '13.4, 2.2.1',
        'POST',
        '',
        (kit) => ({
          body: { start: { dateTime: `${kit.day()}T09:00:00` }, end: { dateTime: `${kit.day()}T10:00:00` } },
        }),
        { status: 400, reason: 'badRequest', message: 'Bad Request' },
      ],
      [
        'an unknown zone of the start is rejected',
        '13.2, 2.2.2, 13.1',
        'POST',
        '',
        (kit) => ({ body: { ...kit.hour(9), start: { ...kit.hour(9).start, timeZone: 'Eastern Standard Time' } } }),
        { status: 400, reason: 'invalid', message: 'Invalid time zone definition for start time.' },
      ],
      [
        'an unknown zone of the end is rejected',
        '13.2, 2.2.2',
        'POST',
        '',
        (kit) => ({ body: { ...kit.hour(9), end: { ...kit.hour(9).end, timeZone: 'Mars/Olympus' } } }),
        { status: 400, reason: 'invalid', message: 'Invalid time zone definition for end time.' },
      ],
      [
        'an empty zone is rejected',
        '13.2.1',
        'POST',
        '',
        (kit) => ({ body: { ...kit.hour(9), start: { ...kit.hour(9).start, timeZone: '' } } }),
        { status: 400, message: 'Invalid time zone definition for start time.' },
      ],
      [
        'PATCH of a dateTime beside the date of an all-day event is rejected',
        '2.1.5, 2.2.2',
        'PATCH',
        async (kit) => `${await kit.eventsPath()}/${(await kit.createEvent(kit.allDay())).id}`,
        (kit) => ({ body: { start: { dateTime: kit.instant(9), timeZone: 'UTC' } } }),
        { status: 400, reason: 'invalid', message: 'Invalid start time.' },
      ],
    ]),
    scenario('unknown zones of start and end give one error item each', '2.1.4, 13.2', async (kit) => {
      const bad = (hour: number) => ({ dateTime: kit.instant(hour), timeZone: 'Mars/Olympus' })
      const answer = await kit.post(await kit.eventsPath(), { start: bad(9), end: bad(10) })
      const message = 'Invalid time zone definition for start time.'
      expectOk(
        { ...answer, status: answer.status === 400 ? 200 : answer.status },
        {
          error: { message, errors: [{ message }, { message: 'Invalid time zone definition for end time.' }] },
        },
      )
    }),
  ],
}
