import { expect, test } from 'vitest'
import { ALICE, BOB, CAROL, errorOf, openCalendar } from '../../support/calendar.ts'
import { invalid, NOT_FOUND, needsRole, newCalendar, PUBLIC, share } from '../../support/sharing.ts'

test('3.6.1, 3.10 a new rule is returned whole, in the order of the service, with an etag of 20 digits', async () => {
  const { as } = openCalendar()

  const reply = await share(as(ALICE), 'primary', BOB, 'reader')

  expect(reply.status).toBe(200)
  expect(reply.headers.get('ETag')).toBe(reply.body.etag)
  expect(reply.body.etag).toMatch(/^"0{4}\d{16}"$/)
  expect(reply.text).toBe(`{
 "kind": "calendar#aclRule",
 "etag": ${JSON.stringify(reply.body.etag)},
 "id": "user:bob@example.com",
 "scope": {
  "type": "user",
  "value": "bob@example.com"
 },
 "role": "reader"
}
`)
})

test.each([
  [{ type: 'user', value: 'Bob@Example.com' }, 'user:bob@example.com', { type: 'user', value: 'bob@example.com' }],
  [{ type: 'user', value: 'bob@googlemail.com' }, 'user:bob@gmail.com', { type: 'user', value: 'bob@gmail.com' }],
  [
    { type: 'group', value: 'Staff@example.com' },
    'group:staff@example.com',
    { type: 'group', value: 'staff@example.com' },
  ],
  [{ type: 'domain', value: 'Example.org' }, 'domain:example.org', { type: 'domain', value: 'example.org' }],
  [{ type: 'default' }, 'default', { type: 'default', value: PUBLIC }],
  [{ type: 'default', value: PUBLIC }, 'default', { type: 'default', value: PUBLIC }],
])('3.6.1 a rule for %j has the id %s', async (scope, id, shown) => {
  const { as } = openCalendar()

  const { body } = await as(ALICE).post('/calendars/primary/acl', { role: 'reader', scope })

  expect(body).toMatchObject({ id, scope: shown, role: 'reader' })
})

test('the role none for a scope without a rule is 404, also after a deletion', async () => {
  const { as } = openCalendar()
  await share(as(ALICE), 'primary', CAROL, 'reader')
  await share(as(ALICE), 'primary', CAROL, 'none')

  expect(errorOf(await share(as(ALICE), 'primary', BOB, 'none'))).toEqual(NOT_FOUND)
  expect(errorOf(await share(as(ALICE), 'primary', CAROL, 'none'))).toEqual(NOT_FOUND)
})

test('14.11 an insert does not add the calendar to the grantee’s list', async () => {
  const { as } = openCalendar()
  const id = await newCalendar(as(ALICE))

  await share(as(ALICE), id, BOB, 'writer')

  expect((await as(BOB).get(`/users/me/calendarList/${id}`)).status).toBe(404)
})

test('an account that is created later gets the access of an earlier rule', async () => {
  const { as } = openCalendar()
  const id = await newCalendar(as(ALICE))

  await share(as(ALICE), id, 'dora@example.com', 'reader')

  expect((await as('dora@example.com').get(`/calendars/${id}`)).status).toBe(200)
})

test.each([
  ['a user', { type: 'user', value: BOB }, 'writer', 'writer'],
  ['a group with that member', { type: 'group', value: 'staff@example.com' }, 'reader', 'reader'],
  ['the account’s domain', { type: 'domain', value: 'example.com' }, 'freeBusyReader', 'freeBusyReader'],
  ['everybody', { type: 'default' }, 'reader', 'reader'],
])('15.12 a rule for %s grants its role', async (_, scope, role, effective) => {
  const { fake, as } = openCalendar()
  fake.seed({ groups: [{ email: 'staff@example.com', members: [BOB] }] })
  const id = await newCalendar(as(ALICE))

  await as(ALICE).post(`/calendars/${id}/acl`, { scope, role })

  const { body } = await as(BOB).post('/users/me/calendarList', { id })
  expect(body.accessRole).toBe(effective)
})

