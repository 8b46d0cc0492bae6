import { expect, test } from 'vitest'
import { ALICE, BOB, CAROL, errorOf, openCalendar } from '../../support/calendar.ts'
import { NOT_FOUND, needsRole, newCalendar, share } from '../../support/sharing.ts'

test('15.13 the calendar leaves the list of an account that lost access, and stays on the list of one that keeps a role', async () => {
  const { as } = openCalendar()
  const id = await newCalendar(as(ALICE))
  for (const account of [BOB, CAROL]) await share(as(ALICE), id, account, 'reader')
  await as(ALICE).post(`/calendars/${id}/acl`, {
    role: 'freeBusyReader',
    scope: { type: 'domain', value: 'example.org' },
  })
  for (const account of [BOB, CAROL]) await as(account).post('/users/me/calendarList', { id })

  for (const account of [BOB, CAROL]) await as(ALICE).delete(`/calendars/${id}/acl/user:${account}`)

  expect((await as(BOB).get(`/users/me/calendarList/${id}`)).status).toBe(404)
  expect((await as(CAROL).get(`/users/me/calendarList/${id}`)).body.accessRole).toBe('freeBusyReader')
})

test('an account that regains access must list the calendar again', async () => {
  const { as } = openCalendar()
  const id = await newCalendar(as(ALICE))
  await share(as(ALICE), id, BOB, 'reader')
  await as(BOB).post('/users/me/calendarList', { id, summaryOverride: 'Ours' })
  await as(ALICE).delete(`/calendars/${id}/acl/user:${BOB}`)

  await share(as(ALICE), id, BOB, 'writer')

  expect((await as(BOB).get(`/users/me/calendarList/${id}`)).status).toBe(404)
  const { body } = await as(BOB).post('/users/me/calendarList', { id })
  expect(body).toMatchObject({ id, accessRole: 'writer' })
  expect(body.summaryOverride).toBeUndefined()
})

test('an owner can delete neither their own rule nor that of the data owner', async () => {
  const { as } = openCalendar()
  const id = await newCalendar(as(ALICE))
  await share(as(ALICE), id, BOB, 'owner')

  expect(errorOf(await as(ALICE).delete(`/calendars/${id}/acl/user:${ALICE}`)).reason).toBe('cannotChangeOwnAcl')
  expect(errorOf(await as(BOB).delete(`/calendars/${id}/acl/user:${ALICE}`)).reason).toBe(
    'cannotModifyAclOfCalendarOwner',
  )
})

test('2.2.8, 15.7 the last owner rule cannot be deleted', async () => {
  const { fake, as } = openCalendar()
  fake.seed({
    groups: [{ email: 'staff@example.com', members: [BOB] }],
    calendars: [
      {
        id: 'left@group.calendar.google.com',
        owner: CAROL,
        acl: [
          { scope: { type: 'user', value: CAROL }, role: 'reader' },
          { scope: { type: 'group', value: 'staff@example.com' }, role: 'owner' },
        ],
      },
    ],
  })

  const reply = await as(BOB).delete('/calendars/left@group.calendar.google.com/acl/group:staff@example.com')

  expect(errorOf(reply)).toEqual({
    status: 403,
    domain: 'calendar',
    reason: 'cannotRemoveLastCalendarOwnerFromAcl',
    message: 'Cannot remove the last owner of the calendar.',
  })
})

test('an insert of the last owner rule without changes is accepted', async () => {
  const { fake, as } = openCalendar()
  const staff = { scope: { type: 'group' as const, value: 'staff@example.com' }, role: 'owner' as const }
  const id = 'left@group.calendar.google.com'
  fake.seed({
    groups: [{ email: 'staff@example.com', members: [BOB] }],
    calendars: [{ id, owner: CAROL, acl: [{ scope: { type: 'user', value: CAROL }, role: 'reader' }, staff] }],
  })

  const reply = await as(BOB).post(`/calendars/${id}/acl`, staff)

  expect(reply).toMatchObject({ status: 200, body: staff })
})

test('one of two owners can be removed, and loses access', async () => {
  const { as } = openCalendar()
  const id = await newCalendar(as(ALICE))
  await share(as(ALICE), id, BOB, 'owner')
  await share(as(ALICE), id, CAROL, 'reader')

  expect((await as(ALICE).delete(`/calendars/${id}/acl/user:${BOB}`)).status).toBe(204)
  expect(errorOf(await as(BOB).get(`/calendars/${id}`))).toEqual(NOT_FOUND)
})

test('a writer cannot delete rules', async () => {
  const { as } = openCalendar()
  await share(as(ALICE), 'primary', BOB, 'writer')

  expect(errorOf(await as(BOB).delete(`/calendars/${ALICE}/acl/user:${BOB}`))).toEqual(needsRole('owner'))
})

test('a caller without access gets 404', async () => {
  const { as } = openCalendar()

  expect(errorOf(await as(BOB).delete(`/calendars/${ALICE}/acl/user:${ALICE}`))).toEqual(NOT_FOUND)
})
