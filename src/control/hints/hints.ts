import { api } from '../../api/index.ts'
import type { Caller, WorldData } from '../../model/worldData.ts'
import type { ApiError } from '../../schema/apiErrors.ts'
import type { Param } from '../../schema/params.ts'
import { collectParams, type ObservedRequest, parseObservedBody } from '../request.ts'
import type { TestControls } from '../testControls.ts'
import { createUnknownFieldHint, listIgnoredFieldHints, ParameterIndex, type UnknownField } from './ignored.ts'
import { explainError, isRateLimitError } from './refused.ts'
import { createHint, type Hint, shortenValue } from './table.ts'

/**
 * The part of an endpoint that hints need: its id (`calendar.events.list`), its parameters by name, and the scopes of
 * which a token needs one.
 */
export type HintedMethod = {
  readonly id: string
  readonly params: Readonly<Record<string, Param>>
  readonly scopes: readonly string[]
}

/** A parsed body, and the fields of its schema. */
export type BodyFields = {
  readonly data: object
  readonly unknownFields: readonly UnknownField[]
  /** The names of the fields that clients may write. */
  readonly writable: ReadonlySet<string>
  /** The names of all fields. */
  readonly all: ReadonlySet<string>
}

/** The part of a request and its outcome that hints need. */
export interface HintedRequest extends ObservedRequest {
  readonly endpoint: HintedMethod | undefined
  readonly visit: { readonly world: { readonly data: WorldData } } | undefined
  readonly controls: TestControls | undefined
  readonly caller: Caller | undefined
  /** `isGuessed` is true if the token belongs to no account, so that the request acts as the first one. */
  readonly credentials: { readonly isGuessed?: true } | undefined
  readonly bodyFields: BodyFields | undefined
  readonly error: ApiError | undefined
  /** True if a fault injected the error. */
  readonly isInjected: boolean
}

const NONE: readonly Hint[] = []
/** Created on first use, because most servers give no hints on parameters. */
let parameters: ParameterIndex | undefined

/**
 * Returns a hint for each query parameter and each body field that the service does not know. Empty if there are none.
 */
export function listUnknownNameHints(method: HintedMethod, { query, bodyFields }: HintedRequest): Hint[] {
  parameters ??= new ParameterIndex(api)
  const all = parameters
  const names = all.findUnknown(query, method)
  const fields = bodyFields?.unknownFields ?? []
  if (names.length + fields.length === 0) return []
  return [...names.map((name) => all.createUnknownParameterHint(name, method)), ...fields.map(createUnknownFieldHint)]
}

/**
 * Returns the hints on a request of the service: first the one on its error, then those on its parameters, token and
 * body. Empty for a request without an endpoint.
 */
export function listHints(request: HintedRequest): readonly Hint[] {
  const { endpoint, error } = request
  if (!endpoint) return NONE
  const onError = error && findErrorHint(endpoint, request, error)
  const others = listRequestHints(endpoint, request)
  return onError ? [onError, ...others] : others
}

/** Returns the hints that do not depend on the outcome: unknown names, a guessed account, and ignored fields. */
function listRequestHints(method: HintedMethod, request: HintedRequest): Hint[] {
  const { account, credentials, bodyFields } = request
  const hints = listUnknownNameHints(method, request)
  if (credentials?.isGuessed && account !== undefined)
    hints.push(
      createHint(
        'FC302',
        `The token belongs to no account, so the request acts as ${shortenValue(account)}`,
        'Send an email address as the token, or a token that this world issued',
      ),
    )
  return bodyFields ? [...hints, ...listIgnoredFieldHints(bodyFields.data, bodyFields.writable, bodyFields.all)] : hints
}

/**
 * Returns the hint on the error of a request, or undefined if there is none or if no world was entered. Records a
 * rejection for its rate, so call it once per request.
 */
function findErrorHint(method: HintedMethod, request: HintedRequest, error: ApiError): Hint | undefined {
  const { visit, caller, controls, isInjected } = request
  if (!visit) return undefined
  const [fault] = error.items
  const key = `${request.account} ${request.verb} ${request.path}?${request.query} ${request.text}`
  return explainError(error, {
    world: visit.world.data,
    caller,
    params: collectParams(request),
    declared: method.params,
    scopes: method.scopes,
    body: parseObservedBody(request),
    injected: isInjected,
    isImmediateRetry: fault !== undefined && isRateLimitError(fault) && controls?.retries.recordRejection(key) === true,
  })
}
