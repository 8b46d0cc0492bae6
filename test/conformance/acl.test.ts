import { expect, test } from 'vitest'
import {
  AS_GUEST,
  calendarId,
  createCalendar,
  createEvent,
  del,
  get,
  guestEmail,
  guestTest,
  hour,
  listAll,
  ownerEmail,
  patch,
  post,
  remove,
  removeLater,
  thisWeek,
  useCalendar,
} from './calendar.ts'
import { absent, contains, exactKeys, expectError, expectOk, expectStatus, text } from './expect.ts'

/** Suppresses mail about rules. The addresses are of a reserved domain. */
const QUIET = { query: { sendNotifications: false } }
const PUBLIC = { role: 'reader', scope: { type: 'default' } }

/** Gives the second account a role for this test. */
async function shareCalendar(role: string): Promise<void> {
  const rule = await expectOk(post('acl', { role, scope: { type: 'user', value: guestEmail() } }, QUIET))
  removeLater(`acl/${rule.id}`)
}

useCalendar()

test('3.6.3, 2.2.8 a rule with an unknown type of scope is rejected', () =>
  expectError(post('acl', { role: 'reader', scope: { type: 'planet' } }, QUIET), 400, {
    reason: 'required',
    message: 'Missing scope type.',
  }))

test('3.6.1, 3.6.3 a rule for the public has its own id and scope', async () => {
  const answer = await post('acl', PUBLIC, QUIET)
  await expectOk(answer, exactKeys('kind', 'etag', 'id', 'scope', 'role'))
  await expectOk(answer, {
    kind: 'calendar#aclRule',
    id: 'default',
    role: 'reader',
    scope: { type: 'default', value: '__public_principal__@public.calendar.google.com' },
  })
})

test('3.6.4, 1.8 DELETE removes a rule, which is 404 afterwards', async () => {
  await expectOk(post('acl', PUBLIC, QUIET))
  await expectStatus(del('acl/default'), 204)
  await expectError(get('acl/default'), 404, { reason: 'notFound' })
})

test('3.6.3, 15.12 the role none removes a rule', async () => {
  await expectOk(post('acl', PUBLIC, QUIET))
  await expectOk(patch('acl/default', { role: 'none' }, QUIET))
  await expectStatus(get('acl/default'), 404)
})

test('5.18, 5.6, 3.6.4 a delta of rules contains a removed rule with the role none', async () => {
  await expectOk(post('acl', PUBLIC, QUIET))
  const { last } = await listAll('acl')
  await remove('acl/default')
  const delta = await get('acl', { syncToken: last.nextSyncToken })
  await expectOk(delta, { kind: 'calendar#acl', items: contains({ id: 'default', role: 'none' }), nextSyncToken: text })
})

test('3.6.5 a rule id without a scope type is rejected', () => expectError(get('/calendars/primary/acl/nobody'), 400))

test('3.6.3, 11.2 a rule id may be escaped in a path', async () => {
  const me = ownerEmail()
  await expectOk(get(`acl/user:${me}`), { role: 'owner' })
  await expectOk(get(`acl/${encodeURIComponent(`user:${me}`)}`), { role: 'owner' })
})

test('3.6.1, 3.3 a list of rules has the envelope of a list and a nextSyncToken', async () => {
  await expectOk(get('acl'), { kind: 'calendar#acl', etag: text, nextPageToken: absent, nextSyncToken: text })
})

test('15.7, 2.2.8 the rule of the caller cannot be changed', () =>
  expectError(patch(`acl/user:${ownerEmail()}`, { role: 'reader' }, QUIET), 403, { domain: 'calendar' }))

test('15.7, 2.2.8 a rule that lets everyone write is rejected', () =>
  expectError(post('acl', { ...PUBLIC, role: 'writer' }, QUIET), 400, { reason: 'illegalAccessRoleForDefault' }))

