import { RE2JS } from 're2js'
import { expect, test, vi } from 'vitest'
import { checkExpected, listCriteria, matches } from '../../../src/control/matching/criteria.ts'
import { formatCriteria } from '../../../src/control/matching/report.ts'

const LUNCH = {
  summary: 'Lunch with Bob',
  start: { dateTime: '2026-03-09T12:00:00Z', timeZone: 'UTC' },
  attendees: [
    { email: 'alice@example.com', responseStatus: 'accepted' },
    { email: 'bob@example.com', responseStatus: 'needsAction' },
  ],
  recurrence: ['RRULE:FREQ=DAILY', 'EXDATE:20260310T120000Z'],
  reminders: { useDefault: false, overrides: [{ method: 'popup', minutes: 5 }, { method: 'email', minutes: 60 }] }, // biome-ignore format: one line
  labels: [{ id: 'a', name: 'One' }],
}

test.each<[string, unknown]>([
  ['an object names what it is about', { summary: 'Lunch with Bob' }],
  ['deeply', { start: { timeZone: 'UTC' } }],
  ['nothing is asked of it but to be an object', { start: {} }],
  ['a person is found by the address, in any order', { attendees: [{ email: 'bob@example.com', responseStatus: 'needsAction' }] }],
  ['in whatever case', { attendees: [{ email: 'Bob@Example.com' }] }],
  ['what has an id by that', { labels: [{ id: 'a', name: 'One' }] }],
  ['what has neither is any of them', { reminders: { overrides: [{ minutes: 60 }] } }],
  ['of plain values each wanted one is there', { recurrence: ['EXDATE:20260310T120000Z'] }],
  ['null is nothing, and nothing is null', { location: null, description: undefined }],
  ['an instant, however it is written', { start: { dateTime: '2026-03-09T13:00:00+01:00' } }],
  ['an empty array is none', { attachments: [] }],
  ['an asymmetric matcher judges by itself', { summary: expect.stringContaining('Bob'), attendees: expect.any(Array) }],
  ['in an array too', { recurrence: [expect.stringMatching(/^RRULE/)] }],
  ['a pattern in process', { summary: /^Lunch/g }],
  ['a text contains a text', { summary: { contains: 'with' } }],
  ['an array contains an element', { attendees: { contains: { responseStatus: 'accepted' } } }],
  ['an array contains several', { recurrence: { contains: ['RRULE:FREQ=DAILY'] } }],
  ['a text matches a pattern', { summary: { matches: '^Lunch' } }],
  ['both at once', { summary: { contains: 'Lunch', matches: 'Bob$' } }],
])('%s', (_, wanted) => {
  expect(listCriteria(wanted, LUNCH).filter(({ met }) => !met)).toEqual([])
}) // biome-ignore format: a table

test.each<[string, unknown]>([
  ['another instant', { start: { dateTime: '2026-03-09T13:00:00+02:00' } }],
  ['a wall clock without its offset', { start: { dateTime: '2026-03-09T12:00:00' } }],
  ['another text', { summary: 'Lunch' }],
  ['another answer', { attendees: [{ email: 'bob@example.com', responseStatus: 'accepted' }] }],
  ['somebody who is not there', { attendees: [{ email: 'carol@example.com' }] }],
  ['an element that is not there', { recurrence: ['RRULE:FREQ=WEEKLY'] }],
  ['no two parts of different elements', { reminders: { overrides: [{ method: 'popup', minutes: 60 }] } }],
  ['an array where there is an object', { start: [] }],
  ['an empty array where there are some', { attendees: [] }],
  ['an object where there is none', { end: {} }],
  ['what every object has from its prototype', { constructor: { name: 'Object' } }],
  ['a text that is not contained', { summary: { contains: 'Carol' } }],
  ['a pattern that does not match', { summary: { matches: '^Bob' } }],
  ['a number that is only alike', { reminders: { overrides: [{ minutes: '60' }] } }],
])('does not match: %s', (_, wanted) => {
  expect(matches(wanted, LUNCH)).toBe(false)
})

