import { expect, test } from 'vitest'
import { ALICE, BOB, CAROL, errorOf, openCalendar } from './calendar.ts'
import { invalid, NOT_FOUND, needsRole, newCalendar, share } from './sharing.ts'

/** The verb of an update. The tests below apply to both. */
type How = 'patch' | 'put'

export const RULE = `/calendars/primary/acl/user:${BOB}`
export const scope = { type: 'user', value: BOB }

/** Declares the tests of `acl.patch` or `acl.update`. */
export function testRuleWrites(verb: How): void {
  test('a new role is stored, with another etag', async () => {
    const { as } = openCalendar()
    const before = (await share(as(ALICE), 'primary', BOB, 'reader')).body

    const reply = await as(ALICE)[verb](`${RULE}?sendNotifications=false`, { scope, role: 'writer' })

    expect(reply.status).toBe(200)
    expect(Object.keys(reply.body)).toEqual(['kind', 'etag', 'id', 'scope', 'role'])
    expect(reply.body).toEqual({ ...before, etag: reply.body.etag, role: 'writer' })
    expect(reply.body.etag > before.etag).toBe(true)
    expect(reply.headers.get('ETag')).toBe(reply.body.etag)
  })

  test('an unchanged role keeps the etag', async () => {
    const { as } = openCalendar()
    const before = await share(as(ALICE), 'primary', BOB, 'reader')

    const reply = await as(ALICE)[verb](RULE, { scope, role: 'reader' })

    expect(reply.text).toBe(before.text)
  })

  test('an account can write its own rule without a change', async () => {
    const { as } = openCalendar()
    const path = `/calendars/primary/acl/user:${ALICE}`
    const before = await as(ALICE).get(path)

    const reply = await as(ALICE)[verb](path, { scope: { type: 'user', value: ALICE }, role: 'owner' })

    expect(reply).toMatchObject({ status: 200, text: before.text })
  })

  test('the role none deletes the rule', async () => {
    const { as } = openCalendar()
    await share(as(ALICE), 'primary', BOB, 'reader')

    const reply = await as(ALICE)[verb](RULE, { scope, role: 'none' })

    expect(reply).toMatchObject({ status: 200, body: { role: 'none' } })
    expect((await as(ALICE).get(RULE)).status).toBe(404)
    expect((await as(BOB).get(`/calendars/${ALICE}`)).status).toBe(404)
  })

  test.each([
    [
      { scope: { type: 'user', value: CAROL }, role: 'reader' },
      'Invalid Value: scope: the scope of a rule cannot be changed',
    ],
    [{ scope: { type: 'default' }, role: 'reader' }, 'Invalid Value: scope: the scope of a rule cannot be changed'],
    [{ scope, role: 'king' }, 'Missing role.', 'required'],
    [{ scope, role: true }, 'Invalid value'],
  ])('%j is refused and changes nothing', async (body, message, reason = 'invalid') => {
    const { as } = openCalendar()
    const before = await share(as(ALICE), 'primary', BOB, 'freeBusyReader')

    expect(errorOf(await as(ALICE)[verb](RULE, body))).toEqual({ ...invalid(message), reason })
    expect((await as(ALICE).get(RULE)).body).toEqual(before.body)
  })

  test('2.2.8, 15.7 the public cannot get the role writer', async () => {
    const { as } = openCalendar()
    await as(ALICE).post('/calendars/primary/acl', { role: 'reader', scope: { type: 'default' } })

    const reply = await as(ALICE)[verb]('/calendars/primary/acl/default', {
      scope: { type: 'default' },
      role: 'writer',
    })

    expect(errorOf(reply)).toMatchObject({ status: 400, domain: 'calendar', reason: 'illegalAccessRoleForDefault' })
  })

  test('2.2.8, 15.7 the data owner stays an owner, for themselves and for other owners', async () => {
    const { as } = openCalendar()
    const id = await newCalendar(as(ALICE))
    for (const calendarId of [id, ALICE]) await share(as(ALICE), calendarId, BOB, 'owner')
    const demote = (account: string, calendarId: string) =>
      as(account)[verb](`/calendars/${calendarId}/acl/user:${ALICE}`, {
        scope: { type: 'user', value: ALICE },
        role: 'reader',
      })

    expect(errorOf(await demote(ALICE, id)).reason).toBe('cannotChangeOwnAcl')
    expect(errorOf(await demote(BOB, id)).reason).toBe('cannotModifyAclOfCalendarOwner')
    expect(errorOf(await demote(BOB, ALICE))).toEqual({
      status: 403,
      domain: 'calendar',
      reason: 'cannotChangeOwnerAcl',
      message: "Cannot change access level of the calendar's owner.",
    })
  })

  test('an unknown rule is 404, as is a deleted one', async () => {
    const { as } = openCalendar()

    expect(errorOf(await as(ALICE)[verb](RULE, { scope, role: 'reader' }))).toEqual(NOT_FOUND)
    await share(as(ALICE), 'primary', BOB, 'reader')
    await share(as(ALICE), 'primary', BOB, 'none')
    expect(errorOf(await as(ALICE)[verb](RULE, { scope, role: 'reader' }))).toEqual(NOT_FOUND)
  })

  test('only an owner can write rules', async () => {
    const { as } = openCalendar()
    await share(as(ALICE), 'primary', BOB, 'writer')
    const write = (account: string) =>
      as(account)[verb](`/calendars/${ALICE}/acl/user:${BOB}`, { scope, role: 'owner' })

    expect(errorOf(await write(BOB))).toEqual(needsRole('owner'))
    expect(errorOf(await write(CAROL))).toEqual(NOT_FOUND)
  })
}
