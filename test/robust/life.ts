import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, vi } from 'vitest'
import { createFakeCalendar, type FakeWorld, type Seed } from '../../src/index.ts'
import { PATHS } from '../../src/schema/oauthPaths.ts'
import { requireReply } from '../support/replies.ts'
import { askedOf, type Came, isStream, Streams } from './answers.ts'
import { Chance } from './chance.ts'
import { Memory } from './memory.ts'
import { requestOf, SHAPES } from './requests.ts'
import { counting } from './steps.ts'
import type { Asked } from './written.ts'

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
export const MOST_STEPS = 3_000_000

/** A request and its world. */
export type Said = Asked & { world: string }

/** The result of a run: its statistics, and the first fault. */
export type Outcome = {
  said: Said[]
  statuses: Map<number, number>
  /** The number of requests that a fault affected. */
  spoilt: number
  most: { steps: number; said: Said | undefined }
  slowest: { ms: number; said: Said | undefined }
  fault?: string
}

/** Limit of processor time in milliseconds for a response. It replaces the limit of steps in large runs. */
const LONGEST = 1000
/** Requests go to several worlds of one fake: to the first as they are, to the others by their names. */
export const WORLDS = ['default', 'blue', 'red']
/** Interval of checks that other worlds are unchanged. */
const EVERY = 10

/**
 * Returns the state of a world without parts that a rejected request may change: injected OAuth failures, and a running
 * clock.
 */
const stateOf = (world: FakeWorld): string => {
  const { oauth: { cues, ...oauth } = {}, clock, ...state } = world.state()
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
    this.state = stateOf(world)
  }

  async greet(said: Said): Promise<void> {
    const tokens = tokensOf(said).filter((token) => !this.#greeted.has(token))
    for (const token of tokens) {
      const request = new Request(new URL('/calendar/v3/colors', ORIGIN), { headers: { Authorization: token } })
      // Repeats until no fault has replaced the response.
      let came = await askedOf(this.world, request)
      for (let again = 0; came.isSpoilt && again < 5; again++) came = await askedOf(this.world, request)
      if (!came.isSpoilt && ![403, 429].includes(came.response?.status ?? 0)) this.#greeted.add(token)
    }
    this.isKnown = tokens.every((token) => this.#greeted.has(token))
    if (tokens.length > 0) this.state = stateOf(this.world)
  }

  look(): void {
    this.state = stateOf(this.world)
  }

  forget(): void {
    this.#greeted.clear()
  }
}

type Next = (memoryOf: (world: string) => Memory, at: number) => Said | undefined

/** Runs the requests that `next` derives from earlier responses, in the worlds of one fake. */
async function live(next: Next, longest = Number.POSITIVE_INFINITY): Promise<Outcome> {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const fake = createFakeCalendar({ seed: WORLD, now: '2026-03-01T12:00:00Z' })
  const worlds = new Map(WORLDS.map((name) => [name, new Visited(name === 'default' ? fake : fake.world(name))]))
  const visitedOf = (name: string) => worlds.get(name) ?? expect.fail(`no world ${name}`)
  const outcome: Outcome = {
    ...{ said: [], statuses: new Map(), spoilt: 0 },
    ...{ most: { steps: 0, said: undefined }, slowest: { ms: 0, said: undefined } },
  }
  /** A write to one world must not appear in another. */
  const crossed = (but: Visited): string | undefined => {
    for (const other of worlds.values()) {
      const state = other === but ? other.state : stateOf(other.world)
      if (state !== other.state) return `another world was written to:\n${difference(other.state, state)}`
    }
    return undefined
  }
  const work = counting()
  const streams = new Streams()
  /** Pending requests continue when their clock moves, or are rejected when their world ends. */
  let waiting = false
  try {
    for (let at = 0; ; at++) {
      const said = next((name) => visitedOf(name).memory, at)
      if (!said) return outcome
      const request = asRequest(said)
      if (!request) continue
      outcome.said.push(said)
      const visited = visitedOf(said.world)
      await visited.greet(said)
      work.taken(MOST_STEPS)
      const begun = process.cpuUsage()
      const came = await askedOf(visited.world, request)
      if (waiting) await nextTurn()
      waiting ||= came.isAbandoned
      const { user, system } = process.cpuUsage(begun)
      const ms = (user + system) / 1000
      const steps = work.taken(Number.POSITIVE_INFINITY)
      if (steps > outcome.most.steps) outcome.most = { steps, said }
      if (ms > outcome.slowest.ms) outcome.slowest = { ms, said }
      const status = came.response?.status ?? 0
      outcome.statuses.set(status, (outcome.statuses.get(status) ?? 0) + 1)
      if (came.isSpoilt) outcome.spoilt += 1
      const met = logged.mock.calls.map(([error]) => told(error))
      if (met.length > 0) return { ...outcome, fault: `${status}, and on the console:\n${met.join('\n')}` }
      if (steps > MOST_STEPS) return { ...outcome, fault: `took ${steps} steps, ${Math.round(ms)} ms` }
      if (ms > longest) return { ...outcome, fault: `took ${Math.round(ms)} ms, ${steps} steps` }
      const state = stateOf(visited.world)
      if (status >= 400 && visited.isKnown && state !== visited.state)
        return {
          ...outcome,
          fault: `${status}, and the state is another:\n${difference(visited.state, state)}`,
        }
      visited.state = state
      const isTurn = said.path.includes('_control/worlds')
      if (isTurn) for (const other of worlds.values()) other.look()
      const fault = at % EVERY === 0 ? crossed(visited) : undefined
      if (fault) return { ...outcome, fault }
      if (said.path.includes('_control')) for (const other of isTurn ? worlds.values() : [visited]) other.forget()
      if (isStream(came.response)) await streams.open(came.response as Response)
      else if (came.response) await requireAnswer(request, came.response, came)
      if (came.response) remember(visited.memory, came.response, came, state)
    }
  } catch (error) {
    return { ...outcome, fault: told(error) }
  } finally {
    await streams.close()
    work.stop()
    logged.mockRestore()
    await fake.close()
  }
}

const told = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error))

