import { expectError, expectOk, expectShape, expectStatus, expectTrue } from '../expect.ts'
import { absent, exactKeys } from '../matchers.ts'
import { errorScenarios, type ScenarioGroup, scenario } from '../scenario.ts'

export const conditions: ScenarioGroup = {
  name: 'etags',
  scenarios: [
    scenario('the etag of an event is its header ETag, with the quotes', '11.5', async (kit) => {
      const path = await kit.eventsPath()
      const made = await kit.post(path, kit.hour(9))
      const { etag, id } = expectOk(made, { etag: /^"\d+"$/ })
      for (const answer of [made, await kit.get(`${path}/${id}`)])
        expectTrue(
          answer.headers.get('ETag') === etag,
          `${answer.request}: the header is ${answer.headers.get('ETag')}, the body’s ${etag}`,
        )
    }),
    scenario('a list of events has an etag in its body and no header ETag', '11.5, 3.11', async (kit) => {
      const answer = await kit.get(await kit.eventsPath(), kit.week())
      expectOk(answer, { etag: /^".+"$/ })
      expectTrue(!answer.headers.has('ETag'), 'a list has a header ETag')
    }),
    scenario('a write with a former etag is 412', '11.8, 2.2.4', async (kit) => {
      const { etag, id } = await kit.createEvent()
      const path = `${await kit.eventsPath()}/${id}`
      await kit.require(kit.patch(path, { summary: 'Other' }))
      const refusal = { status: 412, reason: 'conditionNotMet', message: 'Precondition Failed', location: 'If-Match' }
      const headers = { 'If-Match': etag }
      expectError(await kit.patch(path, { summary: 'Late' }, { headers }), refusal)
      expectError(await kit.put(path, kit.hour(9), { headers }), refusal)
      expectError(await kit.delete(path, { headers }), refusal)
      expectOk(await kit.get(path), { summary: 'Other' })
    }),
    scenario('a write with the current etag or * is accepted', '11.8', async (kit) => {
      const { etag, id } = await kit.createEvent()
      const path = `${await kit.eventsPath()}/${id}`
      expectOk(await kit.patch(path, { summary: 'One' }, { headers: { 'If-Match': etag } }), { summary: 'One' })
      expectOk(await kit.patch(path, { summary: 'Two' }, { headers: { 'If-Match': '*' } }), { summary: 'Two' })
    }),
    scenario(
      'a read of an event with its current etag is 304, and with a former one 200',
      '11.9, 11.7',
      async (kit) => {
        const { etag, id } = await kit.createEvent()
        const path = `${await kit.eventsPath()}/${id}`
        const headers = { 'If-None-Match': etag }
        const same = await kit.get(path, {}, { headers })
        expectStatus(same, 304)
        expectTrue(same.text === '', 'a 304 has a body')
        await kit.require(kit.patch(path, { summary: 'Other' }))
        expectOk(await kit.get(path, {}, { headers }), { summary: 'Other' })
      },
    ),
    scenario('a read of a list of events with its current etag is 304', '11.9', async (kit) => {
      const path = await kit.eventsPath()
      const { etag } = expectOk(await kit.get(path, kit.week()))
      expectStatus(await kit.get(path, kit.week(), { headers: { 'If-None-Match': etag } }), 304)
    }),
  ],
}

