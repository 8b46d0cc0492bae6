import { z } from 'zod'
import { OPERATIONS } from '../../src/control/operations/index.ts'
import type { Operation } from '../../src/control/operations/operation.ts'
import { bodyOf, type Drafting, draftOf, PEOPLE, type Shape, saidOf } from './drafts.ts'
import { faultOf } from './effects.ts'
import { altered } from './memory.ts'
import { TEXTS } from './nasty.ts'
import { asHeader, headersOf, type PlainRequest, textOf, written } from './written.ts'

/** Weights of requests that change the responses of later ones, or a whole world. */
const OFTEN: Readonly<Record<string, number>> = {
  ...{ 'control.faults.add': 25, 'control.faults.clear': 3, 'control.quota.set': 2, 'control.diff.verify': 2 },
  ...{ 'control.snapshots.take': 3, 'control.snapshots.restore': 3, 'control.worlds.begin': 3 },
}

const CONTROL = (OPERATIONS as readonly Operation[]).flatMap(({ id, verb, path, input }) => {
  const shape = input ? (z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Shape) : undefined
  return Array.from({ length: OFTEN[id] ?? 1 }, () => ({ id, verb, route: path, shape }))
})

/** Inputs where a random value of the schema would rarely be valid. */
const MADE = new Map<string, (drafting: Drafting) => object | null>([
  ['control.faults.add', faultOf],
  [
    'control.quota.set',
    ({ chance }) =>
      chance.of([null, null, { perMinute: 40 }, { perUserPerMinute: 30 }, { perMinute: 1000, perUserPerMinute: 5 }]),
  ],
  [
    'control.worlds.begin',
    (drafting) => ({
      world: saidOf(drafting, 'world'),
      ...drafting.chance.of([{ from: saidOf(drafting, 'from') }, { seed: { accounts: [{ email: PEOPLE[0] }] } }]),
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

/** Returns one operation, mostly with input that follows its schema. */
export function ofControl(drafting: Drafting): PlainRequest {
  const { chance, memory, nastiness } = drafting
  const { id, verb, route, shape } = chance.of(CONTROL) ?? { id: '', verb: 'GET', route: '/_control', shape: undefined }
  // Parameters of the path are not part of the input.
  const named = [...route.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const path = named.reduce((path, name) => path.replace(`{${name}}`, encodeURIComponent(textOf(saidOf(drafting, name)))), route) // biome-ignore format: one line
  const headers = { 'Content-Type': 'application/json', ...(chance.is(nastiness * 0.2) && headersOf(drafting)) }
  if (!shape) return { method: verb, path, headers }
  const good = MADE.get(id)
  const input = id.startsWith('control.seed')
    ? seedOf(drafting, memory.recall(chance, 'state'))
    : good && !chance.is(nastiness)
      ? good(drafting)
      : draftOf(
          drafting,
          { ...shape, properties: unless(named, shape.properties) },
          0,
          Object.keys(shape.properties ?? {}).filter(() => chance.is(0.5)),
        )
  // Their own timeouts are too long for a test.
  const waiting = /\.(wait|settle)$/.test(id) ? { timeout: 1, ...(input as object) } : input
  if (verb === 'GET')
    return {
      method: verb,
      path: `${path}?${new URLSearchParams(Object.entries(waiting as object).map(([name, value]) => [name, textOf(value)]))}`,
      headers,
    }
  return { method: verb, path, headers, body: written(drafting, waiting) }
}

/** Returns properties without some names. */
const unless = (named: readonly string[], properties: Record<string, Shape> = {}): Record<string, Shape> =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => !named.includes(name)))

/** Returns a seed with all kinds of records, or a modified state of this world. */
function seedOf(drafting: Drafting, state: unknown): unknown {
  const { chance } = drafting
  if (typeof state === 'string' && chance.is(0.5))
    return chance.is(0.3) ? JSON.parse(state) : altered(chance, JSON.parse(state))
  const event = () => ({ id: `seeded0${chance.below(9)}`, ...(bodyOf(drafting, 'Event') as object) })
  const calendar = () => ({
    id: saidOf(drafting, 'calendarId'),
    ...(chance.is(0.3) && { owner: saidOf(drafting, 'owner') }),
    ...(chance.is(0.3) && { timeZone: saidOf(drafting, 'timeZone') }),
    events: [event()],
  })
  return {
    accounts: [
      { email: PEOPLE[0] },
      { email: saidOf(drafting, 'email'), ...(chance.is(0.2) && { timeZone: saidOf(drafting, 'timeZone') }) },
    ],
    ...(chance.is(0.5) && { calendars: [calendar()] }),
    ...(chance.is(0.2) && { tokens: [{ token: saidOf(drafting, ''), account: saidOf(drafting, 'email') }] }),
    ...(chance.is(0.1) && { clock: { mode: 'frozen', now: saidOf(drafting, 'now') } }),
    ...(chance.is(0.1) && { anchor: chance.of(['2026-03-01', '9999-12-31', '0001-01-01', 'x']) }),
    ...(chance.is(0.1) && { groups: [{ email: 'all@example.com', members: [saidOf(drafting, 'email')] }] }),
  }
}

/** Requests the journal stream: from the start, after a number, valid or not, and closed again. */
export function streamed({ chance, nastiness }: Drafting): PlainRequest {
  const number = () =>
    chance.is(nastiness)
      ? textOf(chance.of(['-1', '1.5', '9'.repeat(15), '9'.repeat(16), ...TEXTS]))
      : chance.below(200)
  const query = new URLSearchParams({
    ...(chance.is(0.5) && { since: String(number()) }),
    ...(chance.is(0.3) && { method: chance.of(['events.*', 'events.list,oauth.token', '*', 'events.lst', '']) }),
    ...(chance.is(0.2) && { account: chance.of(PEOPLE) }),
    ...(chance.is(0.2) && {
      where: chance.of(['{"status":200}', '{"path":{"matches":"events"}}', '{', '[]', '{"nothing":1}']),
    }),
  })
  const last = asHeader(String(number()))
  const headers: Record<string, string> = chance.is(0.4) ? { 'Last-Event-ID': last } : {}
  return { method: chance.is(0.9) ? 'GET' : 'HEAD', path: `/_control/calls/stream?${query}`, headers }
}
