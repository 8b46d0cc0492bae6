import { z } from 'zod'
import { api } from '../api/index.ts'
import { checkWanted } from '../matching/conditions.ts'
import { PATHS } from '../oauth/paths.ts'
import type { Journal } from '../testing/journal/journal.ts'
import { type CallFilter, type CallWanted, findCalls, waitForCalls, withEvicted } from '../testing/journal/search.ts'
import { type Times, verifyCalls } from '../testing/journal/verify.ts'
import type { On } from '../testing/request.ts'
import { nearest } from '../wire/nearest.ts'
import { timeoutOf } from './notifications.ts'
import { type ControlContext, InvalidInputError, inField, noInput, operation, TimeoutError } from './operation.ts'
import { strictShape } from './strictShape.ts'

const BASE = '/_control/calls'
const MAX_COUNT = 1_000_000

const METHODS = [
  ...api.map(({ id }) => id.slice('calendar.'.length)),
  ...Object.keys(PATHS).map((name) => `oauth.${name}`),
  ...['batch', 'discovery', 'unknown'],
]
const RESOURCES = new Set(METHODS.filter((name) => name.includes('.')).map((name) => name.replace(/\.\w+$/, '.*')))
const KNOWN = [...METHODS, ...RESOURCES, '*']

/** A query separates several methods by commas. */
const method = z.union([z.string().min(1), z.array(z.string().min(1)).min(1).readonly()])
/** The number of a call; the list begins after it. */
const since = z.union([
  z.int().min(0),
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
])
const anything = z.unknown().optional()
/** Expected parts of a call: values, parts of objects, or `{ contains }` and `{ matches }`. */
const wanted = strictShape({
  ...{ params: anything, body: anything, account: anything, client: anything, verb: anything, path: anything },
  ...{ status: anything, reason: anything, response: anything, fault: anything, batch: anything, hints: anything },
})
const which = { account: z.string().optional(), calendarId: z.string().optional(), where: wanted.optional() }
/** A query contains it as JSON. */
const wantedAsText = z.string().transform((text, { addIssue }) => {
  try {
    return JSON.parse(text)
  } catch {
    addIssue('not JSON')
    return z.NEVER
  }
})
const inQuery = { ...which, where: z.union([wanted, wantedAsText.pipe(wanted)]).optional() }
const filterShape = { method: method.optional(), ...inQuery, since: since.optional() }
/** The filter of the list and of the stream. */
const callFilter = strictShape(filterShape)
export const streamFilter = strictShape({
  ...filterShape,
  changes: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional(),
})
const timeout = z.union([z.string(), z.number()]).optional()
const often = z.int().min(0).max(MAX_COUNT)
const times = z.union([often, z.strictObject({ min: often.optional(), max: often.optional() })])

const values = z.record(z.string(), z.union([z.string(), z.array(z.string())]))
const hint = z.object({
  ...{ code: z.string(), what: z.string(), why: z.string(), instead: z.string() },
  allowed: z.array(z.string()).optional(),
})
const call = z.object({
  n: z.int(),
  at: z.iso.datetime(),
  world: z.string(),
  account: z.string().optional(),
  client: z.string().optional(),
  method: z.string(),
  verb: z.string(),
  params: values,
  path: z.string(),
  body: z.unknown().optional(),
  status: z.int().optional(),
  reason: z.string().optional(),
  response: z.unknown().optional(),
  ms: z.number(),
  fault: z.string().optional(),
  hints: z.array(hint),
  batch: z.int().optional(),
  cut: z.literal(true).optional(),
})
const found = z.object({ calls: z.array(call), evicted: z.int() })

/** Returns the journal of a world. Throws an error if it is off. */
export function requireJournal({ realm }: Pick<ControlContext, 'realm'>): Journal {
  if (!realm.controls.journal.isOff) return realm.controls.journal
  throw new InvalidInputError('journal', 'the journal is off (journal: 0), and nothing can be said of what was called')
}

