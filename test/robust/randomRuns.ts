import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, vi } from 'vitest'
import { createFakeCalendar, type FakeWorld, type Seed } from '../../src/index.ts'
import { OAUTH_PATHS } from '../../src/schema/oauthPaths.ts'
import { requireValidReply } from '../support/replies.ts'
import { Chance } from './chance.ts'
import { Memory } from './memory.ts'
import type { PlainRequest } from './plainRequest.ts'
import { drawRequest, SHAPES } from './requests.ts'
import { isStream, type ReadResponse, Streams, sendRequest } from './responses.ts'
import { startCounting } from './steps.ts'

const ORIGIN = 'http://fake-calendar.localhost'
const [ALICE, BOB] = ['alice@example.com', 'bob@example.com']
const WORLD: Seed = {
  accounts: [{ email: ALICE, timeZone: 'America/New_York' }, { email: BOB }],
  calendars: [
    {
      id: ALICE,
      acl: [{ role: 'writer', scope: { type: 'user', value: BOB } }],
      events: [
        { id: 'lunch00', start: { date: '2026-03-02' }, end: { date: '2026-03-03' } },
        {
          id: 'daa1100',
          start: { dateTime: '2026-03-02T09:00:00', timeZone: 'America/New_York' },
          end: { dateTime: '2026-03-02T10:00:00', timeZone: 'America/New_York' },
          recurrence: ['RRULE:FREQ=DAILY'],
          attendees: [{ email: BOB }],
        },
      ],
    },
    { id: 'team@group.calendar.google.com', summary: 'Team', owner: ALICE },
  ],
  tokens: [{ token: 'limited', account: ALICE, scopes: [] }],
}
/** Limit of steps for a request: far above the normal work, and far below unbounded work. */
export const MAX_STEPS = 3_000_000

/** A request and its world. */
export type WorldRequest = PlainRequest & { world: string }

/** The result of a run: its statistics, and the first fault. */
export type Outcome = {
  requests: WorldRequest[]
  statuses: Map<number, number>
  /** The number of requests that a fault affected. */
  faulted: number
  most: { steps: number; request: WorldRequest | undefined }
  slowest: { ms: number; request: WorldRequest | undefined }
  fault?: string
}

/** Limit of processor time in milliseconds for a response. It replaces the limit of steps in large runs. */
const MAX_CPU_MS = 1000
/** Requests go to several worlds of one fake: to the first as they are, to the others by their names. */
export const WORLDS = ['default', 'blue', 'red']
/** Interval of checks that other worlds are unchanged. */
const EVERY = 10

/**
 * Returns the state of a world without parts that a rejected request may change: injected OAuth failures, and a running
 * clock.
 */
const captureState = (world: FakeWorld): string => {
  const { oauth: { failures, ...oauth } = {}, clock, ...state } = world.state()
  return JSON.stringify({ ...state, oauth, ...(clock?.mode === 'frozen' && { clock }) })
}

/** A world of a run, its known values, and its callers. */
class Visited {
  readonly world: FakeWorld
  readonly memory = new Memory()
  /** A first call creates the account even if it is rejected, so each caller calls once before. */
  readonly #greeted = new Set<string>()
  state: string
  /** True after each caller has called. */
  isKnown = true

  constructor(world: FakeWorld) {
    this.world = world
    this.state = captureState(world)
  }

