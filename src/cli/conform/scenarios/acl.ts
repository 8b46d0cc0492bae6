import { expectError, expectOk, expectStatus, expectTrue } from '../expect.ts'
import { absent, contains, exactKeys, text } from '../matchers.ts'
import { errorScenarios, type ScenarioGroup, scenario } from '../scenario.ts'

/** Suppresses mail about rules. The addresses are of a reserved domain. */
const QUIET = { query: { sendNotifications: false } }
const PUBLIC = { role: 'reader', scope: { type: 'default' } }

export const rules: ScenarioGroup = {
  name: 'acl',
  scenarios: [
    scenario('a rule for the public has its own id and scope', '3.6.1, 3.6.3', async (kit) => {
      const answer = await kit.post(await kit.aclPath(), PUBLIC, QUIET)
      expectOk(answer, exactKeys('kind', 'etag', 'id', 'scope', 'role'))
      expectOk(answer, {
        kind: 'calendar#aclRule',
        id: 'default',
        role: 'reader',
        scope: { type: 'default', value: '__public_principal__@public.calendar.google.com' },
      })
    }),
    scenario('the etag of a rule has 20 digits and is the header ETag', '3.10, 11.5', async (kit) => {
      const answer = await kit.post(await kit.aclPath(), PUBLIC, QUIET)
      const { etag } = expectOk(answer, { etag: /^"\d{20}"$/ })
      expectTrue(
        answer.headers.get('ETag') === etag,
        `the header ETag is ${answer.headers.get('ETag')}, the body’s ${etag}`,
      )
    }),
    scenario('an insert for a scope that has a rule replaces its role', '3.6.3', async (kit) => {
      const path = await kit.aclPath()
      await kit.require(kit.post(path, PUBLIC, QUIET))
      expectOk(await kit.post(path, { ...PUBLIC, role: 'freeBusyReader' }, QUIET), {
        id: 'default',
        role: 'freeBusyReader',
      })
      expectOk(await kit.get(`${path}/default`), { role: 'freeBusyReader' })
    }),
    scenario('an insert for a person who has a rule replaces its role', '3.6.3', async (kit) => {
      const path = await kit.aclPath()
      const scope = { type: 'user', value: 'zoe@example.com' }
      const { id } = await kit.require(kit.post(path, { role: 'reader', scope }, QUIET))
      expectOk(await kit.post(path, { role: 'writer', scope }, QUIET), { id, role: 'writer' })
      const { items } = await kit.listAll(path)
      const roles = items.filter((item) => item.id === id).map(({ role }) => role)
      expectTrue(roles.join() === 'writer', `the rules of ${id} have the roles ${roles}`)
    }),
    scenario('DELETE removes a rule, which is 404 afterwards', '3.6.4, 1.8', async (kit) => {
      const path = await kit.aclPath()
      await kit.require(kit.post(path, PUBLIC, QUIET))
      expectStatus(await kit.delete(`${path}/default`), 204)
      expectError(await kit.get(`${path}/default`), { status: 404, reason: 'notFound' })
    }),
    scenario('the role none removes a rule', '3.6.3, 15.12', async (kit) => {
      const path = await kit.aclPath()
      await kit.require(kit.post(path, PUBLIC, QUIET))
      expectOk(await kit.patch(`${path}/default`, { role: 'none' }, QUIET))
      expectStatus(await kit.get(`${path}/default`), 404)
    }),
    scenario('a delta of rules contains a removed rule with the role none', '5.18, 5.6, 3.6.4', async (kit) => {
      const path = await kit.aclPath()
      await kit.require(kit.post(path, PUBLIC, QUIET))
      const { last } = await kit.listAll(path)
      await kit.require(kit.delete(`${path}/default`))
      const delta = await kit.get(path, { syncToken: last.nextSyncToken })
      expectOk(delta, { kind: 'calendar#acl', items: contains({ id: 'default', role: 'none' }), nextSyncToken: text })
    }),
    scenario('a removed rule is listed only with showDeleted=true', '3.6.4', async (kit) => {
      const path = await kit.aclPath()
      await kit.require(kit.post(path, PUBLIC, QUIET))
      await kit.require(kit.delete(`${path}/default`))
      const { items } = await kit.listAll(path)
      expectTrue(!items.some(({ id }) => id === 'default'), 'a removed rule is on the plain list')
      expectOk(await kit.get(path, { showDeleted: true }), { items: contains({ id: 'default', role: 'none' }) })
    }),
    ...errorScenarios([
      [
        'a rule id without a scope type is rejected',
        '3.6.5',
        'GET',
        '/calendars/primary/acl/nobody',
        undefined,
        { status: 400 },
      ],
    ]),
    scenario('a rule id may be escaped in a path', '3.6.3, 11.2', async (kit) => {
      const path = await kit.aclPath()
      const me = await kit.ownerEmail()
      expectOk(await kit.get(`${path}/user:${me}`), { role: 'owner' })
      expectOk(await kit.get(`${path}/${encodeURIComponent(`user:${me}`)}`), { role: 'owner' })
    }),
    scenario('a list of rules has the envelope of a list and a nextSyncToken', '3.6.1, 3.3', async (kit) => {
      expectOk(await kit.get(await kit.aclPath()), {
        kind: 'calendar#acl',
        etag: text,
        nextPageToken: absent,
        nextSyncToken: text,
      })
    }),
    scenario(
      'an account reads only what its role allows',
      '1.2, 2.2.8, 15.12',
      async (kit) => {
        const path = await kit.aclPath()
        const events = await kit.eventsPath()
        const value = await kit.guestEmail()
        expectStatus(await kit.get(events, {}, { as: 'guest' }), 404)
        await kit.require(kit.post(path, { role: 'reader', scope: { type: 'user', value } }, QUIET))
        kit.onCleanUp(() => kit.delete(`${path}/user:${value}`))
        expectOk(await kit.get(events, {}, { as: 'guest' }), { accessRole: 'reader' })
        const write = await kit.post(events, kit.hour(9), { as: 'guest' })
        expectError(write, {
          status: 403,
          domain: 'calendar',
          reason: 'requiredAccessLevel',
          message: 'You need to have writer access to this calendar.',
        })
      },
      'guest',
    ),
    scenario(
      'a freeBusyReader sees events as busy, without details',
      '7.6',
      async (kit) => {
        const path = await kit.aclPath()
        const value = await kit.guestEmail()
        const { id } = await kit.createEvent({ summary: 'Secret', location: 'Here' })
        await kit.require(kit.post(path, { role: 'freeBusyReader', scope: { type: 'user', value } }, QUIET))
        kit.onCleanUp(() => kit.delete(`${path}/user:${value}`))
        const seen = await kit.get(await kit.eventsPath(), kit.week(), { as: 'guest' })
        const block = {
          id,
          visibility: 'private',
          status: 'confirmed',
          summary: absent,
          location: absent,
          creator: absent,
        }
        expectOk(seen, { accessRole: 'freeBusyReader', defaultReminders: [], items: [block] })
      },
      'guest',
    ),
    ...errorScenarios([
      [
        'the rule of the caller cannot be changed',
        '15.7, 2.2.8',
        'PATCH',
        async (kit) => `${await kit.aclPath()}/user:${await kit.ownerEmail()}`,
        () => ({ body: { role: 'reader' }, ...QUIET }),
        { status: 403, domain: 'calendar' },
      ],
      [
        'a rule that lets everyone write is rejected',
        '15.7, 2.2.8',
        'POST',
        (kit) => kit.aclPath(),
        () => ({ body: { ...PUBLIC, role: 'writer' }, ...QUIET }),
        { status: 400, reason: 'illegalAccessRoleForDefault' },
      ],
      [
        'a rule whose scope is not an address is rejected',
        '2.2.8',
        'POST',
        (kit) => kit.aclPath(),
        () => ({ body: { role: 'reader', scope: { type: 'user', value: 'nobody' } }, ...QUIET }),
        { status: 400, reason: 'invalidScopeValue' },
      ],
      [
        'a rule that does not exist is 404',
        '3.6.4',
        'DELETE',
        async (kit) => `${await kit.aclPath()}/user:nobody@example.com`,
        undefined,
        { status: 404, reason: 'notFound' },
      ],
      [
        'a rule without a scope is rejected',
        '1.25, 3.6.3',
        'POST',
        (kit) => kit.aclPath(),
        () => ({ body: { role: 'reader' }, ...QUIET }),
        { status: 400 },
      ],
    ]),
  ],
}
