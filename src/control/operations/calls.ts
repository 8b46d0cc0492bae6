import { z } from 'zod'
import { api } from '../../api/index.ts'
import { DEFAULT_WORLD } from '../../http/urls.ts'
import { TOOL_NAMES } from '../../mcp/definitions/toolNames.ts'
import { OAUTH_PATHS } from '../../schema/oauthPaths.ts'
import { isObject } from '../../schema/values/json.ts'
import { describeUnknownName } from '../../schema/values/nearest.ts'
import { requireKnownFields } from '../expectedFields.ts'
import { HINTS } from '../hints/table.ts'
import { requireSpelledKeys } from '../journal/expectedKeys.ts'
import type { Journal } from '../journal/journal.ts'
import { type CallFilter, type ExpectedCall, findCalls, waitForCalls, withEvicted } from '../journal/search.ts'
import { describeDroppedCalls, verifyCalls } from '../journal/verify.ts'
import { checkExpected, toCountRange } from '../matching.ts'
import { type MethodPattern, toParamText } from '../request.ts'
import type { WaitOptions } from '../types/messages.ts'
import type { CallSelector } from '../types/world.ts'
import { address, flag, returns, strictShape, times, wait } from './inputs.ts'
import {
  type ControlContext,
  defineOperation,
  type Expects,
  InvalidInputError,
  TimeoutError,
  withErrorField,
} from './operation.ts'

const MAX_COUNT = 1_000_000

const METHODS = [
  ...api.map(({ id }) => id.slice('calendar.'.length)),
  ...Object.keys(OAUTH_PATHS).map((name) => `oauth.${name}`),
  ...TOOL_NAMES.map((name) => `mcp.${name}`),
  ...['batch', 'discovery', 'mcp', 'unknown'],
]
const RESOURCES = new Set(METHODS.filter((name) => name.includes('.')).map((name) => name.replace(/\.\w+$/, '.*')))
const KNOWN = [...METHODS, ...RESOURCES, '*']

const method = z.union([z.string().min(1), z.array(z.string().min(1)).min(1).readonly()])
const wholeNumber = z.union([
  z.int().min(0),
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
])
const unchecked = z.unknown().optional()
const expectedCall = strictShape({
  ...{ params: unchecked, body: unchecked, account: unchecked, client: unchecked, verb: unchecked, path: unchecked },
  ...{
    status: unchecked,
    reason: unchecked,
    response: unchecked,
    fault: unchecked,
    toolCall: unchecked,
    batch: unchecked,
    hints: unchecked,
  },
})
const callSelector = {
  account: address.optional(),
  calendarId: z.string().optional(),
  where: expectedCall.optional(),
}
const expectedAsText = z.string().transform((text, { addIssue }) => {
  try {
    return JSON.parse(text)
  } catch {
    addIssue('where must be JSON')
    return z.NEVER
  }
})
const querySelector = { ...callSelector, where: z.union([expectedCall, expectedAsText.pipe(expectedCall)]).optional() }
const since = wholeNumber
const filterShape = { method: method.optional(), ...querySelector, since: since.optional() }
const callFilter = strictShape(filterShape)
export const streamFilter = strictShape({
  ...filterShape,
  changes: flag.optional(),
})
/** The header of a client that continues a stream: how many calls were recorded up to its last event. */
export const eventId = strictShape({ 'Last-Event-ID': wholeNumber })

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
  toolCall: z.int().optional(),
  cut: z.literal(true).optional(),
})
const expectedFields = call.extend({
  verb: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']),
  hints: z.array(hint.extend({ code: z.enum(Object.keys(HINTS)) })),
})
const found = z.object({ calls: z.array(call), evicted: z.int() })

export function requireJournal({ world }: Pick<ControlContext, 'world'>): Journal {
  if (!world.controls.journal.isOff) return world.controls.journal
  throw new InvalidInputError('journal', 'the journal is off; start with a `journal` of more than 0')
}

/**
 * Returns the journal of the world `default`, because a client that names no world sends to it. For `default` itself,
 * returns the journals of all other worlds.
 */
function listOtherJournals({ worlds, name }: ControlContext): Journal[] {
  const names = name === DEFAULT_WORLD ? worlds.names() : [DEFAULT_WORLD]
  return names.filter((other) => other !== name).flatMap((other) => worlds.find(other)?.controls.journal ?? [])
}

const listMethodNames = (method: MethodPattern = '*'): readonly string[] =>
  typeof method === 'string' ? method.split(',') : method

