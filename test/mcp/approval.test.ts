import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { expect, test } from 'vitest'
import type { FakeCalendarOptions } from '../../src/index.ts'
import { callerOf, createCompany, NORA, post, toolCall } from '../support/mcp.ts'

const LUNCH = { summary: 'Lunch', startTime: '2030-03-08T12:30:00', endTime: '2030-03-08T13:30:00' }
type Approval = NonNullable<FakeCalendarOptions['mcp']>['approval']
type FormResult = { action: 'accept' | 'decline' | 'cancel'; content?: { decision: string } }

/** Connects a client of protocol 2025-11-25 that gives one answer to every form. */
async function connect(approval: Approval, answer?: FormResult) {
  const fake = createCompany({ mcp: { approval } })
  const start = fake.snapshot('start')
  const forms: string[] = []
  const client = new Client({ name: 'test', version: '1' }, { capabilities: answer ? { elicitation: {} } : {} })
  if (answer)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      forms.push(params.message)
      return answer
    })
  await client.connect(await fake.mcp({ as: NORA }))
  return { fake, start, forms, client, book: () => client.callTool({ name: 'create_event', arguments: LUNCH }) }
}

test('17.10 a form that is accepted lets the call run, and shows its arguments', async () => {
  const { fake, forms, book } = await connect('writes', { action: 'accept', content: { decision: 'Allow once' } })

  expect(await book()).toMatchObject({ structuredContent: { summary: 'Lunch' } })
  expect(forms).toEqual([expect.stringContaining('"summary": "Lunch"')])
  expect(fake.calls('events.insert')).toHaveLength(1)
})

test.each<FormResult>([
  { action: 'decline' },
  { action: 'cancel' },
  { action: 'accept', content: { decision: "Don't allow" } },
])('17.10 after the answer %j the world is unchanged', async (answer) => {
  const { fake, start, forms, book } = await connect('writes', answer)

  expect(await book()).toMatchObject({ isError: true, content: [{ text: 'The user did not allow this call.' }] })
  expect(forms).toHaveLength(1)
  fake.diff(start).verify([])
})

test('17.10 a client without forms gets an error, and the world is unchanged', async () => {
  const { fake, start, book, client } = await connect('writes')

  await expect(book().then(({ isError }) => isError === true && Promise.reject(new Error('refused')))).rejects.toThrow()
  fake.diff(start).verify([])
  expect(await client.callTool({ name: 'list_calendars', arguments: {} })).not.toHaveProperty('isError')
})

test('17.10 with approval of all, reads ask as well; by default nothing asks', async () => {
  const all = await connect('all', { action: 'accept', content: { decision: 'Allow once' } })
  await all.client.callTool({ name: 'list_calendars', arguments: {} })
  expect(all.forms).toHaveLength(1)
  const none = await connect('none', { action: 'decline' })
  expect(await none.book()).toMatchObject({ structuredContent: { summary: 'Lunch' } })
  expect(none.forms).toEqual([])
})

test('17.10 over HTTP a client before 2026-07-28 has no connection for a form', async () => {
  const fake = createCompany({ mcp: { approval: 'writes' } })
  const start = fake.snapshot('start')

  await expect(callerOf(fake)('create_event', LUNCH)).rejects.toThrow()
  fake.diff(start).verify([])
})

test('17.10 /mcp/v1self shows and runs only tools that need no approval', async () => {
  const fake = createCompany({ mcp: { approval: 'writes' } })
  const start = fake.snapshot('start')
  const self = { token: NORA, path: '/mcp/v1self' }
  const { result } = await (await post(fake, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, self)).json()
  const names = result.tools.map(({ name }: { name: string }) => name)

  expect(names).toEqual(['list_events', 'get_event', 'list_calendars', 'suggest_time', 'search_events'])
  expect(await (await post(fake, toolCall('create_event', LUNCH), self)).json()).toMatchObject({
    result: { isError: true },
  })
  expect(await (await post(fake, toolCall('list_calendars', {}), self)).json()).not.toHaveProperty('result.isError')
  fake.diff(start).verify([])
})

/** Sends a call by protocol 2026-07-28. */
async function send(
  fake: ReturnType<typeof createCompany>,
  args: object,
  more: object = {},
  capabilities: object = FORMS,
) {
  const version = '2026-07-28'
  const meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  }
  const headers = { 'MCP-Protocol-Version': version, 'Mcp-Method': 'tools/call', 'Mcp-Name': 'create_event' }
  const response = await post(fake, toolCall('create_event', args, { ...more, _meta: meta }), { token: NORA, headers })
  return { status: response.status, ...(await response.json()) }
}
const FORMS = { elicitation: { form: {} } }
const ALLOWED = { inputResponses: { approval: { action: 'accept', content: { decision: 'Allow once' } } } }

test('17.10 by protocol 2026-07-28 the call returns the form, and runs when it is repeated with the answer', async () => {
  const fake = createCompany({ mcp: { approval: 'writes' } })
  const start = fake.snapshot('start')
  const form = await send(fake, LUNCH)

  expect(form.result).toMatchObject({
    resultType: 'input_required',
    inputRequests: { approval: { method: 'elicitation/create', params: { mode: 'form' } } },
  })
  fake.diff(start).verify([])
  const { requestState } = form.result
  expect(await send(fake, LUNCH, { ...ALLOWED, requestState })).toMatchObject({ result: { structuredContent: {} } })
  const again = await send(fake, LUNCH, { ...ALLOWED, requestState })
  expect(again.result).toMatchObject({ resultType: 'input_required' })
  expect(again.result.requestState).not.toBe(requestState)
  expect(fake.calls('events.insert')).toHaveLength(1)
})

test('17.10 an answer counts only for the call that it was asked for', async () => {
  const fake = createCompany({ mcp: { approval: 'writes' } })
  const start = fake.snapshot('start')
  const { requestState } = (await send(fake, LUNCH)).result
  const other = { ...LUNCH, summary: 'Other' }

  for (const more of [{ ...ALLOWED, requestState }, ALLOWED])
    expect(await send(fake, other, more)).toMatchObject({ result: { resultType: 'input_required' } })
  fake.diff(start).verify([])
})

test('17.10 by protocol 2026-07-28 a client without forms gets the error of the protocol', async () => {
  const fake = createCompany({ mcp: { approval: 'writes' } })
  const start = fake.snapshot('start')

  expect(await send(fake, LUNCH, {}, {})).toMatchObject({ status: 400, error: { code: -32021 } })
  fake.diff(start).verify([])
})
