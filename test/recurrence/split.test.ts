import { describe, expect, test } from 'vitest'
import { InvalidRecurrenceError, openSeries, type Start } from '../../src/recurrence/series.ts'
import { formatRecurrence, moveRecurrence, parseRecurrence, splitRecurrence } from '../../src/recurrence/split.ts'
import { instantAt } from '../../src/recurrence/zone.ts'

const ZONE = 'America/New_York'
const timed = (wall: string): Start => ({ wall: `${wall}:00`, zone: ZONE })
const START = timed('2026-03-02T09:00')
const at = (wall: string) => instantAt(`${wall}:00`, ZONE)

/** Splits the lines of a series at 9:00 of a day. Returns the lines of both parts; the second starts at `next`. */
function split(lines: string[], day: string, next = `${day}T09:00`): [string[], string[]] {
  const slot = at(`${day}T09:00`)
  const [before, after] = splitRecurrence(parseRecurrence(lines, START), START, slot)
  const moved = moveRecurrence(after, START, slot, timed(next))
  return [formatRecurrence(before, false), formatRecurrence(moved, false)]
}

const startsOf = (start: Start, lines: string[], count = 30) =>
  openSeries(start, lines).between(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, count)

describe('the parts of a series', () => {
  test.each([
    ['an endless rule', ['RRULE:FREQ=DAILY'], '2026-03-05'],
    ['UNTIL', ['RRULE:FREQ=DAILY;UNTIL=20260320T130000Z'], '2026-03-05'],
    ['UNTIL as the date of the split', ['RRULE:FREQ=DAILY;UNTIL=20260305', 'RDATE:20260320T130000Z'], '2026-03-05'],
    ['an earlier UNTIL', ['RRULE:FREQ=DAILY;UNTIL=20260304T140000Z', 'RDATE:20260310T130000Z'], '2026-03-10'],
    ['an earlier COUNT', ['RRULE:FREQ=DAILY;COUNT=2', 'RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=3'], '2026-03-10'],
    ['a COUNT of each rule', ['RRULE:FREQ=DAILY;COUNT=6', 'RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=4'], '2026-03-05'],
    ['COUNT with a start outside of the rule', ['RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=4'], '2026-03-10'],
    ['EXRULE', ['RRULE:FREQ=DAILY;COUNT=20', 'EXRULE:FREQ=WEEKLY;BYDAY=WE'], '2026-03-05'],
    ['EXRULE with COUNT', ['RRULE:FREQ=DAILY;COUNT=20', 'EXRULE:FREQ=WEEKLY;BYDAY=WE;COUNT=2'], '2026-03-05'],
    ['EXRULE that has ended', ['RRULE:FREQ=DAILY;COUNT=9', 'EXRULE:FREQ=DAILY;INTERVAL=2;COUNT=2'], '2026-03-05'],
    ['EXRULE of every second day', ['RRULE:FREQ=DAILY;COUNT=9', 'EXRULE:FREQ=DAILY;INTERVAL=2'], '2026-03-05'],
    ['EXRULE of the weekday of the start', ['RRULE:FREQ=DAILY;COUNT=20', 'EXRULE:FREQ=WEEKLY'], '2026-03-05'],
    [
      'dates',
      ['RRULE:FREQ=DAILY;COUNT=9', 'RDATE:20260420T130000Z', 'EXDATE:20260303T140000Z,20260307T140000Z'],
      '2026-03-05',
    ],
  ])('of %s have the instances of the series', (_, lines, day) => {
    const [before, after] = split(lines, day)
    const all = startsOf(START, lines)
    const slot = at(`${day}T09:00`)

    expect(startsOf(START, before)).toEqual(all.filter((start) => start < slot))
    expect(startsOf(timed(`${day}T09:00`), after).slice(0, 20)).toEqual(
      all.filter((start) => start >= slot).slice(0, 20),
    )
    expect(all).toContain(slot)
  })

  test('of an all-day series have its instances', () => {
    const start = { date: '2026-03-02' }
    const lines = ['RRULE:FREQ=DAILY;COUNT=5', 'EXDATE;VALUE=DATE:20260305']
    const slot = Date.UTC(2026, 2, 4)
    const [before, after] = splitRecurrence(parseRecurrence(lines, start), start, slot)

    expect(formatRecurrence(before, true)).toEqual(['RRULE:FREQ=DAILY;UNTIL=20260303'])
    expect(formatRecurrence(after, true)).toEqual(['RRULE:FREQ=DAILY;COUNT=3', 'EXDATE;VALUE=DATE:20260305'])
  })
})

test('rules that ended before the split are unchanged, and not continued', () => {
  const lines = ['RRULE:FREQ=DAILY;UNTIL=20260304T140000Z', 'RRULE:FREQ=DAILY;COUNT=3', 'RDATE:20260310T130000Z']

  expect(split(lines, '2026-03-10')).toEqual([lines.slice(0, 2), []])
})

test('an EXRULE that continues from the split is unchanged', () => {
  const lines = ['RRULE:FREQ=DAILY', 'EXRULE:FREQ=WEEKLY;BYDAY=WE']

  expect(split(lines, '2026-03-05')[1]).toEqual(lines)
})

test('an endless EXRULE that depends on the start of the series cannot be split', () => {
  expect(() => split(['RRULE:FREQ=DAILY', 'EXRULE:FREQ=DAILY;INTERVAL=2'], '2026-03-05')).toThrow(
    InvalidRecurrenceError,
  )
})

test('a move keeps the distance in local time, also over a clock change', () => {
  const lines = ['RRULE:FREQ=DAILY;UNTIL=20260320T130000Z', 'RDATE:20260401T130000Z', 'EXDATE:20260310T130000Z']

  expect(split(lines, '2026-03-05', '2026-03-05T11:00')[1]).toEqual([
    ...['RRULE:FREQ=DAILY;UNTIL=20260320T150000Z', 'RDATE:20260401T150000Z', 'EXDATE:20260310T150000Z'],
  ])
})

test('a move to another day moves the weekdays of weekly rules', () => {
  const lines = ['RRULE:FREQ=WEEKLY;BYDAY=MO,SU;COUNT=8', 'EXRULE:FREQ=WEEKLY;BYDAY=FR', 'rrule:freq=weekly;byday=mo']

  expect(split(lines, '2026-03-09', '2026-03-10T09:00')[1]).toEqual([
    ...['RRULE:FREQ=WEEKLY;BYDAY=TU,MO;COUNT=6', 'EXRULE:FREQ=WEEKLY;BYDAY=SA', 'rrule:freq=weekly;byday=TU'],
  ])
})

test('a timed series becomes an all-day series, and back', () => {
  const parts = parseRecurrence(['RRULE:FREQ=DAILY;UNTIL=20260320T130000Z', 'EXDATE:20260310T130000Z'], START)
  const days = { date: '2026-03-02' }
  const moved = moveRecurrence(parts, START, at('2026-03-02T09:00'), days)
  const back = moveRecurrence(moved, days, Date.UTC(2026, 2, 2), START)

  expect(formatRecurrence(moved, true)).toEqual(['RRULE:FREQ=DAILY;UNTIL=20260320', 'EXDATE;VALUE=DATE:20260310'])
  expect(formatRecurrence(back, false)).toEqual(formatRecurrence(parts, false))
})
