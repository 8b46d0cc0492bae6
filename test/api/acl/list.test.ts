import { expect, test } from 'vitest'
import { ALICE, BOB, CAROL, errorOf, openCalendar, PEOPLE_WITH_ADMIN } from '../../support/calendar.ts'
import { EXPIRED, invalid, NOT_FOUND, needsRole, newCalendar, share } from '../../support/sharing.ts'

const RULES = '/calendars/primary/acl'
const rolesIn = (items: { id: string; role: string }[]) => items.map(({ id, role }) => `${id} ${role}`)

test('writes between pages neither repeat nor lose a rule, and the next sync returns them', async () => {
  const { as } = openCalendar()
  for (const account of [BOB, CAROL]) await share(as(ALICE), 'primary', account, 'reader')
  const first = (await as(ALICE).get(`${RULES}?maxResults=2`)).body

  await as(ALICE).delete(`${RULES}/user:${BOB}`)
  await share(as(ALICE), 'primary', CAROL, 'writer')
  await share(as(ALICE), 'primary', 'dora@example.com', 'reader')
  const last = (await as(ALICE).get(`${RULES}?pageToken=${encodeURIComponent(first.nextPageToken)}`)).body

  expect(rolesIn(last.items)).toEqual([`user:${CAROL} reader`])
  const sync = (await as(ALICE).get(`${RULES}?syncToken=${last.nextSyncToken}`)).body
  expect(rolesIn(sync.items)).toEqual([`user:${BOB} none`, `user:${CAROL} writer`, 'user:dora@example.com reader'])
})

test('5.7, 5.13 a sync has pages too', async () => {
  const { as } = openCalendar()
  const { nextSyncToken } = (await as(ALICE).get(RULES)).body
  for (const account of [BOB, CAROL]) await share(as(ALICE), 'primary', account, 'reader')
  const sync = `${RULES}?syncToken=${nextSyncToken}&maxResults=1`

  const first = (await as(ALICE).get(sync)).body
  const last = (await as(ALICE).get(`${sync}&pageToken=${encodeURIComponent(first.nextPageToken)}`)).body

  expect(rolesIn(first.items)).toEqual([`user:${BOB} reader`])
  expect(rolesIn(last.items)).toEqual([`user:${CAROL} reader`])
  expect(last.nextSyncToken).toMatch(/^\d{20}$/)
})

test.each([
  [
    'maxResults=0',
    invalid("Invalid value '0'. Values must be within the range: [1, 2147483647]", 'maxResults', 'invalidParameter'),
  ],
  [
    'maxResults=-1',
    invalid("Invalid value '-1'. Values must be within the range: [1, 2147483647]", 'maxResults', 'invalidParameter'),
  ],
  ['maxResults=ten', invalid("Invalid integer value: 'ten'.", 'maxResults', 'invalidParameter')],
  ['showDeleted=yes', invalid("Invalid boolean value: 'yes'.", 'showDeleted', 'invalidParameter')],
  ['syncToken=garbage', invalid('Invalid sync token value.', 'syncToken')],
  ['pageToken=garbage', invalid('Invalid page token value.', 'pageToken')],
  [
    'syncToken=00001772366400000999&showDeleted=false',
    invalid('Sync token cannot be used with showDeleted.', 'showDeleted'),
  ],
])('%s is refused', async (query, expected) => {
  const { as } = openCalendar()

  expect(errorOf(await as(ALICE).get(`${RULES}?${query}`))).toEqual(expected)
})

test('a page token of one list is invalid for another', async () => {
  const { as } = openCalendar()
  await share(as(ALICE), 'primary', BOB, 'owner')
  const { nextPageToken } = (await as(ALICE).get(`${RULES}?maxResults=1`)).body

  const reply = await as(BOB).get(`${RULES}?pageToken=${encodeURIComponent(nextPageToken)}`)

  expect(errorOf(reply)).toEqual(invalid('Invalid page token value.', 'pageToken'))
})

test('a sync token expires on request and after a month', async () => {
  const { fake, as } = openCalendar()
  const token = async () => (await as(ALICE).get(RULES)).body.nextSyncToken
  const sync = (syncToken: string) => as(ALICE).get(`${RULES}?syncToken=${syncToken}`)
  const before = await token()

  await as(ALICE).post('/_control/syncTokens/expire')
  const after = await token()

  expect(errorOf(await sync(before))).toEqual(EXPIRED)
  expect((await sync(after)).status).toBe(200)
  fake.clock.advance('31d')
  expect(errorOf(await sync(after))).toEqual(EXPIRED)
})

test('a sync returns the rule of an account that becomes data owner', async () => {
  const { as } = openCalendar({ seed: PEOPLE_WITH_ADMIN })
  const id = await newCalendar(as(ALICE))
  const { nextSyncToken } = (await as(ALICE).get(`/calendars/${id}/acl`)).body

  await as(ALICE).post(`/calendars/${id}/transferOwnership?newDataOwner=${BOB}&useAdminAccess=true`)

  const sync = (await as(ALICE).get(`/calendars/${id}/acl?syncToken=${nextSyncToken}`)).body
  expect(rolesIn(sync.items)).toEqual([`user:${BOB} owner`])
})

test('1.2 a writer can read the rules and a reader cannot', async () => {
  const { as } = openCalendar()
  await share(as(ALICE), 'primary', BOB, 'writer')
  await share(as(ALICE), 'primary', CAROL, 'reader')

  expect((await as(BOB).get(`/calendars/${ALICE}/acl`)).status).toBe(200)
  expect(errorOf(await as(CAROL).get(`/calendars/${ALICE}/acl`))).toEqual(needsRole('writer'))
  expect(errorOf(await as('dora@example.com').get(`/calendars/${ALICE}/acl`))).toEqual(NOT_FOUND)
})
