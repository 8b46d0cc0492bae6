import { expect, test } from 'vitest'
import { RULE, scope, testRuleWrites } from '../../support/acl.writes.ts'
import { ALICE, BOB, errorOf, openCalendar } from '../../support/calendar.ts'
import { invalid, share } from '../../support/sharing.ts'

testRuleWrites('put')

test.each([
  [{ role: 'writer' }, 'Missing scope type.'],
  [{ role: 'writer', scope: { value: BOB } }, 'Missing scope type.'],
  [{ scope }, 'Missing role.'],
])('1.25, 3.6.3 a PUT with the incomplete rule %j is refused', async (body, message) => {
  const { as } = openCalendar()
  await share(as(ALICE), 'primary', BOB, 'reader')

  expect(errorOf(await as(ALICE).put(RULE, body))).toEqual(invalid(message, undefined, 'required'))
})
