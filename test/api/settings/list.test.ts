import { expect, test } from 'vitest'
import { ALICE, BOB, errorOf, openCalendar } from '../../support/calendar.ts'
import { EXPIRED, invalid } from '../../support/sharing.ts'

const SETTINGS = '/users/me/settings'

test('3.7, 14.46 every setting has a value, which is text', async () => {
  const { as } = openCalendar()

  const reply = await as(ALICE).get(SETTINGS)

  expect(reply.status).toBe(200)
  expect(reply.headers.get('ETag')).toBeNull()
  expect(Object.keys(reply.body)).toEqual(['kind', 'etag', 'nextSyncToken', 'items'])
  expect(reply.body.kind).toBe('calendar#settings')
  expect(reply.body.etag).toMatch(/^"p3[0-9a-v]{13}o"$/)
  expect(reply.body.nextSyncToken).toMatch(/^\d{20}$/)
  expect(Object.keys(reply.body.items[0])).toEqual(['kind', 'etag', 'id', 'value'])
  expect(reply.body.items.map(({ id, value }: { id: string; value: string }) => [id, value])).toEqual([
    ['autoAddHangouts', 'false'],
    ['dateFieldOrder', 'MDY'],
    ['defaultEventLength', '60'],
    ['format24HourTime', 'false'],
    ['hideInvitations', 'false'],
    ['hideWeekends', 'false'],
    ['locale', 'en'],
    ['remindOnRespondedEventsOnly', 'false'],
    ['showDeclinedEvents', 'true'],
    ['timezone', 'America/New_York'],
    ['useKeyboardShortcuts', 'true'],
    ['weekStart', '0'],
  ])
})

test('a setting that changes between pages has its old value, and is returned by the next sync', async () => {
  const { fake, as } = openCalendar()
  const first = (await as(ALICE).get(`${SETTINGS}?maxResults=11`)).body

  fake.seed({ accounts: [{ email: ALICE, settings: { weekStart: '1' } }] })
  const last = (await as(ALICE).get(`${SETTINGS}?pageToken=${encodeURIComponent(first.nextPageToken)}`)).body

  expect(last.items).toMatchObject([{ id: 'weekStart', value: '0' }])
  const sync = (await as(ALICE).get(`${SETTINGS}?syncToken=${last.nextSyncToken}`)).body
  expect(sync.items).toMatchObject([{ id: 'weekStart', value: '1' }])
  expect((await as(ALICE).get(`${SETTINGS}?syncToken=${sync.nextSyncToken}`)).body.items).toEqual([])
})

test('a list is not a change, and keeps its etag for later readers', async () => {
  const { as } = openCalendar()

  const [first, second] = [await as(ALICE).get(SETTINGS), await as(ALICE).get(SETTINGS)]
  await as(BOB).patch('/calendars/primary', { summary: 'Me' })

  expect(second.text).toBe(first.text)
  expect((await as(BOB).get(SETTINGS)).body.etag).toBe(first.body.etag)
})

test.each([
  ['maxResults=0', "Invalid value '0'. Values must be within the range: [1, 2147483647]"],
  ['maxResults=-1', "Invalid value '-1'. Values must be within the range: [1, 2147483647]"],
  ['maxResults=2147483648', "Invalid value '2147483648'. Values must be within the range: [1, 2147483647]"],
  ['maxResults=x', "Invalid integer value: 'x'."],
])('%s is refused', async (query, message) => {
  const { as } = openCalendar()

  expect(errorOf(await as(ALICE).get(`${SETTINGS}?${query}`))).toEqual(
    invalid(message, 'maxResults', 'invalidParameter'),
  )
})

test('a maxResults above 250 is reduced to 250', async () => {
  const { as } = openCalendar()

  expect((await as(ALICE).get(`${SETTINGS}?maxResults=100000`)).body.items).toHaveLength(12)
})

test('5.19 tokens that the list did not issue are refused, as are expired ones', async () => {
  const { fake, as } = openCalendar()
  const { nextSyncToken } = (await as(ALICE).get(SETTINGS)).body
  const get = async (query: string) => errorOf(await as(ALICE).get(`${SETTINGS}?${query}`))

  expect(await get('syncToken=x')).toEqual(invalid('Invalid sync token value.', 'syncToken'))
  expect(await get('pageToken=x')).toEqual(invalid('Invalid page token value.', 'pageToken'))
  await as(ALICE).post('/_control/syncTokens/expire')
  expect(await get(`syncToken=${nextSyncToken}`)).toEqual(EXPIRED)
  const later = (await as(ALICE).get(SETTINGS)).body.nextSyncToken
  fake.reset()
  expect(await get(`syncToken=${later}`)).toEqual(EXPIRED)
})

test('a token of one account is invalid for another', async () => {
  const { as } = openCalendar()
  const { nextSyncToken } = (await as(ALICE).get(SETTINGS)).body
  const { nextPageToken } = (await as(ALICE).get(`${SETTINGS}?maxResults=1`)).body
  const get = async (name: string, token: string) =>
    errorOf(await as(BOB).get(`${SETTINGS}?${name}=${encodeURIComponent(token)}`))

  expect(await get('syncToken', nextSyncToken)).toEqual(invalid('Invalid sync token value.', 'syncToken'))
  expect(await get('pageToken', nextPageToken)).toEqual(invalid('Invalid page token value.', 'pageToken'))
})
