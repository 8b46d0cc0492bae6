import { expect, test } from 'vitest'
import { ALICE, BOB, CAROL, errorOf, openCalendar, PEOPLE_WITH_ADMIN } from '../../support/calendar.ts'
import { invalid, NOT_FOUND, newCalendar, share } from '../../support/sharing.ts'

const transfer = (calendarId: string, heir: string) =>
  `/calendars/${calendarId}/transferOwnership?newDataOwner=${heir}&useAdminAccess=true`

test('15.5, 15.8 the new owner gets the calendar and its list entry, and the former owner stays an owner', async () => {
  const { as } = openCalendar({ seed: PEOPLE_WITH_ADMIN })
  const id = await newCalendar(as(ALICE))

  const reply = await as(ALICE).post(transfer(id, 'Bob@Example.com'))

  expect(reply).toMatchObject({ status: 204, text: '' })
  expect(reply.headers.get('Content-Length')).toBe('0')
  expect((await as(BOB).get(`/users/me/calendarList/${id}`)).body).toMatchObject({
    dataOwner: BOB,
    accessRole: 'owner',
    selected: true,
  })
  expect((await as(ALICE).get(`/users/me/calendarList/${id}`)).body).toMatchObject({
    dataOwner: BOB,
    accessRole: 'owner',
  })
  expect((await as(ALICE).delete(`/users/me/calendarList/${id}`)).status).toBe(204)
})

test('a transfer changes the etag of the calendar', async () => {
  const { as } = openCalendar({ seed: PEOPLE_WITH_ADMIN })
  const before = (await as(ALICE).post('/calendars', { summary: 'Team' })).body

  await as(ALICE).post(transfer(before.id, BOB))

  const { body } = await as(ALICE).get(`/calendars/${before.id}`)
  expect(body).toEqual({ ...before, etag: expect.stringMatching(/^"[\w-]{27}"$/), dataOwner: BOB })
  expect(body.etag).not.toBe(before.etag)
})

test('a transfer restores the entry that the new owner had deleted', async () => {
  const { as } = openCalendar({ seed: PEOPLE_WITH_ADMIN })
  const id = await newCalendar(as(ALICE))
  await share(as(ALICE), id, BOB, 'reader')
  await as(BOB).post('/users/me/calendarList', { id })
  await as(BOB).delete(`/users/me/calendarList/${id}`)

  await as(ALICE).post(transfer(id, BOB))

  expect((await as(BOB).get(`/users/me/calendarList/${id}`)).body.accessRole).toBe('owner')
})

test('a new owner who has an entry keeps its settings', async () => {
  const { as } = openCalendar({ seed: PEOPLE_WITH_ADMIN })
  const id = await newCalendar(as(ALICE))
  await share(as(ALICE), id, BOB, 'reader')
  await as(BOB).post('/users/me/calendarList', { id, summaryOverride: 'Theirs' })

  await as(ALICE).post(transfer(id, BOB))

  expect((await as(BOB).get(`/users/me/calendarList/${id}`)).body.summaryOverride).toBe('Theirs')
})

test('a transfer to the current owner changes nothing', async () => {
  const { fake, as } = openCalendar({ seed: PEOPLE_WITH_ADMIN })
  const id = await newCalendar(as(ALICE))
  const before = fake.state()

  expect((await as(ALICE).post(transfer(id, ALICE))).status).toBe(204)
  expect(fake.state()).toEqual(before)
})

const cannot = (problem: string) => ({
  status: 412,
  domain: 'global',
  reason: 'conditionNotMet',
  message: `Cannot transfer the ownership: ${problem}.`,
})

test('15.8 a primary calendar cannot be transferred', async () => {
  const { as } = openCalendar({ seed: PEOPLE_WITH_ADMIN })

  expect(errorOf(await as(ALICE).post(transfer('primary', BOB)))).toEqual(
    cannot('a primary calendar stays with its account'),
  )
})

test('15.8 a deleted calendar cannot be transferred', async () => {
  const { as } = openCalendar({ seed: PEOPLE_WITH_ADMIN })
  const id = await newCalendar(as(ALICE))
  await as(ALICE).delete(`/calendars/${id}`)
  expect(errorOf(await as(ALICE).post(transfer(id, BOB)))).toEqual(NOT_FOUND)
})

test('15.8 the new owner must have an account', async () => {
  const { as } = openCalendar({ seed: PEOPLE_WITH_ADMIN })
  const id = await newCalendar(as(ALICE))

  expect(errorOf(await as(ALICE).post(transfer(id, 'dora@example.com')))).toEqual(
    cannot('there is no account dora@example.com'),
  )
})

test('15.8 an administrator transfers a calendar of somebody else, without a role on it', async () => {
  const { as } = openCalendar({ seed: PEOPLE_WITH_ADMIN })
  const id = await newCalendar(as(BOB))

  expect((await as(ALICE).post(transfer(id, CAROL))).status).toBe(204)
  expect((await as(CAROL).get(`/calendars/${id}`)).body.dataOwner).toBe(CAROL)
  expect(errorOf(await as(ALICE).post(transfer('c_nothing@group.calendar.google.com', CAROL)))).toEqual(NOT_FOUND)
})

test.each([
  [`newDataOwner=${BOB}&useAdminAccess=false`, invalid('Invalid value for: useAdminAccess', 'useAdminAccess')],
  ['useAdminAccess=true', invalid('Required parameter: newDataOwner', 'newDataOwner', 'required')],
  [`newDataOwner=${BOB}`, invalid('Required parameter: useAdminAccess', 'useAdminAccess', 'required')],
  [
    `newDataOwner=${BOB}&useAdminAccess=maybe`,
    invalid("Invalid boolean value: 'maybe'.", 'useAdminAccess', 'invalidParameter'),
  ],
])('%s is refused', async (query, expected) => {
  const { as } = openCalendar({ seed: PEOPLE_WITH_ADMIN })
  const id = await newCalendar(as(ALICE))

  expect(errorOf(await as(ALICE).post(`/calendars/${id}/transferOwnership?${query}`))).toEqual(expected)
})

test('15.8 only an administrator can transfer a calendar, not its data owner', async () => {
  const { as } = openCalendar({ seed: PEOPLE_WITH_ADMIN })
  const id = await newCalendar(as(BOB))
  const before = (await as(BOB).get(`/calendars/${id}`)).body

  expect(errorOf(await as(BOB).post(transfer(id, CAROL)))).toMatchObject({ status: 403, reason: 'forbidden' })
  expect((await as(BOB).get(`/calendars/${id}`)).body).toEqual(before)
})
