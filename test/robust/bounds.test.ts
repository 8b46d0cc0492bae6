import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readTasks } from '../../src/cli/evaluation/readTasks.ts'
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

test('a wrong seed is parsed once, and the first 20 problems are explained', async () => {
  const parse = vi.spyOn(seedShape, 'safeParse')
  onTestFinished(() => parse.mockRestore())
  const accounts = Array.from({ length: 5000 }, () => ({ email: 'x' }))
  const { text } = await send('POST', '/_control/seed', { accounts })

  expect(parse).toHaveBeenCalledTimes(1)
  expect(JSON.parse(text).error.message.split('\n')).toHaveLength(21)
})

test('the problems of a task are not searched for each of them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tasks-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const unknown = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`unknown${at}`, 1]))
  writeFileSync(join(folder, 'task.json'), JSON.stringify({ name: 'Many names', ...unknown }))
  let elements = 0
  const { includes } = Array.prototype
  const spy = vi.spyOn(Array.prototype, 'includes').mockImplementation(function (this: unknown[], ...given) {
    elements += this.length
    return includes.apply(this, given)
  })
  const { problems } = await readTasks([folder]).finally(() => spy.mockRestore())

  expect(problems.length).toBeGreaterThan(5000)
  expect(elements).toBeLessThan(100 * problems.length)
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
