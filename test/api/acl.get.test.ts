import { expect, test } from 'vitest'
import { ALICE, BOB, openCalendar, refusal } from '../support/calendar.ts'
import { NOT_FOUND, needsRole, newCalendar, PUBLIC, share } from '../support/sharing.ts'

// behaviour 15.6
test.each(['primary', 'secondary'])(
  'the rule by which a %s calendar owns itself has an etag of zeros',
  async (which) => {
    const { as } = openCalendar()
    const calendarId = which === 'primary' ? ALICE : await newCalendar(as(ALICE))

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

// behaviour 1.6, 3.6.3
test.each(['user%3Abob%40example.com', 'user:bob@example.com', 'user:BOB@Example.com'])(
  'a rule is found by %s',
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

// behaviour 3.6.1, 7.22
test('the public’s rule goes by default and shows an address', async () => {
  const { as } = openCalendar()
  await as(ALICE).post('/calendars/primary/acl', { role: 'reader', scope: { type: 'default' } })

  const { body } = await as(ALICE).get('/calendars/primary/acl/default')

  expect(body).toMatchObject({ id: 'default', scope: { type: 'default', value: PUBLIC }, role: 'reader' })
})

test('a version that the client has is answered with 304 and no body', async () => {
  const { as } = openCalendar()
  const { etag } = (await share(as(ALICE), 'primary', BOB, 'reader')).body

  const reply = await as(ALICE).get(`/calendars/primary/acl/user:${BOB}`, undefined, { 'If-None-Match': etag })

  expect(reply).toMatchObject({ status: 304, text: '' })
  expect(reply.headers.get('ETag')).toBe(etag)
})

test.each(['writer', 'owner'])('a %s may read rules', async (role) => {
  const { as } = openCalendar()
  await share(as(ALICE), 'primary', BOB, role)

  expect((await as(BOB).get(`/calendars/${ALICE}/acl/user:${ALICE}`)).status).toBe(200)
})

test.each(['freeBusyReader', 'reader'])('a %s may not', async (role) => {
  const { as } = openCalendar()
  await share(as(ALICE), 'primary', BOB, role)

  expect(refusal(await as(BOB).get(`/calendars/${ALICE}/acl/user:${ALICE}`))).toEqual(needsRole('writer'))
})

test('a rule that there is not is 404, and so is one on a calendar out of sight', async () => {
  const { as } = openCalendar()

  expect(refusal(await as(ALICE).get(`/calendars/primary/acl/user:${BOB}`))).toEqual(NOT_FOUND)
  expect(refusal(await as(BOB).get(`/calendars/${ALICE}/acl/user:${ALICE}`))).toEqual(NOT_FOUND)
})
