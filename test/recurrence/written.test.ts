import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  formatDate,
  formatDateTime,
  formatICalDate,
  formatICalDateTime,
  formatInstant,
  formatOffset,
} from '../../src/recurrence/format.ts'

const DAY = 86_400_000
const MINUTE = 60_000
/** The range of Date, mostly years with four digits. */
const instants = fc.oneof(
  fc.integer({ min: Date.UTC(1999, 0), max: Date.UTC(2030, 0) }),
  fc.integer({ min: Date.parse('0000-01-01'), max: Date.parse('9999-12-31') }),
  fc.integer({ min: -8.64e15, max: 8.64e15 }),
  fc
    .tuple(
      fc.constantFrom('-000001-12-31', '0000-01-01', '1970-01-01', '9999-12-31', '+010000-01-01'),
      fc.integer({ min: -DAY, max: DAY }),
    )
    .map(([date, more]) => Date.parse(date) + more),
)
const plain = fc.integer({ min: Date.UTC(1970, 0), max: Date.UTC(2200, 0) })
const iso = (instant: number) => new Date(instant).toISOString()
const bare = (text: string) => text.replace(/-(?!0000|\d{6})|:/g, '')

test('formatDateTime writes an instant like Date, in whole seconds', () => {
  fc.assert(
    fc.property(instants, (moment) => {
      const [date = '', time = ''] = iso(moment).split('T')
      expect(formatDateTime(moment)).toBe(`${date}T${time.slice(0, 8)}`)
    }),
    { numRuns: 2000 },
  )
})

test.each([
  ['1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59', '19691231T235959'],
  ['2026-03-09T13:05:07.250Z', '2026-03-09T13:05:07', '20260309T130507'],
  ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00', '00000101T000000'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59', '99991231T235959'],
  ['+010000-01-01T00:00:00Z', '+010000-01-01T00:00:00', '+0100000101T000000'],
])('%s is written as %s, and in iCalendar as %s', (instant, text, stamp) => {
  const moment = Date.parse(instant)
  expect([formatDateTime(moment), formatICalDateTime(moment)]).toEqual([text, stamp])
})

test('formatInstant writes an instant like Date, and formatDate without its time', () => {
  fc.assert(
    fc.property(plain, (moment) => {
      expect(formatInstant(moment)).toBe(iso(moment))
      expect(formatDate(moment)).toBe(iso(moment).slice(0, 10))
      expect(formatICalDate(moment)).toBe(bare(iso(moment).slice(0, 10)))
    }),
    { numRuns: 500 },
  )
})

test.each([
  [0, '+00:00'],
  [MINUTE, '+00:01'],
  [-MINUTE, '-00:01'],
  [330 * MINUTE, '+05:30'],
  [-570 * MINUTE, '-09:30'],
  [840 * MINUTE, '+14:00'],
  [-(296 * MINUTE + 2000), '-04:56'], // New York's local mean time, cut to the minute
  [1139_000, '+00:18'],
])('an offset of %d ms is written as %s', (offset, text) => {
  expect(formatOffset(offset)).toBe(text)
})
