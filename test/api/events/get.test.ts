import { expect, test } from 'vitest'
import { ALICE, BOB, CAROL, hour, openCalendar } from '../../support/calendar.ts'

const EVENTS = '/calendars/primary/events'
const lunch = { id: 'lunch001', summary: 'Lunch', ...hour('2026-03-02', 12) }

test('11.4, 11.5 an event is returned as it was written, with its etag as a header and the headers of a read', async () => {
  const { as } = openCalendar()
  const { text } = await as(ALICE).post(EVENTS, lunch)

  const read = await as(ALICE).get(`${EVENTS}/lunch001`)

  expect(read.text).toBe(text)
  expect(read.headers.get('ETag')).toBe(read.body.etag)
  expect(read.headers.get('Cache-Control')).toBe('private, max-age=0, must-revalidate, no-transform')
  expect(read.headers.get('Expires')).toBe(read.headers.get('Date'))
})

const SECRET = {
  ...lunch,
  summary: 'Psst',
  description: 'word',
  location: 'here',
  visibility: 'private',
  extendedProperties: { shared: { a: 'word' } },
}
const BUSY = ['kind', 'etag', 'id', 'status', 'htmlLink', 'updated', 'start', 'end', 'visibility', 'iCalUID']

/** The roles that see all fields of a public and of a private event (behaviour 7.6). */
const VIEWS: [role: string, event: object, full: boolean][] = [
  ['freeBusyReader', lunch, false],
  ['freeBusyReader', { ...lunch, visibility: 'public' }, false],
  ['reader', lunch, true],
  ['reader', SECRET, false],
  ['reader', { ...SECRET, visibility: 'confidential' }, false],
  ['reader', { ...SECRET, attendees: [{ email: BOB }] }, true],
  ['writerWithoutPrivateAccess', lunch, true],
  ['writerWithoutPrivateAccess', SECRET, false],
  ['writer', SECRET, true],
  ['owner', SECRET, true],
] // biome-ignore format: a table

test.each(VIEWS)('a %s of %o gets it in full: %s', async (role, event, full) => {
  const { as } = openCalendar()
  await as(ALICE).post(EVENTS, event)
  await as(ALICE).post('/calendars/primary/acl', { role, scope: { type: 'user', value: BOB } })

  const { body, text } = await as(BOB).get(`/calendars/${ALICE}/events/lunch001`)

  if (full) expect(body).toEqual((await as(ALICE).get(`${EVENTS}/lunch001`)).body)
  else {
    expect(Object.keys(body)).toEqual(BUSY)
    expect(body.visibility).toBe('private')
    expect(text).not.toMatch(/Psst|word|here|Lunch/)
  }
})

test('7.14 only the creator of an event gets its source', async () => {
  const { as } = openCalendar()
  await as(ALICE).post(EVENTS, { ...lunch, source: { url: 'https://example.com', title: 'Menu' } })
  await as(ALICE).post('/calendars/primary/acl', { role: 'writer', scope: { type: 'user', value: BOB } })
  expect((await as(ALICE).get(`${EVENTS}/lunch001`)).body.source).toEqual({ url: 'https://example.com', title: 'Menu' })
  expect((await as(BOB).get(`/calendars/${ALICE}/events/lunch001`)).body).not.toHaveProperty('source')
})

test('1.1, 7.22 an API key reads the events of a public calendar, and gets 404 for another', async () => {
  const { as, anonymous } = openCalendar()
  await as(ALICE).post(EVENTS, lunch)
  const path = `/calendars/${ALICE}/events/lunch001`
  expect((await anonymous.get(`${path}?key=k`)).status).toBe(404)
  await as(ALICE).post('/calendars/primary/acl', { role: 'reader', scope: { type: 'default' } })
  expect((await anonymous.get(`${path}?key=k`)).body.summary).toBe('Lunch')
  expect((await as(CAROL).get(path)).body.summary).toBe('Lunch')
  expect((await anonymous.get(path)).status).toBe(401)
})

test.each([
  ['en.uk#holiday@group.v.calendar.google.com', 'en.uk#holiday@v'],
  ['feed@import.calendar.google.com', 'feed@i'],
])('3.2.5 the link to an event of %s ends in %s', async (id, short) => {
  const { as } = openCalendar({
    seed: { accounts: [{ email: ALICE }], calendars: [{ id, owner: ALICE, events: [lunch] }] },
  })

  const { body } = await as(ALICE).get(`/calendars/${encodeURIComponent(id)}/events/lunch001`)

  const eid = new URL(body.htmlLink).searchParams.get('eid') ?? ''
  expect(Buffer.from(eid, 'base64').toString()).toBe(`lunch001 ${short}`)
})

test('2.1.3 an error is JSON that is not cached, and has no etag', async () => {
  const { as } = openCalendar()

  const { status, headers } = await as(ALICE).get(`${EVENTS}/nothing`)

  expect(status).toBe(404)
  expect(headers.get('Content-Type')).toBe('application/json; charset=UTF-8')
  expect(headers.get('Cache-Control')).toBe('no-cache, no-store, max-age=0, must-revalidate')
  expect(headers.has('ETag')).toBe(false)
})

test.each([
  ['', ''],
  ['timeZone=Europe%2FBerlin', '&ctz=Europe/Berlin'],
  ['timeZone=Etc%2FGMT%2B5', '&ctz=Etc/GMT%2B5'],
])('3.2.17 a link read with an API key and the query %j ends in %j', async (query, end) => {
  const { as, anonymous } = openCalendar()
  const series = { id: 'series', ...hour('2026-03-02', 9), recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] }
  await as(ALICE).post('/calendars/primary/events', series)
  await as(ALICE).post('/calendars/primary/acl', { role: 'reader', scope: { type: 'default' } })
  const own = (await as(ALICE).get(`/calendars/primary/events/series?${query}`)).body.htmlLink
  const at = `/calendars/${ALICE}/events`

  const links = [
    (await anonymous.get(`${at}/series?key=k&${query}`)).body.htmlLink,
    (await anonymous.get(`${at}?key=k&${query}`)).body.items[0].htmlLink,
    (await anonymous.get(`${at}?key=k&singleEvents=true&${query}`)).body.items[0].htmlLink,
    (await anonymous.get(`${at}/series/instances?key=k&${query}`)).body.items[0].htmlLink,
  ]

  expect(own).not.toContain('ctz')
  expect(links).toEqual(links.map(() => own + end))
})
