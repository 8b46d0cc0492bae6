import { expect, test } from 'vitest'
import {
  createEvent,
  createSeries,
  day,
  get,
  hour,
  listAll,
  patch,
  remove,
  thisWeek,
  useCalendar,
} from '../calendar.ts'
import {
  absent,
  contains,
  everyItem,
  exactKeys,
  expectError,
  expectOk,
  expectShape,
  expectStatus,
  text,
} from '../expect.ts'

const LIST = '/users/me/calendarList'
const SETTINGS = '/users/me/settings'

/** Lists all pages of events, waits for `write`, and requests the changes since then. */
async function listChangesAfter(write: () => Promise<unknown>, query: { singleEvents?: boolean } = {}) {
  const { syncToken } = await listAll('events', query)
  await write()
  return get('events', { ...query, syncToken })
}

useCalendar()

test('5.4, 5.5 only the last page has a sync token', async () => {
  for (const at of [9, 11]) await createEvent(hour(at))
  const first = await get('events', { ...thisWeek(), maxResults: 1 })
  await expectOk(first, { nextPageToken: text, nextSyncToken: absent })
  const last = get('events', { ...thisWeek(), maxResults: 1, pageToken: first.body.nextPageToken })
  await expectOk(last, { nextPageToken: absent, nextSyncToken: text })
})

test('5.10 a delta without changes is empty and has a token', async () => {
  await expectOk(
    listChangesAfter(async () => {}),
    { items: [], nextSyncToken: text },
  )
})

test('5.10 a delta contains created, changed and deleted events, each once', async () => {
  const [changed, deleted] = [await createEvent(), await createEvent(hour(11))]
  const delta = await listChangesAfter(async () => {
    await expectOk(patch(`events/${changed.id}`, { summary: 'One' }))
    await expectOk(patch(`events/${changed.id}`, { summary: 'Two' }))
    await remove(`events/${deleted.id}`)
    await createEvent({ ...hour(13), summary: 'New' })
  })
  const shapes = [{ id: changed.id, summary: 'Two' }, { id: deleted.id, status: 'cancelled' }, { summary: 'New' }]
  await expectOk(delta, { items: contains(...shapes), nextSyncToken: text })
  expect(delta.body.items.length).toBe(3)
})

