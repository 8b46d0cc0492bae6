import type { ReceivedResponse } from '../../expect.ts'
import { expectError, expectOk, expectShape, expectStatus, expectTrue, listErrorItems } from '../../expect.ts'
import { exactKeys } from '../../matchers.ts'
import { errorScenarios, type ScenarioGroup, scenario } from '../../scenario.ts'

const ORIGIN = 'https://example.com'
const NEVER = 'Mon, 01 Jan 1990 00:00:00 GMT'

/** Checks headers of a response: by a text for equality, or by a pattern. Throws a DifferenceError. */
function expectHeaders({ request, headers }: ReceivedResponse, expected: Record<string, string | RegExp>): void {
  for (const [name, value] of Object.entries(expected)) {
    const found = headers.get(name)
    const fits = typeof value === 'string' ? found === value : value.test(found ?? '')
    expectTrue(fits, `${request}: expected ${name} ${value}, got ${found}`)
  }
}

const NOT_STORED = {
  'Cache-Control': 'no-cache, no-store, max-age=0, must-revalidate',
  Pragma: 'no-cache',
  Expires: NEVER,
}

export const headers: ScenarioGroup = {
  name: 'headers',
  scenarios: [
    scenario('every reply has the headers of the front end', '11.3', async (kit) => {
      for (const path of ['/colors', await kit.eventsPath()])
        expectHeaders(await kit.get(path), {
          'X-Frame-Options': 'SAMEORIGIN',
          'X-XSS-Protection': '0',
          Server: 'ESF',
          Date: /GMT$/,
        })
    }),
    scenario('the header Expires of a read is its date', '11.4', async (kit) => {
      const answer = await kit.get(await kit.eventsPath())
      expectHeaders(answer, {
        'Cache-Control': 'private, max-age=0, must-revalidate, no-transform',
        Expires: answer.headers.get('Date') ?? 'at its date',
      })
    }),
    scenario('a write may not be stored', '11.4, 11.7', async (kit) => {
      const path = await kit.eventsPath()
      const made = await kit.post(path, kit.hour(9))
      expectHeaders(made, NOT_STORED)
      expectHeaders(await kit.patch(`${path}/${made.body.id}`, { summary: 'A' }), NOT_STORED)
      const removed = await kit.delete(`${path}/${made.body.id}`)
      expectHeaders(removed, { ...NOT_STORED, 'Content-Length': '0' })
    }),
    scenario('an error of the backend may not be stored', '11.4', async (kit) =>
      expectHeaders(await kit.get(`${await kit.eventsPath()}/nothing`), NOT_STORED),
    ),
    scenario('freeBusy has no header ETag, and the cache headers of a write', '10.2, 11.4', async (kit) => {
      const answer = await kit.post('/freeBusy', { ...kit.week(), items: [] })
      expectHeaders(answer, NOT_STORED)
      expectTrue(!answer.headers.has('ETag'), 'freeBusy has an ETag')
    }),
    scenario('scripts of web pages may send credentials and read etags, also of errors', '11.16', async (kit) => {
      const path = await kit.eventsPath()
      for (const one of [path, `${path}/nothing`])
        expectHeaders(await kit.get(one, {}, { headers: { Origin: ORIGIN } }), {
          'Access-Control-Allow-Origin': ORIGIN,
          'Access-Control-Allow-Credentials': 'true',
          'Access-Control-Expose-Headers': /\bETag\b/i,
        })
      const nobody = await kit.get(path, {}, { as: 'nobody', headers: { Origin: ORIGIN } })
      expectHeaders(nobody, { 'Access-Control-Allow-Origin': ORIGIN })
    }),
    scenario('a preflight allows the requested verb and headers', '11.16', async (kit) => {
      const preflight = {
        'Access-Control-Request-Method': 'PATCH',
        'Access-Control-Request-Headers': 'authorization,if-match',
      }
      const answer = await kit.call('OPTIONS', await kit.eventsPath(), undefined, {
        as: 'nobody',
        headers: { Origin: ORIGIN, ...preflight },
      })
      expectTrue(answer.status === 200 || answer.status === 204, `a preflight is answered ${answer.status}`)
      expectHeaders(answer, {
        'Access-Control-Allow-Origin': ORIGIN,
        'Access-Control-Allow-Methods': /\bPATCH\b/,
        'Access-Control-Allow-Headers': /if-match/i,
      })
    }),
    scenario('the page of an unknown path has the title of the service', '2.7', async (kit) => {
      const answer = await kit.get('/nothing/of/the/kind')
      expectTrue(answer.text.includes('<title>Error 404 (Not Found)!!1</title>'), 'the page has another title')
    }),
    scenario('texts are UTF-8 and are returned as sent', '11.3, 11.6, 3.2.12', async (kit) => {
      const texts = { summary: 'Grüße, 日本 🎉 "x" <b>', description: '<p>a & b</p>\nC:\\d' }
      const { id } = expectOk(await kit.post(await kit.eventsPath(), { ...kit.hour(9), ...texts }), texts)
      expectOk(await kit.get(`${await kit.eventsPath()}/${id}`), texts)
    }),
    scenario('alt=json is accepted by all methods', '1.10', async (kit) => {
      for (const path of ['/colors', '/users/me/settings', await kit.eventsPath()])
        expectOk(await kit.get(path, { alt: 'json' }))
      expectOk(await kit.post(await kit.eventsPath(), kit.hour(9), { query: { alt: 'json' } }))
    }),
    scenario('X-HTTP-Method-Override replaces PUT and DELETE', '11.13', async (kit) => {
      const { id } = await kit.createEvent({ location: 'Here' })
      const path = `${await kit.eventsPath()}/${id}`
      const as = (verb: string) => ({ headers: { 'X-HTTP-Method-Override': verb } })
      const replaced = expectOk(await kit.post(path, kit.hour(9), as('PUT')))
      expectTrue(replaced.location === undefined, 'PUT keeps the location')
      expectStatus(await kit.post(path, undefined, as('DELETE')), 204)
    }),
    scenario('fields is accepted for every resource and verb, and with *', '11.11', async (kit) => {
      const path = await kit.eventsPath()
      const { id } = await kit.createEvent()
      const acl = path.replace(/events$/, 'acl')
      const query = { fields: 'kind' }
      for (const one of ['/users/me/calendarList', '/users/me/settings', '/colors', acl, `${path}/${id}/instances`])
        expectOk(await kit.get(one, query), exactKeys('kind'))
      expectOk(await kit.patch(`${path}/${id}`, { summary: 'A' }, { query }), exactKeys('kind'))
      expectOk(await kit.put(`${path}/${id}`, kit.hour(9), { query }), exactKeys('kind'))
      expectOk(await kit.post('/freeBusy', { ...kit.week(), items: [] }, { query }), exactKeys('kind'))
      const all = await kit.get(path, { ...kit.week(), fields: 'items(*)' })
      expectOk(all, exactKeys('items'))
      expectShape(all, all.body.items, [{ kind: 'calendar#event', id, eventType: 'default' }])
    }),
    scenario('the second URL of discovery returns the document too', '11.21', async (kit) => {
      const answer = await kit.get('//$discovery/rest', { version: 'v3' }, { as: 'nobody' })
      expectOk(answer, {
        name: 'calendar',
        resources: { events: { methods: { instances: { id: 'calendar.events.instances' } } } },
      })
    }),
    scenario('a key that is repeated with null keeps its value', '11.14', async (kit) => {
      const { start, end } = kit.hour(9)
      const body = `{"summary":"A","summary":null,"start":${JSON.stringify(start)},"end":${JSON.stringify(end)}}`
      expectOk(await kit.post(await kit.eventsPath(), body), { summary: 'A' })
    }),
    scenario('the message of an error is that of its first item', '2.1.1', async (kit) => {
      const answer = await kit.get(await kit.eventsPath(), { timeMin: kit.instant(9), timeMax: kit.instant(8) })
      const item = { message: 'The specified time range is empty.', locationType: 'parameter', location: 'timeMax' }
      expectShape(answer, answer.body, { error: { code: 400, message: item.message } })
      expectShape(answer, listErrorItems(answer), [item])
    }),
    scenario('PUT of a cancelled event with other content is 403', '2.3, 2.2.6', async (kit) => {
      const { id } = await kit.createEvent()
      const path = `${await kit.eventsPath()}/${id}`
      await kit.require(kit.delete(path))
      expectError(await kit.put(path, { ...kit.hour(9), summary: 'Other' }), { status: 403, reason: 'forbidden' })
    }),
    ...errorScenarios([
      [
        'an alt other than json is rejected',
        '1.10',
        'GET',
        '',
        () => ({ query: { alt: 'atom' } }),
        { status: 400, reason: 'invalidParameter', location: 'alt' },
      ],
      [
        'a form instead of a JSON body is rejected',
        '11.14, 2.2.1',
        'POST',
        '',
        () => ({ body: 'summary=A', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }),
        { status: 400, reason: 'parseError', message: 'This API does not support parsing form-encoded input.' },
      ],
    ]),
  ],
}
