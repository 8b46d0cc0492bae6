import { expect, test } from 'vitest'
import { EVENT_FIELDS } from '../../../src/model/events/fields.ts'
import { calendarId, createEvent, day, get, hour, instant, patch, post, QUIET, useCalendar } from '../calendar.ts'
import { absent, contains, expectError, expectOk, expectStatus, keysInOrder, text } from '../expect.ts'

/** Values that a client writes, none of them a default. */
const WRITABLE = {
  location: 'Here',
  description: 'Why',
  colorId: '4',
  transparency: 'transparent',
  visibility: 'private',
  guestsCanModify: true,
  guestsCanInviteOthers: false,
  guestsCanSeeOtherGuests: false,
  anyoneCanAddSelf: true,
  extendedProperties: { private: { a: '1' }, shared: { b: '2' } },
  attendees: [{ email: 'zoe@example.com', displayName: 'Zoe', additionalGuests: 2, comment: 'Late', optional: true }],
  source: { title: 'A', url: 'https://example.com/' },
}
const GADGET = { type: 'application/x-google-gadgets+xml', display: 'chip', width: 20, height: 10, title: 'A' }

useCalendar()

test('3.2.19 the conference block of the service in a description is deleted', async () => {
  const line = `-${'::~:~'.repeat(2)}${':~'.repeat(20)}::~:~::-`
  const block = `${line}\nJoin with Google Meet\n${line}`
  const { id, description } = await createEvent({ description: `Before\n${block}\nAfter` })
  expect(description).toMatch(/^Before\s+After$/)
  await expectOk(patch(`events/${id}`, { description: block }), { description: absent })
})

test('4.5.5 a recurringEventId that is no id of an event is rejected', () =>
  expectError(post('events', { ...hour(9), recurringEventId: 'Not_an_ID' }), 400, {
    reason: 'invalid',
    message: 'Invalid recurringEventId value.',
  }))

test('8.16, 1.22 attachments are stored only with supportsAttachments', async () => {
  const attachments = [{ fileUrl: 'https://example.com/a.pdf', title: 'A' }]
  await expectOk(post('events', { ...hour(9), attachments }), { attachments: absent })
  const query = { supportsAttachments: true }
  await expectOk(post('events', { ...hour(9), attachments }, { query }), { attachments })
})

test('3.2.3, 12.8 extended properties are returned as strings', async () => {
  const body = { extendedProperties: { private: { a: '1' }, shared: { b: '2', long: 'x'.repeat(2000) } } }
  const made = await post('events', { ...hour(9), ...body })
  await expectOk(made, { extendedProperties: { private: { a: '1' }, shared: { b: '2', long: 'x'.repeat(1024) } } })
  await expectOk(post('events', { ...hour(9), extendedProperties: { private: {} } }), { extendedProperties: absent })
})

test('1.8, 3.1, 3.2.2, 3.2.13 an insert returns 200 and the whole event', async () => {
  const answer = await post('events', { ...hour(9), summary: 'Tea' })
  await expectOk(answer, {
    kind: 'calendar#event',
    etag: text,
    status: 'confirmed',
    htmlLink: text,
    summary: 'Tea',
    start: { dateTime: instant(9), timeZone: 'UTC' },
    end: { dateTime: instant(10), timeZone: 'UTC' },
    sequence: 0,
    reminders: { useDefault: true },
    eventType: 'default',
  })
  await expectOk(get(`events/${answer.body.id}`), { ...answer.body })
})

test('3.2.1 the keys of an event have a fixed order', async () => {
  const everything = {
    colorId: '3',
    transparency: 'transparent',
    visibility: 'private',
    guestsCanModify: true,
    summary: 'A',
    description: 'B',
    location: 'C',
    guestsCanInviteOthers: false,
    guestsCanSeeOtherGuests: false,
    recurrence: ['RRULE:FREQ=DAILY;COUNT=2'],
    extendedProperties: { shared: { a: '1' }, private: { b: '2' } },
    source: { title: 'Here', url: 'https://example.com/' },
  }
  await expectOk(post('events', { ...hour(9), ...everything }), keysInOrder(...EVENT_FIELDS))
})

