import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFakeCalendar } from '../../../src/index.ts'
import { launch, openServer, runCommand } from '../../support/command.ts'

const folder = mkdtempSync(join(tmpdir(), 'fake-calendar-capture-'))
let server: Awaited<ReturnType<typeof openServer>>
beforeAll(async () => {
  server = await openServer([
    '--seed',
    'test/support/team.json',
    '--now',
    '2026-01-05T12:00:00Z',
    '--strict',
    '--seed',
    writeTokens(),
  ])
})
afterAll(() => rmSync(folder, { recursive: true }))

function writeTokens(): string {
  const file = join(folder, 'tokens.json')
  writeFileSync(file, JSON.stringify({ tokens: [{ token: 'ya29.secret', account: 'alice@example.com' }] }))
  return file
}

const capture = (...args: string[]) => runCommand(['capture', '--base-url', server.url, ...args])

test('capture writes a seed to stdout without progress in a pipe, and the seed starts a server', async () => {
  const { code, stdout, stderr } = await capture('--token', 'ya29.secret')
  const { accounts } = createFakeCalendar({ seed: JSON.parse(stdout) }).state()

  expect([code, stderr]).toEqual([0, ''])
  expect(accounts?.map(({ email }) => email)).toEqual(['alice', 'bob', 'dana'].map((name) => `${name}@example.com`))
  expect(stdout).not.toContain('ya29')
})

test('--mcp writes the tools of the MCP server, and --mcp-tools serves the file', async () => {
  const file = join(folder, 'tools.json')
  const captured = await capture('--mcp', '--out', file)
  expect(captured).toMatchObject({ code: 0, stdout: '', stderr: '' })

  const { url, stderr } = await openServer(['--mcp-tools', file])
  const again = await runCommand(['capture', '--mcp', '--base-url', `${url}/mcp/v1`, '--token', 'ya29.secret'])
  expect(JSON.parse(readFileSync(file, 'utf8')).tools).toHaveLength(9)
  expect(again).toMatchObject({ code: 0, stdout: readFileSync(file, 'utf8'), stderr: '' })
  expect(stderr).not.toContain('tools.json')
  rmSync(file)
})

test('--mcp ends with one line for a server without tools', async () => {
  const { code, stdout, stderr } = await runCommand(['capture', '--mcp', '--base-url', `${server.url}/no`])

  expect([code, stdout, stderr.split('\n').length]).toEqual([1, '', 2])
  expect(stderr).toContain('/no/mcp/v1: 404')
})

test('--out writes a file, and --anonymize removes all words', async () => {
  const file = join(folder, 'world.json')
  const { code, stdout, stderr } = await capture('--token', 'ya29.secret', '--anonymize', '--out', file)
  const text = readFileSync(file, 'utf8')

  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: '' })
  expect(text).not.toMatch(/alice|bob|harbour|dentist|northline/i)
  expect(readdirSync(folder).sort()).toEqual(['tokens.json', 'world.json'])
  expect((await runCommand(['seed', 'check', file])).code).toBe(0)
})

test.each([
  [
    'no token',
    [],
    /^capture: requires --token or --token-file: .*\/auth\/calendar\.readonly, from https:\/\/developers\.google\.com\/oauthplayground, or of a service account, from gcloud auth application-default print-access-token --scopes=/,
  ],
  ['an unknown token', ['--token', 'nobody'], /^--token: the token is not accepted \(401/],
  ['an empty token', ['--token', ''], /^--token: it is empty/],
  [
    'a token of two lines',
    ['--token', 'ya29.\nsecret'],
    /^--token: not an access token: it contains a space, a line break or/,
  ],
  [
    'a token that was copied cut',
    ['--token', 'ya29.secre…'],
    /^--token: not an access token: it contains a space, a line break or/,
  ],
  ['an empty file name', ['--token', 'ya29.secret', '-o', ''], /^--out: it is empty \(expected a file\)$/],
  ['an empty calendar', ['--token', 'ya29.secret', '--calendar', ''], /^--calendar: it is empty \(expected an id\)$/],
  [
    'a calendar that does not exist',
    ['--token', 'ya29.secret', '--calendar', 'x'],
    /^--calendar: there is no calendar x \(only alice@/,
  ],
  [
    'an invalid date',
    ['--token', 'ya29.secret', '--from', 'soon'],
    /^--from: not a date or an instant: soon \(expected a form such as 2026-03-02\)$/,
  ],
  [
    'an end before the start',
    ['--token', 'x', '--from', '2026-02-01', '--to', '2026-01-01'],
    /^--to: must be after --from$/,
  ],
  ['an unknown option', ['--tokn', 'x'], /^capture: Unknown option '--tokn'; did you mean '--token'\?/],
  [
    'a folder that does not exist',
    ['--token', 'ya29.secret', '-o', '/nowhere/at/all.json'],
    /all\.json: cannot be written: there is no such folder$/,
  ],
])('capture with %s prints one line and exits with 1', async (_, args, message) => {
  const { code, stdout, stderr } = await capture(...args)

  expect([code, stdout]).toEqual([1, ''])
  expect(stderr.replace(/^fake-calendar: /, '').trimEnd()).toMatch(message)
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
})

test('an interrupted capture leaves neither a partial file nor a temporary one', async () => {
  const file = join(folder, 'never.json')
  const hang = { on: 'events.list', do: { hang: true } }
  const headers = { 'Content-Type': 'application/json' }
  const faults = `${server.url}/_control/faults`
  await fetch(faults, { method: 'POST', headers, body: JSON.stringify(hang) })
  const stream = await fetch(`${server.url}/_control/calls/stream`)
  const { stop } = launch(['capture', '--base-url', server.url, '--token', 'ya29.secret', '--out', file])
  await waitForEvents(stream)
  const { code, stdout } = await stop('SIGINT')
  await fetch(faults, { method: 'DELETE' })

  expect({ code, stdout }).toEqual({ code: 130, stdout: '' })
  expect(existsSync(file)).toBe(false)
  expect(readdirSync(folder).filter((name) => name.includes('never'))).toEqual([])
})

/** Waits until the capture has read everything before the events. */
async function waitForEvents({ body }: Response): Promise<void> {
  let output = ''
  const decoder = new TextDecoder()
  for await (const chunk of body ?? []) {
    output += decoder.decode(chunk, { stream: true })
    if (output.includes('calendar.acl.list') || output.includes('"acl.list"') || output.includes('/acl')) return
  }
}
