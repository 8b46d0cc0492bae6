import { expect, test } from 'vitest'
import { ALICE, allDay, at, BOB, errorOf, hour, openCalendar } from '../../support/calendar.ts'

const EVENTS = '/calendars/primary/events'
const LUNCH = `${EVENTS}/lunch001`
const lunch = {
  id: 'lunch001',
  summary: 'Lunch',
  location: 'Canteen',
  attendees: [{ email: 'dave@example.com', responseStatus: 'accepted' }],
  extendedProperties: { private: { a: '1', b: '2' }, shared: { c: '3' } },
  ...hour('2026-03-02', 12),
}

async function withLunch(more: object = {}) {
  const { as, fake } = openCalendar()
  const { body: born } = await as(ALICE).post(EVENTS, { ...lunch, ...more })
  fake.clock.advance('1m')
  return { alice: as(ALICE), as, born }
}

/** The result of a patch; `undefined` marks a field that is removed. */
const PATCHES: [title: string, patch: object, result: object][] = [
  ['a given field changes', { summary: 'Brunch' }, { summary: 'Brunch', location: 'Canteen' }],
  ['null removes a field', { location: null }, { location: undefined, summary: 'Lunch' }],
  ['an empty text removes a field', { summary: '' }, { summary: undefined }],
  ['objects are merged', { extendedProperties: { private: { a: '9' } } }, { extendedProperties: { private: { a: '9', b: '2' }, shared: { c: '3' } } }],
  ['null removes one key of an object', { extendedProperties: { private: { a: null } } }, { extendedProperties: { private: { b: '2' }, shared: { c: '3' } } }],
  ['null removes an object', { extendedProperties: null }, { extendedProperties: undefined }],
  ['an object without keys left is removed', { extendedProperties: { private: null, shared: null } }, { extendedProperties: undefined }],
  ['arrays are replaced', { attendees: [{ email: 'erin@example.com' }] }, { attendees: [{ email: 'erin@example.com', responseStatus: 'needsAction' }] }],
  ['an empty array removes the field', { attendees: [] }, { attendees: undefined }],
  ['a start’s dateTime without a zone keeps its zone', { start: { dateTime: '2026-03-02T11:00:00' } }, { start: at('2026-03-02T11:00:00-05:00') }],
  ['a start’s zone without a dateTime keeps its instant', { start: { timeZone: 'Europe/Berlin' } }, { start: { dateTime: '2026-03-02T12:00:00-05:00', timeZone: 'Europe/Berlin' } }],
  ['a change from timed to all-day needs nulls', { start: { date: '2026-03-02', dateTime: null, timeZone: null }, end: { date: '2026-03-03', dateTime: null, timeZone: null } }, { start: { date: '2026-03-02' }, end: { date: '2026-03-03' } }],
  ['reminders return to the defaults with empty overrides', { reminders: { useDefault: true, overrides: [] } }, { reminders: { useDefault: true } }],
  ['a timed event that becomes all-day takes over the default reminders', { start: { date: '2026-03-02', dateTime: null, timeZone: null }, end: { date: '2026-03-03', dateTime: null, timeZone: null }, reminders: { useDefault: true, overrides: [] } }, { reminders: { useDefault: false, overrides: [{ method: 'popup', minutes: 10 }] } }],
  ['unknown and read-only fields are ignored', { nonsense: 1, etag: '"1"', organizer: null, created: null, kind: null }, { organizer: { email: ALICE, self: true } }],
] // biome-ignore format: a table

test.each(PATCHES)('3.9.2 %s', async (_, patch, result) => {
  const { alice, born } = await withLunch({
    reminders: { useDefault: false, overrides: [{ method: 'popup', minutes: 1 }] },
  })
  const { status, body } = await alice.patch(LUNCH, patch)
  expect(status).toBe(200)
  for (const [field, value] of Object.entries(result)) expect(body[field]).toEqual(value)
  expect(body.created).toBe(born.created)
  expect((await alice.get(LUNCH)).body).toEqual(body)
})

