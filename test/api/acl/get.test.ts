import { expect, test } from 'vitest'
import { ALICE, BOB, errorOf, openCalendar } from '../../support/calendar.ts'
import { needsRole, newCalendar, share } from '../../support/sharing.ts'

test.each(['primary', 'secondary'])(
  '15.6 the owner rule of a %s calendar for its own address has an etag of zeros',
  async (kind) => {
    const { as } = openCalendar()
    const calendarId = kind === 'primary' ? ALICE : await newCalendar(as(ALICE))

    const reply = await as(ALICE).get(`/calendars/${calendarId}/acl/user:${calendarId}`)

    expect(reply.status).toBe(200)
    expect(reply.headers.get('ETag')).toBe('"00000000000000000000"')
    expect(reply.text).toBe(`{
 "kind": "calendar#aclRule",
 "etag": "\\"00000000000000000000\\"",
 "id": "user:${calendarId}",
 "scope": {
  "type": "user",
  "value": "${calendarId}"
 },
 "role": "owner"
}
`)
  },
)

test.each(['user%3Abob%40example.com', 'user:bob@example.com', 'user:BOB@Example.com'])(
  '1.6, 3.6.3 a rule is found by the id %s',
  async (ruleId) => {
    const { as } = openCalendar()
    const { body } = await share(as(ALICE), 'primary', BOB, 'reader')

    expect((await as(ALICE).get(`/calendars/primary/acl/${ruleId}`)).body).toEqual(body)
  },
)

test('a rule for a googlemail address is found by that address', async () => {
  const { as } = openCalendar()
  await share(as(ALICE), 'primary', 'dora@googlemail.com', 'reader')

  expect((await as(ALICE).get('/calendars/primary/acl/user:dora@googlemail.com')).body.id).toBe('user:dora@gmail.com')
})

test.each(['writer', 'owner'])('a %s can read rules', async (role) => {
  const { as } = openCalendar()
  await share(as(ALICE), 'primary', BOB, role)

  expect((await as(BOB).get(`/calendars/${ALICE}/acl/user:${ALICE}`)).status).toBe(200)
})

test.each(['freeBusyReader', 'reader'])('a %s cannot read rules', async (role) => {
  const { as } = openCalendar()
  await share(as(ALICE), 'primary', BOB, role)

  expect(errorOf(await as(BOB).get(`/calendars/${ALICE}/acl/user:${ALICE}`))).toEqual(needsRole('writer'))
})

test.each(['alice', 'user', 'user:', 'friend:bob@example.com', 'defaults', 'default:x'])(
  '3.6.5 every method refuses the malformed rule id %s with 400',
  async (id) => {
    const { as } = openCalendar()
    const path = `/calendars/primary/acl/${id}`
    const malformed = { status: 400, domain: 'global', reason: 'invalid', message: 'Invalid resource id value.' }

    expect(errorOf(await as(ALICE).get(path))).toEqual(malformed)
    expect(errorOf(await as(ALICE).patch(path, { role: 'reader' }))).toEqual(malformed)
    expect(errorOf(await as(ALICE).delete(path))).toEqual(malformed)
  },
)
