import { afterAll, beforeAll, expect } from 'vitest'
import {
  type Client,
  type Event,
  headerOf,
  idsOf,
  itemsOf,
  openTeam,
  rejectionOf,
  requireText,
  revisionOf,
  scenario,
  summariesOf,
  TALKS,
  TEAM,
  TRAILS,
} from '../support/team.ts'

/**
 * A Wednesday of Alice's with the official Node client, unmodified and over a socket: every method of calendars, lists,
 * rules, settings, colours and single events. Each step depends on those before it.
 */
const ALICE = 'alice@example.com'
const BOB = 'bob@example.com'
const CHIYO = 'chiyo@example.com'
const DANA = 'dana@example.com'

let open: Awaited<ReturnType<typeof openTeam>>
let alice: Client
let bob: Client
let stranger: Client

beforeAll(async () => {
  open = await openTeam()
  alice = open.as(ALICE)
  bob = open.as(BOB)
  stranger = open.as('erik@elsewhere.example.org')
})
afterAll(() => open.close())

const step = scenario()
/** It is so late in New York. */
const itIs = (time: string) => open.fake.clock.advanceTo(`2026-03-04T${time}-05:00`)
const newYork = (dateTime: string) => ({ dateTime, timeZone: 'America/New_York' })
const meeting = (day: string, from: string, to: string) => ({
  start: newYork(`${day}T${from}:00`),
  end: newYork(`${day}T${to}:00`),
})
const insert = async (client: Client, calendarId: string, requestBody: Event): Promise<Event> =>
  (await client.events.insert({ calendarId, requestBody })).data

/** Every page of a list, one after the other, with something to do between the first and the second. */
async function pagesOf<P extends { nextPageToken?: string | null }>(
  read: (pageToken: string | undefined) => Promise<{ data: P }>,
  between: () => Promise<unknown> = async () => undefined,
): Promise<P[]> {
  const pages = [(await read(undefined)).data]
  await between()
  for (let last = pages[0]; last?.nextPageToken; last = pages.at(-1)) {
    pages.push((await read(last.nextPageToken)).data)
  }
  return pages
}

// 08:00, looking round

step('Alice finds her calendars on her list, with her role on each', async () => {
  const { status, data } = await alice.calendarList.list()

  expect(status).toBe(200)
  expect(Object.keys(data)).toEqual(['kind', 'etag', 'nextSyncToken', 'items'])
  expect(data.items?.map(({ id, accessRole }) => [id, accessRole])).toEqual([
    [ALICE, 'owner'],
    [TEAM, 'owner'],
    [TALKS, 'writer'],
    [BOB, 'reader'],
  ])
})

step('hidden calendars show when asked for, and roles narrow the list', async () => {
  expect(idsOf(await alice.calendarList.list({ showHidden: true }))).toEqual([ALICE, TEAM, TALKS, BOB, TRAILS])
  expect(idsOf(await alice.calendarList.list({ minAccessRole: 'owner' }))).toEqual([ALICE, TEAM])
  expect(idsOf(await alice.calendarList.list({ minAccessRole: 'writer', showHidden: true }))).toEqual([
    ALICE,
    TEAM,
    TALKS,
    TRAILS,
  ])
})

step('the list comes in pages, with a sync token on the last alone', async () => {
  const pages = await pagesOf((pageToken) => alice.calendarList.list({ maxResults: 3, pageToken }))

  expect(pages.map(({ items }) => items?.map(({ id }) => id))).toEqual([[ALICE, TEAM, TALKS], [BOB]])
  expect(pages.map((page) => 'nextSyncToken' in page)).toEqual([false, true])
  expect(pages.map((page) => 'nextPageToken' in page)).toEqual([true, false])
})

step('her own entry, key by key', async () => {
  const { data, headers } = await alice.calendarList.get({ calendarId: 'primary' })

  expect(data).toEqual({
    kind: 'calendar#calendarListEntry',
    etag: expect.stringMatching(/^"\d{16}"$/),
    id: ALICE,
    summary: ALICE,
    timeZone: 'America/New_York',
    colorId: '14',
    backgroundColor: '#9fe1e7',
    foregroundColor: '#000000',
    selected: true,
    accessRole: 'owner',
    defaultReminders: [
      { method: 'popup', minutes: 10 },
      { method: 'email', minutes: 60 },
    ],
    notificationSettings: {
      notifications: ['eventCreation', 'eventChange', 'eventCancellation', 'eventResponse'].map((type) => ({
        type,
        method: 'email',
      })),
    },
    primary: true,
    conferenceProperties: { allowedConferenceSolutionTypes: ['hangoutsMeet'] },
  })
  expect(headerOf(headers, 'ETag')).toBe(data.etag)
})

step('her settings are all text, her own over the defaults', async () => {
  const list = await alice.settings.list()
  const values = Object.fromEntries(itemsOf(list).map(({ id, value }) => [id, value]))

  expect(values).toEqual({
    autoAddHangouts: 'false',
    dateFieldOrder: 'MDY',
    defaultEventLength: '30',
    format24HourTime: 'false',
    hideInvitations: 'false',
    hideWeekends: 'false',
    locale: 'en',
    remindOnRespondedEventsOnly: 'false',
    showDeclinedEvents: 'true',
    timezone: 'America/New_York',
    useKeyboardShortcuts: 'true',
    weekStart: '1',
  })
  expect(list.data.kind).toBe('calendar#settings')
  expect(list.data.nextSyncToken).toMatch(/^\d{20}$/)
})

step('one setting by its id, one that there is not, and no change since', async () => {
  const { nextSyncToken: syncToken } = (await alice.settings.list()).data

  expect((await alice.settings.get({ setting: 'weekStart' })).data).toEqual({
    kind: 'calendar#setting',
    etag: expect.stringMatching(/^"\d+"$/),
    id: 'weekStart',
    value: '1',
  })
  expect(await rejectionOf(alice.settings.get({ setting: 'favouriteColour' }))).toMatchObject({ code: 404 })
  expect(itemsOf(await alice.settings.list({ syncToken: requireText(syncToken) }))).toEqual([])
})

step('the palettes: 24 colours for calendars, 11 for events', async () => {
  const { data } = await alice.colors.get()

  expect(data.kind).toBe('calendar#colors')
  expect(data.updated).toBe('2012-02-14T00:00:00.000Z')
  expect(Object.keys(data.calendar ?? {})).toHaveLength(24)
  expect(Object.keys(data.event ?? {})).toHaveLength(11)
  expect(data.calendar?.['24']).toEqual({ background: '#a47ae2', foreground: '#1d1d1d' })
  expect(data.event?.['11']).toEqual({ background: '#dc2127', foreground: '#1d1d1d' })
})

