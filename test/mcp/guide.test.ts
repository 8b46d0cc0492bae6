import { readFileSync } from 'node:fs'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect, test } from 'vitest'
import { COMMAND, openServer } from '../support/command.ts'
import { NORA } from '../support/mcp.ts'
import { blocks } from '../support/pages.ts'

const PAGE = 'docs/guides/mcp.md'
type Configuration = { command?: string; args?: string[]; url?: string; headers?: Record<string, string> }

/** The configurations of hosts on the page: one for a command, one for an address. */
const configurations = blocks
  .filter(({ page, language, text }) => page === PAGE && language === 'json' && text.includes('mcpServers'))
  .map(({ text }): Configuration => JSON.parse(text).mcpServers.calendar)
const program = configurations.find(({ command }) => command !== undefined)
const remote = configurations.find(({ url }) => url !== undefined)

/** Connects a client as a host does, and returns the number of tools and the first calendar. */
async function connect(transport: unknown) {
  const client = new Client({ name: 'host', version: '1' })
  await client.connect(transport as never)
  const { tools } = await client.listTools()
  const { structuredContent } = await client.callTool({ name: 'list_calendars', arguments: { pageSize: 1 } })
  await client.close()
  return [tools.length, Object(structuredContent).calendars[0].id]
}

test('the guide has a configuration of a command, which starts the server, and the same for Claude Code', async () => {
  const [name = '', ...args] = program?.args ?? []
  const line = `${program?.command} ${[name, ...args].join(' ')}`

  expect(line).toMatch(/^npx fake-calendar mcp /)
  expect(readFileSync(PAGE, 'utf8')).toContain(`claude mcp add calendar -- ${line}\``)
  expect(await connect(new StdioClientTransport({ command: process.execPath, args: [COMMAND, ...args] }))).toEqual([
    9,
    NORA,
  ])
})

test('the guide has a configuration of an address, at which a server answers', async () => {
  const { url } = await openServer(['--seed', 'company'])
  const address = new URL(`${url}${new URL(remote?.url ?? '').pathname}`)
  const requestInit = { headers: remote?.headers ?? {} }

  expect(await connect(new StreamableHTTPClientTransport(address, { requestInit }))).toEqual([9, NORA])
})