test('2.2.8 a rule whose scope is not an address is rejected', () =>
  expectError(post('acl', { role: 'reader', scope: { type: 'user', value: 'nobody' } }, QUIET), 400, {
    reason: 'invalidScopeValue',
  }))

test('3.6.4 a rule that does not exist is 404', () =>
  expectError(del('acl/user:nobody@example.com'), 404, { reason: 'notFound' }))

test('1.25, 3.6.3 a rule without a scope is rejected', () => expectError(post('acl', { role: 'reader' }, QUIET), 400))

test('15.6.1, 3.6.1 a secondary calendar has two rules of the role owner: of itself and of its creator', async () => {
  const id = calendarId()
  const rule = (value: string) => ({ id: `user:${value}`, role: 'owner', scope: { type: 'user', value } })
  await expectOk(get(`/calendars/${id}/acl`), { items: contains(rule(id), rule(ownerEmail())) })
})

test('15.6, 3.10 the owner’s rule of a primary calendar has an etag of zeros', async () => {
  const me = ownerEmail()
  await expectOk(get(`/calendars/primary/acl/user:${me}`), { role: 'owner', etag: '"00000000000000000000"' })
})

guestTest('7.6, 1.2 a writer sees private events and may write', async () => {
  await shareCalendar('writer')
  const { id } = await expectOk(post('events', { ...hour(9), summary: 'Secret', visibility: 'private' }))
  await expectOk(get('events', thisWeek(), AS_GUEST), { accessRole: 'writer', items: [{ id, summary: 'Secret' }] })
  await expectOk(patch(`events/${id}`, { summary: 'Changed' }, AS_GUEST), { summary: 'Changed' })
})

test('5.3.1 a list of rules is ordered by the last change, oldest first', async () => {
  const path = `/calendars/${await createCalendar()}/acl`
  for (const value of ['zoe', 'adam'])
    await expectOk(post(path, { role: 'reader', scope: { type: 'user', value: `${value}@example.com` } }, QUIET))
  const { items } = await listAll(path)
  const found = items.map(({ id }) => id.replace(/^user:(zoe|adam)@.*/, '$1')).filter((id) => id.length < 5)
  expect(found.join()).toBe('zoe,adam')
})

test('15.6.1 the rule of the creator of a calendar has its own etag', async () => {
  const [id, me] = [calendarId(), ownerEmail()]
  await expectOk(get('acl'), {
    items: contains(
      { id: `user:${id}`, etag: '"00000000000000000000"' },
      { id: `user:${me}`, role: 'owner', etag: /^"(?!0{20})\d{20}"$/ },
    ),
  })
})

test('1.25, 3.6.3 a rule without a role is rejected', () =>
  expectError(post('acl', { scope: { type: 'default' } }, QUIET), 400))

test('1.25, 2.2.8 a rule for a user without an address is rejected', () =>
  expectError(post('acl', { role: 'reader', scope: { type: 'user' } }, QUIET), 400))

test('2.2.4 the rules of a calendar that does not exist are 404', () =>
  expectError(get('/calendars/fake-calendar-nobody@group.calendar.google.com/acl'), 404, { reason: 'notFound' }))

test('1.11, 5.5 rules are listed in pages', async () => {
  const path = `/calendars/${await createCalendar()}/acl`
  const { items, pages } = await listAll(path, { maxResults: 1 })
  expect([items.length, pages]).toEqual([2, 2])
})

guestTest('1.2, 2.2.8 a reader may not write', async () => {
  await shareCalendar('reader')
  const { id } = await createEvent()
  const denied = { domain: 'calendar', reason: 'requiredAccessLevel' }
  await expectOk(get(`events/${id}`, {}, AS_GUEST), { id })
  await expectError(post('events', hour(10), AS_GUEST), 403, denied)
  await expectError(patch(`events/${id}`, { summary: 'Changed' }, AS_GUEST), 403, denied)
  await expectError(del(`events/${id}`, AS_GUEST), 403, denied)
  await expectError(get('acl', {}, AS_GUEST), 403)
})
