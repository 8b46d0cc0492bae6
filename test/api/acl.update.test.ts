import { expect, test } from 'vitest'
import { RULE, ruleWrites, scope } from '../support/acl.writes.ts'
import { ALICE, BOB, openCalendar, refusal } from '../support/calendar.ts'
import { invalid, share } from '../support/sharing.ts'

ruleWrites('put')

// behaviour 1.25, 3.6.3
test.each([
  [{ role: 'writer' }, 'Missing scope type.'],
  [{ role: 'writer', scope: { value: BOB } }, 'Missing scope type.'],
  [{ scope }, 'Missing role.'],
])('%j is not a whole rule', async (body, message) => {
  const { as } = openCalendar()
  await share(as(ALICE), 'primary', BOB, 'reader')

  expect(refusal(await as(ALICE).put(RULE, body))).toEqual(invalid(message, undefined, 'required'))
})
