import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createFakeCalendar, VerificationError } from '../../../src/index.ts'
import { run } from '../../support/command.ts'
import { installEnvironment } from '../../support/environment.ts'
// @ts-expect-error the sample is JavaScript
import { TASKS } from './tasks.js'

type Task = { title: string; account: string; prompt: string; goal: object[] }
const tasks = TASKS as Task[]
const environment = await installEnvironment('test/samples/agents')

test.skipIf(!environment)('the agent reaches the goal of each task through the MCP server', async () => {
  const { code, stdout, stderr } = await run(['test/samples/agents/run.js', '10'], { command: process.execPath })
  const passed = [...stdout.matchAll(/^\| (.+) \| 1 of 1 \|/gm)].map(([, title]) => title)

  expect({ code, stderr, stdout: stdout.replace(/^[\s\S]*for each world\.\n/, '') }).toEqual({
    code: 0,
    stderr: '',
    stdout: '',
  })
  expect(passed).toEqual(tasks.map(({ title }) => title))
})

test('an agent that does nothing reaches no goal, nor does one that changes more', async () => {
  const fake = createFakeCalendar({ seed: 'company', now: '2030-03-04T08:00:00Z' })
  const start = fake.snapshot('start')
  expect(tasks).toHaveLength(10)
  for (const [at, { goal, account }] of tasks.entries()) {
    const world = fake.fork(start, `idle${at}`)
    expect(() => world.diff().verify(goal as never)).toThrow(VerificationError)
    const headers = { Authorization: `Bearer ${account}`, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ summary: 'Extra', start: { date: '2030-03-08' }, end: { date: '2030-03-09' } })
    await world.request('/calendar/v3/calendars/primary/events', { method: 'POST', headers, body })
    expect(() => world.diff().verify(goal as never)).toThrow('expected no other change')
  }
})

test('the page lists the tasks', () => {
  const page = readFileSync('docs/guides/agents.md', 'utf8')
  const rows = [...page.matchAll(/^\| ([^|`]+) \| \d+ of \d+ \|/gm)].map(([, title]) => title)

  expect(rows).toEqual(tasks.map(({ title }) => title))
})