export const http: ScenarioGroup = {
  name: 'http',
  scenarios: [
    scenario('a reply is JSON in UTF-8, indented by one space', '11.3, 11.6', async (kit) => {
      const answer = await kit.get(await kit.eventsPath(), kit.week())
      const type = answer.headers.get('Content-Type')
      expectTrue(type === 'application/json; charset=UTF-8', `Content-Type is ${type}`)
      expectTrue(/^\{\n "kind"/.test(answer.text), 'the body is not indented by one space')
      expectTrue(answer.headers.get('X-Content-Type-Options') === 'nosniff', 'X-Content-Type-Options is not nosniff')
      const vary = (answer.headers.get('Vary') ?? '').toLowerCase()
      expectTrue(
        ['origin', 'x-origin', 'referer'].every((name) => vary.includes(name)),
        `Vary is ${vary}`,
      )
    }),
    scenario('a newline ends each body', '11.6', async (kit) => {
      const answers = [
        await kit.get(await kit.eventsPath(), kit.week()),
        await kit.get(`${await kit.eventsPath()}/missing`),
        await kit.get('/colors', {}, { as: 'nobody' }),
      ]
      for (const { request, text } of answers) expectTrue(text.endsWith('}\n'), `${request}: no newline ends the body`)
    }),
    scenario('prettyPrint=false returns compact JSON', '1.10, 11.6', async (kit) => {
      const { text } = await kit.get(await kit.eventsPath(), { ...kit.week(), prettyPrint: false })
      expectTrue(text.startsWith('{"kind":"calendar#events"'), 'the body is not compact')
    }),
    scenario('a read may be cached with revalidation, and a write may not be cached', '11.4', async (kit) => {
      const path = await kit.eventsPath()
      const read = (await kit.get(path, kit.week())).headers.get('Cache-Control') ?? ''
      const write = (await kit.post(path, kit.hour(9))).headers.get('Cache-Control') ?? ''
      expectTrue(/private/.test(read) && /max-age=0/.test(read), `Cache-Control of a read is ${read}`)
      expectTrue(/no-store/.test(write), `Cache-Control of a write is ${write}`)
    }),
    scenario('a POST with X-HTTP-Method-Override: GET reads', '11.13', async (kit) => {
      const { id } = await kit.createEvent()
      const headers = { 'X-HTTP-Method-Override': 'GET' }
      expectOk(await kit.post(`${await kit.eventsPath()}/${id}`, undefined, { headers }), { id })
    }),
    scenario('the header Expires of colours is their date', '11.4.1', async (kit) => {
      const { headers } = await kit.get('/colors')
      expectTrue(headers.get('Expires') === headers.get('Date'), `Expires is ${headers.get('Expires')}`)
    }),
    scenario(
      'errors are indented by one space, and those of the front end by two',
      '14.12, 2.1.1, 2.1.2',
      async (kit) => {
        const backend = await kit.get(`${await kit.eventsPath()}/nothing`)
        const frontEnd = await kit.get(await kit.eventsPath(), {}, { as: 'nobody' })
        const found = [backend, frontEnd].map(({ text }) => /^\{\n( *)"/.exec(text)?.[1]?.length).join()
        expectTrue(found === '1,2', `refusals are indented by ${found} spaces`)
      },
    ),
    scenario('the discovery document describes the methods', '11.21, 1.3, 1.4', async (kit) => {
      const answer = await kit.get('//discovery/v1/apis/calendar/v3/rest')
      expectOk(answer, { name: 'calendar', version: 'v3', servicePath: 'calendar/v3/', batchPath: 'batch/calendar/v3' })
      const { resources } = answer.body as unknown as { resources: Record<string, { methods: object }> }
      const expected = {
        acl: 7,
        calendarList: 7,
        calendars: 6,
        channels: 1,
        colors: 1,
        events: 11,
        freebusy: 1,
        settings: 3,
      }
      for (const [name, count] of Object.entries(expected)) {
        const methods = Object.keys(resources[name]?.methods ?? {}).length
        expectTrue(methods >= count, `${name} has ${methods} methods`)
      }
    }),
    scenario('an invalid token is 401 with invalid_token in WWW-Authenticate', '2.2.10, 2.1.3', async (kit) => {
      const headers = { Authorization: 'Bearer ' }
      const answer = await kit.get('/users/me/calendarList', {}, { as: 'nobody', headers })
      expectStatus(answer, 401)
      expectTrue(
        /^Bearer realm=/.test(answer.headers.get('WWW-Authenticate') ?? ''),
        `WWW-Authenticate is ${answer.headers.get('WWW-Authenticate')}`,
      )
    }),
    scenario('X-HTTP-Method-Override replaces the verb of a POST', '11.13', async (kit) => {
      const { id } = await kit.createEvent({ summary: 'Old', location: 'Here' })
      const headers = { 'X-HTTP-Method-Override': 'PATCH' }
      const shape = { summary: 'New', location: 'Here' }
      expectOk(await kit.post(`${await kit.eventsPath()}/${id}`, { summary: 'New' }, { headers }), shape)
    }),
    scenario('ids in a path may be escaped or not', '11.2, 1.6', async (kit) => {
      const path = await kit.eventsPath()
      const { id } = await kit.createEvent()
      expectOk(await kit.get(`${path.replace('@', '%40')}/${id}`), { id })
      expectOk(await kit.get(`${path}/${id}?`), { id })
    }),
    scenario('scripts of web pages may read replies', '11.16', async (kit) => {
      const headers = { Origin: 'https://example.com' }
      const answer = await kit.get(await kit.eventsPath(), kit.week(), { headers })
      const allowed = answer.headers.get('Access-Control-Allow-Origin')
      expectTrue(allowed === headers.Origin, `Access-Control-Allow-Origin is ${allowed}`)
    }),
    scenario('a field mask that selects nothing returns an empty object', '11.11', async (kit) => {
      const { id } = await kit.createEvent()
      expectOk(await kit.get(`${await kit.eventsPath()}/${id}`, { fields: 'location' }), exactKeys())
    }),
    scenario('fields of a list selects fields of its items', '11.11', async (kit) => {
      const { id } = await kit.createEvent({ summary: 'A' })
      const path = await kit.eventsPath()
      const answer = await kit.get(path, { ...kit.week(), fields: 'items(id,start/dateTime),kind' })
      expectOk(answer, {
        kind: 'calendar#events',
        items: [{ id, start: exactKeys('dateTime') }],
        nextSyncToken: absent,
      })
      expectShape(answer, answer.body.items, [exactKeys('id', 'start')])
      expectOk(await kit.get(path, { ...kit.week(), fields: 'kind' }), exactKeys('kind'))
    }),
    scenario('fields of an event are returned in the order of the event', '11.11, 3.2.1', async (kit) => {
      const { id } = await kit.createEvent({ summary: 'A' })
      expectOk(
        await kit.get(`${await kit.eventsPath()}/${id}`, { fields: 'summary,id,etag' }),
        exactKeys('etag', 'id', 'summary'),
      )
      const made = await kit.post(await kit.eventsPath(), kit.hour(9), { query: { fields: 'id' } })
      expectOk(made, exactKeys('id'))
    }),
    ...errorScenarios([
      [
        'an unknown field in fields is rejected',
        '11.11, 2.2.1',
        'GET',
        '',
        () => ({ query: { fields: 'foo' } }),
        { status: 400, reason: 'invalidParameter', location: 'fields', message: 'Invalid field selection foo' },
      ],
    ]),
  ],
}