step('her day, in the order of its hours', async () => {
  const list = await alice.events.list({
    calendarId: 'primary',
    timeMin: '2026-03-04T00:00:00-05:00',
    timeMax: '2026-03-05T00:00:00-05:00',
    singleEvents: true,
    orderBy: 'startTime',
  })

  expect(itemsOf(list).map(({ summary, start }) => [summary, start?.dateTime])).toEqual([
    ['Call with Chiyo', '2026-03-04T08:00:00-05:00'],
    ['Planning', '2026-03-04T09:00:00-05:00'],
    ['Fare rules, no interruptions', '2026-03-04T13:00:00-05:00'],
    ['Coffee with Sam (Northline)?', '2026-03-04T16:00:00-05:00'],
  ])
  expect(list.data).not.toHaveProperty('nextSyncToken')
  expect(list.data.timeZone).toBe('America/New_York')
  expect(list.data.defaultReminders).toEqual([
    { method: 'popup', minutes: 10 },
    { method: 'email', minutes: 60 },
  ])
})

step('the same call by the clock of Tokyo, each event keeping the zone it was made in', async () => {
  const list = await alice.events.list({ calendarId: 'primary', q: 'call chiyo', timeZone: 'Asia/Tokyo' })
  const abroad = await alice.events.get({ calendarId: 'primary', eventId: 'flightber', timeZone: 'UTC' })

  expect(list.data.timeZone).toBe('Asia/Tokyo')
  expect(itemsOf(list).map(({ start }) => start)).toEqual([
    { dateTime: '2026-03-04T22:00:00+09:00', timeZone: 'Asia/Tokyo' },
  ])
  expect(abroad.data.start).toEqual({ dateTime: '2026-03-05T23:10:00Z', timeZone: 'America/New_York' })
  expect(abroad.data.end).toEqual({ dateTime: '2026-03-06T07:05:00Z', timeZone: 'Europe/Berlin' })
})

step('timeMin looks at the end of an event and timeMax at its start, neither included', async () => {
  const between = async (timeMin: string, timeMax: string) =>
    summariesOf(await alice.events.list({ calendarId: 'primary', timeMin, timeMax }))

  expect(await between('2026-03-04T18:00:00Z', '2026-03-04T18:00:01Z')).toEqual(['Fare rules, no interruptions'])
  expect(await between('2026-03-04T20:30:00Z', '2026-03-04T21:00:00Z')).toEqual([])
  expect(await between('2026-03-04T20:29:59Z', '2026-03-04T21:00:01Z')).toEqual([
    'Fare rules, no interruptions',
    'Coffee with Sam (Northline)?',
  ])
})

// 09:00, writing things down

let printer: Event

step('a call to make: the whole event as the service answers it', async () => {
  itIs('09:00:00.250')
  const { status, headers, data } = await alice.events.insert({
    calendarId: 'primary',
    requestBody: {
      summary: 'Call the printer',
      description: '',
      location: 'Desk',
      start: { dateTime: '2026-03-04T11:00:00.500-05:00' },
      end: { dateTime: '2026-03-04T16:30:00Z' },
      transparency: 'opaque',
      guestsCanModify: false,
    },
  })
  printer = data
  const id = requireText(data.id)

  expect(status).toBe(200)
  expect(id).toMatch(/^[0-9a-v]{26}$/)
  expect(Object.entries(data)).toEqual(
    Object.entries({
      kind: 'calendar#event',
      etag: data.etag,
      id,
      status: 'confirmed',
      htmlLink: `https://www.google.com/calendar/event?eid=${Buffer.from(`${id} ${ALICE}`).toString('base64url')}`,
      created: '2026-03-04T14:00:00.000Z',
      updated: '2026-03-04T14:00:00.250Z',
      summary: 'Call the printer',
      location: 'Desk',
      creator: { email: ALICE, self: true },
      organizer: { email: ALICE, self: true },
      start: newYork('2026-03-04T11:00:00-05:00'),
      end: newYork('2026-03-04T11:30:00-05:00'),
      iCalUID: `${id}@google.com`,
      sequence: 0,
      reminders: { useDefault: true },
      eventType: 'default',
    }),
  )
  expect(headerOf(headers, 'ETag')).toBe(data.etag)
  expect(Math.floor(revisionOf(data) / 1000)).toBe(Date.parse('2026-03-04T14:00:00.250Z'))
})

step('two days off: no zone on an all-day event, and the default reminders as its own', async () => {
  const event = await insert(alice, 'primary', {
    summary: 'Days off',
    start: { date: '2026-03-19', timeZone: 'America/New_York' },
    end: { date: '2026-03-21' },
  })

  expect(event.start).toEqual({ date: '2026-03-19' })
  expect(event.end).toEqual({ date: '2026-03-21' })
  expect(event.reminders).toEqual({
    useDefault: false,
    overrides: [
      { method: 'email', minutes: 60 },
      { method: 'popup', minutes: 10 },
    ],
  })
})

step('times in other zones come back by her own clock, before and after it changes', async () => {
  const inBerlin = await insert(alice, 'primary', {
    summary: 'Breakfast at the Landwehrkanal',
    start: { dateTime: '2026-03-07T09:00:00', timeZone: 'Europe/Berlin' },
    end: { dateTime: '2026-03-07T10:00:00', timeZone: 'Europe/Berlin' },
  })
  const after = await insert(alice, 'primary', { summary: 'Summer time', ...meeting('2026-03-09', '09:00', '09:15') })

  expect(inBerlin.start).toEqual({ dateTime: '2026-03-07T03:00:00-05:00', timeZone: 'Europe/Berlin' })
  expect(after.start).toEqual(newYork('2026-03-09T09:00:00-04:00'))
})

step('an id of her own choosing, once', async () => {
  const event = { id: 'haircut2026', summary: 'Haircut', ...meeting('2026-03-05', '17:00', '17:45') }

  expect((await insert(alice, 'primary', event)).iCalUID).toBe('haircut2026@google.com')
  expect(await rejectionOf(alice.events.insert({ calendarId: 'primary', requestBody: event }))).toEqual({
    code: 409,
    domain: 'global',
    reason: 'duplicate',
    message: 'The requested identifier already exists.',
  })
})

step('an event known by an iCalUID from elsewhere gets its id from that', async () => {
  const iCalUID = '040000008200E00074C5B7101A82E008'
  const fromAbroad = await insert(alice, 'primary', {
    iCalUID,
    summary: 'Northline town hall',
    ...meeting('2026-03-10', '12:00', '13:00'),
  })
  const ours = await insert(alice, 'primary', {
    iCalUID: 'boatlotto@google.com',
    summary: 'Boat lotto',
    ...meeting('2026-03-10', '18:00', '19:00'),
  })

  expect(fromAbroad.id).toMatch(/^_60q30c1g60o30e1i[0-9a-v]+$/)
  expect(fromAbroad.iCalUID).toBe(iCalUID)
  expect(ours.id).toBe('boatlotto')
  expect(summariesOf(await alice.events.list({ calendarId: 'primary', iCalUID }))).toEqual(['Northline town hall'])
  expect(
    await rejectionOf(
      alice.events.insert({
        calendarId: 'primary',
        requestBody: { iCalUID, ...meeting('2026-03-10', '12:00', '13:00') },
      }),
    ),
  ).toMatchObject({ code: 409, reason: 'duplicate' })
})

