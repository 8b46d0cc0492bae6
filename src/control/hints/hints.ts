// A hint is advice on a request: what is odd, why, and what to send instead. Hints are in the journal and in a response
// header; they never change the response itself.

import { isDeepStrictEqual } from 'node:util'
import { api } from '../../api/index.ts'
import { readAsText, type Text } from '../../http/reply.ts'
import type { Caller, WorldData } from '../../model/worldData.ts'
import type { ApiError } from '../../schema/apiErrors.ts'
import { type Param, STANDARD, UNDOCUMENTED } from '../../schema/params.ts'
import type { UnknownField } from '../../schema/values/json.ts'
import { findNearest } from '../../schema/values/nearest.ts'
import { shorten } from '../../schema/values/shownText.ts'
import type { Hint } from '../journal/recordedCall.ts'
import { collectParams, type ObservedRequest, parseObservedBody } from '../request.ts'
import type { TestControls } from '../testControls.ts'
import { explainFreeBusy, findSeededAccount } from './missing.ts'
import { explainError, isRateLimitError } from './refused.ts'
import { createHint } from './table.ts'

export type HintedMethod = {
  readonly id: string
  readonly params: Readonly<Record<string, Param>>
  readonly scopes: readonly string[]
}

export type BodyFields = {
  readonly data: object
  /** False if the body is another JSON value, which counts as an empty object. */
  readonly isObject: boolean
  readonly unknownFields: readonly UnknownField[]
  readonly writable: ReadonlySet<string>
  readonly all: ReadonlySet<string>
}

type MessageScope = { posts(address: string): boolean }

export interface HintedRequest extends ObservedRequest {
  readonly endpoint: HintedMethod | undefined
  readonly hosted: { readonly world: { readonly data: WorldData; readonly notifications: MessageScope } } | undefined
  readonly controls: TestControls | undefined
  readonly caller: Caller | undefined
  /** True if the token belongs to no account, so that the request acts as the first one. */
  readonly isGuessed: boolean
  /** True if the account did not exist before the request. */
  readonly isNewAccount: boolean
  readonly bodyFields: BodyFields | undefined
  readonly error: ApiError | undefined
  readonly injected: object | undefined
}

const NONE: readonly Hint[] = []

export function listUnknownNameHints(method: HintedMethod, { query, bodyFields }: HintedRequest): Hint[] {
  const names = query.size === 0 ? [] : findUnknownParameters(query, method)
  const fields = bodyFields?.unknownFields ?? []
  return [...names.map((name) => createUnknownParameterHint(name, method)), ...fields.map(createUnknownFieldHint)]
}

/** `reply` is the text of the response. */
export function listHints(request: HintedRequest, reply: Text | null): readonly Hint[] {
  const { endpoint, error, account, isGuessed, isNewAccount, bodyFields } = request
  if (!endpoint) return NONE
  const onError = error && findErrorHint(endpoint, request, error)
  const hints = [...(onError ? [onError] : []), ...listUnknownNameHints(endpoint, request)]
  if (isGuessed && account !== undefined)
    hints.push(
      createHint(
        'FC302',
        `The token belongs to no account, so the request acts as ${shorten(account)}`,
        'Send an email address as the token, or a token that this world issued',
      ),
    )
  if (isNewAccount) hints.push(...listAccountHints(request))
  if (endpoint.id === 'calendar.freebusy.query') hints.push(...listFreeBusyHints(endpoint, request, reply))
  if (!bodyFields) return hints
  const { data, isObject, writable, all } = bodyFields
  if (!isObject)
    hints.push(createHint('FC204', 'The body is not a JSON object, so it counts as empty', 'Send a JSON object'))
  hints.push(...listReadOnlyFieldHints(data, writable, all, error ? null : reply))
  if (error) return hints
  const withheld = endpoint.id.endsWith('.watch') ? listWithheldHints(request, data) : []
  return [
    ...hints,
    ...withheld,
    ...listInertFieldHints(data, writable),
    ...(Object.hasOwn(data, 'reminders') ? listReminderHints(data) : []),
  ]
}

/** Compares the address of a new account with those of accounts that no request has created. */
function listAccountHints({ hosted, account }: HintedRequest): Hint[] {
  if (!hosted || account === undefined) return []
  const nearest = findSeededAccount(hosted.world.data, account)
  if (nearest === undefined) return []
  return [createHint('FC312', `${shorten(account)} was no account before this request`, `Did you mean ${nearest}?`)]
}

function listFreeBusyHints({ scopes }: HintedMethod, { hosted, caller }: HintedRequest, reply: Text | null): Hint[] {
  if (!hosted || reply === null) return []
  return [explainFreeBusy({ world: hosted.world.data, caller, scopes }, readAsText(reply)) ?? []].flat()
}

