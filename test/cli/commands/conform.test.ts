import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { GROUPS } from '../../../src/cli/conform/scenarios/index.ts'
import { ALICE, BOB } from '../../support/calendar.ts'
import { COMMAND, launch, run, runCommand, serve } from '../../support/command.ts'

const folder = mkdtempSync(join(tmpdir(), 'fake-calendar-'))
let server: Awaited<ReturnType<typeof serve>>
beforeAll(async () => {
  server = await serve()
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

const conform = (...args: string[]) => runCommand(['conform', '--base-url', server.baseUrl, '--token', ALICE, ...args])

/** Returns the summaries of an account's calendars. */
async function listCalendarIds(): Promise<string[]> {
  const answer = await fetch(`${server.baseUrl}/users/me/calendarList`, {
    headers: { Authorization: `Bearer ${ALICE}` },
  })
  const { items } = (await answer.json()) as { items: { summary: string }[] }
  return items.map(({ summary }) => summary)
}

test('--only runs a heading and those below it, prints one line each, and leaves no calendar behind', async () => {
  const before = await listCalendarIds()
  const { code, stdout, stderr } = await conform('--only', '3.6')

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^3\.6\.1 {4}agrees$/m)
  expect(stdout).toMatch(/^4 headings: 4 agree, 0 differ, 0 inconclusive$/m)
  expect(await listCalendarIds()).toEqual(before)
})

test('scenarios that need a second account are inconclusive without a second token', async () => {
  const { code, stdout } = await conform('--only', '7.18', '--json')
  const { headings, summary } = JSON.parse(stdout)

  expect({ code, summary }).toEqual({ code: 0, summary: { agrees: 0, differs: 0, inconclusive: 1 } })
  expect(headings).toEqual([
    {
      heading: '7.18',
      verdict: 'inconclusive',
      how: [expect.stringMatching(/: needs a second account: a second --token$/)],
      scenarios: ['without guestsCanSeeOtherGuests, a guest sees the organizer and itself'],
    },
  ])
})

test('scenarios of a second account run with a second token, and the report can be a file of JUnit', async () => {
  const file = join(folder, 'report.xml')
  const { code, stdout } = await conform('--token', BOB, '--only', '7.18', '--junit', '--output', file)

  expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
  expect(readFileSync(file, 'utf8')).toContain(
    '<testsuite name="guests" tests="1" failures="0" errors="0" skipped="0">',
  )
  expect(readdirSync(folder)).toEqual(['report.xml'])
})

test('all scenarios agree over a socket', { timeout: 150_000 }, async () => {
  const tokens = ['--token', ALICE, '--token', BOB]
  const { code, stdout, stderr } = await run([COMMAND, 'conform', '--base-url', server.baseUrl, ...tokens])

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/\d+ scenarios: \d+ agree, 0 differ, 0 inconclusive\n$/)
})

/** Opens a server that forwards requests to the fake, unless `between` answers them. */
async function openInterceptor(between: (path: string) => Promise<Response> | undefined): Promise<string> {
  const passing = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = 'GET', url = '', headers } = request
    const { authorization = '', 'content-type': type } = headers
    const passed = () =>
      fetch(new URL(url, server.url), {
        method,
        headers: { authorization, ...(type && { 'Content-Type': type }) },
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      })
    const answer = await (between(`${method} ${url}`) ?? passed())
    response.writeHead(answer.status, { 'Content-Type': answer.headers.get('Content-Type') ?? 'text/plain' })
    response.end(Buffer.from(await answer.arrayBuffer()))
  })
  await new Promise<void>((resolve) => passing.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void passing.close())
  return `http://127.0.0.1:${(passing.address() as AddressInfo).port}`
}

test('a difference is described, and the exit code is 1', async () => {
  const url = await openInterceptor((path) =>
    path.startsWith('GET /calendar/v3/colors')
      ? Promise.resolve(Response.json({ kind: 'calendar#colors' }))
      : undefined,
  )
  const { code, stdout } = await runCommand(['conform', '--base-url', url, '--token', ALICE, '--only', '3.8'])

  expect(code).toBe(1)
  expect(stdout).toMatch(
    /^3\.8 {6}differs\n.*the palettes have 24 and 11 colours: GET \/colors: updated: expected "2012/m,
  )
})

test('scenarios are inconclusive if the server is busy', async () => {
  const busy = () =>
    Promise.resolve(Response.json({ error: { errors: [{ reason: 'quotaExceeded' }] } }, { status: 403 }))
  const url = await openInterceptor((path) => (path === 'POST /calendar/v3/freeBusy' ? busy() : undefined))
  const { code, stdout } = await runCommand(['conform', '--base-url', url, '--token', ALICE, '--only', '10.5'])

  expect(code).toBe(0)
  expect(stdout).toMatch(/^10\.5 {5}inconclusive\n.*403 quotaExceeded/m)
})

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends a run, and its calendars are removed', async (signal) => {
  const before = await listCalendarIds()
  let end: (() => void) | undefined
  const url = await openInterceptor((path) => {
    // A calendar exists, and the next request is in flight.
    if (/^POST .*\/events$/.test(path)) end?.()
    return undefined
  })
  const running = launch(['conform', '--base-url', url, '--token', ALICE])
  end = () => running.kill(signal)

  expect(await running.printed(/nothing is printed/).catch((error: Error) => error.message)).toMatch(/ended with 130/)
  expect(await running.stop()).toEqual({
    code: 130,
    stdout: '',
    stderr: 'fake-calendar: conform: interrupted; its calendars are removed\n',
  })
  expect(await listCalendarIds()).toEqual(before)
})

test.each<[string[], RegExp]>([
  [[], /requires --base-url URL or --har FILE/],
  [
    ['--base-url', 'nowhere', '--token', 'a'],
    /^fake-calendar: --base-url: not a URL: nowhere \(expected a form such as/,
  ],
  [['--base-url', 'http://127.0.0.1:1'], /requires --token TOKEN/],
  [['--base-url', 'http://127.0.0.1:1', '--token', 'a', '--token', 'a'], /--token: both are equal/],
  [['--base-url', 'http://127.0.0.1:1', '--token', 'a', '--only', '99'], /--only: no scenario for 99/],
  [['--json', '--junit', '--har', 'x'], /--json: cannot be combined with --junit/],
  [['--har', 'x', '--token', 'a'], /--har: cannot be combined with --base-url, --token, --only or --yes/],
  [['--har', 'x', '--yes'], /--har: cannot be combined with --base-url, --token, --only or --yes/],
  [['--nonsense'], /Unknown option '--nonsense'/],
])('%j is rejected in one line', async (args, message) => {
  const { code, stdout, stderr } = await runCommand(['conform', ...args])

  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(message)
  expect(stderr.trimEnd()).not.toContain('\n')
})

test('a rejected token is reported before anything is created', async () => {
  const strict = await serve(['--strict'])
  const { code, stderr } = await runCommand(['conform', '--base-url', strict.url, '--token', 'wrong'])
  await strict.stop()

  expect(code).toBe(1)
  expect(stderr).toBe('fake-calendar: --token: the first was rejected: 401 authError: Invalid Credentials\n')
})

test('scenario names are unique', () => {
  const names = GROUPS.flatMap(({ name, scenarios }) => scenarios.map((one) => `${name}: ${one.name}`))

  expect(names.filter((name, at) => names.indexOf(name) < at)).toEqual([])
})
