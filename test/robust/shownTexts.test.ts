import { expect, onTestFinished, test, vi } from 'vitest'
import { openService } from '../../src/cli/capture/service.ts'
import { findWrongField } from '../../src/cli/capture/shapes.ts'
import { captureTools } from '../../src/cli/capture/tools.ts'
import { formatJUnit, formatTable, listProblems, summarizeAttempts } from '../../src/cli/evaluation/report.ts'
import { printProblems } from '../../src/cli/evaluation/selectTasks.ts'
import { printError } from '../../src/cli/output.ts'
import { openProgress } from '../../src/cli/progress.ts'
import type { AttemptResult } from '../../src/control/types/attempts.ts'
import { reportFault } from '../../src/model/clock.ts'
import { formatCallReport } from '../../src/runners/callReport.ts'
import { quoteForRemark } from '../../src/seeds/ical/remarks.ts'
import { ALICE, openCalendar } from '../support/calendar.ts'

const BAD = `x\u001b[31m\u202e"<b>\r\n${'y'.repeat(9000)}`
const IN_URL = encodeURIComponent(BAD)
const EVENTS = '/calendar/v3/calendars/primary/events'
const times = { start: { date: '2026-03-02' }, end: { date: '2026-03-03' } }
const rpc = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })
const tool = (name: string, given: object) => rpc('tools/call', { name, arguments: given })

/** Every kind of place where a name, an id or a path of a request is shown in a reply, its headers or the log. */
const REQUESTS: Readonly<Record<string, [verb: string, path: string, body?: object]>> = {
  'an unknown path': ['GET', `/calendar/v3/${IN_URL}`],
  'an unknown calendar': ['GET', `/calendar/v3/calendars/${IN_URL}`],
  'an unknown event': ['GET', `${EVENTS}/${IN_URL}`],
  'an unknown parameter': ['GET', `${EVENTS}?${IN_URL}=1`],
  'a wrong parameter': ['GET', `${EVENTS}?timeMin=${IN_URL}`],
  'a field mask': ['GET', `${EVENTS}?fields=${IN_URL}`],
  'a page token': ['GET', `${EVENTS}?pageToken=${IN_URL}`],
  'an unknown field': ['POST', EVENTS, { ...times, [BAD]: 1 }],
  'a wrong value': ['POST', EVENTS, { ...times, status: BAD }],
  'a wrong zone': ['POST', EVENTS, { ...times, start: { dateTime: '2026-03-02T09:00:00', timeZone: BAD } }],
  'a wrong rule': ['POST', EVENTS, { ...times, recurrence: [BAD] }],
  'an unknown colour': ['POST', EVENTS, { ...times, colorId: BAD }],
  'an unknown scope': ['POST', '/calendar/v3/calendars/primary/acl', { role: BAD, scope: { type: BAD } }],
  'an unknown tool': ['POST', '/mcp/v1', tool(BAD, {})],
  'an unknown method': ['POST', '/mcp/v1', rpc(BAD, {})],
  'an unknown argument': ['POST', '/mcp/v1', tool('list_events', { [BAD]: 1 })],
  'a wrong argument': ['POST', '/mcp/v1', tool('list_events', { orderBy: BAD })],
  'a wrong time of a tool': ['POST', '/mcp/v1', tool('list_events', { startTime: BAD })],
  'an unknown control': ['POST', `/_control/${IN_URL}`],
  'an unknown function': ['POST', `/_control/functions/${IN_URL}`, []],
  'an unknown fault': ['POST', '/_control/faults', { on: BAD, do: { fail: 'backendError' } }],
  'an unknown failure': ['POST', '/_control/faults', { on: '*', do: { fail: BAD } }],
  'an unknown key of a fault': ['POST', '/_control/faults', { [BAD]: 1 }],
  'an unknown id of a fault': ['DELETE', `/_control/faults/${IN_URL}`],
  'a wrong duration': ['POST', '/_control/clock/advance', { by: BAD }],
  'a wrong instant': ['PUT', '/_control/clock', { now: BAD }],
  'an unknown snapshot': ['POST', '/_control/restore', { name: BAD }],
  'an unknown world': ['DELETE', `/_control/worlds/${IN_URL}`],
  'an unknown key of a seed': ['POST', '/_control/seed', { [BAD]: 1 }],
  'an unknown fixture': ['POST', '/_control/worlds', { name: 'w', seed: BAD }],
  'an unknown call': ['POST', '/_control/calls/verify', { method: BAD }],
}

/** Expects texts, and the texts in JSON, without control and direction characters, and hardly longer than their lines. */
function expectShown(texts: readonly string[]): void {
  for (const text of texts) {
    expect(text.length).toBeLessThan(6000)
    for (const shown of listTexts(text)) expect(shown).not.toMatch(/(?!\n)\p{Cc}|\u202e/u)
  }
}

/** Returns the keys and values of JSON, also if it is an event of a stream, and any other text as it is. */
function listTexts(text: string): string[] {
  const found: string[] = []
  try {
    JSON.parse(text.replace(/^event: message\ndata: /, ''), (key, value) => void found.push(key, String(value)))
    return found
  } catch {
    return [text]
  }
}