step('what cannot be an event is refused in the service’s words', async () => {
  const { start, end } = meeting('2026-03-05', '15:00', '16:00')
  const refusalOf = async (requestBody: Event) => {
    const { code, domain, reason, message, location } = await rejectionOf(
      alice.events.insert({ calendarId: 'primary', requestBody }),
    )
    return [code, domain, reason, message, ...(location ? [location] : [])]
  }
  const mixed = 'Start and end times must either both be date or both be dateTime.'
  const noSuchZone = { dateTime: '2026-03-05T15:00:00', timeZone: 'Eastern Standard Time' }

  expect(await refusalOf({})).toEqual([400, 'global', 'required', 'Missing end time.'])
  expect(await refusalOf({ start })).toEqual([400, 'global', 'required', 'Missing end time.'])
  expect(await refusalOf({ end })).toEqual([400, 'global', 'required', 'Missing start time.'])
  expect(await refusalOf({ start: { date: '2026-03-05' }, end })).toEqual([400, 'global', 'invalid', mixed])
  expect(await refusalOf({ start: {}, end })).toEqual([400, 'global', 'invalid', mixed])
  expect(await refusalOf({ start: end, end: start })).toEqual([
    400,
    'calendar',
    'timeRangeEmpty',
    'The specified time range is empty.',
    'timeMax',
  ])
  expect(await refusalOf({ start: noSuchZone, end })).toEqual([
    400,
    'global',
    'invalid',
    'Invalid time zone definition for start time.',
  ])
  expect(await refusalOf({ start: { dateTime: '2026-03-05T15:00:00' }, end })).toEqual([
    400,
    'global',
    'badRequest',
    'Bad Request',
  ])
  expect(await refusalOf({ id: 'Wednesday', start, end })).toEqual([
    400,
    'global',
    'invalid',
    'Invalid resource id value.',
  ])
  expect(await refusalOf({ start, end, attendees: [{ email: 'not-an-email' }] })).toEqual([
    400,
    'global',
    'invalid',
    'Invalid attendee email.',
  ])
  expect(await refusalOf({ start, end, attendees: [{ displayName: 'Somebody' }] })).toEqual([
    400,
    'global',
    'required',
    'Missing attendee email.',
  ])
})

step('the client’s error carries the whole refusal', async () => {
  const error = await alice.events.get({ calendarId: 'primary', eventId: 'nosuchthing' }).catch((thrown) => thrown)

  expect(error.code).toBe(404)
  expect(error.status).toBe(404)
  expect(error.message).toBe('Not Found')
  expect(error.response.data).toEqual({
    error: {
      errors: [{ domain: 'global', reason: 'notFound', message: 'Not Found' }],
      code: 404,
      message: 'Not Found',
    },
  })
  expect(error.cause.errors).toEqual(error.response.data.error.errors)
})

// 10:00, changing one's mind

step('a patch merges: a new description in, the location out, the rest as it was', async () => {
  itIs('10:00:00')
  const { data } = await alice.events.patch({
    calendarId: 'primary',
    eventId: requireText(printer.id),
    requestBody: { description: 'Ask for the blue stock.', location: '' },
  })
  const { location: _, ...unchanged } = printer

  expect(data).toEqual({
    ...unchanged,
    etag: data.etag,
    updated: '2026-03-04T15:00:00.000Z',
    description: 'Ask for the blue stock.',
  })
  expect(revisionOf(data)).toBeGreaterThan(revisionOf(printer))
  printer = data
})

step('a patch that says nothing new leaves no trace', async () => {
  itIs('10:10:00')
  const eventId = requireText(printer.id)

  for (const requestBody of [{}, { summary: 'Call the printer' }, { location: null }]) {
    expect((await alice.events.patch({ calendarId: 'primary', eventId, requestBody })).data).toEqual(printer)
  }
})

step('another time counts the sequence up, another reminder does not even touch the date of the change', async () => {
  const target = { calendarId: 'primary', eventId: requireText(printer.id) }
  const later = await alice.events.patch({ ...target, requestBody: meeting('2026-03-04', '11:30', '12:00') })
  itIs('10:20:00')
  const reminded = await alice.events.patch({
    ...target,
    requestBody: { reminders: { useDefault: false, overrides: [{ method: 'popup', minutes: 3 }] } },
  })

  expect(later.data.sequence).toBe(1)
  expect(reminded.data.sequence).toBe(1)
  expect(reminded.data.reminders).toEqual({ useDefault: false, overrides: [{ method: 'popup', minutes: 3 }] })
  expect(reminded.data.updated).toBe(later.data.updated)
  expect(reminded.data.etag).not.toBe(later.data.etag)
  printer = reminded.data
})

step('an all-day event becomes a timed one only when its date is taken away', async () => {
  const day = await insert(alice, 'primary', {
    summary: 'Taxes',
    start: { date: '2026-03-17' },
    end: { date: '2026-03-18' },
  })
  const target = { calendarId: 'primary', eventId: requireText(day.id) }
  const { start, end } = meeting('2026-03-17', '19:00', '21:00')

  expect(await rejectionOf(alice.events.patch({ ...target, requestBody: { start, end } }))).toMatchObject({
    code: 400,
    reason: 'invalid',
    message: 'Invalid start time.',
  })
  const requestBody = { start: { ...start, date: null }, end: { ...end, date: null } }
  expect((await alice.events.patch({ ...target, requestBody })).data.start).toEqual(
    newYork('2026-03-17T19:00:00-04:00'),
  )
})

step('an update replaces: what it leaves out is gone', async () => {
  itIs('10:30:00')
  const { data } = await alice.events.update({
    calendarId: 'primary',
    eventId: requireText(printer.id),
    requestBody: { summary: 'Printer', colorId: '4', start: printer.start, end: printer.end },
  })
  const { description: _, ...unchanged } = printer

  expect(data).toEqual({
    ...unchanged,
    etag: data.etag,
    updated: data.updated,
    summary: 'Printer',
    colorId: '4',
    reminders: { useDefault: true },
  })
  printer = data
})

step('an update that lags behind in sequence is refused', async () => {
  const { summary, start, end } = printer

  expect(
    await rejectionOf(
      alice.events.update({
        calendarId: 'primary',
        eventId: requireText(printer.id),
        requestBody: { summary, start, end, sequence: 0 },
      }),
    ),
  ).toMatchObject({ code: 400, reason: 'invalid', message: expect.stringMatching(/^Invalid sequence value\. /) })
})

step('a write for a version that is gone is refused, one for the present version or any is not', async () => {
  const target = { calendarId: 'primary', eventId: requireText(printer.id) }
  const patch = (ifMatch: string, summary: string) =>
    alice.events.patch({ ...target, requestBody: { summary } }, { headers: { 'If-Match': ifMatch } })

  const first = await patch(requireText(printer.etag), 'Printer!')
  expect(first.status).toBe(200)
  expect(await rejectionOf(patch(requireText(printer.etag), 'Printer?'))).toEqual({
    code: 412,
    domain: 'global',
    reason: 'conditionNotMet',
    message: 'Precondition Failed',
    locationType: 'header',
    location: 'If-Match',
  })
  expect((await alice.events.get(target)).data.summary).toBe('Printer!')
  expect((await patch('*', 'Printer')).data.summary).toBe('Printer')
})