test('3.2.6, 3.10 the etag is twice the microseconds of updated', async () => {
  const { etag, updated, created } = await expectOk(post('events', hour(9)), {
    etag: /^"\d+"$/,
    created: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/,
    updated: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  })
  const number = BigInt(etag.slice(1, -1))
  expect(number % 2n).toBe(0n)
  const ms = Math.floor(Number(number / 2n) / 1000)
  expect(ms).toBe(Date.parse(updated))
  expect(Date.parse(created)).toBeLessThanOrEqual(Date.parse(updated))
})

test('3.2.3, 11.6 fields with an empty or default value are omitted', async () => {
  const plain = {
    transparency: 'opaque',
    visibility: 'default',
    guestsCanInviteOthers: true,
    guestsCanSeeOtherGuests: true,
    guestsCanModify: false,
    anyoneCanAddSelf: false,
    attendees: [],
    summary: '',
    description: '',
    location: '',
  }
  const answer = await post('events', { ...hour(9), ...plain })
  await expectOk(answer, Object.fromEntries(Object.keys(plain).map((name) => [name, absent])))
  expect(answer.text).not.toMatch(/:\s*(null|"")/)
})

test('1.9 fields that are read-only or unknown are ignored', async () => {
  const body = { ...hour(9), kind: 'x', etag: '"1"', created: '2001-01-01T00:00:00Z', locked: true, nonsense: 1 }
  const made = await expectOk(post('events', body), { kind: 'calendar#event', nonsense: absent, locked: absent })
  expect(made.etag).not.toBe('"1"')
  expect(made.created).not.toMatch(/^2001/)
})

test('5.1, 3.2.6 a write changes etag and updated', async () => {
  const made = await createEvent()
  const write = (summary: string) => expectOk(patch(`events/${made.id}`, { summary }))
  let after = await write('Other')
  expect(after.etag).not.toBe(made.etag)
  // A fast server answers several writes within a millisecond, which is the resolution of `updated`.
  for (let n = 1; n <= 200 && after.updated === made.updated; n++) after = await write(`Other ${n}`)
  expect(Date.parse(after.updated)).toBeGreaterThan(Date.parse(made.updated))
  await expectOk(get(`events/${made.id}`), { etag: after.etag, updated: after.updated })
})

test('1.9.1 read-only fields of a body are ignored', async () => {
  const body = { ...hour(9), endTimeUnspecified: true, attendees: [{ email: 'zoe@example.com', id: '123' }] }
  const made = await post('events', body, QUIET)
  await expectOk(made, { endTimeUnspecified: absent, attendees: [{ email: 'zoe@example.com', id: absent }] })
})

test('1.21, 1.13 an unknown sendUpdates is rejected', async () => {
  for (const sendUpdates of ['all', 'externalOnly', 'none'])
    await expectOk(post('events', hour(9), { query: { sendUpdates } }))
  await expectStatus(post('events', hour(9), { query: { sendUpdates: 'some' } }), 400)
})

test('3.2.14 a gadget is stored', async () => {
  const gadget = { ...GADGET, link: 'https://example.com/a.xml', iconLink: 'https://example.com/a.png' }
  await expectOk(post('events', { ...hour(9), gadget }), { gadget })
})

test('7.14 the creator sees the source of an event', async () => {
  const source = { url: 'https://example.com/a', title: 'A' }
  const { id } = await createEvent({ source })
  await expectOk(get(`events/${id}`), { source })
})

test('7.13 the field locked of a body is ignored', async () => {
  const made = await createEvent({ locked: true })
  await expectOk(patch(`events/${made.id}`, { locked: true }), { locked: absent })
})