/** Checks a filter. An unknown method is an error, because it would match no call. */
export function checkCallFilter({ method, where, ...rest }: CallFilter): CallFilter {
  const names = typeof method === 'string' ? method.split(',') : method
  for (const name of names ?? []) {
    if (KNOWN.includes(name)) continue
    throw new InvalidInputError(
      'method',
      `no method ${JSON.stringify(name)}; did you mean ${JSON.stringify(nearest(name, KNOWN))}?`,
    )
  }
  if (where) inField('where', () => checkWanted(where, 'where'))
  return { ...rest, where, method: names }
}

type CallChoice = { account?: string | undefined; calendarId?: string | undefined; where?: CallWanted | undefined }
type CalendarChoice = Omit<CallChoice, 'where'>
type Patient = { timeout?: string | number | undefined }
type Often = { times?: Times | undefined }

/** Operations of the journal. */
export const calls = [
  operation({
    id: 'control.calls.list',
    verb: 'GET',
    path: BASE,
    summary:
      'Lists the latest requests, the oldest first: of a `method` (`events.*`, several parted by commas), an `account`, a `calendarId`, `since` a number; `evicted` counts those that were dropped for want of room.',
    input: callFilter,
    example: { method: 'events.*', since: '0' },
    result: found,
    inProcess: {
      calls: (method?: On, { account, calendarId, where }: CallChoice = {}) => ({ method, account, calendarId, where }),
    },
    run: (context, input) => findCalls(requireJournal(context), checkCallFilter(input)),
    reply: (calls) => ({ calls, evicted: calls.evicted }),
    handOver: ({ evicted }, copied) => withEvicted(copied, evicted),
  }),
  operation({
    id: 'control.calls.wait',
    verb: 'POST',
    path: `${BASE}/wait`,
    summary: 'Waits until a `method` was called `count` times, those before among them, and returns the calls.',
    input: z.strictObject({ method, ...which, count: z.int().min(1).max(MAX_COUNT).optional(), timeout }),
    example: { method: 'events.insert', count: 2, timeout: '5s' },
    result: found.omit({ evicted: true }),
    inProcess: {
      'calls.until': (
        method: On,
        count: number,
        { timeout, account, calendarId, where }: CallChoice & Patient = {},
      ) => ({
        ...{ method, count, timeout, account, calendarId, where },
      }),
    },
    async run(context, { count = 1, timeout, ...input }) {
      const met = await waitForCalls(requireJournal(context), checkCallFilter(input), count, timeoutOf({ timeout }))
      if (typeof met !== 'number') return met
      throw new TimeoutError(`${[input.method].flat().join(', ')}: ${met} of ${count} calls came in time`)
    },
    reply: (calls) => ({ calls }),
  }),
  operation({
    id: 'control.calls.verify',
    verb: 'POST',
    path: `${BASE}/verify`,
    summary:
      'Says that a `method` was called as wanted (`where`), at least once or as often as `times` says, and returns those calls; else 417 with `verified: false` and a `message` that tells the closest call and what differs.',
    input: z.strictObject({ method, ...which, times: times.optional() }),
    example: {
      method: 'events.insert',
      where: { params: { sendUpdates: 'all' }, body: { attendees: [{ email: 'bob@example.com' }] } },
      times: { min: 1 },
    },
    result: found.omit({ evicted: true }).extend({ verified: z.literal(true) }),
    inProcess: {
      'calls.verify': (
        method: On,
        where: CallWanted = {},
        { times, account, calendarId }: CalendarChoice & Often = {},
      ) => ({
        ...{ method, where, times, account, calendarId },
      }),
    },
    run(context, { times, ...input }) {
      if (typeof times === 'object' && (times.min ?? 0) > (times.max ?? MAX_COUNT))
        throw new InvalidInputError('times', 'min is more than max')
      return verifyCalls(requireJournal(context), { ...checkCallFilter(input), method: input.method, times })
    },
    reply: (calls) => ({ verified: true, calls }),
  }),
  operation({
    id: 'control.calls.clear',
    verb: 'DELETE',
    path: BASE,
    summary: 'Forgets the requests so far, and tells how many there were; their numbers go on.',
    result: z.object({ cleared: z.int() }),
    inProcess: { 'calls.clear': noInput },
    run: ({ realm }) => realm.controls.journal.clear(),
    reply: (cleared) => ({ cleared }),
  }),
] as const
