import { expect, test } from 'vitest'
import { ALICE, BOB, CAROL, errorOf, hour, openCalendar, PEOPLE } from '../support/calendar.ts'
import { invalid, NOT_FOUND, newCalendar } from '../support/sharing.ts'

const EVENTS = '/calendars/primary/events'
const workspace = { accounts: [{ email: ALICE, kind: 'workspace' as const }, { email: BOB }] }
const workingHours = {
  workingHoursEnabled: true,
  availableTimes: [{ dayOfWeek: 'monday', periodStart: 540, periodEnd: 1020 }],
}

test('15.2, 14.37 a Workspace account has a setting that a consumer account lacks', async () => {
  const { as, fake } = openCalendar({ seed: workspace })
  const path = '/users/me/settings/hideInvitationsSetting'

  expect((await as(ALICE).get(path)).body.value).toBe('false')
  expect(errorOf(await as(BOB).get(path))).toEqual(NOT_FOUND)
  fake.seed({ accounts: [{ email: BOB, kind: 'workspace' }] })
  expect((await as(BOB).get(path)).body.id).toBe('hideInvitationsSetting')
  const again = openCalendar({ seed: fake.state() })
  expect(again.fake.state()).toEqual(fake.state())
})

test('15.2, 15.19 only Workspace primary calendars have working hours, and a write replaces them whole', async () => {
  const { as } = openCalendar({ seed: workspace })
  const own = '/calendars/primary'
  const team = await newCalendar(as(ALICE))

  expect((await as(ALICE).patch(own, { workingHours })).body.workingHours).toEqual(workingHours)
  expect((await as(ALICE).put(own, { summary: 'Me' })).body.workingHours).toEqual(workingHours)
  for (const verb of ['patch', 'put'] as const) {
    const { body } = await as(ALICE)[verb](own, { summary: 'Me', workingHours: { workingHoursEnabled: false } })
    expect(body.workingHours).toEqual({ workingHoursEnabled: false })
  }
  const elsewhere = invalid('Invalid Value: workingHours: only the primary calendar of a Workspace account has any')
  expect(errorOf(await as(BOB).patch(own, { workingHours }))).toEqual(elsewhere)
  expect(errorOf(await as(ALICE).patch(`/calendars/${team}`, { workingHours }))).toEqual(elsewhere)
})

test.each([null, {}, { workingHoursEnabled: null }])(
  '15.19 working hours of %j leave the hours unchanged',
  async (update) => {
    const { as } = openCalendar({ seed: workspace })
    const own = '/calendars/primary'
    const { etag } = (await as(ALICE).patch(own, { workingHours })).body

    expect((await as(ALICE).patch(own, { workingHours: update })).body).toMatchObject({ workingHours, etag })
    expect((await as(ALICE).put(own, { summary: ALICE, workingHours: update })).body).toMatchObject({
      workingHours,
      etag,
    })
  },
)

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const period = (periodStart: number, periodEnd: number) => ({ dayOfWeek: 'monday', periodStart, periodEnd })

test.each<[input: object, shown: object]>([
  [DAYS.map((dayOfWeek) => ({ dayOfWeek })), DAYS.map((dayOfWeek) => ({ ...period(0, 1440), dayOfWeek }))],
  [[{ dayOfWeek: 'Monday', periodEnd: 720 }], [{ ...period(0, 720), dayOfWeek: 'Monday' }]],
  [[{ dayOfWeek: 'monday', periodStart: 720 }], [period(720, 1440)]],
  [
    [period(0, 1), period(1439, 1440)],
    [period(0, 1), period(1439, 1440)],
  ],
])('15.19 working hours of %j are returned as %j, and are disabled by default', async (input, shown) => {
  const { as } = openCalendar({ seed: workspace })

  const { body } = await as(ALICE).patch('/calendars/primary', { workingHours: { availableTimes: input } })

  expect(body.workingHours).toEqual({ workingHoursEnabled: false, availableTimes: shown })
})

