import { expect, test } from 'vitest'
import { checkExpected, formatNearest, listCriteria, matches } from '../../src/control/matching.ts'

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
  ['an object by some of its fields', { summary: 'Lunch with Bob' }],
  ['a nested object', { start: { timeZone: 'UTC' } }],
  ['any object by an empty one', { start: {} }],
  ['a person by address, in any order', { attendees: [{ email: 'bob@example.com', responseStatus: 'needsAction' }] }],
  ['an address in another case', { attendees: [{ email: 'Bob@Example.com' }] }],
  ['an element with an id by that id', { labels: [{ id: 'a', name: 'One' }] }],
  ['any one of several elements without an id', { reminders: { overrides: [{ minutes: 60 }] } }],
  ['an array by two of its elements', { recurrence: { contains: ['RRULE:FREQ=DAILY', 'EXDATE:20260310T120000Z'] } }],
  [
    'two elements of which the first also matches the other’s',
    { attendees: [{ responseStatus: { contains: 'e' } }, { email: 'alice@example.com' }] },
  ],
  ['one of several plain values', { recurrence: ['EXDATE:20260310T120000Z'] }],
  ['a missing field by null, and null by undefined', { location: null, description: undefined }],
  ['an instant in another notation', { start: { dateTime: '2026-03-09T13:00:00+01:00' } }],
  ['a missing array by an empty one', { attachments: [] }],
  ['a value by an asymmetric matcher', { summary: expect.stringContaining('Bob'), attendees: expect.any(Array) }],
  ['an element by an asymmetric matcher', { recurrence: [expect.stringMatching(/^RRULE/)] }],
  ['a text by a RegExp', { summary: /^Lunch/g }],
  ['a text by a part of it', { summary: { contains: 'with' } }],
  ['an array by one of its elements', { attendees: { contains: { responseStatus: 'accepted' } } }],
  ['an array by a list of one element', { recurrence: { contains: ['RRULE:FREQ=DAILY'] } }],
  ['a text by a pattern', { summary: { matches: '^Lunch' } }],
  ['a text by its start and its end', { summary: { startsWith: 'Lunch', endsWith: 'Bob' } }],
  ['a text by a RegExp with a lookahead', { summary: /Lunch(?= with)/ }],
  ['a text by a part and a pattern', { summary: { contains: 'Lunch', matches: 'Bob$' } }],
])('a criterion matches %s', (_, criterion) => {
  expect(listCriteria(criterion, LUNCH).filter(({ met }) => !met)).toEqual([])
}) // biome-ignore format: a table

test.each<[string, unknown]>([
  ['another instant', { start: { dateTime: '2026-03-09T13:00:00+02:00' } }],
  ['a wall clock without its offset', { start: { dateTime: '2026-03-09T12:00:00' } }],
  ['a text that contains it', { summary: 'Lunch' }],
  ['another response status', { attendees: [{ email: 'bob@example.com', responseStatus: 'accepted' }] }],
  ['a missing person', { attendees: [{ email: 'carol@example.com' }] }],
  ['a missing element', { recurrence: ['RRULE:FREQ=WEEKLY'] }],
  ['fields of different elements', { reminders: { overrides: [{ method: 'popup', minutes: 60 }] } }],
  [
    'one person by an address and by an answer',
    { attendees: [{ email: 'alice@example.com' }, { responseStatus: 'accepted' }] },
  ],
  ['one value by two patterns', { recurrence: [{ startsWith: 'RRULE' }, { contains: 'DAILY' }] }],
  ['an object by an array', { start: [] }],
  ['a non-empty array by an empty one', { attendees: [] }],
  ['a missing object', { end: {} }],
  ['an inherited property', { constructor: { name: 'Object' } }],
  ['a text without the part', { summary: { contains: 'Carol' } }],
  ['a text with another start', { summary: { startsWith: 'unch' } }],
  ['a text with another end', { summary: { endsWith: 'Bo' } }],
  ['a pattern that does not match', { summary: { matches: '^Bob' } }],
  ['a number by its digits', { reminders: { overrides: [{ minutes: { contains: '6' } }] } }],
  ['a missing text by a part of it', { location: { contains: 'o' } }],
  ['a missing text by its start', { location: { startsWith: 'Ro' } }],
  ['a missing text by its end', { location: { endsWith: 'm' } }],
  ['a missing text by a pattern', { location: { matches: '' } }],
  ['a missing text by a RegExp', { location: /n/ }],
  ['an array by a start', { recurrence: { startsWith: 'RRULE' } }],
  ['a text that meets one of two conditions', { summary: { startsWith: 'Lunch', endsWith: 'Carol' } }],
  ['an array with one of two elements', { recurrence: { contains: ['RRULE:FREQ=DAILY', 'RRULE:FREQ=WEEKLY'] } }],
  ['a person that is expected twice', { attendees: [{ email: 'bob@example.com' }, { email: 'Bob@example.com' }] }],
  ['a plain value that is expected twice', { recurrence: ['RRULE:FREQ=DAILY', 'RRULE:FREQ=DAILY'] }],
  ['an element without a key that is expected twice', { reminders: { overrides: [{ minutes: 5 }, { minutes: 5 }] } }],
  ['a number by an equal text', { reminders: { overrides: [{ minutes: '60' }] } }],
])('a criterion does not match %s', (_, criterion) => {
  expect(matches(criterion, LUNCH)).toBe(false)
})