test('15.8, 1.24 transferOwnership without newDataOwner is rejected', async () => {
  const path = `/calendars/${calendarId()}/transferOwnership`
  await expectError(post(path, undefined, { query: { useAdminAccess: true } }), 400, {
    reason: 'required',
    location: 'newDataOwner',
  })
})

test('1.14.1 microseconds of timeMin and timeMax are truncated to milliseconds', async () => {
  const timeMin = `${day()}T09:00:50.743598Z`
  await expectOk(post('/freeBusy', { timeMin, timeMax: instant(11), items: [] }), { timeMin: `${day()}T09:00:50.743Z` })
})

test('3.2.18 an event has the label of its colour', async () => {
  const calendar = `/calendars/${encodeURIComponent(calendarId())}`
  const eventLabels = [{ name: 'Graphite', backgroundColor: '#616161' }]
  const { labelProperties } = await expectOk(patch(calendar, { labelProperties: { eventLabels } }))
  const label = labelProperties?.eventLabels?.find(
    ({ backgroundColor }: { backgroundColor: string }) => backgroundColor === '#616161',
  )
  const { id } = await createEvent({ colorId: '8' })
  await expectOk(get(`events/${id}`), { colorId: '8', eventLabelId: label?.id })
})

test('3.2.12, 3.2.9, 7.2 fields that clients may write are stored', async () => {
  const made = await post('events', { ...hour(9), ...WRITABLE }, QUIET)
  await expectOk(made, WRITABLE)
  await expectOk(get(`events/${made.body.id}`), WRITABLE)
})

test('3.2.13 a tentative event is stored', async () => {
  const { id } = await expectOk(post('events', { ...hour(9), status: 'tentative' }), { status: 'tentative' })
  await expectOk(get(`events/${id}`), { status: 'tentative' })
})

test('12.8 an extended property with a key above 44 characters is not stored', async () => {
  const [good, long] = ['k'.repeat(44), 'k'.repeat(45)]
  const body = { ...hour(9), extendedProperties: { private: { [good]: '1', [long]: '2' } } }
  const answer = await post('events', body)
  const { extendedProperties } = await expectOk(answer)
  const found = JSON.stringify(extendedProperties.private)
  expect(found).toBe(JSON.stringify({ [good]: '1' }))
})

test('8.16 26 attachments are rejected', () =>
  expectError(
    post(
      'events',
      {
        ...hour(9),
        attachments: Array.from({ length: 26 }, (_, at) => ({ fileUrl: `https://example.com/${at}`, title: 'A' })),
      },
      { query: { supportsAttachments: true } },
    ),
    400,
  ))

test('8.16 an attachment without a fileUrl is rejected', () =>
  expectError(
    post('events', { ...hour(9), attachments: [{ title: 'A' }] }, { query: { supportsAttachments: true } }),
    400,
  ))

test('3.2.10, 12.7 five reminders from 0 to 40320 minutes are accepted', async () => {
  const overrides = [0, 1, 2, 3, 40_320].map((minutes) => ({ method: 'popup', minutes }))
  const body = { ...hour(9), reminders: { useDefault: false, overrides } }
  await expectOk(post('events', body), { reminders: { overrides: contains(...overrides) } })
})

test('13.1 a zone in lower case is rejected', () =>
  expectError(post('events', { ...hour(9), start: { ...hour(9).start, timeZone: 'europe/berlin' } }), 400, {
    message: 'Invalid time zone definition for start time.',
  }))

test('2.2.4, 4.4 the instances of an event that does not exist are 404', () =>
  expectError(get('events/nothing/instances'), 404, { reason: 'notFound' }))

test('15.8, 1.24 transferOwnership without useAdminAccess is rejected', () =>
  expectError(
    post(`/calendars/${calendarId()}/transferOwnership`, undefined, { query: { newDataOwner: 'zoe@example.com' } }),
    400,
    { reason: 'required', location: 'useAdminAccess' },
  ))