test('15.19 disabled hours without times clear the hours, and enabled hours need times', async () => {
  const { as } = openCalendar({ seed: workspace })
  const patch = (workingHours: object) => as(ALICE).patch('/calendars/primary', { workingHours })
  await patch(workingHours)
  for (const refused of [{ workingHoursEnabled: true }, { workingHoursEnabled: true, availableTimes: [] }])
    expect(errorOf(await patch(refused))).toEqual(
      invalid('Invalid Value: workingHours: enabled hours need availableTimes'),
    )
  for (const clearing of [{ workingHoursEnabled: false }, { workingHoursEnabled: false, availableTimes: [] }]) {
    await patch(workingHours)
    expect((await patch(clearing)).body.workingHours).toEqual({ workingHoursEnabled: false })
  }
})

test.each([
  [{ dayOfWeek: 'someday' }, 'no day someday'],
  [{ periodStart: 540 }, 'no day '],
  [period(-1, 60), 'no period from -1 to 60'],
  [period(0, 1441), 'no period from 0 to 1441'],
  [period(60, 60), 'no period from 60 to 60'],
  [period(61, 60), 'no period from 61 to 60'],
])('15.19 working hours of %j are refused', async (time, problem) => {
  const { as } = openCalendar({ seed: workspace })

  const reply = await as(ALICE).patch('/calendars/primary', { workingHours: { availableTimes: [time] } })

  expect(errorOf(reply)).toEqual(invalid(`Invalid Value: workingHours: ${problem}`))
})

test('14.37, 15.2 a consumer account can create status events, except in strict mode', async () => {
  const focus = { eventType: 'focusTime', focusTimeProperties: {}, ...hour('2026-03-02', 9) }
  const tokens = [ALICE, BOB].map((account) => ({ token: account, account }))
  const open = openCalendar({ seed: workspace })
  const strict = openCalendar({ seed: [workspace, { tokens }], strict: true })

  for (const account of [ALICE, BOB]) expect((await open.as(account).post(EVENTS, focus)).status).toBe(200)
  expect((await strict.as(ALICE).post(EVENTS, focus)).status).toBe(200)
  expect(errorOf(await strict.as(BOB).post(EVENTS, focus))).toMatchObject({
    status: 400,
    reason: 'eventTypeRestriction',
  })
})

test('7.1.1 hidden invitations are not listed until they are answered', async () => {
  const { as } = openCalendar({ seed: [PEOPLE, { accounts: [{ email: BOB, settings: { hideInvitations: 'true' } }] }] })
  const listed = async (query = '') => (await as(BOB).get(`${EVENTS}${query}`)).body
  const { nextSyncToken } = await listed()
  const { id } = (await as(ALICE).post(EVENTS, { ...hour('2026-03-02', 9), attendees: [{ email: BOB }] })).body

  expect((await listed()).items).toEqual([])
  expect((await listed('?singleEvents=true&orderBy=startTime')).items).toEqual([])
  expect((await listed(`?syncToken=${nextSyncToken}`)).items).toEqual([])
  expect((await listed('?showHiddenInvitations=true')).items).toMatchObject([{ id }])
  expect((await as(BOB).get(`${EVENTS}/${id}`)).status).toBe(200)
  expect((await as(ALICE).get(EVENTS)).body.items).toMatchObject([{ id }])

  await as(BOB).patch(`${EVENTS}/${id}`, { attendees: [{ email: BOB, responseStatus: 'tentative' }] })
  expect((await listed(`?syncToken=${nextSyncToken}`)).items).toMatchObject([{ id }])
})

test('3.2.8 events show the name of an account whose seed sets showDisplayName', async () => {
  const accounts = [
    { email: ALICE, displayName: 'Alice', showDisplayName: true },
    { email: BOB, displayName: 'Bob' },
  ]
  const { as } = openCalendar({ seed: { accounts } })
  const person = { email: ALICE, displayName: 'Alice', self: true }

  expect((await as(ALICE).post(EVENTS, hour('2026-03-02', 9))).body).toMatchObject({
    creator: person,
    organizer: person,
  })
  expect((await as(BOB).post(EVENTS, hour('2026-03-02', 9))).body.creator).toEqual({ email: BOB, self: true })
})

