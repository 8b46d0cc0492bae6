import { expect, test } from 'vitest'
import { applyMask, parseMask } from '../../src/server/fieldMask.ts'
import { ALICE, allDay, errorOf, openCalendar } from '../support/calendar.ts'

const EVENTS = '/calendars/primary/events'
const EVENT = {
  id: 'lunch0',
  summary: 'Lunch',
  start: { date: '2026-03-02' },
  end: { date: '2026-03-03' },
  attendees: [
    { email: 'a@example.com', responseStatus: 'accepted' },
    { email: 'b@example.com', responseStatus: 'declined' },
  ],
  extendedProperties: { private: { a: '1', b: '2' }, shared: { a: '3' } },
}

test.each([
  ['id', { id: 'lunch0' }],
  ['id,summary', { id: 'lunch0', summary: 'Lunch' }],
  [' id , summary ', { id: 'lunch0', summary: 'Lunch' }],
  ['start/date', { start: { date: '2026-03-02' } }],
  ['start(date,timeZone),id', { id: 'lunch0', start: { date: '2026-03-02' } }],
  ['start/date,start', { start: EVENT.start }],
  ['start,start/date', { start: EVENT.start }],
  ['start/date,start/timeZone', { start: { date: '2026-03-02' } }],
  ['start/dateTime', { start: {} }],
  ['attendees/email', { attendees: [{ email: 'a@example.com' }, { email: 'b@example.com' }] }],
  ['attendees(comment)', { attendees: [{}, {}] }],
  ['attendees(*)', { attendees: EVENT.attendees }],
  ['extendedProperties/private', { extendedProperties: { private: { a: '1', b: '2' } } }],
  ['extendedProperties/private/b', { extendedProperties: { private: { b: '2' } } }],
  ['extendedProperties/*/a', { extendedProperties: { private: { a: '1' }, shared: { a: '3' } } }],
  ['extendedProperties(*/a,private/b)', { extendedProperties: { private: { a: '1', b: '2' }, shared: { a: '3' } } }],
  ['*', EVENT],
  [
    '*/date',
    { start: EVENT.start, end: EVENT.end, attendees: [{}, {}], extendedProperties: {}, id: 'lunch0', summary: 'Lunch' },
  ],
  ['workingLocationProperties/homeOffice/anything', {}],
  ['location', {}],
])('11.11 fields=%s selects the named fields', (fields, left) => {
  const mask = parseMask(fields, 'Event')

  expect(mask && applyMask(EVENT, mask)).toEqual(left)
})

test('without a mask all fields are returned', () => {
  expect(parseMask('', 'Event')).toBeUndefined()
  expect(parseMask('  ', 'Event')).toBeUndefined()
})

test.each([
  ['foo', 'foo'],
  ['id,foo', 'foo'],
  ['start/foo', 'foo'],
  ['start(date,foo)', 'foo'],
  ['summary/length', 'length'],
  ['*/foo', 'foo'],
  ['__proto__', '__proto__'],
  ['constructor', 'constructor'],
  ['id,', 'id,'],
  ['id,,summary', 'id,,summary'],
  ['start(date', 'start(date'],
  ['start)', 'start)'],
  ['start()', 'start()'],
  ['/', '/'],
  ['id summary', 'id summary'],
  ['start/', 'start/'],
  [`start${'('.repeat(100)}`, `start${'('.repeat(100)}`],
])('1.10, 11.11 fields=%s is rejected with the reason', async (fields, field) => {
  const { as } = openCalendar()
  const reply = await as(ALICE).get(`${EVENTS}/x?fields=${encodeURIComponent(fields)}`)

  expect(errorOf(reply)).toEqual({
    status: 400,
    domain: 'global',
    reason: 'invalidParameter',
    message: `Invalid field selection ${field}`,
    location: 'fields',
  })
})

test('applyMask applies to each item of a list, and to the reply of a write', async () => {
  const { as } = openCalendar()
  const alice = as(ALICE)
  const made = await alice.post(`${EVENTS}?fields=id,etag`, { id: 'lunch0', ...allDay('2026-03-02', '2026-03-03') })
  const list = await alice.get(`${EVENTS}?fields=kind,nextPageToken,items(id,start/date)`)

  expect(Object.keys(made.body)).toEqual(['etag', 'id'])
  expect(made.headers.get('ETag')).toBe(made.body.etag)
  expect(list.body).toEqual({ kind: 'calendar#events', items: [{ id: 'lunch0', start: { date: '2026-03-02' } }] })
})

test('an invalid mask prevents the write, and has no effect on a deletion', async () => {
  const { as } = openCalendar()
  const alice = as(ALICE)
  const refused = await alice.post(`${EVENTS}?fields=foo`, { id: 'lunch0', ...allDay('2026-03-02', '2026-03-03') })

  expect([refused.status, (await alice.get(`${EVENTS}/lunch0`)).status]).toEqual([400, 404])
  await alice.post(EVENTS, { id: 'lunch0', ...allDay('2026-03-02', '2026-03-03') })
  expect((await alice.delete(`${EVENTS}/lunch0?fields=foo`)).status).toBe(204)
})

test.each([
  [
    'alt=media',
    { reason: 'invalidParameter', location: 'alt', message: "Invalid string value: 'media'. Allowed values: [json]" },
  ],
  [`quotaUser=${'u'.repeat(41)}`, { reason: 'invalidParameter', location: 'quotaUser' }],
])('1.10, 12.2 %s is rejected', async (query, message) => {
  const { as } = openCalendar()

  expect(errorOf(await as(ALICE).get(`/colors?${query}`))).toMatchObject({ status: 400, ...message })
})

test.each(['alt=json', 'alt=', `quotaUser=${'u'.repeat(40)}`, '$.xgafv=2', 'key=', 'userIp=::1', 'whatever=1', ''])(
  '1.10, 11.17 the parameter ?%s is accepted unchanged',
  async (query) => {
    const { as } = openCalendar()

    expect((await as(ALICE).get(`/colors?${query}`)).status).toBe(200)
  },
)
