import fc from 'fast-check'
import rrule from 'rrule'
import { expect, test } from 'vitest'
import { instantOf } from '../../src/recurrence/zone.ts'
import { runs } from '../support/seeded.ts'
import { type Case, cases, DAY, formatUntil, lineOf, ruleText, seriesOf, WEEKDAYS } from './random-rules.ts'

/* The oracle is plain rrule, expanded from the series' start on wall-clock dates in UTC; each result is then converted in the zone. COUNT and UNTIL are applied here: the start of an RRULE is added after the count, because COUNT counts only what the rule contains (behaviour 14.10). The random rules avoid cases that rrule gets wrong (calendar.ts has rows for them): weeks 52, 53 and negative weeks, `MO,2TU` in one rule, BYSETPOS=-2 of fewer than two, BYWEEKNO without days. */

const PERIOD: Record<string, number> = { DAILY: DAY, WEEKLY: 7 * DAY, MONTHLY: 28 * DAY, YEARLY: 365 * DAY }

/**
 * Returns all occurrences up to a local time. Without a limit, rrule would search an exhausted rule until the year
 * 9999; it checks `bysecond` once per period, which ends the search.
 */
function expandWithRrule(rule: rrule.RRule, to: number, frequency: string): number[] {
  const { dtstart, interval, bysecond } = rule.options
  let stepsLeft = Math.ceil((to - Number(dtstart)) / (PERIOD[frequency] ?? DAY) / interval) + 2
  const readings: number[] = []
  const END = new Error('end of the search')
  Object.defineProperty(rule.options, 'bysecond', {
    get() {
      if (stepsLeft-- < 0) throw END
      return bysecond
    },
  })
  try {
    rule.all((date) => readings.push(date.getTime()) > 0 && date.getTime() <= to)
  } catch (error) {
    if (error !== END) throw error
  }
  return readings.filter((reading) => reading <= to)
}

/**
 * Returns all instants of a case before `to`, ascending, by plain rrule. Positions in a week count from its first day.
 * `hasStart` is true for an RRULE, whose start is an occurrence even if the rule does not contain it.
 */
function expectedInstants({ parts, count, until, reading, zone }: Case, to: number, hasStart = true): number[] {
  const firstWeekday = WEEKDAYS.indexOf(parts.WKST ?? 'MO')
  const weekday = (new Date(reading).getUTCDay() + 6) % 7
  const wholeWeek = parts.FREQ === 'WEEKLY' && parts.BYSETPOS ? ((weekday - firstWeekday + 7) % 7) * DAY : 0
  const byDay = parts.BYDAY ?? (parts.FREQ === 'WEEKLY' ? WEEKDAYS[weekday] : undefined)
  const options = rrule.RRule.parseString(ruleText({ ...parts, BYDAY: byDay }))
  const rule = new rrule.RRule({ ...options, dtstart: new Date(reading - wholeWeek) }, true)
  const expanded = expandWithRrule(rule, Math.max(to, reading) + 2 * DAY, parts.FREQ ?? '')
  const counted = expanded.filter((each) => each >= reading).slice(0, count)
  const readings = hasStart ? [reading, ...counted.filter((each) => each > reading)] : counted
  const instants = [...new Set(readings.map((each) => instantOf(each, zone)))]
  const within = (instant: number) => until === undefined || instant <= until
  const isStart = (instant: number) => hasStart && instant === instants[0]
  return instants.filter((instant) => instant < to && (within(instant) || isStart(instant)))
}

/** Returns each instant once, in ascending order. */
const ascending = (instants: Iterable<number>) => [...new Set(instants)].sort((a, b) => a - b)

test('14.10 a window has the occurrences of plain rrule, walked from the start', () => {
  fc.assert(
    fc.property(cases, (case_) => {
      const to = case_.from + case_.days * DAY
      const expected = expectedInstants(case_, to).filter((instant) => instant >= case_.from)
      expect(seriesOf(case_).between(case_.from, to)).toEqual(expected)
    }),
    { numRuns: runs(300) },
  )
})

test('several lines have the occurrences of plain rrule for each, added and excluded', () => {
  const picks = fc.array(fc.nat(40), { maxLength: 5 })
  fc.assert(
    fc.property(cases, cases, cases, picks, picks, (first, other, exrule, added, dropped) => {
      const { reading, zone, from } = first
      const anchor = { reading, zone, until: undefined }
      const [second, excluded] = [other, exrule].map((case_) => ({ ...case_, ...anchor })) as [Case, Case]
      const to = from + 400 * DAY
      const given = ascending([...expectedInstants(first, to), ...expectedInstants(second, to)])
      const rdates = added.map((days) => reading + days * DAY + 3_600_000)
      const exdates = dropped.map((place) => given[place] ?? reading)
      const series = seriesOf(first, [
        lineOf(second),
        lineOf(excluded, 'EXRULE'),
        ...rdates.map((rdate) => `RDATE:${formatUntil(rdate)}`),
        ...exdates.map((exdate) => `EXDATE:${formatUntil(exdate)}`),
      ])
      const excludedStarts = new Set([...expectedInstants(excluded, to, false), ...exdates])
      const expected = ascending([...given, ...rdates]).filter((instant) => !excludedStarts.has(instant))
      expect(series.between(from, to)).toEqual(expected.filter((instant) => instant >= from && instant < to))
      const first_ = expected.find((instant) => instant < to)
      if (first_ !== undefined) expect(series.first).toBe(first_)
    }),
    { numRuns: runs(100) },
  )
})

test('the last instance of a finite series is the last occurrence of plain rrule', () => {
  fc.assert(
    fc.property(cases, (case_) => {
      const far = case_.reading + 3000 * DAY
      const all = expectedInstants(case_, far)
      const isComplete = (count: number) => expectedInstants(case_, far, false).length >= count
      fc.pre(case_.count !== undefined ? isComplete(case_.count) : case_.until !== undefined)
      const series = seriesOf(case_)
      expect({ endless: series.endless, first: series.first, last: series.last }).toEqual({
        endless: false,
        first: all[0],
        last: all.at(-1),
      })
      expect(series.between(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)).toEqual(all)
    }),
    { numRuns: runs(100) },
  )
})

test('a limit returns the first instances of a window, and `includes` is true for each', () => {
  fc.assert(
    fc.property(cases, fc.nat(12), (case_, limit) => {
      const series = seriesOf(case_)
      const to = case_.from + case_.days * DAY
      const found = series.between(case_.from, to)
      expect(series.between(case_.from, to, limit)).toEqual(found.slice(0, limit))
      for (const instant of found.slice(0, 20)) {
        expect([instant - 1000, instant, instant + 1000].map((each) => series.includes(each))).toEqual([
          false,
          true,
          false,
        ])
      }
    }),
    { numRuns: runs(100) },
  )
})
