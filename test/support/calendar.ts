import { expect, onTestFinished } from 'vitest'
import { createFakeCalendar, type FakeCalendarOptions, type Seed } from '../../src/index.ts'
import { requireValidReply } from './replies.ts'

export const ALICE = 'alice@example.com'
export const BOB = 'bob@example.com'
export const CAROL = 'carol@example.org'
/** The instant of the tests' frozen clocks: a Sunday. */
export const NOW = '2026-03-01T12:00:00Z'

// biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
export type Reply = { status: number; headers: Headers; text: string; body: any }
type Call = (path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>
export type Client = Record<'get' | 'post' | 'put' | 'patch' | 'delete', Call>

/** The origin of requests without a socket. */
const ORIGIN = 'http://fake-calendar.localhost'

/** A seed of three accounts with their primary calendars. */
export const PEOPLE: Seed = {
  accounts: [
    { email: ALICE, timeZone: 'America/New_York' },
    { email: BOB, timeZone: 'Europe/Berlin' },
    { email: CAROL, timeZone: 'UTC' },
  ],
}

/** The same people. Alice is an administrator of the Workspace. */
export const PEOPLE_WITH_ADMIN: Seed = {
  accounts: PEOPLE.accounts?.map((one) => (one.email === ALICE ? { ...one, admin: true } : one)),
}

/** Returns a new fake, and a function that creates a client for an account without a socket. */
export function openCalendar(options: FakeCalendarOptions = {}) {
  const fake = createFakeCalendar({ seed: PEOPLE, now: NOW, ...options })
  const send = (path: string, init?: RequestInit) => fake.fetch(new URL(path, ORIGIN), init)
  const clientWith = (headers: Record<string, string>) => clientOf(send, headers, requireValidReply)
  /** Returns a client with a bearer token. Its paths are below `/calendar/v3`, or at the root if they begin with `/_`. */
  const as = (token: string): Client => clientWith({ Authorization: `Bearer ${token}` })
  return { fake, as, anonymous: clientWith({}) }
}

type Send = (path: string, init?: RequestInit) => Promise<Response>

/**
 * Returns a client that sends requests with `send` and the headers `common`, and passes each response to `check`. Bodies that
 * are not text are sent as JSON.
 */
export function clientOf(send: Send, common: Record<string, string>, check?: typeof requireValidReply): Client {
  const call =
    (method: string): Call =>
    async (path, body, headers = {}) => {
      const target = path.startsWith('/_') ? path : `/calendar/v3${path}`
      const response = await send(target, {
        method,
        headers: { ...common, ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await response.text()
      check?.({ method, url: `${ORIGIN}${target}` }, response, text)
      const json = response.headers.get('Content-Type')?.startsWith('application/json')
      const { status } = response
      const markRead = status < 400 ? undefined : requireStatusRead(`${method} ${path}: ${status} ${text}`)
      return {
        get status() {
          markRead?.()
          return status
        },
        headers: response.headers,
        text,
        body: json && text ? JSON.parse(text) : undefined,
      }
    }
  return { get: call('GET'), post: call('POST'), put: call('PUT'), patch: call('PATCH'), delete: call('DELETE') }
}

/** The errors of a test whose status was not read. */
let uncheckedErrors: Set<{ error: string }> | undefined

/**
 * Fails the test at its end unless it has called the returned function, which `status` of an error response does. An error that
 * a test does not check is thus found.
 */
function requireStatusRead(error: string): () => void {
  const errors = uncheckedErrors ?? openErrors()
  const one = { error }
  errors.add(one)
  return () => errors.delete(one)
}

/** Starts the list of errors of the running test, and the check at its end. */
function openErrors() {
  const errors = new Set<{ error: string }>()
  uncheckedErrors = errors
  onTestFinished(() => {
    uncheckedErrors = undefined
    expect([...errors], 'errors whose status the test did not read').toEqual([])
  })
  return errors
}

/**
 * Returns the status of an error, and the domain, reason, message and location of its first item. The explanation of an
 * `Invalid Value`, which the hint contains, follows that message: `Invalid Value: colorId: no color 99`.
 */
export function errorOf(reply: Reply) {
  const { status, body } = reply
  const [{ domain, reason, location } = {} as Record<string, string>] = body?.error?.errors ?? []
  return { status, domain, reason, message: explainedMessageOf(reply), ...(location && { location }) }
}

export function explainedMessageOf({ headers, body }: Reply): string | undefined {
  const { message } = body?.error?.errors?.[0] ?? {}
  const [, problem] = /FC213 (.*?)\. Correct the value/.exec(headers.get('X-Fake-Calendar-Hint') ?? '') ?? []
  return message === 'Invalid Value' && problem !== undefined ? `${message}: ${problem}` : message
}

/** Returns the start or end of an event at a date and time. */
export const at = (dateTime: string, timeZone = 'America/New_York') => ({ dateTime, timeZone })
/** Returns the times of an event of one hour that starts at the hour `from` of a day. */
export const hour = (day: string, from: number, timeZone = 'America/New_York') => ({
  start: at(`${day}T${String(from).padStart(2, '0')}:00:00`, timeZone),
  end: at(`${day}T${String(from + 1).padStart(2, '0')}:00:00`, timeZone),
})
export const allDay = (from: string, to: string) => ({ start: { date: from }, end: { date: to } })
