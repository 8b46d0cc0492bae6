import { z } from 'zod'
import { api } from '../../api/index.ts'
import { TOOL_NAMES } from '../../mcp/definitions/toolNames.ts'
import { parseDuration } from '../../model/clock.ts'
import { FAULT_ALIASES, FAULT_NAMES } from '../../schema/faultNames.ts'
import { describeUnknownName } from '../../schema/values/nearest.ts'
import { toShown } from '../../schema/values/shownText.ts'
import { type AnyEffect, type EffectName, listEffectNames } from '../faults/effects.ts'
import { effectMethods } from '../faults/effectTable.ts'
import type { ActiveFault, Fault } from '../faults/faults.ts'
import { requireSpelledKeys } from '../journal/expectedKeys.ts'
import { describeCalls } from '../journal/verify.ts'
import { checkExpected } from '../matching.ts'
import { GOOGLE_LIMITS } from '../quota.ts'
import { matchesMethod } from '../request.ts'
import { address, durationText, returns, strictShape } from './inputs.ts'
import { type ControlContext, defineOperation, InvalidInputError } from './operation.ts'

const TOOLS = TOOL_NAMES.map((name) => `mcp.${name}`)
const METHODS = [...api.map(({ id }) => id.slice('calendar.'.length)), ...TOOLS, 'oauth.token', 'batch', 'discovery']
const READS = [...api.filter(({ verb }) => verb === 'GET').map(({ id }) => id.slice('calendar.'.length)), 'discovery']
const RESOURCES = [...new Set(api.map(({ id }) => `${id.split('.')[1]}.*`))]
const ON = [...METHODS, ...RESOURCES, 'mcp.*', '*']

const count = z.int().min(1)
const yes = z.literal(true)

const MAX_RETRY_AFTER_S = 365 * 86_400

const VALUES: Record<EffectName, z.ZodType> = {
  fail: z.enum([...FAULT_NAMES, ...FAULT_ALIASES], {
    error: ({ input }) => describeUnknownName(String(input), FAULT_NAMES, 'failure'),
  }),
  status: z.int().min(200).max(599),
  hang: yes,
  reset: yes,
  answerLost: yes,
  stall: strictShape({ after: z.int().min(0), for: durationText }),
  truncate: z.int().min(0),
  empty: yes,
  emptyPage: yes,
  stale: durationText,
  calendarListLag: yes,
  deletedCopies: yes,
  trimmedSeries: yes,
}

const effect = strictShape({
  ...(Object.fromEntries(Object.entries(VALUES).map(([name, value]) => [name, value.optional()])) as Record<
    EffectName,
    z.ZodOptional<z.ZodType>
  >),
  retryAfter: z
    .union([
      z.number().min(0).max(MAX_RETRY_AFTER_S),
      durationText.refine(
        (given) => typeof given === 'string' && parseDuration(given) <= MAX_RETRY_AFTER_S * 1000,
        'at most a year',
      ),
    ])
    .optional(),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.unknown().optional(),
  delay: durationText.optional(),
  clock: z.enum(['real', 'world']).optional(),
  detached: yes.optional(),
})

/** One method of `on`. `checkFault` compares it with `ON`, so that the error names the nearest method. */
const target = z.string().meta({ examples: ON })

export const fault = strictShape({
  on: z.union([target, z.array(z.string()).min(1)]),
  account: address.optional(),
  calendarId: z.string().min(1).optional(),
  where: strictShape({ params: z.record(z.string(), z.unknown()).optional(), body: z.unknown().optional() }).optional(),
  skip: z.int().min(0).optional(),
  times: z.union([count, z.literal('always')]).optional(),
  every: count.optional(),
  probability: z.number().min(0).max(1).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
  for: durationText.optional(),
  optional: yes.optional(),
  do: z.union([effect, z.array(effect).min(1)]),
})
const view = fault.omit({ for: true }).extend({ id: z.string(), matched: z.int(), fired: z.int(), spent: z.boolean() })

/** Refuses what no request has, because it would match none. */
function checkExpectedRequest(
  where: Fault['where'] & object,
  { world }: Pick<ControlContext, 'world'>,
  { on }: Fault,
): void {
  checkExpected(where, 'where')
  requireSpelledKeys({ method: on, where }, world.controls.journal)
}

export function checkFault(given: Fault): Fault {
  for (const on of [given.on].flat())
    if (!ON.includes(on)) throw new InvalidInputError('on', describeUnknownName(on, ON, 'method'))
  if (given.for !== undefined && given.until !== undefined)
    throw new InvalidInputError('for', 'give until or for, not both')
  const many = Array.isArray(given.do)
  for (const [at, one] of ([given.do].flat() as AnyEffect[]).entries())
    checkEffect(one, many ? `do[${at}]` : 'do', given)
  return given
}

const FRAMING = /^(?:content-length|transfer-encoding|connection|trailer)$/i

