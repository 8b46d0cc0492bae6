import { expect, test } from 'vitest'
import { fromICalendar } from '../../../src/ical.ts'
import { steps } from '../../../src/recurrence/occurrences.ts'
import { ALICE } from '../../support/calendar.ts'
import { calendar, event } from './importEvents.ts'

const START = 'DTSTART:20260706T090000Z'
const many = (count: number, line: (at: number) => string) => Array.from({ length: count }, (_, at) => line(at))

/** Returns the number of expanded rule periods, and the resulting seed. */
async function cost(text: string) {
  const before = steps.taken
  const seed = await fromICalendar(text, { owner: ALICE })
  return { steps: steps.taken - before, events: seed.calendars?.[0]?.events?.length, report: seed.report }
}

test('a duration for which ical.js would not terminate is ignored', async () => {
  for (const duration of ['P', 'PT', '-P', 'P1', 'PT1H30', 'P-1D', 'PTTTTT', 'P1Y', `P${'9'.repeat(400)}D`, '']) {
    const { events, report } = await cost(calendar(...event(START, `DURATION:${duration}`)))
    expect([events, report.length]).toEqual([1, 1])
  }
})

test('an endless rule and a rule without occurrences take few steps', async () => {
  const forever = await cost(calendar(...event(START, 'RRULE:FREQ=DAILY')))
  const never = await cost(calendar(...event(START, 'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30')))
  const excluded = await cost(calendar(...event(START, 'RRULE:FREQ=DAILY', 'EXRULE:FREQ=DAILY')))

  expect(forever.steps).toBeLessThan(100)
  expect(never.steps).toBeLessThan(200_000)
  expect(excluded.steps).toBeLessThan(200_000)
})

test('a COUNT that is split far from its start is left out, and takes bounded steps', async () => {
  const { steps, report } = await cost(
    calendar(
      ...event('DTSTART:00010101T090000Z', 'RRULE:FREQ=DAILY;COUNT=3000000'),
      ...event('RECURRENCE-ID;RANGE=THISANDFUTURE:40000101T090000Z', 'DTSTART:40000101T100000Z'),
    ),
  )

  expect(report[0]?.reason).toContain('left out')
  expect(steps).toBeLessThan(400_000)
})

test('deeply nested components are ignored', async () => {
  const deep = [...many(50_000, () => 'BEGIN:VEVENT'), ...event(START), ...many(50_000, () => 'END:VEVENT')]

  expect((await cost(calendar(...deep))).events).toBe(0)
})

test('a line that is a megabyte long is read once', async () => {
  const text = 'x'.repeat(1_000_000)
  const head = `X-A;A=":";${many(100_000, (at) => `P${at}=1`).join(';')}:1`
  const { events } = await cost(
    calendar(
      ...event(START, `SUMMARY:${text}`, `URL:https://example.com/${text}//`, head, `BEGIN${' '.repeat(1_000_000)}x`),
    ),
  )

  expect(events).toBe(1)
})

test('ten thousand dates and overrides of one series are bounded', async () => {
  const dates = many(10_000, (at) => `RDATE:${2030 + (at % 1000)}0101T090000Z`)
  const { events, report } = await cost(calendar(...event(START, ...dates)))

  expect(events).toBe(0)
  expect(report[0]?.reason).toBe(
    'the event was left out, because it has more than 4000 dates in RDATE and EXDATE, which is the limit; split the series',
  )
})

test('a series is split hundreds of times', async () => {
  const splits = many(500, (at) => {
    const day = new Date(Date.UTC(2026, 6, 7 + at)).toISOString().slice(0, 10).replaceAll('-', '')
    return event(`RECURRENCE-ID;RANGE=THISANDFUTURE:${day}T090000Z`, `DTSTART:${day}T100000Z`).join('\r\n')
  })
  const { events, report } = await cost(calendar(...event(START, 'RRULE:FREQ=DAILY'), ...splits))

  expect([events, report.length]).toEqual([501, 0])
})

test('names of Object.prototype are ordinary names', async () => {
  const strange = ['__proto__:x', 'constructor;constructor=1:y', 'X;__proto__=z:1', 'toString:1']
  const { events } = await cost(calendar(...event(START, ...strange, 'ATTENDEE;__proto__=1:mailto:bob@example.com')))

  expect(events).toBe(1)
})
