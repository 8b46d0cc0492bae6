import { readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { createFakeCalendar } from '../../src/index.ts'
import { callEveryTool, EVERY_RESULT } from '../support/callEveryTool.js'
import { callerOf, createCompany, NORA, OWEN, post, restOf, toolCall } from '../support/mcp.ts'

const initialize = (protocolVersion: string) => ({
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
})
const SCOPE = 'https://www.googleapis.com/auth/calendar.'
/** The scopes with which all tools work. */
const ALL_SCOPES = [`${SCOPE}calendarlist.readonly`, `${SCOPE}events`]
const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' }

test.each([
  ['2025-03-26', '2025-03-26'],
  ['2025-06-18', '2025-06-18'],
  ['2025-11-25', '2025-11-25'],
  ['1999-01-01', '2025-11-25'],
])('17.1 initialize with %s needs no token and is answered with %s', async (version, answered) => {
  const response = await post(createCompany(), initialize(version))

  expect(response.status).toBe(200)
  expect(response.headers.get('Content-Type')).toContain('application/json')
  expect(response.headers.get('Mcp-Session-Id')).toBeNull()
  expect(await response.json()).toEqual({
    ...{ jsonrpc: '2.0', id: 1 },
    result: {
      protocolVersion: answered,
      capabilities: { tools: { listChanged: false } },
      serverInfo: { name: 'StatelessServer', version: 'ESF' },
    },
  })
})

test('17.1 the version 2026-07-28 needs no initialize, and an unknown one is refused with the supported ones', async () => {
  const fake = createCompany()
  const send = (version: string) =>
    post(
      fake,
      {
        ...{ jsonrpc: '2.0', id: 1, method: 'server/discover' },
        params: {
          _meta: {
            'io.modelcontextprotocol/protocolVersion': version,
            'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      },
      { headers: { 'MCP-Protocol-Version': version, 'Mcp-Method': 'server/discover' } },
    )
  expect(await (await send('2026-07-28')).json()).toMatchObject({ result: { supportedVersions: ['2026-07-28'] } })
  const refused = await send('2099-01-01')
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({ error: { code: -32022, data: { supported: ['2026-07-28'] } } })
})

test('17.1 other verbs are 405, a notification is 202, and broken messages are 400', async () => {
  const fake = createCompany()
  for (const method of ['GET', 'PUT', 'DELETE']) expect((await fake.request('/mcp/v1', { method })).status).toBe(405)
  const notified = await post(fake, { jsonrpc: '2.0', method: 'notifications/initialized' })
  expect([notified.status, await notified.text()]).toEqual([202, ''])
  expect(await (await post(fake, '{')).json()).toMatchObject({ error: { code: -32700 } })
  expect(await (await post(fake, [list, list])).json()).toMatchObject({ error: { code: -32600 } })
  const listen = { jsonrpc: '2.0', id: 3, method: 'subscriptions/listen' }
  expect(await (await post(fake, listen)).json()).toMatchObject({ id: 3, error: { code: -32601 } })
})

test.each([
  ['http://localhost:6274', 200],
  ['http://127.0.0.1:3000', 200],
  ['https://fake.example.com', 200],
  ['https://example.com', 403],
  ['http://fake.example.com', 403],
  ['http://localhost.example.com', 403],
  ['null', 403],
])('17.1 a page of %s is answered with %i', async (Origin, status) => {
  const fake = createCompany({ publicUrl: 'https://fake.example.com/google' })
  const response = await post(fake, toolCall('list_calendars', {}), { token: NORA, headers: { Origin } })

  expect(response.status).toBe(status)
  if (status === 403) expect(await response.json()).toMatchObject({ id: null, error: { code: -32000 } })
})

test('17.1 at the host of the service, pages of every origin are answered', async () => {
  const fake = createCompany()
  const headers = {
    ...{ Origin: 'https://example.com', 'Content-Type': 'application/json' },
    Accept: 'application/json, text/event-stream',
  }
  const init = { method: 'POST', headers, body: JSON.stringify(list) }

  expect((await fake.fetch('https://calendarmcp.googleapis.com/mcp/v1', init)).status).toBe(200)
  expect((await fake.fetch('https://evil.example.com/mcp/v1', init)).status).toBe(403)
})

test('17.1 the documents of the protected resource name the fake, or at the host of the service Google', async () => {
  const fake = createCompany()
  const read = async (path: string, origin = 'http://localhost:8787') => (await fake.fetch(origin + path)).json()
  const path = '/.well-known/oauth-protected-resource'

  expect(await read(`${path}/mcp/v1`)).toMatchObject({
    resource: 'http://localhost:8787/mcp/v1',
    authorization_servers: ['http://localhost:8787'],
    bearer_methods_supported: ['header'],
  })
  expect(await read(`/w/blue${path}/create_event`)).toMatchObject({
    resource: 'http://localhost:8787/w/blue/mcp/v1',
    authorization_servers: ['http://localhost:8787/w/blue'],
    scopes_supported: ALL_SCOPES,
  })
  const host = 'https://calendarmcp.googleapis.com'
  expect(await read(`${path}/mcp/v1`, host)).toMatchObject({
    resource: `${host}/mcp/v1`,
    authorization_servers: ['https://accounts.google.com/'],
  })
  for (const wrong of [path, `/mcp/v1${path}`, `${path}/no_tool`]) expect((await fake.request(wrong)).status).toBe(404)
})

test('17.2 tools/list has the nine tools with the recorded titles, annotations and schemas', async () => {
  const { result } = await (await post(createCompany(), list)).json()
  const recorded = JSON.parse(readFileSync('test/mcp/recordedTools.json', 'utf8'))

  expect(result.tools.map(withoutTexts)).toEqual(recorded)
})

/** Returns a part of a tool without what is the fake's own: descriptions, and the order of keys. */
function withoutTexts(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutTexts)
  if (typeof part !== 'object' || part === null) return part
  const entries = Object.entries(part).filter(
    ([name, value]) => !(name === 'description' && typeof value === 'string') && name !== 'x-google-enum-descriptions',
  )
  return Object.fromEntries(entries.map(([name, value]) => [name, withoutTexts(value)]))
}

test('17.2 a result has one text item with the JSON of its structured content', async () => {
  const response = await post(createCompany(), toolCall('list_calendars', { pageSize: 1 }), { token: NORA })
  const { result } = await response.json()

  expect(result.content).toHaveLength(1)
  expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent)
  expect(result.structuredContent.calendars).toEqual([{ id: NORA, summary: NORA, timeZone: 'America/New_York' }])
})

test('17.8 a call without a token is 401 with the document of the tool, and a call with a wrong one too', async () => {
  const fake = createFakeCalendar({ strict: true })
  const message = toolCall('get_event', { eventId: 'x' })
  const [without, wrong] = [await post(fake, message), await post(fake, message, { token: 'unknown' })]
  const document = 'resource_metadata="http://fake-calendar.localhost/.well-known/oauth-protected-resource/get_event"'

  expect([without.status, wrong.status]).toEqual([401, 401])
  expect(without.headers.get('WWW-Authenticate')).toBe(`Bearer realm="https://accounts.google.com/", ${document}`)
  expect(wrong.headers.get('WWW-Authenticate')).toContain('error="invalid_token"')
  expect(await without.json()).toMatchObject({ id: 1, result: { isError: true, content: [{ type: 'text' }] } })
})

test('17.8 a token without the scope of a tool is 403 and names the scope', async () => {
  const fake = createFakeCalendar({ seed: { accounts: [{ email: 'a@example.com' }] } })
  const token = fake.oauth.mint({
    account: 'a@example.com',
    scopes: ['https://www.googleapis.com/auth/calendar.events.readonly'],
  })
  const event = { summary: 'x', startTime: '2030-01-01T10:00:00', endTime: '2030-01-01T11:00:00' }
  const response = await post(fake, toolCall('create_event', event), { token })

  expect(response.status).toBe(403)
  expect(response.headers.get('WWW-Authenticate')).toContain(
    `error="insufficient_scope", scope="${ALL_SCOPES.join(' ')}"`,
  )
  expect((await post(fake, toolCall('list_events', {}), { token })).status).toBe(200)
})

test('17.9 two scopes are enough for all tools', async () => {
  const account = NORA
  const fake = createCompany()
  const token = fake.oauth.mint({ account, scopes: ALL_SCOPES })

  const call = callerOf(fake, token)

  expect(await callEveryTool((name, args) => call(name, { ...args }))).toEqual(EVERY_RESULT)
})

test('17.8 a service that is not enabled is 403 with the name of the server', async () => {
  const fake = createCompany()
  fake.faults.add({ on: 'mcp.*', do: { fail: 'accessNotConfigured' } })
  const response = await post(fake, toolCall('list_calendars', {}), { token: NORA })
  const { result } = await response.json()

  expect([response.status, result.isError]).toEqual([403, true])
  expect(result.content[0].text).toMatch(
    /^Calendar MCP API has not been used in project \d+ before or it is disabled\. Enable it by visiting \S+\/calendarmcp\.googleapis\.com\/overview\?project=\d+ then retry\. If you enabled this API recently, wait a few minutes /,
  )
})

test.each([
  ['get_event', { eventId: 'unknown' }, 'Requested entity was not found.'],
  ['get_event', { eventId: '..' }, 'Requested entity was not found.'],
  ['delete_event', { eventId: '.', calendarId: '..' }, 'Requested entity was not found.'],
  ['list_events', { calendarId: '..' }, 'Requested entity was not found.'],
  ['create_event', { reminders: 1 }, 'Invalid JSON payload received. Unknown name "reminders": Cannot find field.'],
  ['list_events', { pageSize: 'x' }, `Invalid value at 'pageSize' (TYPE_INT32), "x"`],
  ['get_event', {}, 'Missing required field: eventId'],
  ['list_events', { constructor: 1 }, 'Invalid JSON payload received. Unknown name "constructor": Cannot find field.'],
  [
    'create_event',
    { attendees: [{ mail: 'x' }] },
    `Invalid JSON payload received. Unknown name "mail" at 'attendees[0]': Cannot find field.`,
  ],
  ['no_tool', {}, 'Unknown tool: no_tool'],
])('17.8 %s with %j is the error %s', async (name, args, text) => {
  await expect(callerOf(createCompany())(name, args)).rejects.toThrow(new Error(text))
})

test('17.8 a write without permission is recorded as an error in the words of the service', async () => {
  const fake = createCompany()
  const { calendars } = await callerOf(fake)('list_calendars')
  const holidays = calendars.find(({ id }: { id: string }) => id.includes('#holiday@'))
  const event = {
    calendarId: holidays.id,
    summary: 'x',
    startTime: '2030-03-05T10:00:00',
    endTime: '2030-03-05T11:00:00',
  }

  await expect(callerOf(fake)('create_event', event)).rejects.toThrow('The caller does not have permission')
})

test('17.8 the quota of a day ends with the Pacific day', async () => {
  const fake = createFakeCalendar({ now: '2030-03-04T07:00:00Z' })
  const call = callerOf(fake, 'alice@example.com')
  fake.quota({ toolCallsPerDay: 2 })
  await call('list_calendars')
  await call('list_calendars')

  await expect(call('list_calendars')).rejects.toThrow(
    "limit 'MCP requests per day' of service 'calendarmcp.googleapis.com'",
  )
  await fake.advance('1h')
  await call('list_calendars')
  expect(fake.quota.state().toolCalls).toBe(1)
})

test('17.9 with agenticOnly, only tokens of clients that are marked in the seed are accepted', async () => {
  const account = 'a@example.com'
  const clients = [{ id: 'agent', agentic: true }, { id: 'other' }]
  const fake = createFakeCalendar({
    seed: { accounts: [{ email: account }], oauth: { clients } },
    mcp: { agenticOnly: true },
  })
  const [agent, other] = ['agent', 'other'].map((client) => fake.oauth.mint({ account, client }))

  expect((await callerOf(fake, agent)('list_calendars')).calendars).toHaveLength(1)
  await expect(callerOf(fake, other)('list_calendars')).rejects.toThrow('not marked for use by an AI-powered agent')
  await expect(callerOf(fake, account)('list_calendars')).rejects.toThrow('not marked')
})

test('the journal has the tool with its arguments, and the requests of REST that it made', async () => {
  const fake = createCompany()
  const event = { summary: 'Lunch', startTime: '2030-03-08T12:30:00', endTime: '2030-03-08T13:30:00' }
  const { id } = await callerOf(fake)('create_event', event)
  const [call] = fake.calls('mcp.*')

  expect(call).toMatchObject({ method: 'mcp.create_event', account: NORA, body: event, status: 200 })
  expect(fake.calls('events.insert')).toMatchObject([{ toolCall: call?.n, body: { summary: 'Lunch' }, hints: [] }])
  expect(fake.calls('mcp.create_event')[0]?.response).toMatchObject({ result: { structuredContent: { id } } })
  await expect(callerOf(fake)('get_event')).rejects.toThrow('Missing')
  expect(fake.calls('mcp.get_event')).toMatchObject([{ status: 200, reason: 'invalid' }])
})

test('hints name writes without notificationLevel, lists without a window, and changes of a series', async () => {
  const fake = createCompany()
  const call = callerOf(fake)
  const codes = () =>
    fake
      .calls('mcp.*')
      .at(-1)
      ?.hints.map(({ code }) => code)
  await call('list_events')
  expect(codes()).toEqual(['FC502'])
  await call('list_events', { startTime: '2030-03-05T00:00:00' })
  expect(codes()).toEqual([])
  const day = { startTime: '2030-03-05T00:00:00', allDay: true, endTime: '2030-03-06T00:00:00' }
  const { id } = await call('create_event', { summary: 'Series', ...day, recurrenceData: ['RRULE:FREQ=DAILY'] })
  expect(codes()).toEqual([])
  await call('create_event', { summary: 'Review', ...day, attendeeEmails: [OWEN] })
  expect(codes()).toEqual(['FC501'])
  await call('update_event', { eventId: id, summary: 'Other', notificationLevel: 'NONE' })
  expect(codes()).toEqual(['FC503'])
})

test('a fault on a tool fails the call as the service would, and nothing is done', async () => {
  const fake = createCompany()
  const event = { summary: 'Lunch', startTime: '2030-03-08T12:30:00', endTime: '2030-03-08T13:30:00' }
  const message = toolCall('create_event', event)
  const snapshot = fake.snapshot()
  const send = () => post(fake, message, { token: NORA })

  fake.faults.add({ on: 'mcp.create_event', do: { fail: 'rateLimitExceeded' } })
  const limited = await send()
  expect([limited.status, (await limited.json()).result.isError]).toEqual([200, true])

  fake.faults.add({ on: 'mcp.*', where: { body: { summary: 'Lunch' } }, do: { fail: 'invalidCredentials' } })
  const expired = await send()
  expect(expired.status).toBe(401)
  expect(expired.headers.get('WWW-Authenticate')).toContain('oauth-protected-resource/create_event')

  fake.faults.add({ on: 'mcp.create_event', do: { status: 502, body: 'Bad Gateway' } })
  const fixed = await send()
  expect([fixed.status, await fixed.text()]).toEqual([502, 'Bad Gateway'])

  fake.faults.add({ on: 'mcp.create_event', do: { reset: true } })
  await expect(send()).rejects.toThrow()
  fake.diff(snapshot).verify([])
  fake.faults.verify()
})

test('a fault on a method of REST reaches the tool above it', async () => {
  const fake = createCompany()
  const event = { summary: 'Lunch', startTime: '2030-03-08T12:30:00', endTime: '2030-03-08T13:30:00' }
  const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  fake.faults.add({ on: 'events.insert', do: { status: 502, body: 'Bad Gateway' } })
  await expect(callerOf(fake)('create_event', event)).rejects.toThrow('Internal error encountered.')
  expect(errors).not.toHaveBeenCalled()

  fake.faults.add({ on: 'events.insert', do: [{ fail: 'rateLimitExceeded' }, { answerLost: true }] })

  await expect(callerOf(fake)('create_event', event)).rejects.toThrow('Rate Limit Exceeded')
  await expect(callerOf(fake)('create_event', event)).rejects.toThrow()
  const { items } = await restOf(fake)('GET', '/calendars/primary/events?q=Lunch&timeMin=2030-03-08T00:00:00Z')
  expect(items.filter(({ summary }: { summary: string }) => summary === 'Lunch')).toHaveLength(1)
  fake.faults.verify()
})

test('worlds are selected by token, header and path', async () => {
  const fake = createCompany()
  const event = { summary: 'Blue', startTime: '2030-03-08T12:30:00', endTime: '2030-03-08T13:30:00' }
  const message = toolCall('create_event', event)
  await post(fake, message, { token: `blue~${OWEN}` })
  await post(fake, message, { token: OWEN, headers: { 'X-Fake-World': 'blue' } })
  await post(fake, message, { token: OWEN, path: '/w/blue/mcp/v1' })

  expect(fake.world('blue').calls('mcp.create_event')).toHaveLength(3)
  expect(fake.calls('mcp.*')).toEqual([])
})

test('17.9 with toolScopes a document names the scope of its tool, so that other tools refuse the token', async () => {
  const fake = createFakeCalendar({ seed: { accounts: [{ email: 'a@example.com' }] }, mcp: { toolScopes: true } })
  const read = async (name: string) => (await fake.request(`/.well-known/oauth-protected-resource/${name}`)).json()
  const { scopes_supported: scopes } = await read('list_calendars')
  const token = fake.oauth.mint({ account: 'a@example.com', scopes })

  expect(scopes).toEqual([`${SCOPE}calendarlist.readonly`])
  expect((await read('mcp/v1')).scopes_supported).toEqual(ALL_SCOPES)
  expect((await post(fake, toolCall('list_calendars', {}), { token })).status).toBe(200)
  const refused = await post(fake, toolCall('list_events', {}), { token })
  expect(refused.status).toBe(403)
  expect(refused.headers.get('WWW-Authenticate')).toContain(`scope="${SCOPE}events.readonly"`)
})

test('the journal lists tool calls without a name, and marks the requests beneath them', async () => {
  const fake = createCompany()
  await callerOf(fake)('list_calendars')
  await post(fake, list)
  const expected = [{ method: 'mcp.list_calendars' }, { method: 'calendarList.list', toolCall: 1 }]

  for (const calls of [fake.calls(), fake.calls('*')]) expect(calls).toMatchObject(expected)
  expect(fake.calls('*', { where: { toolCall: null } })).toMatchObject([expected[0]])
  expect(fake.calls('*', { where: { toolCall: 1 } })).toMatchObject([expected[1]])
  expect(fake.calls('mcp')).toHaveLength(1)
})

test('a misspelled argument of a tool is refused in calls.verify and faults.add', async () => {
  const fake = createCompany()
  await callerOf(fake)('list_calendars')
  const misspelled = { body: { sumary: 'Lunch' } }
  const nested = { body: { attendees: [{ emial: NORA }] } }

  for (const where of [misspelled, nested]) {
    expect(() => fake.calls.verify('mcp.create_event', where, { times: 0 })).toThrow(/did you mean "(summary|email)"/)
    expect(() => fake.faults.add({ on: 'mcp.create_event', where, do: { fail: 'backendError' } })).toThrow(
      /did you mean/,
    )
  }
  expect(() => fake.calls.verify('mcp.*', misspelled, { times: 0 })).toThrow(/summary/)
  fake.calls.verify('mcp.create_event', { body: { summary: 'Lunch', attendees: [{ email: NORA }] } }, { times: 0 })
})

test('17.8 a message whose Accept names only JSON, another type or none is answered as JSON', async () => {
  const version = '2026-07-28'
  const meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const modern = { 'MCP-Protocol-Version': version, 'Mcp-Method': 'tools/call', 'Mcp-Name': 'list_calendars' }
  for (const Accept of ['application/json', '*/*', 'text/html', '']) {
    const fake = createCompany()
    const old = await post(fake, toolCall('list_calendars', {}), { token: NORA, headers: { Accept } })
    const message = toolCall('list_calendars', {}, { _meta: meta })
    const latest = await post(fake, message, { token: NORA, headers: { ...modern, Accept } })

    for (const response of [old, latest]) {
      expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'application/json'])
      expect((await response.json()).result.structuredContent.calendars).not.toEqual([])
    }
  }
})

test.each([
  ['arguments that are a list', { arguments: [] }, -32602, 'Invalid params: arguments must be an object.'],
  ['arguments that are a text', { arguments: 'x' }, -32602, 'Invalid params: arguments must be an object.'],
  ['a name of a megabyte', { name: 'x'.repeat(1_000_000) }, -32602, `Unknown tool: ${'x'.repeat(200)}…`],
])('17.1 %s is an error of one line', async (_, params, code, message) => {
  const sent = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_calendars', ...params } }
  expect(await (await post(createCompany(), sent, { token: NORA })).json()).toMatchObject({ error: { code, message } })
})

test('17.1 arguments that are 100,000 levels deep are an error of one line', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const call = JSON.stringify(toolCall('list_events', { fullText: 'DEEP' })).replace('"DEEP"', deep)
  const { error } = await (await post(createCompany(), call, { token: NORA })).json()

  expect(error).toEqual({ code: -32600, message: 'The message is deeper than 100 levels.' })
})