test('14.51 a deleted event is removed after 30 days, and its id stays reserved', async () => {
  const { as, fake } = openCalendar()
  const meeting = { id: 'plans', ...hour('2026-03-02', 9) }
  await as(ALICE).post(EVENTS, meeting)
  await as(ALICE).delete(`${EVENTS}/plans`)
  const shown = async () => (await as(ALICE).get(`${EVENTS}?showDeleted=true`)).body.items.length

  await fake.advance('30d')
  expect((await as(ALICE).get(`${EVENTS}/plans`)).body.status).toBe('cancelled')
  expect(await shown()).toBe(1)

  await fake.advance('1s')
  expect(errorOf(await as(ALICE).get(`${EVENTS}/plans`))).toEqual(NOT_FOUND)
  expect(errorOf(await as(ALICE).delete(`${EVENTS}/plans`))).toEqual(NOT_FOUND)
  expect(await shown()).toBe(0)
  expect(errorOf(await as(ALICE).post(EVENTS, meeting))).toMatchObject({ status: 409 })
})

test('14.51 a deleted instance of a live series is kept', async () => {
  const { as, fake } = openCalendar()
  await as(ALICE).post(EVENTS, { id: 'series', ...hour('2026-03-02', 9), recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
  await as(ALICE).delete(`${EVENTS}/series_20260303T140000Z`)

  await fake.advance('40d')

  expect((await as(ALICE).get(`${EVENTS}/series_20260303T140000Z`)).body.status).toBe('cancelled')
  expect((await as(ALICE).get(`${EVENTS}?singleEvents=true`)).body.items).toHaveLength(2)
  await as(ALICE).delete(`${EVENTS}/series`)
  await fake.advance('31d')
  expect(errorOf(await as(ALICE).get(`${EVENTS}/series_20260303T140000Z`))).toEqual(NOT_FOUND)
  expect((await as(ALICE).get(`${EVENTS}?singleEvents=true&showDeleted=true`)).body.items).toEqual([])
})

const HOLIDAYS = 'en.uk#holiday@group.v.calendar.google.com'
/** Holidays of a country whose dates are unknown. */
const UNKNOWN = 'en.new_zealand#holiday@group.v.calendar.google.com'
const at = `/calendars/${encodeURIComponent(HOLIDAYS)}`

test.each([
  [UNKNOWN, 'Holidays (en.new_zealand)'],
  ['addressbook#contacts@group.v.calendar.google.com', 'Birthdays'],
  ['#contacts@group.v.calendar.google.com', 'Birthdays'],
])('15.15.1, 15.16 any account can list %s, and its summary is %s', async (id, summary) => {
  const { as } = openCalendar()
  const path = `/calendars/${encodeURIComponent(id)}`

  const { body } = await as(ALICE).post('/users/me/calendarList', { id })

  expect(body).toMatchObject({ id, summary, accessRole: 'reader', defaultReminders: [] })
  expect(body).not.toHaveProperty('dataOwner')
  expect((await as(BOB).get(`${path}/events`)).body).toMatchObject({ accessRole: 'reader', items: [] })
  expect(errorOf(await as(ALICE).post(`${path}/events`, hour('2026-03-02', 9)))).toMatchObject({ status: 403 })
  expect((await as(ALICE).delete(`/users/me/calendarList/${encodeURIComponent(id)}`)).status).toBe(204)
})

test('15.15 every account and an API key can read holidays that are on no list', async () => {
  const { as, anonymous } = openCalendar()
  const window = { timeMin: '2026-12-25T00:00:00Z', timeMax: '2026-12-26T00:00:00Z', items: [{ id: HOLIDAYS }] }
  const { body } = await anonymous.get(`${at}/events?key=k&timeMin=2026-12-25T00:00:00Z&timeMax=2026-12-26T00:00:00Z`)

  expect(body.accessRole).toBe('reader')
  expect(body.items.map(({ summary }: { summary: string }) => summary)).toEqual(['Christmas Day'])
  expect((await as(BOB).get(at)).body).toMatchObject({ id: HOLIDAYS, summary: 'Holidays in United Kingdom' })
  expect((await openCalendar().as(BOB).post('/freeBusy', window)).body.calendars).toEqual({ [HOLIDAYS]: { busy: [] } })
  expect(errorOf(await as(BOB).get(`/users/me/calendarList/${encodeURIComponent(HOLIDAYS)}`))).toEqual(NOT_FOUND)
})

test.each(['en.atlantis', 'en.xx', 'uk', 'en.', ''])(
  '15.15 holidays of %j are 404, because there is no such region',
  async (region) => {
    const { as } = openCalendar()
    const id = `${region}#holiday@group.v.calendar.google.com`

    expect(errorOf(await as(BOB).get(`/calendars/${encodeURIComponent(id)}/events`))).toEqual(NOT_FOUND)
    expect(errorOf(await as(BOB).post('/users/me/calendarList', { id }))).toEqual(NOT_FOUND)
  },
)

test.each(['en.th', 'en-gb.usa', 'de.german', 'en.uk.official', 'en.sa', 'en.islamic'])(
  '15.15 holidays of %s exist',
  async (region) => {
    const id = encodeURIComponent(`${region}#holiday@group.v.calendar.google.com`)

    expect(await openCalendar().as(BOB).get(`/calendars/${id}/events`)).toMatchObject({ status: 200 })
  },
)

test.each(['constructor', 'en.usa'])('15.16 a calendar of contacts named %s is empty', async (name) => {
  const { as } = openCalendar()
  const id = `${name}#contacts@group.v.calendar.google.com`

  expect((await as(ALICE).post('/users/me/calendarList', { id })).status).toBe(200)
  expect((await as(ALICE).get(`/calendars/${encodeURIComponent(id)}/events`)).body.items).toEqual([])
})

test('15.15 a move to holidays that nobody has used is 403', async () => {
  const alice = openCalendar().as(ALICE)
  await alice.post('/calendars/primary/events', { id: 'lunch', ...hour('2026-03-02', 12) })

  expect(
    errorOf(await alice.post(`/calendars/primary/events/lunch/move?destination=${encodeURIComponent(HOLIDAYS)}`)),
  ).toMatchObject({
    status: 403,
    reason: 'requiredAccessLevel',
  })
})

test('15.15.1 every world has the same holidays', async () => {
  const { fake } = openCalendar()
  const readHolidays = async (world: string) => {
    const response = await fake.fetch(new Request(`http://localhost/w/${world}/calendar/v3${at}/events?key=k`))
    return ((await response.json()) as { items: { id: string; summary: string; start: object }[] }).items
  }
  const one = await readHolidays('one')

  expect(one.length).toBeGreaterThan(20)
  expect(await readHolidays('two')).toEqual(one)
})

test('15.15 a watch on holidays that are on no list is refused', async () => {
  const { as } = openCalendar()
  const channel = { id: 'c', type: 'web_hook', address: 'https://example.com' }

  expect(errorOf(await as(BOB).post(`${at}/events/watch`, channel))).toMatchObject({
    status: 400,
    reason: 'pushNotSupportedForRequestedResource',
  })
})

test('15.16 birthdays of contacts that are on no list do not exist', async () => {
  const { as } = openCalendar()
  const path = `/calendars/${encodeURIComponent('addressbook#contacts@group.v.calendar.google.com')}`

  expect(errorOf(await as(ALICE).get(path))).toEqual(NOT_FOUND)
})

test('reading holidays is not a change', async () => {
  const { fake, as } = openCalendar()
  const before = fake.snapshot()

  await as(ALICE).get(`${at}/events`)

  expect(fake.diff(before)).toEqual([])
  expect(fake.changes()).toEqual([])
})

test.each([
  'en.uk#holiday@group.v.calendar.google.com.example.org',
  'en.uk\n#holiday@group.v.calendar.google.com',
  'en.uk#moon@group.v.calendar.google.com',
])('15.15, 15.16 %j is no public calendar', async (id) => {
  const { as } = openCalendar()

  expect(errorOf(await as(ALICE).post('/users/me/calendarList', { id }))).toEqual(NOT_FOUND)
})

test('15.15.1 holidays have no reminders, and a seed can set their ids without an iCalUID', async () => {
  const id = '20261012_9h809akrnv7bgja9ifjciu0g8o'
  const events = [{ id, summary: 'Thanksgiving', start: { date: '2026-10-12' }, end: { date: '2026-10-13' } }]
  const { as } = openCalendar({ seed: [PEOPLE, { calendars: [{ id: HOLIDAYS, summary: 'Holidays', events }] }] })
  await as(CAROL).post('/users/me/calendarList', { id: HOLIDAYS })

  const { body } = await as(CAROL).get(`${at}/events/${id}`)

  expect(body).toMatchObject({ id, iCalUID: `${id}@google.com`, summary: 'Thanksgiving' })
  expect(body).not.toHaveProperty('reminders')
  expect((await as(CAROL).get(`${at}/events`)).body.items[0]).toEqual(body)
})

test('15.15.1 holidays have the form of the service', async () => {
  const { as } = openCalendar()
  const { items } = (await as(BOB).get(`${at}/events?timeMin=2026-12-25T00:00:00Z&timeMax=2026-12-26T00:00:00Z`)).body
  const person = { email: HOLIDAYS, displayName: 'Holidays in United Kingdom', self: true }

  expect(items[0].id).toMatch(/^20261225_[0-9a-v]{26}$/)
  expect(items[0]).toMatchObject({
    ...{ summary: 'Christmas Day', description: 'Public holiday', visibility: 'public', transparency: 'transparent' },
    ...{ creator: person, organizer: person, start: { date: '2026-12-25' }, end: { date: '2026-12-26' } },
  })
  expect(items[0]).not.toHaveProperty('reminders')
})

test.each([
  ['en.usa', 'Holidays in United States', ['2026-01-19 Martin Luther King Jr. Day', '2026-05-25 Memorial Day']],
  ['en.usa', 'Holidays in United States', ['2026-11-26 Thanksgiving Day', '2025-11-27 Thanksgiving Day']],
  [
    'en.german',
    'Holidays in Germany',
    ['2026-04-03 Good Friday', '2026-04-06 Easter Monday', '2026-05-14 Ascension Day'],
  ],
  ['en.german', 'Holidays in Germany', ['2025-04-21 Easter Monday', '2027-03-29 Easter Monday']],
  ['en.uk', 'Holidays in United Kingdom', ['2026-08-31 Summer Bank Holiday', '2026-12-28 Boxing Day (substitute day)']],
  ['en.uk', 'Holidays in United Kingdom', ['2027-12-27 Christmas Day (substitute day)']],
])('15.15.1 the holidays of %s are on their dates, from last year to next year', async (country, summary, dates) => {
  const { as } = openCalendar({ now: '2026-06-10T12:00:00Z' })
  const path = `/calendars/${encodeURIComponent(`${country}#holiday@group.v.calendar.google.com`)}/events?maxResults=2500`

  const { body } = await as(BOB).get(path)
  const found = body.items.map(
    (one: { summary: string; start: { date: string } }) => `${one.start.date} ${one.summary}`,
  )

  expect(body.summary).toBe(summary)
  expect(found).toEqual(expect.arrayContaining(dates))
  expect(new Set(found.map((one: string) => one.slice(0, 4)))).toEqual(new Set(['2025', '2026', '2027']))
})

test('15.15.1 an entry of a seed creates the calendar of holidays', async () => {
  const { as } = openCalendar({
    seed: { accounts: [{ email: CAROL, calendarList: [{ id: HOLIDAYS, colorId: '8' }] }] },
  })

  const { body } = await as(CAROL).get('/users/me/calendarList')

  expect(body.items.find(({ id }: { id: string }) => id === HOLIDAYS)).toMatchObject({
    ...{ summary: 'Holidays in United Kingdom', accessRole: 'reader', colorId: '8' },
  })
})

test('15.15.1 a seed can add events to holidays without an owner', async () => {
  const events = [{ summary: 'Boxing Day', start: { date: '2026-12-26' }, end: { date: '2026-12-27' } }]
  const { as } = openCalendar({ seed: [PEOPLE, { calendars: [{ id: HOLIDAYS, summary: 'Holidays', events }] }] })

  await as(CAROL).post('/users/me/calendarList', { id: HOLIDAYS })

  expect((await as(CAROL).get(`${at}/events`)).body).toMatchObject({
    summary: 'Holidays',
    items: [{ summary: 'Boxing Day', organizer: { email: HOLIDAYS, displayName: 'Holidays' } }],
  })
})