test('a Date is compared as an instant', () => {
  const event = { start: { dateTime: '2026-03-02T10:00:00+01:00' }, days: ['2026-03-02T09:00:00Z'], date: '2026-03-02' }
  expect(matches({ start: { dateTime: new Date('2026-03-02T09:00:00Z') } }, event)).toBe(true)
  expect(matches({ days: [new Date('2026-03-02T09:00:00.000Z')] }, event)).toBe(true)
  expect(matches({ start: { dateTime: new Date('2026-03-02T09:00:00.001Z') } }, event)).toBe(false)
  expect(matches({ start: new Date('2026-03-02T09:00:00Z') }, event)).toBe(false)
  expect(matches({ date: new Date('2026-03-02') }, event)).toBe(false)
  expect(matches({ none: new Date('2026-03-02') }, event)).toBe(false)
  const [, line] = formatNearest('x', listCriteria({ start: { dateTime: new Date('2026-03-03T09:00:00Z') } }, event))
  expect(line).toBe('  start.dateTime: expected "2026-03-03T09:00:00.000Z", got "2026-03-02T10:00:00+01:00"')
})

test('a report has a line for each difference', () => {
  const criterion = { summary: /^Lunch/, attendees: [{ email: 'bob@example.com', responseStatus: 'accepted' }], location: expect.any(String) } // biome-ignore format: one line
  expect(formatNearest('event 1', listCriteria(criterion, LUNCH))).toEqual([
    'The nearest, event 1, differs in:',
    '  attendees[bob@example.com].responseStatus: expected "accepted", got "needsAction"',
    '  location: expected Any<String>, got none',
  ])
})

test('the report has the nearest of several elements without a key', () => {
  const lines = formatNearest('x', listCriteria({ overrides: [{ method: 'email', minutes: 30 }] }, LUNCH.reminders))
  expect(lines.slice(1)).toEqual(['  overrides[1].minutes: expected 30, got 60'])
})

test.each<[string, unknown, string]>([
  ['an invalid pattern', { a: [{ matches: '(' }] }, 'where.a[0].matches: "(" is not a valid RE2 pattern: error parsing regexp: missing closing ): `(`'],
  ['a pattern over the maximum length', { matches: 'x'.repeat(1001) }, `where.matches: "${'x'.repeat(1001)}" is not a valid RE2 pattern: a pattern has at most 1000 characters`],
  ['a pattern that is not a text', { a: { matches: 5 } }, 'where.a.matches: give a text'],
  ['a pattern with a lookahead', { a: { matches: 'x(?=y)' } }, 'where.a.matches: "x(?=y)" is not a valid RE2 pattern: error parsing regexp: invalid or unsupported Perl syntax: `(?=`'],
  ['a start that is not a text', { a: { startsWith: 5 } }, 'where.a.startsWith: give a text'],
  ['a Promise', { a: Promise.resolve(1) }, 'where.a: a Promise cannot be matched with: add await'],
  ['a function', { a: () => true }, 'where.a: a function cannot be matched with: give data, a regular expression or a matcher'],
  ['a Map', { a: new Map([['b', 1]]) }, 'where.a: a Map cannot be matched with: give an object or an array'],
  ['a Set', [new Set()], 'where[0]: a Set cannot be matched with: give an object or an array'],
  ['an invalid Date', { a: new Date('soon') }, 'where.a: not a valid Date'],
])('%s is an invalid criterion', (_, criterion, problem) => {
  expect(() => checkExpected(criterion, 'where')).toThrow(new RangeError(problem))
}) // biome-ignore format: a table

test('a report cuts long values, and names matchers, patterns and missing values', () => {
  const short = { asymmetricMatch: () => false, toString: () => 'Short' }
  const named = { ...short, toAsymmetricMatcher: () => 'Named<Text>' }
  const criterion = { a: 'x', b: null, c: short, d: [/y/g], e: 5n, f: named }
  const lines = formatNearest('x', listCriteria(criterion, { a: 'z'.repeat(300), b: 0, d: [], e: 5 }))

  expect(lines.slice(1)).toEqual([
    `  a: expected "x", got "${'z'.repeat(199)}…`,
    '  b: expected none, got 0',
    '  c: expected Short, got none',
    '  d[]: expected /y/g, got []',
    '  e: expected 5, got 5',
    '  f: expected Named<Text>, got none',
  ])
})