step('what has not changed since is not sent again', async () => {
  const target = { calendarId: 'primary', eventId: 'dentist' }
  const { etag } = (await alice.events.get(target)).data
  const again = await alice.events.get(target, { headers: { 'If-None-Match': requireText(etag) } })
  const list = await alice.events.list({ calendarId: 'primary' })
  const listAgain = await alice.events.list(
    { calendarId: 'primary' },
    { headers: { 'If-None-Match': requireText(list.data.etag) } },
  )

  expect([again.status, again.data]).toEqual([304, ''])
  expect(listAgain.status).toBe(304)
})

step('guests are answered for until they answer, and Alice is marked as herself', async () => {
  itIs('10:40:00')
  const event = await insert(alice, 'primary', {
    id: 'chartlunch',
    summary: 'Lunch over charts',
    ...meeting('2026-03-05', '12:30', '13:30'),
    attendees: [
      { email: 'petra@northline.example.org', displayName: 'Petra Holm', organizer: true },
      { email: DANA, responseStatus: 'accepted', optional: true },
      { email: 'Alice@Example.com', responseStatus: 'accepted' },
      { email: DANA },
    ],
  })
  const few = await alice.events.get({ calendarId: 'primary', eventId: 'chartlunch', maxAttendees: 1 })

  expect(event.attendees).toEqual([
    { email: 'petra@northline.example.org', displayName: 'Petra Holm', responseStatus: 'needsAction' },
    { email: DANA, optional: true, responseStatus: 'accepted' },
    { email: ALICE, organizer: true, self: true, responseStatus: 'accepted' },
  ])
  expect(few.data.attendees).toEqual([{ email: ALICE, organizer: true, self: true, responseStatus: 'accepted' }])
  expect(few.data.attendeesOmitted).toBe(true)
})

// 11:00, finding things

step('events are found by their properties, all of those asked for', async () => {
  itIs('11:00:00')
  await alice.events.patch({
    calendarId: 'primary',
    eventId: 'chartlunch',
    requestBody: { extendedProperties: { private: { crm: '77', table: 'window' }, shared: { project: 'timetable' } } },
  })
  const found = async (privateExtendedProperty: string[], sharedExtendedProperty: string[] = []) =>
    summariesOf(await alice.events.list({ calendarId: 'primary', privateExtendedProperty, sharedExtendedProperty }))

  expect(await found([], ['project=timetable'])).toEqual(['Timetable API review', 'Planning', 'Lunch over charts'])
  expect(await found(['crm=77', 'table=window'])).toEqual(['Lunch over charts'])
  expect(await found(['crm=77', 'table=door'])).toEqual([])
  expect(await found(['source=planner'], ['project=timetable'])).toEqual([])
})

step('one property goes and the others stay', async () => {
  const { data } = await alice.events.patch({
    calendarId: 'primary',
    eventId: 'chartlunch',
    // biome-ignore lint/suspicious/noExplicitAny: the client's types know of no null here
    requestBody: { extendedProperties: { private: { table: null } } } as any,
  })

  expect(data.extendedProperties).toEqual({ private: { crm: '77' }, shared: { project: 'timetable' } })
})

step('a search takes every word, in whatever case and field', async () => {
  const found = async (q: string) => summariesOf(await alice.events.list({ calendarId: 'primary', q }))

  expect(await found('LIGHTHOUSE coffee')).toEqual(['Coffee with Sam (Northline)?'])
  expect(await found('holm')).toEqual(['Timetable API review', 'Lunch over charts'])
  expect(await found('northline.example.org review')).toEqual(['Timetable API review'])
  expect(await found('planner')).toEqual([])
})

step('in the order of their changes the latest comes last, from a moment on if asked', async () => {
  const all = await alice.events.list({ calendarId: 'primary', orderBy: 'updated' })
  const changes = itemsOf(all).map(({ updated }) => requireText(updated))
  const recent = await alice.events.list({
    calendarId: 'primary',
    orderBy: 'updated',
    updatedMin: '2026-03-04T14:00:00Z',
  })

  expect(changes).toEqual(changes.toSorted())
  expect(summariesOf(all).at(-1)).toBe('Lunch over charts')
  expect(summariesOf(recent)).toEqual([
    'Days off',
    'Breakfast at the Landwehrkanal',
    'Summer time',
    'Haircut',
    'Northline town hall',
    'Boat lotto',
    'Taxes',
    'Printer',
    'Lunch over charts',
  ])
})

step('a list that cannot be is refused with the parameter at fault', async () => {
  const refused = async (query: object) => {
    const { code, reason, message, location } = await rejectionOf(
      alice.events.list({ calendarId: 'primary', ...query }),
    )
    return [code, reason, message, location]
  }
  const noon = '2026-03-04T12:00:00Z'

  expect(await refused({ orderBy: 'startTime' })).toEqual([
    400,
    'invalid',
    'The requested ordering is not available for the particular query.',
    'orderBy',
  ])
  expect(await refused({ orderBy: 'start' })).toEqual([
    400,
    'invalidParameter',
    "Invalid string value: 'start'. Allowed values: [startTime, updated]",
    'orderBy',
  ])
  expect(await refused({ maxResults: 0 })).toEqual([
    400,
    'invalidParameter',
    "Invalid value '0'. Values must be within the range: [1, 2147483647]",
    'maxResults',
  ])
  expect(await refused({ timeMin: noon, timeMax: noon })).toEqual([
    400,
    'timeRangeEmpty',
    'The specified time range is empty.',
    'timeMax',
  ])
  expect(await refused({ timeMin: '2026-03-04T12:00:00' })).toEqual([400, 'badRequest', 'Bad Request', undefined])
  expect(await refused({ timeZone: 'Moon/Tycho' })).toEqual([400, 'invalid', 'Invalid value for: timeZone', 'timeZone'])
  expect(await refused({ pageToken: 'page two' })).toEqual([400, 'invalid', 'Invalid page token value.', 'pageToken'])
})

// 12:00, keeping in step

step('a list read in pages while it is written to loses nothing and repeats nothing', async () => {
  itIs('12:00:00')
  const before = idsOf(await alice.events.list({ calendarId: 'primary' }))
  const pages = await pagesOf(
    (pageToken) => alice.events.list({ calendarId: 'primary', maxResults: 7, pageToken }),
    async () => {
      await alice.events.delete({ calendarId: 'primary', eventId: requireText(before[2]) })
      await insert(alice, 'primary', {
        id: 'tunafish',
        summary: 'Groceries',
        ...meeting('2026-03-04', '18:30', '19:00'),
      })
      await alice.events.patch({ calendarId: 'primary', eventId: 'mondaplan', requestBody: { colorId: '6' } })
    },
  )
  const since = await alice.events.list({ calendarId: 'primary', syncToken: requireText(pages.at(-1)?.nextSyncToken) })

  expect(pages.length).toBe(Math.ceil(before.length / 7))
  expect(pages.slice(0, -1).every(({ items }) => items?.length === 7)).toBe(true)
  expect(pages.slice(0, -1).every((page) => !('nextSyncToken' in page))).toBe(true)
  expect(pages.flatMap(({ items }) => items?.map(({ id }) => id))).toEqual(before)
  expect(idsOf(since)).toEqual([before[2], 'tunafish', 'mondaplan'])
})