  async greet(worldRequest: WorldRequest): Promise<void> {
    const tokens = listTokens(worldRequest).filter((token) => !this.#greeted.has(token))
    for (const token of tokens) {
      const request = new Request(new URL('/calendar/v3/colors', ORIGIN), { headers: { Authorization: token } })
      // Repeats until no fault has replaced the response.
      let read = await sendRequest(this.world, request)
      for (let again = 0; read.isFaulted && again < 5; again++) read = await sendRequest(this.world, request)
      if (!read.isFaulted && ![403, 429].includes(read.response?.status ?? 0)) this.#greeted.add(token)
    }
    this.isKnown = tokens.every((token) => this.#greeted.has(token))
    if (tokens.length > 0) this.state = captureState(this.world)
  }

  look(): void {
    this.state = captureState(this.world)
  }

  forget(): void {
    this.#greeted.clear()
  }
}

type Next = (memoryOf: (world: string) => Memory, at: number) => WorldRequest | undefined

/**
 * Runs the requests that `next` derives from earlier responses, in the worlds of one fake. Measures processor time only if a
 * request may take at most `longest` milliseconds.
 */
async function runRequests(next: Next, longest?: number): Promise<Outcome> {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const fake = createFakeCalendar({ seed: WORLD, now: '2026-03-01T12:00:00Z' })
  const worlds = new Map(WORLDS.map((name) => [name, new Visited(name === 'default' ? fake : fake.world(name))]))
  const visitedOf = (name: string) => worlds.get(name) ?? expect.fail(`no world ${name}`)
  const outcome: Outcome = {
    ...{ requests: [], statuses: new Map(), faulted: 0 },
    ...{ most: { steps: 0, request: undefined }, slowest: { ms: 0, request: undefined } },
  }
  /** A write to one world must not appear in another. */
  const crossed = (but: Visited): string | undefined => {
    for (const other of worlds.values()) {
      const state = other === but ? other.state : captureState(other.world)
      if (state !== other.state) return `another world was written to:\n${describeDifference(other.state, state)}`
    }
    return undefined
  }
  const readCpuMs = () => {
    if (longest === undefined) return 0
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
  const work = startCounting()
  const streams = new Streams()
  /** Pending requests continue when their clock moves, or are rejected when their world ends. */
  let waiting = false
  try {
    for (let at = 0; ; at++) {
      const worldRequest = next((name) => visitedOf(name).memory, at)
      if (!worldRequest) {
        await streams.close()
        return outcome
      }
      const request = toRequest(worldRequest)
      if (!request) continue
      outcome.requests.push(worldRequest)
      const visited = visitedOf(worldRequest.world)
      await visited.greet(worldRequest)
      work.takeCount(MAX_STEPS)
      const before = readCpuMs()
      const read = await sendRequest(visited.world, request)
      if (waiting) await nextTurn()
      waiting ||= read.isAbandoned
      const ms = readCpuMs() - before
      const steps = work.takeCount(Number.POSITIVE_INFINITY)
      if (steps > outcome.most.steps) outcome.most = { steps, request: worldRequest }
      if (ms > outcome.slowest.ms) outcome.slowest = { ms, request: worldRequest }
      const status = read.response?.status ?? 0
      outcome.statuses.set(status, (outcome.statuses.get(status) ?? 0) + 1)
      if (read.isFaulted) outcome.faulted += 1
      const met = logged.mock.calls.map(([error]) => formatError(error))
      if (met.length > 0) return { ...outcome, fault: `${status}, and on the console:\n${met.join('\n')}` }
      if (steps > MAX_STEPS) return { ...outcome, fault: `took ${steps} steps, ${Math.round(ms)} ms` }
      if (longest !== undefined && ms > longest)
        return { ...outcome, fault: `took ${Math.round(ms)} ms, ${steps} steps` }
      const state = captureState(visited.world)
      if (status >= 400 && visited.isKnown && state !== visited.state)
        return {
          ...outcome,
          fault: `${status}, and the state is another:\n${describeDifference(visited.state, state)}`,
        }
      visited.state = state
      const isTurn = worldRequest.path.includes('_control/worlds')
      if (isTurn) for (const other of worlds.values()) other.look()
      const fault = at % EVERY === 0 ? crossed(visited) : undefined
      if (fault) return { ...outcome, fault }
      if (worldRequest.path.includes('_control'))
        for (const other of isTurn ? worlds.values() : [visited]) other.forget()
      if (isStream(read.response)) await streams.open(read.response as Response)
      else if (read.response) await requireAnswer(request, read.response, read)
      if (read.response) remember(visited.memory, read.response, read, state)
    }
  } catch (error) {
    return { ...outcome, fault: formatError(error) }
  } finally {
    await streams.close().catch(() => {}) // the first fault was reported
    work.stop()
    logged.mockRestore()
    await fake.close()
  }
}

const formatError = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)

function toRequest({ method, path, headers, body }: PlainRequest): Request | undefined {
  try {
    const bare = method === 'GET' || method === 'HEAD'
    return new Request(new URL(path, ORIGIN), { method, headers, ...(!bare && body !== undefined && { body }) })
  } catch {
    return undefined // a request that no client can make
  }
}

/** Returns the credentials in a request or in its parts, in the form of headers. */
const listTokens = ({ path, headers, body = '' }: PlainRequest): string[] => [
  ...(headers.Authorization ? [headers.Authorization] : []),
  ...[...body.matchAll(/^Authorization: (.*)$/gm)].map(([, token = '']) => token.trim()),
  ...[...new URL(path, ORIGIN).searchParams]
    .filter(([name]) => /^(access|oauth)_token$/.test(name))
    .map(([, token]) => `Bearer ${encodeURIComponent(token)}`),
]

/** Returns the first difference of two states. */
function describeDifference(one: string, other: string): string {
  let at = 0
  while (one[at] === other[at]) at++
  return `- …${one.slice(at - 60, at + 60)}…\n+ …${other.slice(at - 60, at + 60)}…`
}

/** Checks that a response is one that the service might give, and that it leaks nothing internal. */
async function requireAnswer(request: Request, response: Response, { text, isFaulted }: ReadResponse): Promise<void> {
  const { status, headers } = response
  expect(text, 'a stack trace').not.toMatch(/\n\s+at |node:internal|node_modules|\.ts:\d/)
  if (isFaulted) return
  expect(text, 'a part that is a fault of ours').not.toMatch(/^HTTP\/1\.1 5\d\d/m)
  // Waits of controls may time out (504), and OAuth failures may be injected (503).
  expect([503, 504].includes(status) ? 400 : status).toBeLessThan(500)
  if (!request.headers.has('X-HTTP-Method-Override')) requireValidReply(request, response, text)
  if (status < 400 || status === 431 || request.method === 'HEAD') return
  const type = headers.get('Content-Type') ?? ''
  if (type.startsWith('text/html')) return void expect(text).toMatch(/<title>Error \d{3}/)
  expect(type).toBe('application/json; charset=UTF-8')
  const { error, ...rest } = JSON.parse(text)
  if (status === NOT_AS_EXPECTED && /^\/_control\/.*verify$/.test(toServicePath(request)))
    return void expect(rest).toEqual({ verified: false, message: expect.any(String) })
  if (typeof error !== 'string') return void expect([Object.keys(rest), error.code]).toEqual([[], status])
  expect(Object.values(OAUTH_PATHS).flat()).toContain(new URL(request.url).pathname)
  expect(Object.keys(rest)).toEqual(['error_description'])
}

/** The status of failed verifications. */
const NOT_AS_EXPECTED = 417

/** The path of a request without the world that it names. */
const toServicePath = ({ url }: Request): string => new URL(url).pathname.replace(/^\/w\/[^/]*/, '')

function remember(memory: Memory, response: Response, { text, isFaulted }: ReadResponse, state: string): void {
  memory.keep('state', state)
  if (isFaulted) return
  const code = new URL(response.headers.get('Location') ?? ORIGIN, ORIGIN).searchParams.get('code')
  if (code) memory.keep('code', code)
  if (text !== '' && response.headers.get('Content-Type')?.startsWith('application/json') && text.length < 100_000)
    memory.read(JSON.parse(text))
}

/** Runs random requests, reproducible by seed. In a large run, the time per request is limited. */
export function runRandomRequests(seed: number, requests: number, isLarge: boolean): Promise<Outcome> {
  const chance = new Chance(seed)
  // The share of invalid values varies, because mostly valid runs reach deeper states.
  const invalidShare = chance.of([0.02, 0.1, 0.3])
  return runRequests(
    (memoryOf, at) => {
      if (at >= requests) return undefined
      const world = chance.of(WORLDS) ?? ''
      return { ...drawRequest({ chance, memory: memoryOf(world), shapes: SHAPES, invalidShare }), world }
    },
    isLarge ? MAX_CPU_MS : undefined,
  )
}

/** Reduces requests to a small sequence with the same fault. */
export async function reduceRequests({ requests, fault }: Outcome): Promise<WorldRequest[]> {
  const kind = toFaultKind(fault)
  if (/^took \d+ ms/.test(fault ?? '')) return requests.slice(-1)
  const fails = async (few: WorldRequest[]) => toFaultKind((await runRequests((_, at) => few[at])).fault) === kind
  let left = requests
  for (let size = Math.ceil(left.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < left.length; ) {
      const fewer = [...left.slice(0, at), ...left.slice(at + size)]
      if (fewer.length > 0 && (await fails(fewer))) left = fewer
      else at += size
    }
  }
  return left
}

/** Returns the kind of a fault without ids and times: the place that threw it, or its first words. */
export const toFaultKind = (fault: string | undefined): string | undefined =>
  fault && (/src\/[\w/.]+:\d+/.exec(fault)?.[0] ?? fault.replace(/\d+/g, '0').slice(0, 60))

/** Formats a request for a message. */
export const formatRequest = ({ world, method, path, headers, body }: WorldRequest): string =>
  `${world}: ${method} ${path}${Object.entries(headers)
    .map(([name, value]) => `\n    ${name}: ${value}`)
    .join('')}${body === undefined ? '' : `\n    ${body.slice(0, 1500)}`}`
