import { expect, test } from 'vitest'
import {
  calendarId,
  createCalendar,
  del,
  get,
  listAll,
  ownerEmail,
  patch,
  post,
  put,
  remove,
  removeLater,
  SUMMARY,
  useCalendar,
} from './calendar.ts'
import { absent, contains, expectError, expectOk, expectShape, expectStatus, keysInOrder } from './expect.ts'

const LIST = '/users/me/calendarList'
const ORDER = keysInOrder(
  ...['kind', 'etag', 'id', 'summary', 'description', 'location', 'timeZone', 'dataOwner', 'summaryOverride'],
  ...['colorId', 'backgroundColor', 'foregroundColor', 'hidden', 'selected', 'accessRole', 'defaultReminders'],
  ...['notificationSettings', 'primary', 'deleted', 'conferenceProperties', 'autoAcceptInvitations'],
)
/** A public calendar of the service. */
const HOLIDAYS = 'en.new_zealand#holiday@group.v.calendar.google.com'

useCalendar()

test('3.5.1, 3.5.3 a list entry has its keys in order and the colours of its colorId', async () => {
  const entry = await get(`${LIST}/${calendarId()}`)
  await expectOk(entry, ORDER)
  await expectOk(entry, { kind: 'calendar#calendarListEntry', colorId: /^\d+$/, foregroundColor: '#000000' })
  const { calendar } = await expectOk(get('/colors'))
  await expectOk(entry, { backgroundColor: calendar[String(entry.body.colorId)]?.background })
})

test('3.5.1, 15.3 the caller’s primary calendar is on the list and marked as primary', async () => {
  const me = ownerEmail()
  await expectOk(get(`${LIST}/primary`), { id: me, primary: true, accessRole: 'owner' })
  const { items, last } = await listAll(LIST)
  expect(items.filter((item) => item.primary === true).length).toBe(1)
  expect(last.kind).toBe('calendar#calendarList')
})

test('3.5.5, 3.9.2 a write to a list entry does not change its calendar', async () => {
  const id = calendarId()
  const reminders = [{ method: 'popup', minutes: 5 }]
  const changed = { summaryOverride: 'Mine', defaultReminders: reminders, summary: SUMMARY }
  await expectOk(patch(`${LIST}/${id}`, { summaryOverride: 'Mine', defaultReminders: reminders }), changed)
  await expectOk(get(`/calendars/${id}`), { summary: SUMMARY, summaryOverride: absent })
})

test('3.5.5 PUT of a list entry clears reminders and keeps the colour', async () => {
  const id = calendarId()
  await expectOk(patch(`${LIST}/${id}`, { colorId: '7', defaultReminders: [{ method: 'popup', minutes: 5 }] }))
  await expectOk(put(`${LIST}/${id}`, { selected: true }), { colorId: '7', defaultReminders: [], selected: true })
})

test('3.5.4 an insert of a calendar that is on the list already succeeds', async () => {
  const id = calendarId()
  await expectOk(post(LIST, { id, colorId: '4' }), { id, colorId: '4', accessRole: 'owner' })
})

test('15.11, 2.2.8 a calendar cannot be removed from the list of its data owner', async () => {
  const id = calendarId()
  await expectError(del(`${LIST}/${id}`), 403, { reason: 'cannotUnsubscribeFromOwnedCalendar' })
})

test('11.5, 3.10 a list entry has its etag as a header, and a calendar list has no such header', async () => {
  const entry = await get(`${LIST}/${calendarId()}`)
  expect(entry.headers.get('ETag')).toBe((await expectOk(entry, { etag: /^"\d{16}"$/ })).etag)
  expect((await get(LIST)).headers.get('ETag')).toBeNull()
})

test('15.11, 2.2.8 the caller’s primary calendar cannot be removed from the list', async () => {
  const answer = await del(`${LIST}/primary`)
  await expectStatus(answer, 403, { error: { errors: [{ reason: 'cannotChangeOwnPrimarySubscription' }] } })
})

test('3.5.4 an insert of a calendar that does not exist into the list is rejected', async () =>
  expectError(post(LIST, { id: 'fake-calendar-nobody@group.calendar.google.com' }), 404, {
    reason: 'notFound',
  }))

test('1.13, 2.2.1 an unknown enumeration value is an error that lists the allowed values', async () =>
  expectError(get(LIST, { minAccessRole: 'boss' }), 400, {
    reason: 'invalidParameter',
    location: 'minAccessRole',
    message: /^Invalid string value: 'boss'/,
  }))

test('3.4.2, 15.4 the creator of a calendar owns it and has it on the list', async () => {
  const id = calendarId()
  const entry = await get(`${LIST}/${id}`)
  await expectOk(entry, { accessRole: 'owner', selected: true, defaultReminders: [], primary: absent })
  expect(entry.body.notificationSettings).toBeUndefined()
})

