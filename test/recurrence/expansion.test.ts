import { expect, test } from 'vitest'
import { openSeries, type Series } from '../../src/recurrence/series.ts'
import { CALENDAR } from './calendar.ts'
import { CLOCKS } from './clocks.ts'
import { ENDS } from './ends.ts'
import { LINES } from './lines.ts'
import { RFC_5545 } from './rfc5545.ts'
import type { Row } from './row.ts'

/*
 * The results of RFC 5545 are as published. The rows of the other tables were computed in Python with dateutil and
 * zoneinfo, and some of each were checked by hand. dateutil gets the rows marked `By hand` wrong.
 */
const rows: Row[] = [...RFC_5545, ...CLOCKS, ...ENDS, ...CALENDAR, ...LINES]

function open([, start, zone, lines]: Row): Series {
  return openSeries(zone ? { wall: start.length < 19 ? `${start}:00` : start, zone } : { date: start }, lines)
}

function windowOf(text: string): [from: number, to: number] {
  const [from = '', to = String(Number(from) + 1)] = text.split('/')
  const edge = (date: string) => Date.parse(date.includes('T') ? `${date}Z` : date)
  return [edge(from), edge(to)]
}

test.each(rows)('4.2.1, 4.2.4, 4.2.5, 4.8 a series %s', (...row) => {
  const [, , , , window, instants] = row
  expect(
    open(row)
      .between(...windowOf(window))
      .map(shown),
  ).toEqual(instants.map((instant) => shown(Date.parse(instant))))
})

const shown = (instant: number) => new Date(instant).toISOString()

test.each(rows)('each instance of a series %s is also found by its id', (...row) => {
  const [, , , , , instants] = row
  const series = open(row)
  for (const instant of instants.map((each) => Date.parse(each))) {
    expect(series.includes(instant)).toBe(true)
    expect(series.between(instant - 1000, instant)).not.toContain(instant)
    expect(series.between(instant, instant + 1)).toEqual([instant])
  }
})

const DAY = 86_400_000
const stamp = (instant: number, zone: string) =>
  new Date(instant)
    .toISOString()
    .slice(0, zone ? 19 : 10)
    .replace(/[-:]/g, '') + (zone ? 'Z' : '')

const single = rows.filter(
  ([, , , [line = '', ...more], , instants]) =>
    more.length === 0 && instants.length > 0 && /^RRULE(?!.*COUNT)/.test(line),
)

test.each(single)('an EXRULE excludes the instances of a series %s, and no others', (...row) => {
  const [title, start, zone, [line = ''], window, instants] = row
  const [from, to] = windowOf(window)
  const given = new Set(instants.map((each) => Date.parse(each)))
  const near = [...given].flatMap((instant) => [-366, -31, -7, -1, 0, 1, 7, 31].map((days) => instant + days * DAY))
  const firstStart = open([title, start, zone, [], window, []]).first
  const added = [...new Set(near)].filter((each) => each >= from && each < Math.min(to, Date.UTC(9999, 11, 31)))
  const lines = [`RDATE:${added.map((each) => stamp(each, zone)).join(',')}`, line.replace('RRULE', 'EXRULE')]
  const left = open([title, start, zone, lines, window, []]).between(from, to)
  const expected = added.filter((each) => !given.has(each)).sort((a, b) => a - b)
  expect(left.filter((each) => each !== firstStart)).toEqual(expected.filter((each) => each !== firstStart))
})
