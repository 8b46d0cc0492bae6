import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readTasks } from '../../src/cli/evaluation/readTasks.ts'
import { formatProblems } from '../../src/cli/seeds/check.ts'
import { Records } from '../../src/db/records.ts'
import { findSeedProblems } from '../../src/seeds/problems.ts'
import { seedShape } from '../../src/seeds/schema/shape.ts'
import { ALICE, openCalendar } from '../support/calendar.ts'

const EVENTS = '/calendar/v3/calendars/primary/events'
const times = { start: { date: '2026-03-02' }, end: { date: '2026-03-03' } }

async function send(method: string, path: string, body?: object) {
  const { fake } = openCalendar()
  onTestFinished(() => fake.close())
  const headers = {
    Authorization: `Bearer ${ALICE}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  }
  const response = await fake.request(path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  return { status: response.status, text: await response.text() }
}

const callTool = (name: string, given: object) =>
  send('POST', '/mcp/v1', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } })

const numbered = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 1]))

test.each([
  [10_000, 200],
  [10_001, 400],
])('a body with an object of %i unknown entries is answered with %i', async (count, status) => {
  expect((await send('POST', EVENTS, { ...times, extendedProperties: numbered(count) })).status).toBe(status)
})

test('a body whose unknown field is nested 100,000 levels deep is no error of the server', async () => {
  const { fake } = openCalendar()
  onTestFinished(() => fake.close())
  const body = `{"start":{"date":"2026-03-02"},"end":{"date":"2026-03-03"},"x":${'['.repeat(1e5)}${']'.repeat(1e5)}}`
  const headers = { Authorization: `Bearer ${ALICE}`, 'Content-Type': 'application/json' }

  expect((await fake.request(EVENTS, { method: 'POST', headers, body })).status).toBeLessThan(500)
})

test('a text of a tool is as long as a URL of REST allows', async () => {
  expect((await callTool('list_events', { fullText: 'a'.repeat(15_000) })).text).not.toContain('isError')
  expect((await callTool('list_events', { fullText: 'a '.repeat(8200) })).text).toContain(
    'Request contains an invalid argument.',
  )
})

test('a message to tools has at most 10,000 values on one level', async () => {
  expect((await callTool('list_events', numbered(9000))).text).toContain('Unknown name')
  expect((await callTool('list_events', numbered(10_001))).text).toContain('more than 10000 values on one level')
})

test.each([
  ['/_control/seed', numbered],
  ['/_control/faults', numbered],
  ['/_control/calls/verify', (count: number) => ({ method: 'events.list', body: numbered(count) })],
  ['/_control/functions/calls.verify', (count: number) => ({ arguments: [numbered(count)] })],
])('an object in a body of %s has at most 10,000 names', async (path, bodyOf) => {
  const [most, more] = [await send('POST', path, bodyOf(10_000)), await send('POST', path, bodyOf(10_001))]

  expect(most.text).not.toContain('more than 10000 entries')
  expect(more.status).toBe(400)
  expect(more.text).toMatch(/Invalid value for: (body|arguments\[0\]): more than 10000 entries/)
})

test('12.18 a URL of more than 16 kB is answered with 431 in process as on a socket', async () => {
  const { fake } = openCalendar()
  onTestFinished(() => fake.close())
  const { url } = await fake.listen()
  const headers = { Authorization: `Bearer ${ALICE}` }
  const readReply = ({ status, headers, body }: Response) => [status, headers.get('Connection'), body]
  for (const path of [`${EVENTS}?q=${'a'.repeat(17_000)}`, `/${'a'.repeat(17_000)}`]) {
    const { status, headers: sent } = await fetch(`${url}${path}`, { headers })
    const reply = await fake.request(path, { headers })

    expect([status, sent.get('Connection')]).toEqual([431, 'close'])
    expect(readReply(reply)).toEqual([431, 'close', null])
  }
  expect((await fake.request(`${EVENTS}?q=${'a'.repeat(15_000)}`, { headers })).status).toBe(200)
})

test('of a seed with wrong items at its beginning, the first 1,000 of a list are parsed once', async () => {
  const parse = vi.spyOn(seedShape, 'safeParse')
  onTestFinished(() => parse.mockRestore())
  const accounts = Array.from({ length: 5000 }, () => ({ email: 'x' }))

  expect(findSeedProblems({ accounts })).toHaveLength(21)
  expect(parse.mock.calls.map(([data]) => (data as { accounts: object[] }).accounts.length)).toEqual([1000])
})

test('a wrong seed is parsed once, and the first 20 problems are explained', async () => {
  const parse = vi.spyOn(seedShape, 'safeParse')
  onTestFinished(() => parse.mockRestore())
  const accounts = Array.from({ length: 5000 }, () => ({ email: 'x' }))
  const { text } = await send('POST', '/_control/seed', { accounts })

  expect(parse).toHaveBeenCalledTimes(1)
  expect(JSON.parse(text).error.message.split('\n')).toHaveLength(21)
})

test('of a seed with more than 20 wrong values only these are reported, without parsing the rest again', () => {
  const parse = vi.spyOn(seedShape, 'safeParse')
  onTestFinished(() => parse.mockRestore())
  const accounts = Array.from({ length: 22 }, () => ({ email: 'x' }))
  const problems = findSeedProblems({ accounts, calendars: [{ id: 'a', owner: 'nobody@example.com' }] })

  expect(parse).toHaveBeenCalledTimes(1)
  expect(problems.map(({ problem }) => problem).slice(19)).toEqual([
    expect.stringContaining('expected an address'),
    'and 2 more problems',
  ])
})

test('the places of the first 1,000 problems of a file are found', () => {
  const findPositions = vi.fn((places: readonly unknown[]) => places.map((_, at) => ({ line: 5000 - at, column: 1 })))
  const problems = Array.from({ length: 5000 }, (_, at) => ({ path: [at], problem: 'wrong' }))
  const lines = formatProblems(
    'a.json',
    { data: [], findPositions },
    [{ path: [], problem: 'and 7 more' }, ...problems],
    'seed',
  )

  expect(findPositions.mock.calls[0]?.[0]).toHaveLength(1000)
  expect([lines[0], lines.length]).toEqual(['a.json:4001:1: [998]: wrong', 5001])
})

const TASK = { name: 'Wait', seed: 'team', now: '2030-06-03T07:00:00Z', account: 'dana@example.com', prompt: 'Wait.' }
test.each([
  ['goal.do', (count: number) => ({ goal: { do: Array(count).fill('list_events') } })],
  ['faults', (count: number) => ({ faults: Array(count).fill({ on: 'events.get', do: { fail: 'backendError' } }) })],
  ['variables', (count: number) => ({ variables: numbered(count) })],
  ['task', numbered],
  ['seed', (count: number) => ({ seed: Array(count).fill('team') })],
])('%s of a task has at most 1,000 entries, which are counted before they are read', async (path, partOf) => {
  const folder = mkdtempSync(join(tmpdir(), 'tasks-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const read = async (count: number) => {
    writeFileSync(join(folder, 'task.json'), JSON.stringify({ ...TASK, goal: { do: [] }, ...partOf(count) }))
    return (await readTasks([folder])).problems.map((line) => line.replace(/^.*?:\d+:\d+: /, ''))
  }

  expect(await read(900)).not.toContain(`${path}: more than 1000 entries`)
  expect(await read(1001)).toEqual([`${path}: more than 1000 entries`])
})

test('a fault has at most 1,000 effects', async () => {
  const effects = (count: number) => Array.from({ length: count }, () => ({ fail: 'backendError' }))

  expect((await send('POST', '/_control/faults', { on: '*', do: effects(1000) })).status).toBeLessThan(300)
  expect((await send('POST', '/_control/faults', { on: '*', do: effects(1001) })).text).toContain(
    'do: more than 1000 entries',
  )
})

test.each([
  [64, 200],
  [400, 400],
])('an address of %i characters before the sign is answered with %i in an access rule', async (length, status) => {
  const scope = { type: 'user', value: `${'a'.repeat(length)}@example.com` }

  expect((await send('POST', '/calendar/v3/calendars/primary/acl', { role: 'reader', scope })).status).toBe(status)
})

test('the check of a seed writes two records for each account, as the start of a server does', () => {
  const put = vi.spyOn(Records.prototype, 'put')
  onTestFinished(() => put.mockRestore())
  const accounts = Array.from({ length: 500 }, (_, at) => ({ email: `u${at}@example.com` }))

  expect(findSeedProblems({ accounts })).toEqual([])
  expect(put.mock.calls.length).toBeLessThan(1100)
})
