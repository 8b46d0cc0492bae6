import { expect, test } from 'vitest'
import { get, listAll, useCalendar } from './calendar.ts'
import { everyItem, expectError, expectOk, expectShape, text } from './expect.ts'

const SETTINGS = '/users/me/settings'
const TRUTH = /^(true|false)$/
/** The values of settings that the reference lists. */
const _VALUES: Readonly<Record<string, RegExp>> = {
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
