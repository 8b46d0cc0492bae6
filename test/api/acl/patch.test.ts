import { expect, test } from 'vitest'
import { RULE, testRuleWrites } from '../../support/acl.writes.ts'
import { ALICE, BOB, CAROL, errorOf, openCalendar } from '../../support/calendar.ts'
import { invalid, share } from '../../support/sharing.ts'

testRuleWrites('patch')

test('a patch keeps a missing role and the missing parts of the scope', async () => {
  const { as } = openCalendar()
  const before = await share(as(ALICE), 'primary', BOB, 'reader')

  expect((await as(ALICE).patch(RULE, {})).text).toBe(before.text)
  expect((await as(ALICE).patch(RULE, { scope: { type: 'user' } })).text).toBe(before.text)
  expect(errorOf(await as(ALICE).patch(RULE, { scope: { value: CAROL } })).message).toBe(
    'Invalid Value: scope: the scope of a rule cannot be changed',
  )
})

test('a role of null counts as missing', async () => {
  const { as } = openCalendar()
  await share(as(ALICE), 'primary', BOB, 'reader')

  expect(errorOf(await as(ALICE).patch(RULE, { role: null }))).toEqual(invalid('Missing role.', undefined, 'required'))
})