test('5.11 a deleted series is one item of a delta', async () => {
  const { id } = await createEvent({ recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
  const delta = await listChangesAfter(() => remove(`events/${id}`))
  await expectOk(delta, { items: [exactKeys('kind', 'etag', 'id', 'status')] })
  expectShape(delta.body.items, [{ id, status: 'cancelled' }])
})

test('5.11 a delta with singleEvents=true contains the instances of a deleted series as cancelled', async () => {
  const { id } = await createEvent({ recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
  const write = () => remove(`events/${id}`)
  const delta = await listChangesAfter(write, { singleEvents: true })
  await expectOk(delta, { items: everyItem({ status: 'cancelled' }) })
})

test('5.10, 5.13 the token of a delta continues from it', async () => {
  const delta = await listChangesAfter(() => createEvent())
  await expectOk(get('events', { syncToken: (await expectOk(delta)).nextSyncToken }), { items: [] })
})

test('5.13 a delta with maxResults has several pages', async () => {
  const { last } = await listAll('events')
  const made = [await createEvent(), await createEvent(), await createEvent()]
  const { items, last: end, pages } = await listAll('events', { syncToken: last.nextSyncToken, maxResults: 2 })
  expect(items.map(({ id }) => id)).toEqual(made.map(({ id }) => id))
  expect(pages).toBeGreaterThan(1)
  expect(typeof end.nextSyncToken).toBe('string')
})

test('5.9, 5.6 the sync token of a list with timeMin is accepted', async () => {
  const { last } = await listAll('events', { timeMin: `${day()}T00:00:00Z` })
  const { id } = await createEvent()
  await expectOk(get('events', { syncToken: last.nextSyncToken }), { items: [{ id }] })
})

test('5.1 a deletion changes etag and updated', async () => {
  const { id, etag } = await createEvent({ summary: 'Stamped' })
  const path = `events/${id}`
  await remove(path)
  expect((await expectOk(get(path))).etag).not.toBe(etag)
})

test('5.11.1 a delta contains cancelled instances as stubs', async () => {
  const { id, at } = await createSeries()
  const { last } = await listAll('events')
  await remove(`events/${at(1)}`)
  const delta = await get('events', { syncToken: last.nextSyncToken })
  await expectOk(delta, { items: contains({ id, status: 'confirmed' }, { id: at(1), status: 'cancelled' }) })
  const keys = ['kind', 'etag', 'id', 'status', 'recurringEventId', 'originalStartTime']
  await expectOk(delta, { items: contains(exactKeys(...keys)) })
})

test('5.8, 2.2.5 orderBy with a sync token is syncTokenWithNonDefaultOrdering', async () => {
  const { nextSyncToken } = (await listAll('events')).last
  const answer = await get('events', { syncToken: nextSyncToken, orderBy: 'updated' })
  await expectError(answer, 400, {
    reason: 'syncTokenWithNonDefaultOrdering',
    message: 'Sync token cannot be used with non-default ordering.',
  })
})

test('5.7 the sync token of events is base64 that ends in =', async () => {
  await expectOk(get('events', thisWeek()), { nextSyncToken: /^[\w+/-]+=+$/ })
})

test('5.1 a change of reminders changes the etag, and not updated', async () => {
  const { id, etag, updated } = await createEvent({ summary: 'Reminded' })
  const reminders = { useDefault: false, overrides: [{ method: 'popup', minutes: 3 }] }
  const after = await expectOk(patch(`events/${id}`, { reminders }), { reminders, updated })
  expect(after.etag).not.toBe(etag)
})

test.each([
  ['5.8', 'events', { timeMin: '2031-01-01T00:00:00Z' }],
  ['5.8', 'events', { timeMax: '2031-01-01T00:00:00Z' }],
  ['5.8', 'events', { orderBy: 'updated' }],
  ['5.8', 'events', { q: 'x' }],
  ['5.8', 'events', { updatedMin: '2031-01-01T00:00:00Z' }],
  ['5.8', 'events', { showDeleted: false }],
  ['5.8', 'events', { iCalUID: 'a@example.com' }],
  ['5.8', 'events', { privateExtendedProperty: 'a=1' }],
  ['5.8', 'events', { sharedExtendedProperty: 'a=1' }],
  ['5.17', LIST, { minAccessRole: 'owner' }],
  ['5.17', LIST, { showOwnOrganizationOnly: true }],
  ['5.17', LIST, { showDeleted: false }],
  ['5.17', LIST, { showHidden: false }],
  ['5.18', 'acl', { showDeleted: false }],
] as const)('%s a sync token of %s cannot be combined with %o', async (_, list, query) => {
  const { syncToken } = await listAll(list)
  await expectStatus(get(list, { ...query, syncToken }), 400)
})

test.each([LIST, SETTINGS, 'acl'])('5.15, 5.5 invalid tokens of %s are 400', async (list) => {
  await expectError(get(list, { syncToken: 'garbage' }), 400, {
    reason: 'invalid',
    message: 'Invalid sync token value.',
  })
  await expectError(get(list, { pageToken: 'garbage' }), 400, { reason: 'invalid', location: 'pageToken' })
})

test.each(['q', 'iCalUID', 'privateExtendedProperty', 'sharedExtendedProperty'])(
  '5.6 a list with %s has no sync token',
  async (name) => {
    const { last } = await listAll('events', { [name]: 'a=1' })
    expect(last.nextSyncToken).toBeUndefined()
  },
)

test.each([
  [
    '5.15, 2.2.5 an invalid sync token of events is 400',
    { syncToken: 'garbage' },
    { reason: 'invalid', message: 'Invalid sync token value.' },
  ],
  [
    '5.5, 2.2.5 an invalid page token of events is 400',
    { pageToken: 'garbage' },
    { reason: 'invalid', location: 'pageToken', message: 'Invalid page token value.' },
  ],
])('%s', (_, query, error) => expectError(get('events', query), 400, error))

test('5.10 a sync token can be used again', async () => {
  const { syncToken } = await listAll('events')
  const { id } = await createEvent()
  for (let use = 0; use < 3; use++) await expectOk(get('events', { syncToken }), { items: [{ id }] })
})
