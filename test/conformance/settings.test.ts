import { expect, test } from 'vitest'
import { get, listAll, useCalendar } from './calendar.ts'
import { everyItem, expectError, expectOk, expectShape, text } from './expect.ts'

const SETTINGS = '/users/me/settings'
const TRUTH = /^(true|false)$/
/** The values of settings that the reference lists. */
const VALUES: Readonly<Record<string, RegExp>> = {
  autoAddHangouts: TRUTH,
  dateFieldOrder: /^(MDY|DMY|YMD)$/,
  defaultEventLength: /^[1-9]\d*$/,
  format24HourTime: TRUTH,
  hideInvitations: TRUTH,
  hideWeekends: TRUTH,
  locale: /^[a-z]{2}(_([A-Z]{2}|419))?$/,
  remindOnRespondedEventsOnly: TRUTH,
  showDeclinedEvents: TRUTH,
  timezone: /./,
  useKeyboardShortcuts: TRUTH,
  weekStart: /^[016]$/,
}

useCalendar()

test('3.7, 5.19 settings are strings, in an envelope with a sync token', async () => {
  const { items, last } = await listAll(SETTINGS)
  expect(last.kind).toBe('calendar#settings')
  expect(typeof last.nextSyncToken).toBe('string')
  expectShape(items, everyItem({ kind: 'calendar#setting', id: text, value: text, etag: text }))
})

test('5.19, 5.7 a delta of settings is empty if nothing changed', async () => {
  const { last } = await listAll(SETTINGS)
  await expectOk(get(SETTINGS, { syncToken: last.nextSyncToken }), { items: [], nextSyncToken: text })
})

test('3.7 an unknown setting is 404', () => expectError(get(`${SETTINGS}/nothing`), 404, { reason: 'notFound' }))

test('5.7 the sync token of rules and of settings has 20 digits', async () => {
  for (const path of ['acl', SETTINGS]) await expectOk(get(path), { nextSyncToken: /^\d{20}$/ })
})

test('3.7 an account has each setting of the reference, with one of its values', async () => {
  const { items } = await listAll(SETTINGS)
  expect(items.map(({ id }) => id)).toEqual(expect.arrayContaining(Object.keys(VALUES)))
  for (const { id, value } of items) expect(value, id).toMatch(VALUES[id] ?? text)
})

test('1.11, 5.5 settings are listed in pages', async () => {
  const all = await listAll(SETTINGS)
  const { items, pages } = await listAll(SETTINGS, { maxResults: 5 })
  expect(items).toEqual(all.items)
  expect(pages).toBe(Math.ceil(items.length / 5))
})