function checkEffect(one: AnyEffect, path: string, { on }: Fault): void {
  const names = listEffectNames(one)
  if (names.length > 1) throw new InvalidInputError(path, `give only one of ${names.join(' and ')}`)
  if (names.length === 0 && one.delay === undefined)
    throw new InvalidInputError(path, 'give an effect, such as fail, status, delay or hang')
  for (const name of ['clock', 'detached'] as const)
    if (one[name] !== undefined && one.delay === undefined)
      throw new InvalidInputError(`${path}.${name}`, `needs a delay; add one, or remove ${name}`)
  if (one.detached && [on].flat().every((name) => READS.includes(name)))
    throw new InvalidInputError(`${path}.detached`, 'applies only to writes; name one in on')
  if (one.retryAfter !== undefined && one.fail === undefined)
    throw new InvalidInputError(`${path}.retryAfter`, 'needs fail; a fixed response has headers instead')
  for (const name of ['headers', 'body'] as const)
    if (one[name] !== undefined && (one.status === undefined || one.fail !== undefined))
      throw new InvalidInputError(`${path}.${name}`, 'needs status, and cannot be combined with fail')
  for (const [name, value] of Object.entries(one.headers ?? {})) checkHeader(name, value, path)
  const limited = effectMethods(one)
  if (limited && !METHODS.some((method) => limited.includes(method) && matchesMethod(on, method)))
    throw new InvalidInputError(`${path}.${names.join()}`, `applies only to ${limited.words}; name one in on`)
}

function checkHeader(name: string, value: string, path: string): void {
  if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(value))
    throw new InvalidInputError(`${path}.headers`, `${toShown(name)} cannot be a header with this value`)
  if (FRAMING.test(name)) throw new InvalidInputError(`${path}.headers`, `${name} is set by the server; leave it out`)
}

const limit = z.int().min(0).optional()
export const quotaLimits = strictShape({ perMinute: limit, perUserPerMinute: limit, toolCallsPerDay: limit })
const quotaState = z.object({
  limits: quotaLimits.nullable(),
  windowStart: z.iso.datetime(),
  spent: z.int(),
  users: z.record(z.string(), z.int()),
  toolCalls: z.int(),
})

export const faults = {
  'faults.add': defineOperation({
    route: 'POST /faults',
    summary: 'Adds a fault: the requests that fail, how often, and the effect. See [Faults](faults.md).',
    input: fault,
    maxEntries: 1000,
    example: { on: 'events.insert', do: { fail: 'backendError503', retryAfter: 1 } },
    expects: { field: 'where', check: checkExpectedRequest },
    result: view,
    run: ({ world: { controls } }, given) => controls.faults.add(checkFault(given as Fault)),
    reply: (fault: ActiveFault) => fault.view,
  }),
  'faults.list': defineOperation({
    route: 'GET /faults',
    summary: 'Lists the faults, each with the number of requests that matched and of those on which it fired.',
    ...returns({ faults: z.array(view) }),
    run: ({ world: { controls } }) => controls.faults.list(),
  }),
  'faults.clear': defineOperation({
    route: 'DELETE /faults',
    summary: 'Removes all faults, and returns their number.',
    ...returns({ cleared: z.int() }),
    run: ({ world: { controls } }) => controls.faults.clear(),
  }),
  'faults.remove': defineOperation({
    route: 'DELETE /faults/{id}',
    summary: 'Removes the fault with this `id`.',
    input: strictShape({ id: z.string() }),
    example: { id: 'fault-1' },
    toInput: (id: string) => ({ id }),
    run({ world: { controls } }, { id }) {
      if (controls.faults.remove(id)) return
      const problem = `there is no fault ${toShown(id)}; the list of faults has the ids`
      throw new InvalidInputError('id', problem)
    },
  }),
  'faults.verify': defineOperation({
    route: 'GET /faults/verify',
    summary: 'Verifies that every fault fired as often as planned. Otherwise answers 417 with the names of the others.',
    result: z.object({ verified: z.literal(true), faults: z.int() }),
    field: null,
    run: ({ world: { controls } }) => controls.faults.verify(() => describeCalls(controls.journal)),
    reply: (_, __, { world }) => ({ verified: true, faults: world.controls.faults.list().length }),
  }),
  quota: defineOperation({
    route: 'PUT /quota',
    summary:
      'Sets the quota of any minute of the world\'s clock, for all users together and for each, or `"google"`: the limits of the service.',
    input: z.union([quotaLimits, z.literal('google', { error: 'give limits, or "google"' })]),
    example: { perMinute: 600, perUserPerMinute: 60 },
    result: quotaState,
    field: null,
    run({ world: { controls } }, given) {
      const limits = given === 'google' ? GOOGLE_LIMITS : given
      if (Object.values(limits).every((value) => value === undefined))
        throw new InvalidInputError('quota', 'give perMinute, perUserPerMinute or toolCallsPerDay, or "google"')
      controls.quota.setLimits(limits)
    },
    reply: (_, __, { world }) => world.controls.quota.state(),
  }),
  'quota.state': defineOperation({
    route: 'GET /quota',
    summary: 'Returns the limits, and the units spent in the last minute.',
    result: quotaState,
    run: ({ world: { controls } }) => controls.quota.state(),
  }),
  'quota.remove': defineOperation({
    route: 'DELETE /quota',
    summary: 'Removes the quota. Nothing is limited then.',
    run: ({ world: { controls } }) => controls.quota.clear(),
  }),
}