function listWithheldHints({ hosted }: HintedRequest, { address }: { address?: unknown }): Hint[] {
  if (typeof address !== 'string' || hosted?.world.notifications.posts(address)) return []
  const what = `No message is posted to ${shorten(address)}, which is not on this machine`
  return [createHint('FC212', what, 'Start with --webhooks any, or watch with an address of this machine')]
}

/** Records a rejection for its rate, so call it once per request. */
function findErrorHint(method: HintedMethod, request: HintedRequest, error: ApiError): Hint | undefined {
  const { hosted, caller, controls, injected } = request
  if (!hosted) return undefined
  const [fault] = error.items
  const key = `${request.account} ${request.verb} ${request.path}?${request.query} ${request.text}`
  return explainError(error, {
    world: hosted.world.data,
    caller,
    params: collectParams(request),
    declared: method.params,
    scopes: method.scopes,
    body: parseObservedBody(request),
    injected: injected !== undefined,
    isImmediateRetry: fault !== undefined && isRateLimitError(fault) && controls?.retries.recordRejection(key) === true,
  })
}

function findUnknownParameters(query: URLSearchParams, { params }: HintedMethod): string[] {
  return [...new Set(query.keys())].filter(
    (name) => !Object.hasOwn(params, name) && !Object.hasOwn(STANDARD, name) && !UNDOCUMENTED.includes(name),
  )
}

function createUnknownParameterHint(name: string, { id, params }: HintedMethod): Hint {
  const other = api.find((one) => Object.hasOwn(one.params, name))?.id.replace('calendar.', '')
  const method = id.replace('calendar.', '')
  if (other) return createHint('FC103', `${name} is a parameter of ${other}, not of ${method}`, 'Remove it')
  const known = Object.keys(params)
  const nearest = findNearest(name, [...known, ...Object.keys(STANDARD)]) ?? ''
  return createHint('FC102', `${method} has no parameter ${shorten(name)}`, `Did you mean ${nearest}?`, known)
}

export const createUnknownFieldHint = ({ path, name, known }: UnknownField): Hint =>
  createHint(
    'FC201',
    `${shorten(path)} is not a field of the service`,
    `Did you mean ${findNearest(name, known) ?? ''}?`,
    known,
  )

/** A field that the client sends back as it was read gets no hint, nor does a body with an etag or a kind. */
function listReadOnlyFieldHints(
  body: object,
  writable: ReadonlySet<string>,
  all: ReadonlySet<string>,
  reply: Text | null,
): Hint[] {
  const sent = Object.keys(body)
  if (sent.includes('etag') || sent.includes('kind')) return []
  const readOnly = sent.filter((name) => all.has(name) && !writable.has(name))
  if (readOnly.length === 0) return []
  const stored: object = reply === null ? {} : JSON.parse(readAsText(reply))
  // The write has changed `updated`.
  const isUnchanged = (name: string) =>
    (name === 'updated' && 'created' in body) || isDeepStrictEqual(Reflect.get(body, name), Reflect.get(stored, name))
  const changed = readOnly.filter((name) => !isUnchanged(name))
  return changed.map((name) => createHint('FC202', `${name} is read-only`, 'Remove it'))
}

/** Fields that are stored and, unlike in the service, have no effect, each with the text of `instead`. */
const INERT = new Map([
  ['anyoneCanAddSelf', 'Add the guests to attendees'],
  ['gadget', 'Remove it: the service has discontinued gadgets'],
])

const listInertFieldHints = (body: object, writable: ReadonlySet<string>): Hint[] =>
  Object.entries(body).flatMap(([name, value]) => {
    const instead = value === false || value === null || !writable.has(name) ? undefined : INERT.get(name)
    return instead === undefined ? [] : [createHint('FC203', `${name} is stored, but has no effect`, instead)]
  })

type Overrides = { reminders?: { overrides?: readonly { method?: unknown; minutes?: unknown }[] | null } | null }

/** Returns a hint on the overrides of an event that are stored otherwise than they were sent (behaviour 3.2.10). */
function listReminderHints(body: Overrides): Hint[] {
  const overrides = body.reminders?.overrides
  if (!Array.isArray(overrides)) return []
  const outOfRange = overrides.find(({ minutes }) => Number(minutes) < 0 || Number(minutes) > 40_320)
  const keys = overrides.map(({ method, minutes }) => `${method} ${minutes}`)
  const repeated = overrides.find((_, at) => keys.indexOf(keys[at] ?? '') < at)
  const hint = (what: string, instead: string) => createHint('FC209', `reminders.overrides: ${what}`, instead)
  return [
    ...(outOfRange ? [hint(`${outOfRange.minutes} minutes are stored as the limit`, 'Send 0 to 40320 minutes')] : []),
    ...(repeated ? [hint(`${repeated.method} at ${repeated.minutes} minutes is stored once`, 'Send it once')] : []),
  ]
}
