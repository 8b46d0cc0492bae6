import { z } from 'zod'
import { FUNCTIONS, OPERATIONS } from '../../src/control/operations/index.ts'
import { type Drafting, drawBody, drawObject, drawValue, PEOPLE, type Shape } from './drafts.ts'
import { TEXTS } from './edgeValues.ts'
import { drawFault } from './effects.ts'
import { alterData } from './memory.ts'
import { drawHeaders, type PlainRequest, toHeader, toText, writeBody } from './plainRequest.ts'

/** Weights of requests that change the responses of later ones, or a whole world. */
const OFTEN: Readonly<Record<string, number>> = {
  ...{ 'control.faults.add': 25, 'control.faults.clear': 3, 'control.quota': 2, 'control.diff.verify': 2 },
  ...{ 'control.snapshot': 3, 'control.restore': 3, 'control.fork': 3 },
}

const CONTROL = OPERATIONS.flatMap(({ id, verb, path, input }) => {
  const shape = input ? (z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Shape) : undefined
  return Array.from({ length: OFTEN[id] ?? 1 }, () => ({ id, verb, route: path, shape }))
})

/** Inputs where a random value of the schema would rarely be valid. */
const DRAWN_INPUTS = new Map<string, (drafting: Drafting) => object | string | undefined>([
  ['control.faults.add', drawFault],
  [
    'control.quota',
    ({ chance }) =>
      chance.of(['google', { perMinute: 40 }, { perUserPerMinute: 30 }, { perMinute: 1000, perUserPerMinute: 5 }]),
  ],
  [
    'control.fork',
    (drafting) => ({
      world: drawValue(drafting, 'world'),
      ...drafting.chance.of([{ from: drawValue(drafting, 'from') }, { seed: { accounts: [{ email: PEOPLE[0] }] } }]),
    }),
  ],
  [
    'control.diff.verify',
    ({ chance }) => ({
      since: 0,
      expected: chance.of([
        [],
        [{ kind: 'event' }],
        [{ change: 'added', kind: 'event', times: { min: 0 } }, { kind: 'channel' }],
      ]),
    }),
  ],
])

const FUNCTION_NAMES = [...FUNCTIONS.keys(), 'nothing']
/** Real waits are too long for a test. */
const WAITING = /until|settled|changes/

/** Returns a call of a function by its name, as `connect` sends it, with arguments that other routes take. */
function drawFunctionCall(drafting: Drafting): PlainRequest {
  const { chance } = drafting
  const name = chance.of(FUNCTION_NAMES.filter((name) => !WAITING.test(name))) ?? 'health'
  const values = [undefined, null, {}, 'before', 7, PEOPLE[0], drawFault(drafting), drawValue(drafting, 'where')]
  const body = JSON.stringify(Array.from({ length: chance.below(4) }, () => chance.of(values)))
  const headers = { 'Content-Type': 'application/json' }
  return { method: 'POST', path: `/_control/functions/${name}`, headers, body: chance.is(0.9) ? body : '{}' }
}

/** Returns one operation, mostly with input that follows its schema. */
export function drawControlRequest(drafting: Drafting): PlainRequest {
  const { chance, memory, invalidShare } = drafting
  if (chance.is(0.05)) return drawFunctionCall(drafting)
  const { id, verb, route, shape } = chance.of(CONTROL) ?? { id: '', verb: 'GET', route: '/_control', shape: undefined }
  // Parameters of the path are not part of the input.
  const named = [...route.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const path = named.reduce((path, name) => path.replace(`{${name}}`, encodeURIComponent(toText(drawValue(drafting, name)))), route) // biome-ignore format: one line
  const headers = { 'Content-Type': 'application/json', ...(chance.is(invalidShare * 0.2) && drawHeaders(drafting)) }
  if (!shape) return { method: verb, path, headers }
  const drawInput = DRAWN_INPUTS.get(id)
  const input = ['control.seed', 'control.replace'].includes(id)
    ? drawSeed(drafting, memory.recall(chance, 'state'))
    : drawInput && !chance.is(invalidShare)
      ? drawInput(drafting)
      : drawObject(
          drafting,
          { ...shape, properties: omitNamed(named, shape.properties) },
          0,
          Object.keys(shape.properties ?? {}).filter(() => chance.is(0.5)),
        )
  // Their own timeouts are too long for a test.
  const waiting = /\.(wait|settle)$/.test(id) ? { timeout: 1, ...(input as object) } : input
  if (verb === 'GET')
    return {
      method: verb,
      path: `${path}?${new URLSearchParams(Object.entries(waiting as object).map(([name, value]) => [name, toText(value)]))}`,
      headers,
    }
  return { method: verb, path, headers, body: writeBody(drafting, waiting) }
}

/** Returns properties without some names. */
const omitNamed = (named: readonly string[], properties: Record<string, Shape> = {}): Record<string, Shape> =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => !named.includes(name)))

/** Returns a seed with all kinds of records, or a modified state of this world. */
function drawSeed(drafting: Drafting, state: unknown): unknown {
  const { chance } = drafting
  if (typeof state === 'string' && chance.is(0.5))
    return chance.is(0.3) ? JSON.parse(state) : alterData(chance, JSON.parse(state))
  const event = () => ({ id: `seeded0${chance.below(9)}`, ...(drawBody(drafting, 'Event') as object) })
  const calendar = () => ({
    id: drawValue(drafting, 'calendarId'),
    ...(chance.is(0.3) && { owner: drawValue(drafting, 'owner') }),
    ...(chance.is(0.3) && { timeZone: drawValue(drafting, 'timeZone') }),
    events: [event()],
  })
  return {
    accounts: [
      { email: PEOPLE[0] },
      { email: drawValue(drafting, 'email'), ...(chance.is(0.2) && { timeZone: drawValue(drafting, 'timeZone') }) },
    ],
    ...(chance.is(0.5) && { calendars: [calendar()] }),
    ...(chance.is(0.2) && { tokens: [{ token: drawValue(drafting, ''), account: drawValue(drafting, 'email') }] }),
    ...(chance.is(0.1) && { clock: { mode: 'frozen', now: drawValue(drafting, 'now') } }),
    ...(chance.is(0.1) && { anchor: chance.of(['2026-03-01', '9999-12-31', '0001-01-01', 'x']) }),
    ...(chance.is(0.1) && { groups: [{ email: 'all@example.com', members: [drawValue(drafting, 'email')] }] }),
  }
}

/** Requests the journal stream: from the start, after a number, valid or not, and closed again. */
export function drawStreamRequest({ chance, invalidShare }: Drafting): PlainRequest {
  const number = () =>
    chance.is(invalidShare)
      ? toText(chance.of(['-1', '1.5', '9'.repeat(15), '9'.repeat(16), ...TEXTS]))
      : chance.below(200)
  const query = new URLSearchParams({
    ...(chance.is(0.5) && { since: String(number()) }),
    ...(chance.is(0.3) && { method: chance.of(['events.*', 'events.list,oauth.token', '*', 'events.lst', '']) }),
    ...(chance.is(0.2) && { account: chance.of(PEOPLE) }),
    ...(chance.is(0.2) && {
      where: chance.of(['{"status":200}', '{"path":{"matches":"events"}}', '{', '[]', '{"nothing":1}']),
    }),
  })
  const last = toHeader(String(number()))
  const headers: Record<string, string> = chance.is(0.4) ? { 'Last-Event-ID': last } : {}
  return { method: chance.is(0.9) ? 'GET' : 'HEAD', path: `/_control/calls/stream?${query}`, headers }
}