test.each(Object.entries(REQUESTS))('%s is shown as one short line without control characters', async (_, call) => {
  const lines: string[] = []
  const { fake } = openCalendar({ log: (line: string) => lines.push(line) } as object)
  onTestFinished(() => fake.close())
  const [method, path, body] = call
  const headers = {
    Authorization: `Bearer ${ALICE}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  }
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
  const response = await fake.request(path, init)

  expect(response.status).toBeLessThan(500)
  expectShown([await response.text(), ...response.headers.values(), ...lines])
})

const CONSENT = {
  client_id: 'app',
  redirect_uri: 'https://app.example.com/back',
  response_type: 'code',
  scope: 'email',
}

/** Every kind of text on a page for signing in: the parameters of its address, and those of its form. */
const PAGES: Readonly<Record<string, [path: string, query: object, form?: object]>> = {
  'a client and an account': ['/o/oauth2/v2/auth', { ...CONSENT, client_id: BAD }],
  'a scope': ['/o/oauth2/v2/auth', { ...CONSENT, scope: `https://example.com/${BAD.replace(/\s/g, '')}` }],
  'a redirect URI': ['/o/oauth2/v2/auth', { ...CONSENT, redirect_uri: BAD }],
  'a redirect URI of a scheme': ['/o/oauth2/v2/auth', { ...CONSENT, redirect_uri: `data:${BAD.slice(40)}` }],
  'an address': ['/o/oauth2/v2/auth', CONSENT, { decision: 'allow', account: 'other', email: BAD }],
  'the code of a device': ['/device', { user_code: BAD }],
}

test.each(Object.entries(PAGES))('%s is shown on a page as text, short and escaped', async (_, [path, query, form]) => {
  const seed = { accounts: [{ email: ALICE, displayName: BAD }] }
  const { fake } = openCalendar({ consent: true, seed })
  onTestFinished(() => fake.close())
  const url = `${path}?${new URLSearchParams({ ...query })}`
  const first = await (await fake.request(url)).text()
  const [, csrf = ''] = /name="form" value="([^"]+)"/.exec(first) ?? []
  const body = form && new URLSearchParams({ ...form, form: csrf })
  const page = body ? await (await fake.request(url, { method: 'POST', body })).text() : first
  const [, shown = ''] = /<main>(.*)<\/main>/s.exec(page) ?? []

  expect(shown).not.toContain('<b>')
  expectShown([shown])
})

const printed = async (print: () => unknown): Promise<string> => {
  const written: unknown[] = []
  const spies = [
    ...(['stdout', 'stderr'] as const).map((name) =>
      vi.spyOn(process[name], 'write').mockImplementation((text) => written.push(text) > 0),
    ),
    vi.spyOn(console, 'error').mockImplementation((text) => void written.push(text)),
  ]
  await print()
  for (const spy of spies) spy.mockRestore()
  process.exitCode = undefined
  return written.join('')
}
const messageOf = (rejected: Promise<unknown>): Promise<string> => rejected.then(String, ({ message }) => message)
const answerBad = async () => Response.json({ error: { message: BAD } }, { status: 400 })
const failBad = async () => Promise.reject(new Error(BAD))
const finding = { what: 'failure', text: BAD, weight: 1 } as const
const attempt = { task: BAD, attempt: 1, passed: false, score: 0, missing: [finding], unexpected: [finding], ms: 1 }
const results = [{ ...attempt, calls: 0, errors: 0 } as unknown as AttemptResult]
const summary = summarizeAttempts({ name: BAD }, results)

const terminal = { isTTY: true, write: (text: string) => process.stderr.write(text.replaceAll('\r\u001b[2K', '')) }

/** Every kind of line that a command or a runner prints. */
const LINES: Readonly<Record<string, () => string | Promise<string>>> = {
  'an error of a command': () => printed(() => printError(BAD)),
  'a problem of a task file': () => printed(() => printProblems([BAD])),
  'the progress of a command': () => printed(() => openProgress(terminal).show(BAD)),
  'a fault of the fake': () => printed(() => reportFault('a request', new Error(BAD))),
  'the table of eval': () => formatTable([summary], summary),
  'the problems of eval': () => listProblems(results).join(''),
  'a report of JUnit': () => formatJUnit([summary], results),
  'a reply to capture': () => messageOf(openService(answerBad, 'http://localhost', 'token').read('/x')),
  'an error of capture': () => messageOf(openService(failBad, 'http://localhost', 'token').read('/x')),
  'tools that capture cannot read': () => messageOf(captureTools(failBad, `http://localhost/${BAD}`, undefined)),
  'a field that capture cannot read': () => findWrongField({ items: BAD }) ?? '',
  'a remark on an .ics file': () => quoteForRemark(BAD),
  'the calls of a failed test': async () => {
    const { fake, as } = openCalendar()
    await as(ALICE).post('/calendars/primary/events', { ...times, summary: BAD.slice(0, 900) })
    await fake.request(`/calendar/v3/calendars/${IN_URL}`, { headers: { Authorization: `Bearer ${'y'.repeat(9000)}` } })
    return formatCallReport(fake)
  },
}

test.each(Object.entries(LINES))('%s is one short line without control characters', async (_, show) => {
  const text = await show()

  expect(text).toContain('yyy')
  expectShown([text])
})
