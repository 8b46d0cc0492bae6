import { z } from 'zod'
import { api } from '../api/index.ts'
import { checkWanted } from '../matching/conditions.ts'
import { type AnyEffect, endingsOf } from '../rig/effects.ts'
import type { Fault, Planned } from '../rig/faults.ts'
import type { QuotaLimits } from '../rig/quota.ts'
import { durationOf } from '../time/clock.ts'
import { nearest } from '../wire/nearest.ts'
import { type FaultName, REFUSALS } from '../wire/refusals.ts'
import { only } from './only.ts'
import { Misfit, nothing, of, operation } from './operation.ts'

const NAMES = Object.keys(REFUSALS) as [FaultName, ...FaultName[]]

/** What a fault may be on, by name. */
const METHODS = [...api.map(({ id }) => id.slice('calendar.'.length)), 'oauth.token', 'batch', 'discovery']
const RESOURCES = [...new Set(api.map(({ id }) => `${id.split('.')[1]}.*`))]
const ON = [...METHODS, ...RESOURCES, '*']

const duration = z.union([z.string(), z.number()])
const count = z.int().min(1)
const yes = z.literal(true)

const effect = only({
  fail: z
    .enum(NAMES, {
      error: ({ input }) =>
        `there is no failure ${JSON.stringify(input)}; did you mean ${JSON.stringify(nearest(String(input), NAMES))}?`,
    })
    .optional(),
  status: z.int().min(200).max(599).optional(),
  retryAfter: z.union([z.number().min(0), z.string()]).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.unknown().optional(),
  delay: duration.optional(),
  clock: z.enum(['real', 'world']).optional(),
  hang: yes.optional(),
  stall: only({ after: z.int().min(0), for: duration }).optional(),
  truncate: z.int().min(0).optional(),
  empty: yes.optional(),
  reset: yes.optional(),
  answerLost: yes.optional(),
  emptyPage: yes.optional(),
  stale: duration.optional(),
})

/** Which there are is checked by name, so that a name that there is not is met with the nearest. */
const target = z.string().meta({ examples: ON })

const fault = only({
  on: z.union([target, z.array(z.string()).min(1)]),
  account: z.string().min(1).optional(),
  calendarId: z.string().min(1).optional(),
  where: only({ params: z.record(z.string(), z.unknown()).optional(), body: z.unknown().optional() }).optional(),
  skip: z.int().min(0).optional(),
  times: z.union([count, z.literal('always')]).optional(),
  every: count.optional(),
  probability: z.number().min(0).max(1).optional(),
  optional: yes.optional(),
  do: z.union([effect, z.array(effect).min(1)]),
})
const view = fault.extend({ id: z.string(), matched: z.int(), fired: z.int() })

/** What is wrong with a fault beyond its shape. */
function checked(given: Fault): Fault {
  for (const on of [given.on].flat()) if (!ON.includes(on)) throw new Misfit('on', unknownMethod(on))
  if (given.where) of('where', () => checkWanted(given.where, 'where'))
  const many = Array.isArray(given.do)
  for (const [at, one] of ([given.do].flat() as AnyEffect[]).entries())
    checkEffect(one, many ? `do[${at}]` : 'do', given)
  return given
}

const unknownMethod = (on: string): string =>
  `there is no method ${JSON.stringify(on)}; did you mean ${JSON.stringify(nearest(on, ON))}?`

const DURATIONS = ['delay', 'stale'] as const
/** What an answer is framed by, which other effects take care of. */
const FRAMING = /^(?:content-length|transfer-encoding|connection|trailer)$/i

function checkEffect(one: AnyEffect, path: string, { on }: Fault): void {
  const endings = endingsOf(one)
  if (endings.length > 1) throw new Misfit(path, `one of ${endings.join(' and ')}, not both`)
  if (endings.length === 0 && one.delay === undefined)
    throw new Misfit(path, 'says no effect, such as fail, status, delay or hang')
  if (one.clock !== undefined && one.delay === undefined) throw new Misfit(path, 'clock: goes with delay')
  if (one.retryAfter !== undefined && one.fail === undefined) throw new Misfit(path, 'retryAfter: goes with fail')
  for (const name of ['headers', 'body'] as const)
    if (one[name] !== undefined && (one.status === undefined || one.fail !== undefined))
      throw new Misfit(path, `${name}: goes with status, and not with fail`)
  for (const name of DURATIONS) of(`${path}.${name}`, () => durationOf(one[name] ?? 0))
  of(`${path}.stall.for`, () => durationOf(one.stall?.for ?? 0))
  if (typeof one.retryAfter === 'string') of(`${path}.retryAfter`, () => durationOf(String(one.retryAfter)))
  for (const [name, value] of Object.entries(one.headers ?? {})) checkHeader(name, value, path)
  if ((one.emptyPage || one.stale !== undefined) && [on].flat().every((name) => !mayBeList(name)))
    throw new Misfit(path, `${endings.join()}: is for lists${one.stale === undefined ? '' : ' and free/busy'} alone`)
}