test.each([
  [40_321, 40_320],
  [-1, 0],
])('3.2.10, 12.7 a reminder of %d minutes is stored with %d', (minutes, stored) => {
  const reminders = { useDefault: false, overrides: [{ method: 'popup', minutes }] }
  return expectOk(post('events', { ...hour(9), reminders }), { reminders: { overrides: [{ minutes: stored }] } })
})

test.each<[title: string, body: object, error: object]>([
  [
    '3.2.10, 12.7 six reminders are rejected',
    {
      reminders: { useDefault: false, overrides: [1, 2, 3, 4, 5, 6].map((minutes) => ({ method: 'popup', minutes })) },
    },
    {},
  ],
  [
    '3.2.10, 2.2.7 reminders with overrides and useDefault are rejected',
    { reminders: { useDefault: true, overrides: [{ method: 'popup', minutes: 5 }] } },
    { domain: 'calendar', reason: 'cannotUseDefaultRemindersAndSpecifyOverride' },
  ],
  ['3.2.12 an unknown colorId of an event is rejected', { colorId: '99' }, { reason: 'invalid' }],
  [
    '14.23, 14.23.1, 2.2.1 a description that is too long is rejected',
    { description: 'x'.repeat(100_000) },
    { message: 'A provided value exceeds the allowed size limit.' },
  ],
  [
    '3.2.14 a gadget with the width 0 is rejected',
    { gadget: { ...GADGET, width: 0, link: 'https://example.com/a.xml' } },
    {},
  ],
  [
    '7.14 a source whose url is not http or https is rejected',
    { source: { url: 'ftp://example.com/', title: 'A' } },
    {},
  ],
  [
    '2.2.2, 3.2.11 a start without date and dateTime is rejected',
    { start: {} },
    { message: 'Start and end times must either both be date or both be dateTime.' },
  ],
  ['2.2.1 a date that does not exist is rejected', { start: { date: '2031-02-30' }, end: { date: '2031-03-02' } }, {}],
  [
    '4.2.1 a recurrence with a DTEND line is rejected',
    { recurrence: ['DTEND:20310101T090000Z', 'RRULE:FREQ=DAILY'] },
    { message: 'Invalid recurrence rule.' },
  ],
  [
    '4.2.3 a rule with an offset in UNTIL is rejected',
    { recurrence: ['RRULE:FREQ=DAILY;UNTIL=2031-07-16T00:00:00+08:00'] },
    { message: 'Invalid recurrence rule.' },
  ],
  [
    '4.2.1 an invalid EXDATE is rejected',
    { recurrence: ['EXDATE:never', 'RRULE:FREQ=DAILY;COUNT=2'] },
    { message: 'Invalid recurrence rule.' },
  ],
  [
    '4.2.3 a rule by the minute is rejected',
    { recurrence: ['RRULE:FREQ=MINUTELY;COUNT=2'] },
    { message: 'Invalid recurrence rule.' },
  ],
  [
    '4.2.3 a rule by the second is rejected',
    { recurrence: ['RRULE:FREQ=SECONDLY;COUNT=2'] },
    { message: 'Invalid recurrence rule.' },
  ],
  ['3.2.12 colorId=0 of an event is rejected', { colorId: '0' }, { reason: 'invalid' }],
])('%s', (_, body, error) => expectError(post('events', { ...hour(9), ...body }), 400, error))

test('3.2.14 a gadget whose link is not https is rejected', () =>
  expectError(post('events', { ...hour(9), gadget: { ...GADGET, link: 'http://example.com/a.xml' } }), 400))

test('3.2.12 spaces at the ends of texts are kept', async () => {
  const texts = { summary: '  Title ', description: ' Text\n', location: ' Room  ' }
  const { id } = await createEvent(texts)
  await expectOk(get(`events/${id}`), texts)
})