let synced: string

step('Bob takes in the team’s calendar and is told that nothing has changed since', async () => {
  const full = await bob.events.list({ calendarId: TEAM })
  const none = await bob.events.list({ calendarId: TEAM, syncToken: requireText(full.data.nextSyncToken) })

  expect(idsOf(full)).toHaveLength(10)
  expect(Object.keys(full.data)).toEqual([
    'kind',
    'etag',
    'summary',
    'description',
    'updated',
    'timeZone',
    'accessRole',
    'defaultReminders',
    'nextSyncToken',
    'items',
  ])
  expect(full.data.accessRole).toBe('writer')
  expect(itemsOf(none)).toEqual([])
  synced = requireText(none.data.nextSyncToken)
})

step(
  'then he is told of what Alice wrote: each event once, as it stands, and of a deletion no more than its id',
  async () => {
    itIs('12:30:00')
    await alice.events.patch({ calendarId: TEAM, eventId: 'standupthu', requestBody: { summary: 'Stand-up (short)' } })
    const deleted = await alice.events.delete({ calendarId: TEAM, eventId: 'planning' })
    await insert(alice, TEAM, { id: 'cakeforbob', summary: 'Cake', ...meeting('2026-03-04', '15:00', '15:30') })
    await alice.events.patch({ calendarId: TEAM, eventId: 'standupthu', requestBody: { location: 'Roof' } })
    const delta = await bob.events.list({ calendarId: TEAM, syncToken: synced })
    const [stub] = itemsOf(delta)

    expect([deleted.status, deleted.data]).toEqual([204, ''])
    expect(idsOf(delta)).toEqual(['planning', 'cakeforbob', 'standupthu'])
    expect(stub).toEqual({ kind: 'calendar#event', etag: stub?.etag, id: 'planning', status: 'cancelled' })
    expect(itemsOf(delta)[2]).toMatchObject({ summary: 'Stand-up (short)', location: 'Roof', status: 'confirmed' })
  },
)

step('what changed comes in pages too', async () => {
  const pages = await pagesOf((pageToken) =>
    bob.events.list({ calendarId: TEAM, syncToken: synced, maxResults: 2, pageToken }),
  )

  expect(pages.map(({ items }) => items?.map(({ id }) => id))).toEqual([['planning', 'cakeforbob'], ['standupthu']])
  expect(pages.map((page) => 'nextSyncToken' in page)).toEqual([false, true])
  synced = requireText(pages[1]?.nextSyncToken)
})

step('a window is remembered: later changes outside it are left out, deletions never', async () => {
  const week = await bob.events.list({
    calendarId: TEAM,
    timeMin: '2026-03-02T00:00:00Z',
    timeMax: '2026-03-09T00:00:00Z',
  })
  const next = await insert(alice, TEAM, { summary: 'Next week', ...meeting('2026-03-11', '10:00', '11:00') })
  await insert(alice, TEAM, { id: 'fridabeer', summary: 'Friday beer', ...meeting('2026-03-06', '16:00', '17:00') })
  const since = { calendarId: TEAM, syncToken: requireText(week.data.nextSyncToken) }

  expect(idsOf(await bob.events.list(since))).toEqual(['fridabeer'])
  await alice.events.delete({ calendarId: TEAM, eventId: requireText(next.id) })
  expect(idsOf(await bob.events.list(since))).toEqual(['fridabeer', next.id])
})

step('a sync token stands alone, and is one of ours', async () => {
  const refused = async (query: object) => {
    const { code, reason, message, location } = await rejectionOf(bob.events.list({ calendarId: TEAM, ...query }))
    return [code, reason, message, location]
  }
  const sources = [
    { q: 'cake' },
    { iCalUID: 'planning@google.com' },
    { timeMin: '2026-03-04T00:00:00Z' },
    { timeMax: '2026-03-05T00:00:00Z' },
    { updatedMin: '2026-03-04T00:00:00Z' },
    { privateExtendedProperty: ['a=1'] },
    { sharedExtendedProperty: ['a=1'] },
    { showDeleted: false },
  ]

  for (const query of sources) {
    expect((await refused({ syncToken: synced, ...query })).slice(0, 2)).toEqual([400, 'invalid'])
  }
  expect(await refused({ syncToken: synced, orderBy: 'updated' })).toEqual([
    ...[400, 'syncTokenWithNonDefaultOrdering', 'Sync token cannot be used with non-default ordering.', 'orderBy'],
  ])
  expect(await refused({ syncToken: 'yesterday' })).toEqual([400, 'invalid', 'Invalid sync token value.', 'syncToken'])
})

step('an expired sync token is answered with 410, and a full sync starts afresh', async () => {
  expect((await open.control('syncTokens/expire')).status).toBe(200)

  expect(await rejectionOf(bob.events.list({ calendarId: TEAM, syncToken: synced }))).toEqual({
    code: 410,
    domain: 'calendar',
    reason: 'fullSyncRequired',
    message: 'Sync token is no longer valid, a full sync is required.',
    locationType: 'parameter',
    location: 'syncToken',
  })
  const full = await bob.events.list({ calendarId: TEAM })
  expect(idsOf(full)).toHaveLength(11)
  expect(itemsOf(await bob.events.list({ calendarId: TEAM, syncToken: requireText(full.data.nextSyncToken) }))).toEqual(
    [],
  )
})

step('5.16, 12.13 changes of too long ago are not told any more, recent ones are, the deleted included', async () => {
  expect(await rejectionOf(bob.events.list({ calendarId: TEAM, updatedMin: '2026-01-04T00:00:00Z' }))).toEqual({
    code: 410,
    domain: 'calendar',
    reason: 'updatedMinTooLongAgo',
    message: 'The requested minimum modification time lies too far in the past.',
    locationType: 'parameter',
    location: 'updatedMin',
  })
  const recent = await bob.events.list({ calendarId: TEAM, updatedMin: '2026-03-04T17:30:00Z' })
  expect(itemsOf(recent).map(({ id, status }) => [id, status])).toContainEqual(['planning', 'cancelled'])
  expect(idsOf(recent)).not.toContain('release42')
})

// 13:00, throwing away and taking back

step('a deleted event stays known: got as cancelled, deleted no second time, its id taken', async () => {
  itIs('13:00:00')
  const target = { calendarId: 'primary', eventId: 'haircut2026' }
  const before = (await alice.events.get(target)).data
  expect((await alice.events.delete(target)).status).toBe(204)
  const after = (await alice.events.get(target)).data

  expect(after).toEqual({ ...before, etag: after.etag, updated: after.updated, status: 'cancelled', sequence: 1 })
  expect(await rejectionOf(alice.events.delete(target))).toEqual({
    code: 410,
    domain: 'global',
    reason: 'deleted',
    message: 'Resource has been deleted',
  })
  expect(
    await rejectionOf(
      alice.events.insert({
        calendarId: 'primary',
        requestBody: { id: 'haircut2026', ...meeting('2026-03-06', '09:00', '10:00') },
      }),
    ),
  ).toMatchObject({ code: 409, reason: 'duplicate' })
})