test('a Date is compared as an instant', () => {
  const event = { start: { dateTime: '2026-03-02T10:00:00+01:00' }, days: ['2026-03-02T09:00:00Z'], date: '2026-03-02' }
  expect(matches({ start: { dateTime: new Date('2026-03-02T09:00:00Z') } }, event)).toBe(true)
  expect(matches({ days: [new Date('2026-03-02T09:00:00.000Z')] }, event)).toBe(true)
  expect(matches({ start: { dateTime: new Date('2026-03-02T09:00:00.001Z') } }, event)).toBe(false)
  expect(matches({ start: new Date('2026-03-02T09:00:00Z') }, event)).toBe(false)
  expect(matches({ date: new Date('2026-03-02') }, event)).toBe(false)
  expect(matches({ none: new Date('2026-03-02') }, event)).toBe(false)
  const [line] = formatCriteria(listCriteria({ start: { dateTime: new Date('2026-03-03T09:00:00Z') } }, event)).split(
    '\n',
  )
  expect(line).toBe('✗ start.dateTime: expected "2026-03-03T09:00:00.000Z", was "2026-03-02T10:00:00+01:00"')
})

test('a report has a line for each criterion and only the differences', () => {
  const wanted = { summary: /^Lunch/, attendees: [{ email: 'bob@example.com', responseStatus: 'accepted' }], location: expect.any(String) } // biome-ignore format: one line
  expect(formatCriteria(listCriteria(wanted, LUNCH)).split('\n')).toEqual([
    '✓ summary',
    '✗ attendees[bob@example.com].responseStatus: expected "accepted", was "needsAction"',
    '✗ location: expected Any<String>, was none',
  ])
})

test('of elements without a key the nearest is told', () => {
  const lines = formatCriteria(listCriteria({ overrides: [{ method: 'email', minutes: 30 }] }, LUNCH.reminders))
  expect(lines).toBe('✓ overrides[1].method\n✗ overrides[1].minutes: expected 30, was 60')
})

const circle: Record<string, unknown> = {}
circle.again = circle
test.each<[string, unknown, string]>([
  ['a pattern that is none', { a: [{ matches: '(' }] }, 'where.a[0].matches: "(" is not a valid regular expression'],
  ['one without end', { matches: 'x'.repeat(1001) }, 'where.matches: a pattern has at most 1000 characters'],
  ['one that is no text', { a: { matches: 5 } }, 'where.a.matches: give a regular expression, as text'],
  ['one with a lookahead', { a: { matches: 'x(?=y)' } }, 'where.a.matches: "x(?=y)" cannot be matched in linear time: (?=…) is a lookahead'],
  ['one in process with a lookahead', { a: /x(?=y)/ }, 'where.a: /x(?=y)/ cannot be matched in linear time: (?=…) is a lookahead'],
  ['a function', { a: () => true }, 'where.a: a function cannot be matched with: give data, a regular expression or a matcher'],
  ['a Map', { a: new Map([['b', 1]]) }, 'where.a: a Map cannot be matched with: give an object or an array'],
  ['a Set', [new Set()], 'where[0]: a Set cannot be matched with: give an object or an array'],
  ['a Date that is none', { a: new Date('soon') }, 'where.a: not a valid Date'],
  ['a circle', circle, `where${'.again'.repeat(65)}: deeper than 64 levels`],
])('%s is an invalid criterion', (_, wanted, problem) => {
  expect(() => checkExpected(wanted, 'where')).toThrow(new RangeError(problem))
}) // biome-ignore format: a table

test('20,000 patterns are rejected before most of them are compiled', () => {
  const patterns = Array.from({ length: 20_000 }, (_, at) => ({ matches: `^a${at}$` }))
  const compile = vi.spyOn(RE2JS, 'compile')
  expect(() => checkExpected(patterns, 'where')).toThrow(/^where: more than 500 regular expressions$/)
  expect(compile.mock.calls.length).toBeLessThanOrEqual(500)
  expect(() => checkExpected(patterns.slice(0, 500), 'where')).not.toThrow()
})