/** Refuses what no call has, because it would match none. */
function checkExpectedCall(
  where: ExpectedCall,
  { world }: Pick<ControlContext, 'world'>,
  { method }: CallFilter,
): void {
  const { journal, faults } = world.controls
  checkExpected(where, 'where')
  requireKnownFields(where, expectedFields, 'where')
  requireSpelledKeys({ method: listMethodNames(method), where }, journal)
  if (typeof where.fault === 'string' && !faults.hasAdded(where.fault))
    throw new RangeError(`where.fault: there was no fault ${JSON.stringify(where.fault)}`)
}

export const expectedCalls: Expects = { field: 'where', check: checkExpectedCall }

/** Throws an InvalidInputError for an unknown method, which is no tool of `cannedTools` either. */
export function parseCallFilter(
  { method, where, ...rest }: CallFilter,
  cannedTools: readonly string[] = [],
): CallFilter {
  const names = listMethodNames(method)
  for (const name of names) {
    if (!KNOWN.includes(name) && !cannedTools.some((tool) => name === `mcp.${tool}`))
      throw new InvalidInputError('method', describeUnknownName(name, KNOWN, 'method'))
  }
  const params = where?.params === undefined ? {} : { params: toParamText(where.params) }
  return { ...rest, where: where && { ...where, ...params }, method: names }
}

const toCallInput = (method?: MethodPattern, selector?: CallSelector) => ({ ...selector, method })

export const calls = {
  calls: defineOperation({
    route: 'GET /calls',
    summary:
      'Lists the latest requests, the oldest first, by `method` (`events.*`, several separated by commas), `account`, `calendarId`, and recorded `since` the call of a number. `evicted` counts the requests that the journal dropped.',
    input: callFilter,
    example: { method: 'events.*', since: '0' },
    expects: expectedCalls,
    toInput: toCallInput,
    result: found,
    field: 'calls',
    properties: ['evicted'],
    run: (context, input) => withErrorField('where', () => findCalls(requireJournal(context), parseCallFilter(input))),
    reply: (calls) => ({ calls, evicted: calls.evicted }),
    toResult: ({ evicted }, copied) => withEvicted(copied, evicted),
  }),
  'calls.until': defineOperation({
    route: 'POST /calls/until',
    summary: 'Waits until a `method` was called `count` times, earlier calls included, and returns the calls.',
    input: strictShape({
      ...{ method, ...callSelector },
      count: z.int().min(1).max(MAX_COUNT).optional(),
      timeout: wait.optional(),
    }),
    example: { method: 'events.insert', count: 2, timeout: '5s' },
    expects: expectedCalls,
    toInput: (method: MethodPattern, count: number, options?: CallSelector & WaitOptions) => ({
      ...{ ...options, method, count },
    }),
    result: found.omit({ evicted: true }),
    field: 'calls',
    rejects: true,
    async run(context, { count = 1, timeout, ...input }) {
      const journal = requireJournal(context)
      const limits = { timeout, signal: context.signal }
      const met = await withErrorField('where', () => waitForCalls(journal, parseCallFilter(input), count, limits))
      if (typeof met !== 'number') return met
      const dropped = journal.evicted > 0 ? `; ${describeDroppedCalls(journal.evicted)}` : ''
      throw new TimeoutError(`${[input.method].flat().join(', ')}: ${met} of ${count} calls arrived in time${dropped}`)
    },
  }),
  'calls.verify': defineOperation({
    route: 'POST /calls/verify',
    summary:
      'Verifies that a `method` was called as expected (`where`), at least once or `times` times, and returns those calls. Otherwise answers 417 with `verified: false` and a `message` with the closest call and its differences.',
    input: strictShape({ method, ...callSelector, times: times.optional() }),
    example: {
      method: 'events.insert',
      where: { params: { sendUpdates: 'all' }, body: { attendees: [{ email: 'bob@example.com' }] } },
      times: { min: 1 },
    },
    expects: expectedCalls,
    toInput(method: MethodPattern, where: ExpectedCall = {}, options: object = {}) {
      if (!isObject(options)) throw new InvalidInputError('options', 'give an object, such as { times: 1 }')
      return { ...options, method, where }
    },
    result: found.omit({ evicted: true }).extend({ verified: z.literal(true) }),
    field: 'calls',
    run(context, { times = { min: 1 }, ...input }) {
      withErrorField('times', () => toCountRange(times))
      const expected = { ...parseCallFilter(input), method: input.method, times }
      const journal = requireJournal(context)
      return withErrorField('where', () => verifyCalls(journal, expected, () => listOtherJournals(context)))
    },
    reply: (calls) => ({ verified: true, calls }),
  }),
  'calls.clear': defineOperation({
    route: 'DELETE /calls',
    summary: 'Removes all requests from the journal, and returns their number. Numbering continues.',
    ...returns({ cleared: z.int() }),
    run({ world: { controls } }) {
      const cleared = controls.journal.clear()
      controls.journal.notify('cleared')
      return cleared
    },
  }),
}