step('lists leave it out, unless asked for the deleted', async () => {
  expect(idsOf(await alice.events.list({ calendarId: 'primary' }))).not.toContain('haircut2026')
  expect(idsOf(await alice.events.list({ calendarId: 'primary', showDeleted: true }))).toContain('haircut2026')
})

step('an update that does not revive it is refused, a status of confirmed brings it back', async () => {
  const target = { calendarId: 'primary', eventId: 'haircut2026' }
  const body = { summary: 'Haircut', ...meeting('2026-03-05', '17:00', '17:45') }

  expect(await rejectionOf(alice.events.update({ ...target, requestBody: body }))).toMatchObject({
    code: 403,
    domain: 'global',
    reason: 'forbidden',
    message: 'Forbidden',
  })
  const back = await alice.events.patch({ ...target, requestBody: { status: 'confirmed' } })
  expect(back.data).toMatchObject({ id: 'haircut2026', status: 'confirmed', summary: 'Haircut' })
  expect(idsOf(await alice.events.list({ calendarId: 'primary' }))).toContain('haircut2026')
})

step('a deletion of a version that is gone is refused and deletes nothing', async () => {
  const target = { calendarId: 'primary', eventId: 'haircut2026' }
  const { data } = await alice.events.get(target)
  await alice.events.patch({ ...target, requestBody: { colorId: '1' } })

  expect(
    await rejectionOf(alice.events.delete(target, { headers: { 'If-Match': requireText(data.etag) } })),
  ).toMatchObject({
    code: 412,
    reason: 'conditionNotMet',
  })
  expect((await alice.events.get(target)).data.status).toBe('confirmed')
})

// 14:00, a secondary calendar

let garden: string

step('Alice makes a calendar: in UTC, hers, on her list', async () => {
  itIs('14:00:00')
  const { status, headers, data } = await alice.calendars.insert({ requestBody: { summary: 'Roof garden' } })
  garden = requireText(data.id)

  expect(status).toBe(200)
  expect(garden).toMatch(/^[0-9a-f]{64}@group\.calendar\.google\.com$/)
  expect(Object.entries(data)).toEqual(
    Object.entries({
      kind: 'calendar#calendar',
      etag: data.etag,
      id: garden,
      summary: 'Roof garden',
      timeZone: 'UTC',
      dataOwner: ALICE,
      conferenceProperties: { allowedConferenceSolutionTypes: ['hangoutsMeet'] },
    }),
  )
  expect(headerOf(headers, 'ETag')).toBe(data.etag)
  expect((await alice.calendarList.get({ calendarId: garden })).data).toMatchObject({
    accessRole: 'owner',
    selected: true,
    defaultReminders: [],
    foregroundColor: '#000000',
  })
})

step('a calendar without a title is refused', async () => {
  expect(await rejectionOf(alice.calendars.insert({ requestBody: { timeZone: 'UTC' } }))).toMatchObject({
    code: 400,
    domain: 'global',
    reason: 'required',
  })
})

step('its description comes and goes, and an update keeps the zone that it does not name', async () => {
  const patched = await alice.calendars.patch({
    calendarId: garden,
    requestBody: { description: 'Watering rota', location: 'Roof', timeZone: 'America/New_York' },
  })
  const cleared = await alice.calendars.patch({ calendarId: garden, requestBody: { description: null } })
  const updated = await alice.calendars.update({ calendarId: garden, requestBody: { summary: 'The garden' } })
  const stale = alice.calendars.patch(
    { calendarId: garden, requestBody: { summary: 'Late' } },
    { headers: { 'If-Match': requireText(patched.data.etag) } },
  )

  expect(patched.data).toMatchObject({ description: 'Watering rota', timeZone: 'America/New_York' })
  expect(cleared.data).not.toHaveProperty('description')
  expect(cleared.data.location).toBe('Roof')
  expect(updated.data).not.toHaveProperty('location')
  expect(updated.data).toMatchObject({ summary: 'The garden', timeZone: 'America/New_York' })
  expect(await rejectionOf(stale)).toMatchObject({ code: 412, reason: 'conditionNotMet' })
  expect((await alice.calendars.get({ calendarId: garden })).data).toEqual(updated.data)
})

step('on it she creates and the calendar organizes', async () => {
  const event = await insert(alice, garden, {
    id: 'tomatoes',
    summary: 'Sow tomatoes',
    ...meeting('2026-03-07', '10:00', '11:00'),
  })

  expect(event.creator).toEqual({ email: ALICE })
  expect(event.organizer).toEqual({ email: garden, displayName: 'The garden', self: true })
})

// 15:00, letting others in

step('to a stranger the garden does not exist', async () => {
  itIs('15:00:00')
  const missing = { code: 404, domain: 'global', reason: 'notFound', message: 'Not Found' }

  expect(await rejectionOf(stranger.calendars.get({ calendarId: garden }))).toEqual(missing)
  expect(await rejectionOf(stranger.events.list({ calendarId: garden }))).toEqual(missing)
  expect(await rejectionOf(stranger.events.insert({ calendarId: garden, requestBody: {} }))).toEqual(missing)
  expect(await rejectionOf(stranger.calendarList.insert({ requestBody: { id: garden } }))).toEqual(missing)
  expect(await rejectionOf(stranger.events.list({ calendarId: 'nowhere@group.calendar.google.com' }))).toEqual(missing)
})

let rules: string

step('its first rules are its own and its owner’s', async () => {
  const { data } = await alice.acl.list({ calendarId: garden })

  expect(data).toEqual({
    kind: 'calendar#acl',
    etag: expect.any(String),
    nextSyncToken: expect.stringMatching(/^\d{20}$/),
    items: [
      {
        kind: 'calendar#aclRule',
        etag: `"${'0'.repeat(20)}"`,
        id: `user:${garden}`,
        scope: { type: 'user', value: garden },
        role: 'owner',
      },
      {
        kind: 'calendar#aclRule',
        etag: expect.stringMatching(/^"0000\d{16}"$/),
        id: `user:${ALICE}`,
        scope: { type: 'user', value: ALICE },
        role: 'owner',
      },
    ],
  })
  rules = requireText(data.nextSyncToken)
})

step('Bob gets to read, and the rule can be read back', async () => {
  const { data, headers } = await alice.acl.insert({
    calendarId: garden,
    requestBody: { role: 'reader', scope: { type: 'user', value: BOB } },
  })

  expect(Object.entries(data)).toEqual(
    Object.entries({
      kind: 'calendar#aclRule',
      etag: data.etag,
      id: `user:${BOB}`,
      scope: { type: 'user', value: BOB },
      role: 'reader',
    }),
  )
  expect(data.etag).toMatch(/^"\d{20}"$/)
  expect(headerOf(headers, 'ETag')).toBe(data.etag)
  expect((await alice.acl.get({ calendarId: garden, ruleId: `user:${BOB}` })).data).toEqual(data)
})