const mayBeList = (on: string): boolean => /\*$|\.(?:list|instances)$|^freebusy\.query$/.test(on)

function checkHeader(name: string, value: string, path: string): void {
  if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(value))
    throw new Misfit(path, `headers: ${JSON.stringify(name)} cannot be a header with this value`)
  if (FRAMING.test(name)) throw new Misfit(path, `headers: ${name} is written by the server`)
}

const limit = z.int().min(0).optional()
const limits = only({ perMinute: limit, perUserPerMinute: limit })
const quotaState = z.object({
  limits: limits.nullable(),
  minute: z.iso.datetime(),
  spent: z.int(),
  users: z.record(z.string(), z.int()),
})

/** What fails on cue, and how much may be asked. */
export const faults = [
  operation({
    id: 'control.faults.add',
    verb: 'POST',
    path: '/_control/faults',
    summary: 'Adds a fault: what is to fail, how often, and how. See [Faults](faults.md).',
    input: fault,
    example: { on: 'events.insert', do: { fail: 'backendError503', retryAfter: 1 } },
    result: view,
    inProcess: { 'faults.add': (given: Fault) => given as z.input<typeof fault> },
    run: ({ realm: { rig } }, given) => rig.faults.add(checked(given as Fault)),
    reply: (planned: Planned) => planned.view,
  }),
  operation({
    id: 'control.faults.list',
    verb: 'GET',
    path: '/_control/faults',
    summary: 'Lists the faults, with how many requests matched each, and how many it hit.',
    result: z.object({ faults: z.array(view) }),
    inProcess: { 'faults.list': nothing },
    run: ({ realm: { rig } }) => rig.faults.list(),
    reply: (faults) => ({ faults }),
  }),
  operation({
    id: 'control.faults.clear',
    verb: 'DELETE',
    path: '/_control/faults',
    summary: 'Takes all faults away, and tells how many there were.',
    result: z.object({ cleared: z.int() }),
    inProcess: { 'faults.clear': nothing },
    run: ({ realm: { rig } }) => rig.faults.clear(),
    reply: (cleared) => ({ cleared }),
  }),
  operation({
    id: 'control.faults.remove',
    verb: 'DELETE',
    path: '/_control/faults/{id}',
    summary: 'Takes the fault with this `id` away.',
    input: z.strictObject({ id: z.string() }),
    example: { id: 'fault-1' },
    result: z.object({ removed: z.string() }),
    inProcess: { 'faults.remove': (id: string) => ({ id }) },
    run({ realm: { rig } }, { id }) {
      if (!rig.faults.remove(id)) throw new Misfit('id', `there is no fault ${JSON.stringify(id)}`)
    },
    reply: (_, { id }) => ({ removed: id }),
  }),
  operation({
    id: 'control.faults.verify',
    verb: 'GET',
    path: '/_control/faults/verify',
    summary: 'Answers 417, and names each fault that did not fire as often as it was to.',
    result: z.object({ verified: z.literal(true), faults: z.int() }),
    inProcess: { 'faults.verify': nothing },
    run: ({ realm: { rig } }) => rig.faults.verify(),
    reply: (_, __, { realm }) => ({ verified: true, faults: realm.rig.faults.list().length }),
  }),
  operation({
    id: 'control.quota.set',
    verb: 'PUT',
    path: '/_control/quota',
    summary: "Limits how much may be asked in a minute of the world's clock, of all and of each user; `null` lifts it.",
    input: limits.nullable(),
    example: { perMinute: 600, perUserPerMinute: 60 },
    result: quotaState,
    inProcess: { quota: (limits: QuotaLimits | null) => limits },
    run({ realm: { rig } }, given) {
      if (given && given.perMinute === undefined && given.perUserPerMinute === undefined)
        throw new Misfit('quota', 'give perMinute, perUserPerMinute or both, or null')
      rig.quota.limit(given)
    },
    reply: (_, __, { realm }) => realm.rig.quota.state(),
  }),
  operation({
    id: 'control.quota.get',
    verb: 'GET',
    path: '/_control/quota',
    summary: 'Returns the limits, and what was asked in this minute.',
    result: quotaState,
    inProcess: { 'quota.state': nothing },
    run: ({ realm: { rig } }) => rig.quota.state(),
  }),
] as const
