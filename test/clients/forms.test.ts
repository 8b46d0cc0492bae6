import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { type calendar_v3, calendar as openClient } from '@googleapis/calendar'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ALICE, hour, openCalendar } from '../support/calendar.ts'
import { type Call, EVENT_FORMS } from '../support/eventForms.ts'
import { lacks, pathOf } from '../support/programs.ts'
import { OWN, REMINDER_FORMS } from '../support/reminderForms.ts'

/**
 * Each official client makes the same calls: events with reminders in each form, and forms of 2026. The clients of PHP and Java are not
 * run: the requests are those that they write, by the rules of their sources.
 */
type Event = calendar_v3.Schema$Event
type ErrorReply = { error: { message: string; errors: { reason: string }[] } }
type Reply = Event | ErrorReply
type Send = (calls: readonly Call[]) => Promise<Reply[]>
/** The reminders after an insert, a PATCH and a GET, or the reason of the error. */
type Outcome = [inserted: unknown, patched: unknown, read: unknown]

/** An insert and a PATCH with the form, and a GET. */
const callsOf = ({ body }: (typeof REMINDER_FORMS)[number], number: number): Call[] => {
  const [times, eventId] = [hour('2026-03-02', 9), `event${number}`]
  const call = (method: string, params: Call['params']): Call => ({ resource: 'events', method, params })
  return [
    call('insert', { body: { ...times, ...body } }),
    call('insert', { body: { ...times, id: eventId, reminders: OWN } }),
    call('patch', { eventId, body }),
    call('get', { eventId }),
  ]
}

/** A client that leaves null out sends an absent field in place of it. */
const withoutNulls = ({ body, ...form }: (typeof REMINDER_FORMS)[number]) => {
  const sent = JSON.parse(JSON.stringify(body), (_, value) => value ?? undefined)
  const same = REMINDER_FORMS.find((other) => JSON.stringify(other.body) === JSON.stringify(sent))
  return same ?? { ...form, body: sent }
}

const outcomeOf = (reply: Reply | undefined): unknown =>
  reply && 'error' in reply ? reply.error.errors[0]?.reason : reply?.reminders

async function expectReminders(send: Send, forms = REMINDER_FORMS): Promise<void> {
  const replies = await send(forms.flatMap(callsOf))
  const outcomes = forms.map((_, at): Outcome => {
    const [inserted, , patched, read] = replies.slice(4 * at, 4 * at + 4).map(outcomeOf)
    return [inserted, patched, read]
  })
  expect(outcomes).toEqual(
    forms.map(({ inserted, patched }) => [inserted, patched, typeof patched === 'string' ? OWN : patched]),
  )
}

async function expectForms(send: Send, forms = EVENT_FORMS): Promise<void> {
  const replies = await send(forms.map(({ call }) => call))
  const seen = forms.map(({ title, shown }, at) => {
    const reply = replies[at] as Reply
    if ('error' in reply) return { title, refused: [reply.error.errors[0]?.reason, reply.error.message] }
    return {
      title,
      shown: Object.fromEntries(Object.keys(shown ?? {}).map((name) => [name, reply[name as keyof Event]])),
    }
  })
  expect(seen).toEqual(forms.map(({ call: _, ...expected }) => expected))
}

async function serve(): Promise<string> {
  const { fake } = openCalendar()
  onTestFinished(() => fake.close())
  return (await fake.listen()).url
}

/** Sends the calls with a program that reads them as JSON. */
const sendBy =
  (command: string, args: string[] = []): Send =>
  async (calls) => {
    const child = spawn(command, [...args, await serve(), ALICE])
    const onPrimary = calls.map((call) => ({ ...call, params: { calendarId: 'primary', ...call.params } }))
    child.stdin.end(JSON.stringify(onPrimary))
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
    expect(errors).not.toMatch(/error|panic/i)
    return JSON.parse(output)
  }

const byNode: Send = async (calls) => {
  const headers = { Authorization: `Bearer ${ALICE}` }
  const client = openClient({ version: 'v3', rootUrl: `${await serve()}/`, headers })
  const replies: Reply[] = []
  for (const { resource, method, params } of calls) {
    // biome-ignore lint/suspicious/noExplicitAny: the methods of all resources are called by name
    const methods = (client as any)[resource]
    const { body, ...more } = params
    const sent = methods[method]({ calendarId: 'primary', ...more, requestBody: body })
    replies.push(
      await sent.then(
        ({ data }: { data: Event }) => data,
        ({ response }: { response: { data: ErrorReply } }) => response.data,
      ),
    )
  }
  return replies
}

async function buildGo(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'go-client-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const env = { GO111MODULE: 'off', GOPATH: process.env.GOPATH ?? '/usr/share/gocode' }
  const program = join(folder, 'events')
  const build = spawn('go', ['build', '-o', program, 'test/clients/events.go'], { env: { ...process.env, ...env } })
  expect(await text(build.stderr)).toBe('')
  return program
}

test('3.2.10 the Node client sends reminders in each form', () => expectReminders(byNode))
test('2.2 the Node client gets the replies of 2026', () => expectForms(byNode))

describe.skipIf(lacks('python3 googleapiclient'))('the Python client', () => {
  const send = () => sendBy(pathOf('python3 googleapiclient'), ['test/clients/events.py'])
  test('3.2.10 sends reminders in each form', () => expectReminders(send()))
  test('2.2 gets the replies of 2026', () => expectForms(send()))
})

describe.skipIf(lacks('ruby google-api-client'))('the Ruby client', () => {
  const send = () => sendBy(pathOf('ruby google-api-client'), ['test/clients/events.rb'])
  test('3.2.10 sends reminders in each form but null', () => expectReminders(send(), REMINDER_FORMS.map(withoutNulls)))
  test('2.2 gets the replies of 2026', () => expectForms(send()))
})

test.skipIf(lacks('go'))(
  '3.2.10 the Go client sends reminders in each form, and gets the replies of 2026',
  { timeout: 300_000 },
  async () => {
    const send = sendBy(await buildGo())
    await expectReminders(send)
    // The client of Debian is of 2020 and has no absences.
    await expectForms(
      send,
      EVENT_FORMS.filter(({ title }) => !title.includes('absence')),
    )
  },
)

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

const byWire =
  (wire: (typeof WIRES)[string]): Send =>
  async (calls) => {
    const base = `${await serve()}/calendar/v3/calendars/primary`
    const replies: Reply[] = []
    for (const { resource, method, params } of calls) {
      const { body, eventId, originalStart } = params
      const path = [resource, eventId, ['import', 'instances'].includes(method) && method].filter(Boolean).join('/')
      const request = body && wire(method === 'patch' ? 'PATCH' : 'POST', body)
      const response = await fetch(`${base}/${path}${originalStart ? `?originalStart=${originalStart}` : ''}`, {
        ...request,
        headers: { ...request?.headers, Authorization: `Bearer ${ALICE}` },
      })
      replies.push((await response.json()) as Reply)
    }
    return replies
  }

describe.each(Object.entries(WIRES))('requests as the %s client writes them', (_, wire) => {
  test('3.2.10 have reminders in each form but null', () =>
    expectReminders(byWire(wire), REMINDER_FORMS.map(withoutNulls)))
  test('2.2 get the replies of 2026', () => expectForms(byWire(wire)))
})