step('reading is all he may do', async () => {
  const needs = (role: string) => ({
    code: 403,
    domain: 'calendar',
    reason: 'requiredAccessLevel',
    message: `You need to have ${role} access to this calendar.`,
  })
  const requestBody = { summary: 'Slugs', ...meeting('2026-03-08', '10:00', '11:00') }

  expect(summariesOf(await bob.events.list({ calendarId: garden }))).toEqual(['Sow tomatoes'])
  expect(await rejectionOf(bob.events.insert({ calendarId: garden, requestBody }))).toEqual(needs('writer'))
  expect(await rejectionOf(bob.events.delete({ calendarId: garden, eventId: 'tomatoes' }))).toEqual(needs('writer'))
  expect(await rejectionOf(bob.events.delete({ calendarId: garden, eventId: 'nosuchthing' }))).toEqual(needs('writer'))
  expect(await rejectionOf(bob.acl.list({ calendarId: garden }))).toEqual(needs('writer'))
  expect(await rejectionOf(bob.calendars.patch({ calendarId: garden, requestBody: { summary: 'Bob' } }))).toEqual(
    needs('owner'),
  )
  expect(await rejectionOf(bob.calendars.delete({ calendarId: garden }))).toEqual(needs('owner'))
})

step('a private event of hers is a busy hour to him', async () => {
  const event = await insert(alice, garden, {
    id: 'secretbench',
    summary: 'Build a bench for Bob',
    description: 'Shh.',
    visibility: 'private',
    ...meeting('2026-03-08', '14:00', '16:00'),
  })
  const { kind, etag, id, status, htmlLink, updated, start, end, visibility, iCalUID } = event
  const copy = (await bob.events.get({ calendarId: garden, eventId: 'secretbench' })).data

  expect(Object.entries(copy)).toEqual(
    Object.entries({ kind, etag, id, status, htmlLink, updated, start, end, visibility, iCalUID }),
  )
  expect(idsOf(await bob.events.list({ calendarId: garden, q: 'bench' }))).toEqual([])
})

step('of Chiyo, who shows her colleagues free and busy, Alice sees hours alone', async () => {
  const list = await alice.events.list({ calendarId: CHIYO })

  expect(list.data.accessRole).toBe('freeBusyReader')
  expect(list.data.defaultReminders).toEqual([])
  expect(itemsOf(list)).toHaveLength(8)
  expect(new Set(itemsOf(list).map((event) => Object.keys(event).join()))).toEqual(
    new Set(['kind,etag,id,status,htmlLink,updated,start,end,visibility,iCalUID']),
  )
  expect(await rejectionOf(stranger.events.list({ calendarId: CHIYO }))).toMatchObject({ code: 404 })
})

step('Bob puts the garden on his list himself, and paints it', async () => {
  const target = { calendarId: garden }
  expect(await rejectionOf(bob.calendarList.get(target))).toMatchObject({ code: 404 })
  const listed = await bob.calendarList.insert({ requestBody: { id: garden, colorId: '9' } })
  const patched = await bob.calendarList.patch({
    ...target,
    requestBody: { summaryOverride: 'Garten', colorId: '17', backgroundColor: '#123456', selected: true },
  })
  const mixed = await bob.calendarList.patch({
    ...target,
    colorRgbFormat: true,
    requestBody: { backgroundColor: '#17a766', foregroundColor: '#ffffff' },
  })

  expect(listed.data).toMatchObject({ id: garden, accessRole: 'reader', colorId: '9', backgroundColor: '#7bd148' })
  expect(patched.data).toMatchObject({
    summary: 'The garden',
    summaryOverride: 'Garten',
    colorId: '17',
    backgroundColor: '#9a9cff',
    foregroundColor: '#000000',
  })
  expect(mixed.data).toMatchObject({ colorId: '8', backgroundColor: '#17a766', foregroundColor: '#ffffff' })
})

step('an update of an entry replaces it, and goes by its address', async () => {
  const { data } = await bob.calendarList.update({
    calendarId: garden,
    requestBody: { colorId: '2', defaultReminders: [{ method: 'popup', minutes: 0 }], hidden: true },
  })

  expect(data).toMatchObject({ colorId: '2', hidden: true, defaultReminders: [{ method: 'popup', minutes: 0 }] })
  expect(data).not.toHaveProperty('summaryOverride')
  expect(data).not.toHaveProperty('selected')
  expect(idsOf(await bob.calendarList.list())).not.toContain(garden)
  expect(await rejectionOf(bob.calendarList.update({ calendarId: 'primary', requestBody: {} }))).toMatchObject({
    code: 400,
    reason: 'invalid',
    message: 'Invalid resource id value.',
  })
})

step('made a writer, he writes', async () => {
  const patched = await alice.acl.patch({
    calendarId: garden,
    ruleId: `user:${BOB}`,
    requestBody: { role: 'writer' },
  })
  const event = await insert(bob, garden, { summary: 'Slugs', ...meeting('2026-03-08', '10:00', '11:00') })

  expect(patched.data.role).toBe('writer')
  expect(event.creator).toEqual({ email: BOB })
  expect((await bob.events.get({ calendarId: garden, eventId: 'secretbench' })).data.summary).toBe(
    'Build a bench for Bob',
  )
  expect((await bob.acl.list({ calendarId: garden })).data.items).toHaveLength(3)
})

step('nobody changes their own role, and the public never writes', async () => {
  const rule = (type: string, value: string | undefined, role: string) =>
    rejectionOf(alice.acl.insert({ calendarId: garden, requestBody: { role, scope: { type, value } } }))

  expect(await rule('user', ALICE, 'reader')).toMatchObject({
    code: 403,
    domain: 'calendar',
    reason: 'cannotChangeOwnAcl',
    message: 'Cannot change your own access level.',
  })
  expect(await rule('default', undefined, 'writer')).toMatchObject({
    code: 400,
    domain: 'calendar',
    reason: 'illegalAccessRoleForDefault',
  })
  expect(await rule('user', 'nobody in particular', 'reader')).toMatchObject({
    code: 400,
    domain: 'calendar',
    reason: 'invalidScopeValue',
    message: 'Invalid scope value.',
  })
})

step('opened to the public, the garden is read with an API key, but for what is private', async () => {
  const visitor = open.withKey('AIzaVisitor')
  expect(await rejectionOf(visitor.events.list({ calendarId: garden }))).toMatchObject({
    code: 404,
    reason: 'notFound',
  })
  const { data } = await alice.acl.insert({
    calendarId: garden,
    requestBody: { role: 'reader', scope: { type: 'default' } },
  })
  const list = await visitor.events.list({ calendarId: garden })

  expect(data).toMatchObject({
    id: 'default',
    scope: { type: 'default', value: '__public_principal__@public.calendar.google.com' },
  })
  expect(list.data.accessRole).toBe('reader')
  expect(summariesOf(list)).toEqual(['Sow tomatoes', undefined, 'Slugs'])
})

