import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/server'
import { expect, onTestFinished, test } from 'vitest'
import { TOOL_NAMES } from '../../src/mcp/definitions/toolNames.ts'
import { COMPANY_ARGUMENTS, callEveryTool, EVERY_RESULT } from '../support/callEveryTool.js'
import { COMMAND, fakeCalendar, ROOT, serve } from '../support/command.ts'
import { createCompany, NORA } from '../support/mcp.ts'

type Results = { tools: string[]; results: Record<string, unknown> }

/** Calls every tool through a transport of the SDK, and closes it. */
async function callThrough(transport: unknown): Promise<Results> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport as never)
  const { tools } = await client.listTools()
  const results = await callEveryTool(async (name, args) => {
    const { structuredContent } = await client.callTool({ name, arguments: { ...args } })
    return structuredContent
  })
  await client.close()
  return { tools: tools.map(({ name }) => name), results }
}

/** The connections of a client of the SDK to the server. */
const CONNECTIONS: Record<string, () => Promise<Results>> = {
  'by URL over a socket': async () => {
    const { url, stop } = await serve(COMPANY_ARGUMENTS)
    onTestFinished(async () => void (await stop()))
    const requestInit = { headers: { Authorization: `Bearer ${NORA}` } }
    return callThrough(new StreamableHTTPClientTransport(new URL(`${url}/mcp/v1`), { requestInit }))
  },
  'by stdio': () => {
    const args = [COMMAND, 'mcp', ...COMPANY_ARGUMENTS, '--as', NORA]
    return callThrough(new StdioClientTransport({ command: process.execPath, args }))
  },
  'by fake.mcp': async () => {
    // It has the type of the second version of the SDK as well.
    const transport: Transport = await createCompany().mcp({ as: NORA })
    return callThrough(transport)
  },
  "at the service's host under exec --intercept": async () => {
    const script = join(ROOT, 'test/support/mcpClient.js')
    const program = [process.execPath, script, 'https://calendarmcp.googleapis.com/mcp/v1', NORA]
    const ended = await fakeCalendar(['exec', '--intercept', ...COMPANY_ARGUMENTS, '--', ...program])
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringMatching(/^fake-calendar: FC501 [^\n]*\n$/) })
    return JSON.parse(ended.stdout)
  },
}

test.each(Object.entries(CONNECTIONS))('a client of the SDK lists and calls the nine tools %s', async (_, connect) => {
  const { tools, results } = await connect()

  expect(tools).toEqual(TOOL_NAMES)
  expect(Object.keys(results).sort()).toEqual([...TOOL_NAMES].sort())
  expect(results).toEqual(EVERY_RESULT)
})