function asRequest({ method, path, headers, body }: Asked): Request | undefined {
  try {
    const bare = method === 'GET' || method === 'HEAD'
    return new Request(new URL(path, ORIGIN), { method, headers, ...(!bare && body !== undefined && { body }) })
  } catch {
    return undefined // a request that no client can make
  }
}

/** The credentials in a request or in its parts, as headers would say them. */
const tokensOf = ({ path, headers, body = '' }: Asked): string[] => [
  ...(headers.Authorization ? [headers.Authorization] : []),
  ...[...body.matchAll(/^Authorization: (.*)$/gm)].map(([, token = '']) => token.trim()),
  ...[...new URL(path, ORIGIN).searchParams]
    .filter(([name]) => /^(access|oauth)_token$/.test(name))
    .map(([, token]) => `Bearer ${encodeURIComponent(token)}`),
]

/** Returns the first difference of two states. */
function difference(one: string, other: string): string {
  let at = 0
  while (one[at] === other[at]) at++
  return `- …${one.slice(at - 60, at + 60)}…\n+ …${other.slice(at - 60, at + 60)}…`
}

/** Checks that a response is one that the service might give, and that it leaks nothing internal. */
async function requireAnswer(request: Request, response: Response, { text, isSpoilt }: Came): Promise<void> {
  const { status, headers } = response
  expect(text, 'a stack trace').not.toMatch(/\n\s+at |node:internal|node_modules|\.ts:\d/)
  if (isSpoilt) return
  expect(text, 'a part that is a fault of ours').not.toMatch(/^HTTP\/1\.1 5\d\d/m)
  // Waits of controls may time out (504), and OAuth failures may be injected (503).
  expect([503, 504].includes(status) ? 400 : status).toBeLessThan(500)
  if (!request.headers.has('X-HTTP-Method-Override')) await requireReply(request, response)
  if (status < 400 || request.method === 'HEAD') return
  const type = headers.get('Content-Type') ?? ''
  if (type.startsWith('text/html')) return void expect(text).toMatch(/<title>Error \d{3}/)
  expect(type).toBe('application/json; charset=UTF-8')
  const { error, ...rest } = JSON.parse(text)
  if (status === NOT_AS_EXPECTED && /^\/_control\/.*verify$/.test(pathOf(request)))
    return void expect(rest).toEqual({ verified: false, message: expect.any(String) })
  if (typeof error !== 'string') return void expect([Object.keys(rest), error.code]).toEqual([[], status])
  expect(Object.values(PATHS).flat()).toContain(new URL(request.url).pathname)
  expect(Object.keys(rest)).toEqual(['error_description'])
}

/** The status of failed verifications. */
const NOT_AS_EXPECTED = 417

/** The path of a request without the world that it names. */
const pathOf = ({ url }: Request): string => new URL(url).pathname.replace(/^\/w\/[^/]*/, '')

function remember(memory: Memory, response: Response, { text, isSpoilt }: Came, state: string): void {
  memory.keep('state', state)
  if (isSpoilt) return
  const code = new URL(response.headers.get('Location') ?? ORIGIN, ORIGIN).searchParams.get('code')
  if (code) memory.keep('code', code)
  if (text !== '' && response.headers.get('Content-Type')?.startsWith('application/json') && text.length < 100_000)
    memory.read(JSON.parse(text))
}

/** Runs random requests, reproducible by seed. In a large run, the time per request is limited. */
export function lived(seed: number, requests: number, isLarge: boolean): Promise<Outcome> {
  const chance = new Chance(seed)
  // The share of invalid values varies, because mostly valid runs reach deeper states.
  const nastiness = chance.of([0.02, 0.1, 0.3])
  return live(
    (memoryOf, at) => {
      if (at >= requests) return undefined
      const world = chance.of(WORLDS) ?? ''
      return { ...requestOf({ chance, memory: memoryOf(world), shapes: SHAPES, nastiness }), world }
    },
    isLarge ? LONGEST : undefined,
  )
}

/** Reduces requests to a small sequence with the same fault. */
export async function smallest({ said, fault }: Outcome): Promise<Said[]> {
  const kind = kindOf(fault)
  if (/^took \d+ ms/.test(fault ?? '')) return said.slice(-1)
  const fails = async (few: Said[]) => kindOf((await live((_, at) => few[at])).fault) === kind
  let left = said
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
export const kindOf = (fault: string | undefined): string | undefined =>
  fault && (/src\/[\w/.]+:\d+/.exec(fault)?.[0] ?? fault.replace(/\d+/g, '0').slice(0, 60))

/** Formats a request for a message. */
export const written = ({ world, method, path, headers, body }: Said): string =>
  `${world}: ${method} ${path}${Object.entries(headers)
    .map(([name, value]) => `\n    ${name}: ${value}`)
    .join('')}${body === undefined ? '' : `\n    ${body.slice(0, 1500)}`}`
