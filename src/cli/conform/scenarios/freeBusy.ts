import { expectOk, expectStatus, expectTrue } from '../expect.ts'
import { absent, exactKeys } from '../matchers.ts'
import { errorScenarios, type ScenarioGroup, scenario } from '../scenario.ts'

export const freeBusy: ScenarioGroup = {
  name: 'freebusy',
  scenarios: [
    scenario('busy times are opaque events, merged, in order and in UTC', '10.2, 10.9, 10.11, 10.12', async (kit) => {
      const id = await kit.calendarId()
      const events = `/calendars/${id}/events`
      for (const body of [kit.hour(12), kit.hour(9), kit.hour(10), { ...kit.hour(15), transparency: 'transparent' }])
        await kit.require(kit.post(events, body))
      const answer = await kit.post('/freeBusy', { ...kit.week(), items: [{ id }] })
      expectOk(answer, exactKeys('kind', 'timeMin', 'timeMax', 'calendars'))
      expectOk(answer, {
        kind: 'calendar#freeBusy',
        calendars: {
          [id]: {
            errors: absent,
            busy: [
              { start: kit.instant(9), end: kit.instant(11) },
              { start: kit.instant(12), end: kit.instant(13) },
            ],
          },
        },
      })
    }),
    scenario(
      'freeBusy returns its bounds in UTC with milliseconds, and clips busy times to them',
      '10.3, 10.11',
      async (kit) => {
        const events = await kit.eventsPath()
        const [, id = ''] = /calendars\/(.*)\/events/.exec(events) ?? []
        await kit.createEvent({ start: { dateTime: kit.instant(8) }, end: { dateTime: kit.instant(12) } })
        const bounds = { timeMin: `${kit.day()}T10:30:00+01:00`, timeMax: `${kit.day()}T12:00:00+01:00` }
        const answer = await kit.post('/freeBusy', { ...bounds, items: [{ id }] })
        expectOk(answer, {
          timeMin: `${kit.day()}T09:30:00.000Z`,
          timeMax: `${kit.day()}T11:00:00.000Z`,
          calendars: { [id]: { busy: [{ start: `${kit.day()}T09:30:00Z`, end: kit.instant(11) }] } },
        })
      },
    ),
    scenario('an instance of a series is busy, and a cancelled event is not', '10.9', async (kit) => {
      const id = await kit.calendarId()
      await kit.createEvent({ recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
      const deleted = await kit.createEvent(kit.hour(14))
      await kit.require(kit.delete(`/calendars/${id}/events/${deleted.id}`))
      const busy = [0, 1].map((day) => ({ start: kit.instant(9, day), end: kit.instant(10, day) }))
      expectOk(await kit.post('/freeBusy', { ...kit.week(), items: [{ id }] }), { calendars: { [id]: { busy } } })
    }),
    scenario('an all-day event is busy from midnight to midnight of the calendar', '10.10', async (kit) => {
      const id = await kit.createOwnCalendar({ timeZone: 'Asia/Kolkata' })
      await kit.require(kit.post(`/calendars/${id}/events`, { ...kit.allDay(1), transparency: 'opaque' }))
      const busy = [{ start: `${kit.day(0)}T18:30:00Z`, end: `${kit.day(1)}T18:30:00Z` }]
      expectOk(await kit.post('/freeBusy', { ...kit.week(), items: [{ id }] }), { calendars: { [id]: { busy } } })
    }),
    scenario('freeBusy of a calendar that does not exist is 200 with an error for it', '10.6, 2.8', async (kit) => {
      const id = 'fake-calendar-nobody@group.calendar.google.com'
      const notFound = { errors: [{ domain: 'global', reason: 'notFound' }], busy: [] }
      expectOk(await kit.post('/freeBusy', { ...kit.week(), items: [{ id }] }), { calendars: { [id]: notFound } })
    }),
    scenario('freeBusy of primary returns the key primary', '10.5', async (kit) => {
      const answer = await kit.post('/freeBusy', { ...kit.week(), items: [{ id: 'primary' }] })
      expectOk(answer, { calendars: { primary: { errors: absent } } })
      expectTrue(answer.headers.get('ETag') === null, 'freeBusy has an ETag')
    }),
    scenario('freeBusy without items returns no calendars', '10.2, 1.25', async (kit) => {
      expectStatus(await kit.post('/freeBusy', { ...kit.week(), items: [] }), 200, { calendars: exactKeys() })
    }),
    scenario('busy times are in the requested zone', '10.12, 10.1', async (kit) => {
      const id = await kit.calendarId()
      await kit.createEvent()
      const answer = await kit.post('/freeBusy', { ...kit.week(), timeZone: 'Asia/Kolkata', items: [{ id }] })
      const busy = [{ start: `${kit.day()}T14:30:00+05:30`, end: `${kit.day()}T15:30:00+05:30` }]
      expectOk(answer, { calendars: { [id]: { busy } } })
    }),
    ...errorScenarios([
      [
        'freeBusy without timeMin is rejected',
        '10.4, 2.2.5',
        'POST',
        '/freeBusy',
        (kit) => ({ body: { timeMax: kit.instant(9), items: [] } }),
        { status: 400, reason: 'required', message: 'Missing timeMin parameter.' },
      ],
      [
        'freeBusy without timeMax is rejected',
        '10.4, 2.2.5',
        'POST',
        '/freeBusy',
        (kit) => ({ body: { timeMin: kit.instant(9), items: [] } }),
        { status: 400, reason: 'required', message: 'Missing timeMax parameter.' },
      ],
      [
        'freeBusy with an end before its start is rejected',
        '10.4, 2.2.5',
        'POST',
        '/freeBusy',
        (kit) => ({ body: { timeMin: kit.instant(9), timeMax: kit.instant(9), items: [] } }),
        {
          status: 400,
          domain: 'calendar',
          reason: 'timeRangeEmpty',
          location: 'timeMax',
          message: 'The specified time range is empty.',
        },
      ],
      [
        'freeBusy of more than about three months is rejected',
        '10.4, 12.11',
        'POST',
        '/freeBusy',
        (kit) => ({ body: { timeMin: kit.instant(9), timeMax: kit.instant(9, 200), items: [] } }),
        {
          status: 400,
          domain: 'calendar',
          reason: 'timeRangeTooLong',
          message: 'The requested time range is too long.',
        },
      ],
      [
        'calendarExpansionMax above 50 is rejected',
        '10.8, 10.1',
        'POST',
        '/freeBusy',
        (kit) => ({ body: { ...kit.week(), calendarExpansionMax: 51, items: [] } }),
        { status: 400 },
      ],
    ]),
  ],
}
