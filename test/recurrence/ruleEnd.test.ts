import { expect, test } from 'vitest'
import { splitRuleEnd, withRuleEnd } from '../../src/recurrence/rule.ts'

test.each([
  ['RRULE:FREQ=DAILY', { rest: 'RRULE:FREQ=DAILY' }],
  ['RRULE:FREQ=DAILY;COUNT=3;INTERVAL=2', { rest: 'RRULE:FREQ=DAILY;INTERVAL=2', count: '3' }],
  ['RRULE:COUNT=3;FREQ=DAILY;', { rest: 'RRULE:FREQ=DAILY', count: '3' }],
  ['rrule:freq=daily;until=20260301T000000z', { rest: 'rrule:freq=daily', until: '20260301T000000z' }],
  ['EXRULE:UNTIL=20260301;FREQ=DAILY', { rest: 'EXRULE:FREQ=DAILY', until: '20260301' }],
  ['FREQ=DAILY;COUNT=3', { rest: 'FREQ=DAILY', count: '3' }],
])('%s is split at its end', (rule, split) => {
  expect(splitRuleEnd(rule)).toEqual(split)
})

test('the end of a rule is replaced', () => {
  const rule = 'RRULE:COUNT=3;FREQ=DAILY'
  expect(withRuleEnd(rule, { count: 2 })).toBe('RRULE:FREQ=DAILY;COUNT=2')
  expect(withRuleEnd(rule, { until: '20260301T000000Z' })).toBe('RRULE:FREQ=DAILY;UNTIL=20260301T000000Z')
})
