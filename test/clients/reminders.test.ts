import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { type calendar_v3, calendar as openClient } from '@googleapis/calendar'
import { expect, onTestFinished, test } from 'vitest'
import { ALICE, hour, openCalendar } from '../support/calendar.ts'
import { lacks, pathOf } from '../support/programs.ts'
import { OWN, REMINDER_FORMS } from '../support/reminderForms.ts'

/**
 * Each official client inserts, patches and reads events with reminders in each form. The clients of PHP and Java are not run: the
 * requests are those that they write, by the rules of their sources.
 */
type Event = calendar_v3.Schema$Event
type Given = { times: Event; own: Event['reminders']; forms: Event[] }
/** The reminders after an insert, a PATCH and a GET, or the reason of the error. */
type Outcome = [inserted: unknown, patched: unknown, read: unknown]

const given: Given = { times: hour('2026-03-02', 9), own: OWN, forms: REMINDER_FORMS.map(({ body }) => body as Event) }

/** A client that leaves null out sends an absent field in place of it. */
const withoutNulls = ({ body, ...form }: (typeof REMINDER_FORMS)[number]) => {
  const sent = JSON.parse(JSON.stringify(body), (_, value) => value ?? undefined)
  const same = REMINDER_FORMS.find((other) => JSON.stringify(other.body) === JSON.stringify(sent))
  return same ?? { ...form, body: sent }
}

const expectedOf = (forms: typeof REMINDER_FORMS): Outcome[] =>
  forms.map(({ inserted, patched }) => [inserted, patched, typeof patched === 'string' ? OWN : patched])

const ALL = expectedOf(REMINDER_FORMS)
const WITHOUT_NULLS = expectedOf(REMINDER_FORMS.map(withoutNulls))

async function serve(): Promise<string> {
  const { fake } = openCalendar()
  onTestFinished(() => fake.close())
  return (await fake.listen()).url
}

/** Runs a program with the forms as its input, and returns its results. */
async function runProgram(command: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<Outcome[]> {
  const child = spawn(command, [...args, await serve(), ALICE], { env: { ...process.env, ...env } })
  child.stdin.end(JSON.stringify(given))
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  expect(errors).not.toMatch(/error|panic/i)
  return JSON.parse(output)
}

test('3.2.10 the Node client sends reminders in each form', async () => {
  const { events } = openClient({
    version: 'v3',
    rootUrl: `${await serve()}/`,
    headers: { Authorization: `Bearer ${ALICE}` },
  })
  const calendarId = 'primary'
  const outcome = (call: Promise<{ data: Event }>) =>
    call.then(
      ({ data }) => data.reminders,
      ({ response }) => response.data.error.errors[0].reason,
    )
  const results: Outcome[] = []
  for (const [number, form] of given.forms.entries()) {
    const eventId = `event${number}`
    const inserted = await outcome(events.insert({ calendarId, requestBody: { ...given.times, ...form } }))
    await events.insert({ calendarId, requestBody: { ...given.times, id: eventId, reminders: OWN } })
    const patched = await outcome(events.patch({ calendarId, eventId, requestBody: form }))
    results.push([inserted, patched, await outcome(events.get({ calendarId, eventId }))])
  }
  expect(results).toEqual(ALL)
})

test.skipIf(lacks('python3 googleapiclient'))('3.2.10 the Python client sends reminders in each form', async () => {
  expect(await runProgram(pathOf('python3 googleapiclient'), ['test/clients/reminders.py'])).toEqual(ALL)
})

test.skipIf(lacks('ruby google-api-client'))(
  '3.2.10 the Ruby client sends reminders in each form but null',
  async () => {
    expect(await runProgram(pathOf('ruby google-api-client'), ['test/clients/reminders.rb'])).toEqual(WITHOUT_NULLS)
  },
)

test.skipIf(lacks('go'))('3.2.10 the Go client sends reminders in each form', { timeout: 300_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'go-client-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const env = { GO111MODULE: 'off', GOPATH: process.env.GOPATH ?? '/usr/share/gocode' }
  const program = join(folder, 'reminders')
  const build = spawn('go', ['build', '-o', program, 'test/clients/reminders.go'], { env: { ...process.env, ...env } })
  expect(await text(build.stderr)).toBe('')
  expect(await runProgram(program, [])).toEqual(ALL)
})

type Wire = { method: 'POST' | 'PATCH'; headers: Record<string, string>; body: BodyInit }
/** The request of a client whose bodies have no null. */
const WIRES: Record<string, (method: 'POST' | 'PATCH', body: object) => Wire> = {
  // json_encode() escapes slashes.
  PHP: (method, body) => ({
    method,
    headers: { 'Content-Type': 'application/json', 'User-Agent': 'google-api-php-client/2.18.3' },
    body: JSON.stringify(body).replaceAll('/', '\\/'),
  }),
  // Keys are sorted, bodies are compressed, and a PATCH is a POST with the verb in a header.
  Java: (method, body) => ({
    method: 'POST',
    headers: {
      'Content-Type': 'application/json; charset=UTF-8',
      'Content-Encoding': 'gzip',
      'User-Agent': 'Google-API-Java-Client/2.7.2 Google-HTTP-Java-Client/1.46.3 (gzip)',
      ...(method === 'PATCH' && { 'X-HTTP-Method-Override': 'PATCH' }),
    },
    body: new Uint8Array(gzipSync(JSON.stringify(sorted(body)))),
  }),
}
const sorted = (value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value)
          .map(([key, one]) => [key, sorted(one)] as const)
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      )
    : Array.isArray(value)
      ? value.map(sorted)
      : value

test.each(Object.entries(WIRES))(
  '3.2.10 requests as the %s client writes them have reminders in each form but null',
  async (_, wire) => {
    const base = `${await serve()}/calendar/v3/calendars/primary/events`
    const send = async (method: 'POST' | 'PATCH', path: string, body: object) => {
      const { headers, ...rest } = wire(method, body)
      const response = await fetch(base + path, { ...rest, headers: { ...headers, Authorization: `Bearer ${ALICE}` } })
      const reply = await response.json()
      return reply.error ? reply.error.errors[0].reason : reply.reminders
    }
    const results: Outcome[] = []
    for (const [number, { body }] of REMINDER_FORMS.map(withoutNulls).entries()) {
      const inserted = await send('POST', '', { ...given.times, ...body })
      await send('POST', '', { ...given.times, id: `event${number}`, reminders: OWN })
      const patched = await send('PATCH', `/event${number}`, body)
      const response = await fetch(`${base}/event${number}`, { headers: { Authorization: `Bearer ${ALICE}` } })
      results.push([inserted, patched, (await response.json()).reminders])
    }
    expect(results).toEqual(WITHOUT_NULLS)
  },
)