test('15.12 the highest role of several rules counts, in any order', async () => {
  const { fake, as } = openCalendar()
  fake.seed({ groups: [{ email: 'Staff@example.com', members: ['Bob@example.com'] }] })
  const id = await newCalendar(as(ALICE))
  for (const [type, value, role] of [
    ['default', undefined, 'reader'],
    ['domain', 'example.com', 'freeBusyReader'],
    ['group', 'staff@example.com', 'writerWithoutPrivateAccess'],
    ['user', BOB, 'freeBusyReader'],
  ]) {
    await as(ALICE).post(`/calendars/${id}/acl`, { role, scope: { type, value } })
  }

  const list = async (account: string) => (await as(account).post('/users/me/calendarList', { id })).body.accessRole

  expect(await list(BOB)).toBe('writerWithoutPrivateAccess')
  expect(await list(CAROL)).toBe('reader')
})

test.each<[object, object]>([
  [{ scope: { type: 'user', value: BOB } }, invalid('Missing role.', undefined, 'required')],
  [{ role: 'reader' }, invalid('Missing scope type.', undefined, 'required')],
  [{ role: 'reader', scope: { value: BOB } }, invalid('Missing scope type.', undefined, 'required')],
  [{ role: 'king', scope: { type: 'user', value: BOB } }, invalid('Missing role.', undefined, 'required')],
  [{ role: 'reader', scope: { type: 'team', value: BOB } }, invalid('Missing scope type.', undefined, 'required')],
  [{ role: {}, scope: { type: 'user', value: BOB } }, invalid('Invalid value')],
  [{ role: 'reader', scope: 'default' }, invalid('Invalid value')],
  ...[
    { type: 'user' },
    { type: 'user', value: 'bob' },
    { type: 'user', value: 'my bob@example.com' },
    { type: 'user', value: 'bob@example.com too' },
    { type: 'group', value: '' },
    { type: 'domain', value: 'a@example.com' },
    { type: 'domain', value: 'my example.com' },
    { type: 'domain', value: 'example.com too' },
  ].map((scope): [object, object] => [
    { role: 'reader', scope },
    { status: 400, domain: 'calendar', reason: 'invalidScopeValue', message: 'Invalid scope value.' },
  ]),
  ...['writer', 'writerWithoutPrivateAccess', 'owner'].map((role): [object, object] => [
    { role, scope: { type: 'default' } },
    {
      status: 400,
      domain: 'calendar',
      reason: 'illegalAccessRoleForDefault',
      message: 'The access role is not allowed for the default scope.',
    },
  ]),
])('%j is refused, and no rule is stored', async (body, expected) => {
  const { fake, as } = openCalendar()
  const before = fake.state()

  expect(errorOf(await as(ALICE).post('/calendars/primary/acl', body))).toEqual(expected)
  expect(fake.state()).toEqual(before)
})

test('an account cannot change its own access to any role', async () => {
  const { as } = openCalendar()
  const id = await newCalendar(as(ALICE))
  await share(as(ALICE), id, BOB, 'owner')

  expect(errorOf(await share(as(BOB), id, 'BOB@example.com', 'reader'))).toEqual({
    status: 403,
    domain: 'calendar',
    reason: 'cannotChangeOwnAcl',
    message: 'Cannot change your own access level.',
  })
})

test('another owner cannot change the access of the data owner', async () => {
  const { as } = openCalendar()
  const id = await newCalendar(as(ALICE))
  await share(as(ALICE), id, BOB, 'owner')
  await share(as(ALICE), 'primary', BOB, 'owner')

  expect(errorOf(await share(as(BOB), id, ALICE, 'reader'))).toMatchObject({
    status: 403,
    domain: 'calendar',
    reason: 'cannotModifyAclOfCalendarOwner',
  })
  expect(errorOf(await share(as(BOB), ALICE, ALICE, 'reader'))).toMatchObject({
    status: 403,
    domain: 'calendar',
    reason: 'cannotChangeOwnerAcl',
  })
})

test.each(['freeBusyReader', 'reader', 'writer'])('1.2 a %s cannot write rules', async (role) => {
  const { as } = openCalendar()
  await share(as(ALICE), 'primary', BOB, role)

  expect(errorOf(await share(as(BOB), ALICE, CAROL, 'reader'))).toEqual(needsRole('owner'))
})

test('a caller without access gets 404', async () => {
  const { as } = openCalendar()

  expect(errorOf(await share(as(BOB), ALICE, CAROL, 'reader'))).toEqual(NOT_FOUND)
})
