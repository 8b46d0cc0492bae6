import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { COMMAND, fakeCalendar, launch, run, runCommand } from '../../support/command.ts'

const folder = mkdtempSync(join(tmpdir(), 'fake-calendar-states-'))
afterAll(() => rmSync(folder, { recursive: true }))
const at = (name: string) => join(folder, name)

/** Calls events.list or another method of alice's calendar. */
async function call(url: string, path = '', method = 'GET') {
  const headers = { Authorization: 'Bearer alice@example.com' }
  const reply = await fetch(`${url}/calendar/v3/calendars/primary/events${path}`, { method, headers })
  return (await reply.json()) as { items: { summary: string }[]; nextSyncToken: string }
}
const listSummaries = async (url: string, query = '') => (await call(url, query)).items.map(({ summary }) => summary)

/** The events of alice in a saved state. */
const savedSummaries = (file: string): string[] =>
  JSON.parse(readFileSync(file, 'utf8')).calendars.flatMap(({ events = [] }: { events?: { summary: string }[] }) =>
    events.map(({ summary }) => summary),
  )

test.each([
  ['serve', 'SIGINT', []],
  ['serve', 'SIGTERM', []],
  ['proxy', 'SIGTERM', ['proxy', '--proxy-port', '0']],
] as const)('%s saves its state on %s, and continues it with its sync tokens', async (name, signal, command) => {
  const file = at(`${name}${signal}.json`)
  const args = [...command, '--port', '0', '--json', '--state', file]
  const first = launch([...args, '--seed', 'default'])
  const { url } = JSON.parse(await first.printed(/\n$/))
  await call(url, '/quickAdd?text=Lunch', 'POST')
  const { nextSyncToken } = await call(url)
  await call(url, '/quickAdd?text=Dinner', 'POST')
  expect(await first.stop(signal)).toMatchObject({ code: 0, stderr: '' })

  const second = launch([...args, '--seed', 'team', '--now', '2030-01-01T00:00:00Z'])
  const { url: next, accounts } = JSON.parse(await second.printed(/\n$/))
  expect(accounts).toEqual(['alice@example.com'])
  expect((await listSummaries(next)).sort()).toEqual(['Dinner', 'Lunch'])
  expect(await listSummaries(next, `?syncToken=${nextSyncToken}`)).toEqual(['Dinner'])
  await second.stop(signal)
})

const ADD_AND_END = `fetch(process.env.FAKE_CALENDAR_URL + '/calendar/v3/calendars/primary/events/quickAdd?text=Lunch', {
  method: 'POST', headers: { Authorization: 'Bearer alice@example.com' } }).then(() => process.exit(4))`

test('exec saves its state when its command has ended, and keeps its exit code', async () => {
  const file = at('exec.json')
  const args = ['exec', '--state', file, '--', process.execPath, '-e', ADD_AND_END]

  expect(await fakeCalendar(args)).toEqual({ code: 4, stdout: '', stderr: '' })
  expect(await fakeCalendar(args)).toEqual({ code: 4, stdout: '', stderr: '' })
  expect(savedSummaries(file)).toEqual(['Lunch', 'Lunch'])
})

test('mcp saves its state at the end of stdin', async () => {
  const file = at('mcp.json')
  const transport = new StdioClientTransport({ command: process.execPath, args: [COMMAND, 'mcp', '--state', file] })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport as never)
  const times = { startTime: '2030-03-04T09:00:00', endTime: '2030-03-04T10:00:00' }
  await client.callTool({ name: 'create_event', arguments: { summary: 'Lunch', ...times } })
  await client.close()

  expect(savedSummaries(file)).toEqual(['Lunch'])
})

test('a state that outgrows the disk leaves the old one as it was, in one line', async () => {
  const inside = mkdtempSync(at('limit-'))
  const file = join(inside, 'state.json')
  await fakeCalendar(['exec', '--state', file, '--', 'true'])
  const old = readFileSync(file, 'utf8')
  // No file may grow beyond 512 bytes, as on a full disk.
  const line = `trap '' XFSZ; ulimit -f 1; '${process.execPath}' --no-node-snapshot '${COMMAND}' exec --state '${file}' -- sh -c`

  for (const [own, code] of [
    [0, 1],
    [3, 3],
  ])
    expect(await run(['-c', `${line} 'exit ${own}'`], { command: 'sh' })).toEqual({
      ...{ code, stdout: '' },
      stderr: expect.stringMatching(/^fake-calendar: --state: [^\n]*state\.json: cannot be written: [^\n]*\n$/),
    })
  expect(readdirSync(inside)).toEqual(['state.json'])
  expect(readFileSync(file, 'utf8')).toBe(old)
})

const counters = { revision: 1, expiredUpTo: 0, ids: 1, epoch: { worldId: 'default', resetCount: 0, continues: [] } }
const NOT_A_STATE = 'not a state, which only fake-calendar writes (--seed takes other seeds)'
const otherVersion = (version: number) =>
  `a state of version ${version}, and this fake-calendar reads version 1; delete the file to begin anew`

test.each([
  ['', NOT_A_STATE],
  ['{"counters', NOT_A_STATE],
  ['null', NOT_A_STATE],
  ['{ "accounts": [] }', NOT_A_STATE],
  [JSON.stringify({ counters }), otherVersion(0)],
  [JSON.stringify({ counters: { ...counters, version: 0 } }), otherVersion(0)],
  [JSON.stringify({ counters: { ...counters, version: 2 } }), otherVersion(2)],
  [JSON.stringify({ counters: { ...counters, version: 1, ids: -1 } }), 'counters.ids: expected at least 0; got -1'],
])('%s is refused in one line before anything listens', async (content, reason) => {
  const file = at('refused.json')
  writeFileSync(file, content)
  const occupied = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void occupied.close())
  await new Promise((resolve) => occupied.once('listening', resolve))
  const port = String((occupied.address() as AddressInfo).port)
  for (const command of [[], ['proxy'], ['mcp'], ['exec']]) {
    const end = command[0] === 'exec' ? ['--', 'echo', 'started'] : []
    const { code, stdout, stderr } = await runCommand([...command, '--port', port, '--state', file, ...end])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^[^\n]*\n$/)
    expect(stderr).toContain(`fake-calendar: --state: ${file}: ${reason}`)
  }
  expect(readFileSync(file, 'utf8')).toBe(content)
})

test.each([
  ['', 'it is empty (expected a file)'],
  [folder, `${folder}: this is a folder`],
  [at('none/x.json'), `${at('none/x.json')}: there is no such folder`],
  ['/dev/null', '/dev/null: this is no regular file'],
  ['x.ics', 'x.ics: the state is written as JSON, not as iCalendar; name a file such as state.json'],
])('--state %j is refused in one line', async (file, reason) => {
  expect(await runCommand(['--port', '0', '--state', file])).toEqual({
    ...{ code: 1, stdout: '' },
    stderr: `fake-calendar: --state: ${reason}\n`,
  })
})

test.each([[['--play'], '--play: leave out --state, because the story begins with the seed']])(
  '%j excludes a state',
  async ([command = '', ...args], line) => {
    expect(await runCommand([command, '--state', at('new.json'), ...args])).toEqual({
      ...{ code: 1, stdout: '' },
      stderr: `fake-calendar: ${line}\n`,
    })
  },
)