test('3.9.2 a change from all-day to timed needs null as date', async () => {
  const { alice } = await withLunch({ start: { date: '2026-03-02' }, end: { date: '2026-03-03' } })
  const { start, end } = hour('2026-03-02', 9)
  expect(errorOf(await alice.patch(LUNCH, { start, end }))).toMatchObject({
    status: 400,
    reason: 'invalid',
    message: 'Invalid start time.',
  })
  const { body } = await alice.patch(LUNCH, { start: { ...start, date: null }, end: { ...end, date: null } })
  expect(body.start).toEqual({ dateTime: '2026-03-02T09:00:00-05:00', timeZone: 'America/New_York' })
})

test.each([{}, { summary: 'Lunch' }, { attendees: lunch.attendees }, { start: { dateTime: '2026-03-02T17:00:00Z' } }])(
  '3.9.4, 14.9 a patch without a change (%o) keeps etag and updated',
  async (patch) => {
    const { alice, born } = await withLunch()
    expect((await alice.patch(LUNCH, patch)).body).toEqual(born)
  },
)

test('an empty start is refused as missing', async () => {
  const { alice } = await withLunch()
  expect(errorOf(await alice.patch(LUNCH, { start: null }))).toMatchObject({
    status: 400,
    reason: 'required',
    message: 'Missing start time.',
  })
})

test('a patch cannot put the end before the start', async () => {
  const { alice } = await withLunch()
  expect(errorOf(await alice.patch(LUNCH, { end: at('2026-03-02T11:00:00') }))).toMatchObject({
    status: 400,
    reason: 'timeRangeEmpty',
    location: 'timeMax',
  })
})

const POPUP = [{ method: 'popup', minutes: 3 }]
const BOTH: [title: string, before: object, patch: object][] = [
  ['both in one body', { useDefault: true }, { useDefault: true, overrides: POPUP }],
  ['overrides alone onto the defaults', { useDefault: true }, { overrides: POPUP }],
  ['useDefault alone onto overrides', { useDefault: false, overrides: POPUP }, { useDefault: true }],
]

test.each(BOTH)(
  '3.2.10 a patch of the merged reminders to defaults and overrides is refused: %s',
  async (_, before, patch) => {
    const { alice, born } = await withLunch({ reminders: before })
    const { status, reason } = errorOf(await alice.patch(LUNCH, { reminders: patch }))
    expect([status, reason]).toEqual([400, 'cannotUseDefaultRemindersAndSpecifyOverride'])
    expect((await alice.get(LUNCH)).body).toEqual(born)
  },
)

test('a writer without private access cannot write to a private event', async () => {
  const { alice, as } = await withLunch({ visibility: 'private' })
  await alice.post('/calendars/primary/acl', {
    role: 'writerWithoutPrivateAccess',
    scope: { type: 'user', value: BOB },
  })
  const path = `/calendars/${ALICE}/events/lunch001`
  expect(errorOf(await as(BOB).patch(path, { summary: 'Mine' }))).toMatchObject({
    status: 403,
    reason: 'requiredAccessLevel',
  })
  await alice.patch(LUNCH, { visibility: 'default' })
  expect((await as(BOB).patch(path, { summary: 'Mine' })).body.summary).toBe('Mine')
})

test('2.1.5, 2.2.2 a dateTime beside the dates of an all-day event causes one error', async () => {
  const alice = openCalendar().as(ALICE)
  const { body } = await alice.post('/calendars/primary/events', allDay('2026-03-02', '2026-03-03'))
  const reply = await alice.patch(`/calendars/primary/events/${body.id}`, hour('2026-03-02', 9))
  expect(reply.status).toBe(400)
  expect(reply.body.error.errors).toEqual([{ domain: 'global', reason: 'invalid', message: 'Invalid start time.' }])
})
