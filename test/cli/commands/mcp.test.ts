import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { expect, test } from 'vitest'
import { TOOLS } from '../../../src/mcp/definitions/tools.ts'
import { COMMAND, run } from '../../support/command.ts'

const NORA = 'nora@lumen.example.com'

/** Starts the command as a host does, and connects a client. `stderr` resolves to its other output at the end. */
async function start(...args: string[]) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [COMMAND, 'mcp', '--seed', 'company', '--now', '2030-03-04T08:00:00Z', ...args],
    stderr: 'pipe',
  })
  let errors = ''
  transport.stderr?.on('data', (text) => {
    errors += String(text)
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport as never)
  return { client, stderr: () => errors }
}

test('a client of the SDK lists and calls the tools over stdio, and nothing else is written', async () => {
  const { client, stderr } = await start('--as', NORA)
  const { tools } = await client.listTools()
  const { structuredContent } = await client.callTool({ name: 'list_calendars', arguments: { pageSize: 1 } })

  expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name))
  expect(structuredContent).toMatchObject({ calendars: [{ id: NORA }] })
  await client.close()
  expect(stderr()).toBe('')
})

test('an account of --as that the world does not have is named on stderr, with the nearest', async () => {
  const { client, stderr } = await start('--as', NORA.replace('nora', 'norra'))
  const { structuredContent } = await client.callTool({ name: 'list_calendars', arguments: {} })
  await client.close()

  expect(structuredContent).toMatchObject({ calendars: [{ id: 'norra@lumen.example.com' }] })
  expect(stderr()).toBe(
    'fake-calendar: --as: there is no account "norra@lumen.example.com", so its first use creates it; did you mean "nora@lumen.example.com"?\n',
  )
})

test('with --port the calls are seen under /_control, and --mcp-tools serves a recorded list', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'mcp-')), 'tools.json')
  const [first] = TOOLS
  writeFileSync(file, JSON.stringify({ result: { tools: [{ ...first, description: 'Recorded.' }] } }))
  const { client, stderr } = await start('--port', '0', '--mcp-tools', file)
  expect((await client.listTools()).tools).toMatchObject([{ name: 'list_events', description: 'Recorded.' }])
  await client.callTool({ name: 'list_events', arguments: {} })
  const [, url] = /listening on (\S+)/.exec(stderr()) ?? []
  const { calls } = await (await fetch(`${url}/_control/calls?method=mcp.*`)).json()

  expect(calls).toMatchObject([{ method: 'mcp.list_events', status: 200 }])
  expect(stderr()).toContain('get_event is not in the recorded list')
  await client.close()
})

test('--mcp-series once lists a series once, and --mcp-agentic-only refuses clients that are not marked', async () => {
  const { client } = await start('--as', NORA, '--mcp-series', 'once')
  const { structuredContent } = await client.callTool({ name: 'list_events', arguments: { fullText: 'Nora / Owen' } })
  const { events } = structuredContent as { events: { summary: string; recurrence?: string[] }[] }
  expect(events.filter(({ summary, recurrence }) => summary === 'Nora / Owen' && recurrence)).toHaveLength(1)
  await client.close()

  const strict = await start('--as', NORA, '--mcp-agentic-only')
  const { isError, content } = await strict.client.callTool({ name: 'list_calendars', arguments: {} })
  expect([isError, content]).toMatchObject([true, [{ text: expect.stringContaining('not marked') }]])
  await strict.client.close()
})

test.each([
  [['--as', ''], '--as'],
  [['--mcp-approval', 'some'], '--mcp-approval: some (expected none, writes or all)'],
  [['--mcp-series', 'some'], '--mcp-series: some (expected instances or once)'],
  [['--mcp-tools', COMMAND], 'not a JSON reply to tools/list'],
])('%j is refused in one line', async (args, line) => {
  const { code, stdout, stderr } = await run([COMMAND, 'mcp', ...args])

  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain(line)
  expect(stderr.trim().split('\n')).toHaveLength(1)
})