test('15.9, 1.8, 3.5.6 a deleted calendar is 404, and its list entry is marked as deleted', async () => {
  const id = await createCalendar()
  const reply = await expectStatus(del(`/calendars/${id}`), 204)
  expect(Object.keys(reply).length).toBe(0)
  await expectStatus(get(`/calendars/${id}`), 404)
  const { items } = await listAll(LIST, { showDeleted: true, minAccessRole: 'owner' })
  const entry = items.find((item) => item.id === id)
  expectShape(entry, { deleted: true, summary: absent })
})

test('3.5.7 PUT of a list entry keeps its notifications', async () => {
  const entry = `${LIST}/${calendarId()}`
  const notificationSettings = { notifications: [{ type: 'eventCreation', method: 'email' }] }
  await expectOk(patch(entry, { notificationSettings }))
  await expectOk(put(entry, { selected: true }), { notificationSettings })
  await expectOk(patch(entry, { notificationSettings: { notifications: [] } }))
})

test('15.15, 15.15.1 a holiday calendar on the list has the role reader and no reminders', async () => {
  const path = `${LIST}/${encodeURIComponent(HOLIDAYS)}`
  if ((await get(path)).status !== 200) removeLater(path)
  await expectOk(post(LIST, { id: HOLIDAYS }), { id: HOLIDAYS, accessRole: 'reader', defaultReminders: [] })
  await expectOk(get(path), { accessRole: 'reader', primary: absent })
})

test('15.5, 3.5.1 a list entry of a secondary calendar names its data owner', async () => {
  await expectOk(get(`${LIST}/${calendarId()}`), { dataOwner: ownerEmail() })
})

test('1.23 minAccessRole also lists higher roles', async () => {
  const id = calendarId()
  const { items } = await listAll(LIST, { minAccessRole: 'reader' })
  expect(items.some((item) => item.id === id)).toBe(true)
})

test('1.23, 15.15.1 minAccessRole=owner omits calendars that the caller only reads', async () => {
  const entry = `${LIST}/${encodeURIComponent(HOLIDAYS)}`
  if ((await get(entry)).status !== 200) {
    removeLater(entry)
    await expectOk(post(LIST, { id: HOLIDAYS }))
  }
  const listed = async (minAccessRole: string) =>
    (await listAll(LIST, { minAccessRole })).items.some((item) => item.id === HOLIDAYS)
  expect(await listed('reader')).toBe(true)
  expect(await listed('owner')).toBe(false)
})

test('1.23, 3.5.6 showDeleted=true lists a deleted calendar as deleted', async () => {
  const id = await createCalendar()
  await remove(`/calendars/${id}`)
  const { items } = await listAll(LIST, { showDeleted: true })
  expect(items.some((item) => item.id === id && item.deleted === true)).toBe(true)
  expect((await listAll(LIST)).items.some((item) => item.id === id)).toBe(false)
})

test('3.5.3 colorId sets both colours of a list entry', async () => {
  const id = calendarId()
  await expectOk(patch(`${LIST}/${id}`, { colorId: '14' }), {
    colorId: '14',
    backgroundColor: '#9fe1e7',
    foregroundColor: '#000000',
  })
})

test('1.25, 3.5.4 a list entry without an id is rejected', async () => expectError(post(LIST, { colorId: '1' }), 400))

test('2.2.4 the list entry of a calendar that does not exist is 404', async () =>
  expectError(get(`${LIST}/fake-calendar-nobody@group.calendar.google.com`), 404, { reason: 'notFound' }))

test('5.17 a delta of the calendar list contains hidden entries', async () => {
  const id = await createCalendar()
  const { last } = await listAll(LIST)
  await expectOk(patch(`${LIST}/${id}`, { hidden: true }))
  await expectOk(get(LIST, { syncToken: last.nextSyncToken }), { items: contains({ id, hidden: true }) })
})

test('5.17 a delta of the calendar list omits a changed description of a calendar', async () => {
  const id = await createCalendar()
  const { last } = await listAll(LIST)
  await expectOk(patch(`/calendars/${id}`, { description: 'New' }))
  const { items } = await listAll(LIST, { syncToken: last.nextSyncToken })
  expect(items.some((item) => item.id === id)).toBe(false)
})

test('3.5.6 a list omits a hidden calendar, unless showHidden is true', async () => {
  const id = await createCalendar()
  await expectOk(patch(`${LIST}/${id}`, { hidden: true }))
  const isListed = async (query: object) => (await listAll(LIST, { ...query })).items.some((item) => item.id === id)
  expect([await isListed({}), await isListed({ showHidden: true })]).toEqual([false, true])
})

test('1.11, 5.5 calendars are listed in pages', async () => {
  const all = await listAll(LIST)
  const { items, pages } = await listAll(LIST, { maxResults: 1 })
  expect(items).toEqual(all.items)
  expect(pages).toBe(items.length)
})