step('without credentials there is no way in', async () => {
  const loginRequired = {
    code: 401,
    domain: 'global',
    reason: 'required',
    message: 'Login Required.',
    location: 'Authorization',
    locationType: 'header',
  }
  const error = await open.nobody.calendarList.list().catch((thrown) => thrown)

  expect(await rejectionOf(open.nobody.events.list({ calendarId: garden }))).toEqual(loginRequired)
  expect(await rejectionOf(open.withKey('AIzaVisitor').calendarList.list())).toEqual(loginRequired)
  expect(error.response.headers.get('WWW-Authenticate')).toMatch(/^Bearer realm="https:\/\/accounts\.google\.com\/"/)
  expect(error.cause.status).toBe('UNAUTHENTICATED')
  expect(error.cause.details[0]).toMatchObject({
    reason: 'CREDENTIALS_MISSING',
    metadata: { service: 'calendar-json.googleapis.com', method: 'calendar.v3.CalendarList.List' },
  })
})

step('rules are updated and deleted, and a sync tells of each, the deleted as none', async () => {
  const updated = await alice.acl.update({
    calendarId: garden,
    ruleId: `user:${BOB}`,
    requestBody: { role: 'owner', scope: { type: 'user', value: BOB } },
  })
  const deleted = await alice.acl.delete({ calendarId: garden, ruleId: 'default' })
  const delta = await alice.acl.list({ calendarId: garden, syncToken: rules })

  expect(updated.data.role).toBe('owner')
  expect(deleted.status).toBe(204)
  expect(itemsOf(delta).map(({ id, role }) => [id, role])).toEqual([
    [`user:${BOB}`, 'owner'],
    ['default', 'none'],
  ])
  expect(idsOf(await alice.acl.list({ calendarId: garden }))).toEqual([
    `user:${garden}`,
    `user:${ALICE}`,
    `user:${BOB}`,
  ])
  expect(await rejectionOf(alice.acl.get({ calendarId: garden, ruleId: 'default' }))).toMatchObject({ code: 404 })
  expect(await rejectionOf(stranger.events.list({ calendarId: garden }))).toMatchObject({ code: 404 })
})

// 16:00, handing over

let listed: string

step('what one owns stays on the list', async () => {
  itIs('16:00:00')
  listed = requireText((await alice.calendarList.list()).data.nextSyncToken)

  expect(await rejectionOf(alice.calendarList.delete({ calendarId: garden }))).toMatchObject({
    code: 403,
    domain: 'calendar',
    reason: 'cannotUnsubscribeFromOwnedCalendar',
  })
  expect(await rejectionOf(alice.calendarList.delete({ calendarId: ALICE }))).toMatchObject({
    code: 403,
    domain: 'calendar',
    reason: 'cannotChangeOwnPrimarySubscription',
  })
})

step('the garden becomes Bob’s, and Alice remains an owner of it', async () => {
  const { status, data } = await alice.calendars.transferOwnership({
    calendarId: garden,
    newDataOwner: BOB,
    useAdminAccess: true,
  })

  expect([status, data]).toEqual([204, ''])
  expect((await bob.calendars.get({ calendarId: garden })).data.dataOwner).toBe(BOB)
  expect((await alice.calendarList.get({ calendarId: garden })).data).toMatchObject({
    dataOwner: BOB,
    accessRole: 'owner',
  })
  expect(
    await rejectionOf(
      bob.calendars.transferOwnership({ calendarId: garden, newDataOwner: DANA, useAdminAccess: true }),
    ),
  ).toMatchObject({ code: 403, reason: 'forbidden' })
})

step('now she may take it off her list, which a sync tells in four words', async () => {
  expect((await alice.calendarList.delete({ calendarId: garden })).status).toBe(204)
  const delta = await alice.calendarList.list({ syncToken: listed })
  const [cancelled] = itemsOf(delta)

  expect(itemsOf(delta)).toHaveLength(1)
  expect(cancelled).toEqual({
    kind: 'calendar#calendarListEntry',
    etag: cancelled?.etag,
    id: garden,
    deleted: true,
    defaultReminders: [],
  })
  expect(await rejectionOf(alice.calendarList.get({ calendarId: garden }))).toMatchObject({ code: 404 })
  expect((await alice.calendars.get({ calendarId: garden })).data.summary).toBe('The garden')
})

step('Bob deletes it, and it is gone for everybody', async () => {
  expect((await bob.calendars.delete({ calendarId: garden })).status).toBe(204)

  for (const client of [alice, bob, stranger]) {
    expect(await rejectionOf(client.calendars.get({ calendarId: garden }))).toMatchObject({
      code: 404,
      reason: 'notFound',
    })
  }
  const entries = itemsOf(await bob.calendarList.list({ showDeleted: true, showHidden: true }))
  expect(entries.filter(({ deleted }) => deleted).map(({ id }) => id)).toEqual([garden])
})

step('a primary calendar is not deleted, and another is not cleared', async () => {
  expect(await rejectionOf(alice.calendars.delete({ calendarId: 'primary' }))).toMatchObject({
    code: 403,
    domain: 'calendar',
    reason: 'cannotDeletePrimaryCalendar',
    message: 'Cannot delete primary calendar.',
  })
  expect(await rejectionOf(alice.calendars.clear({ calendarId: TEAM }))).toMatchObject({ code: 400, reason: 'invalid' })
  expect(itemsOf(await alice.events.list({ calendarId: TEAM })).length).toBeGreaterThan(0)
})

// 17:00, starting over

step('Alice clears her calendar, and her sync hears of every event', async () => {
  itIs('17:00:00')
  const { nextSyncToken, items = [] } = (await alice.events.list({ calendarId: 'primary' })).data
  const cleared = await alice.calendars.clear({ calendarId: 'primary' })
  const delta = await alice.events.list({ calendarId: 'primary', syncToken: requireText(nextSyncToken) })

  expect([cleared.status, cleared.data]).toEqual([204, ''])
  expect(items.length).toBeGreaterThan(20)
  expect(idsOf(delta).toSorted()).toEqual(items.map(({ id }) => id).toSorted())
  expect(new Set(itemsOf(delta).map(({ status }) => status))).toEqual(new Set(['cancelled']))
  expect(idsOf(await alice.events.list({ calendarId: 'primary' }))).toEqual([])
})

step('in a second world the day has not begun, and what is done there stays there', async () => {
  const elsewhere = open.as(`w2~${ALICE}`)

  expect(itemsOf(await elsewhere.events.list({ calendarId: 'primary' }))).toHaveLength(18)
  expect((await elsewhere.events.get({ calendarId: TEAM, eventId: 'planning' })).data.status).toBe('confirmed')
  await insert(elsewhere, TEAM, { id: 'onlthere', summary: 'Only there', ...meeting('2026-03-04', '10:00', '11:00') })
  expect(await rejectionOf(alice.events.get({ calendarId: TEAM, eventId: 'onlthere' }))).toMatchObject({ code: 404 })
})
