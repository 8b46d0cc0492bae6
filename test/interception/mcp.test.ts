import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect, onTestFinished, test } from 'vitest'
import { intercept } from '../../src/interception/intercept.ts'
import { createCompany, NORA } from '../support/mcp.ts'

test('a client that connects to the service’s own host reaches the fake', async () => {
  const fake = createCompany()
  onTestFinished(intercept(fake))
  const url = new URL('https://calendarmcp.googleapis.com/mcp/v1')
  const client = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { Authorization: `Bearer ${NORA}` } }
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }) as never)
  const { structuredContent } = await client.callTool({ name: 'list_calendars', arguments: { pageSize: 1 } })

  expect(structuredContent).toMatchObject({ calendars: [{ id: NORA }] })
  const refused = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_calendars' } }),
  })
  expect(refused.headers.get('WWW-Authenticate')).toContain(
    'resource_metadata="https://calendarmcp.googleapis.com/.well-known/oauth-protected-resource/list_calendars"',
  )
  await client.close()
})
