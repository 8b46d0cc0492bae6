import { api } from '../../api/index.ts'
import type { Caller, WorldData } from '../../model/worldData.ts'
import type { ApiError } from '../../schema/apiErrors.ts'
import type { Param } from '../../schema/params.ts'
import { bodyOf, type ObservedRequest, paramsOf } from '../request.ts'
import type { TestControls } from '../testControls.ts'
import { type Hint, hint, shortenValue } from './hint.ts'
import { ignoredHints, Parameters, type Stray, strayHint } from './ignored.ts'
import { hintForError, isRateLimitError } from './refused.ts'

/** The part of an endpoint that hints need. */
export type HintedMethod = {
  readonly id: string
  readonly params: Readonly<Record<string, Param>>
  readonly scopes: readonly string[]
}

/** A body as data, its unknown fields, and the names of the fields that clients may write, of all fields. */
export type BodyFields = {
  readonly data: object
  readonly stray: readonly Stray[]
  readonly writable: ReadonlySet<string>
  readonly all: ReadonlySet<string>
}

/** The part of a request and its outcome that hints need. */
export interface HintedRequest extends ObservedRequest {
  readonly endpoint: HintedMethod | undefined
  readonly visit: { readonly world: { readonly data: WorldData } } | undefined
  readonly controls: TestControls | undefined
  readonly caller: Caller | undefined
  readonly credentials: { readonly isGuessed?: true } | undefined
  readonly bodyFields: BodyFields | undefined
  readonly error: ApiError | undefined
  readonly isInjected: boolean
}

const NONE: readonly Hint[] = []
let parameters: Parameters | undefined

/** Returns the parameters and fields of a request that the service does not know. */
export function unknownIn(method: HintedMethod, { query, bodyFields }: HintedRequest): Hint[] {
  parameters ??= new Parameters(api)
  const all = parameters
  const names = all.unknown(query, method)
  const fields = bodyFields?.stray ?? []
  if (names.length + fields.length === 0) return []
  return [...names.map((name) => all.hintOn(name, method)), ...fields.map(strayHint)]
}

/** Returns the hints on a request of the service: first those on its error. */
export function hintsFor(request: HintedRequest): readonly Hint[] {
  const { endpoint, error } = request
  if (!endpoint) return NONE
  const onError = error && hintOnError(endpoint, request, error)
  const others = hintsOnRequest(endpoint, request)
  return onError ? [onError, ...others] : others
}

function hintsOnRequest(method: HintedMethod, request: HintedRequest): Hint[] {
  const { account, credentials, bodyFields } = request
  const hints = unknownIn(method, request)
  if (credentials?.isGuessed && account !== undefined)
    hints.push(
      hint(
        'FC302',
        `The token belongs to no account, so the request acts as ${shortenValue(account)}`,
        'Send an email address as the token, or a token that this world issued',
      ),
    )
  return bodyFields ? [...hints, ...ignoredHints(bodyFields.data, bodyFields.writable, bodyFields.all)] : hints
}

function hintOnError(method: HintedMethod, request: HintedRequest, error: ApiError): Hint | undefined {
  const { visit, caller, controls, isInjected } = request
  if (!visit) return undefined
  const [fault] = error.items
  const key = `${request.account} ${request.verb} ${request.path}?${request.query} ${request.text}`
  return hintForError(error, {
    world: visit.world.data,
    caller,
    params: paramsOf(request),
    declared: method.params,
    scopes: method.scopes,
    body: bodyOf(request),
    injected: isInjected,
    isImmediateRetry:
      fault !== undefined && isRateLimitError(fault) && controls?.retries.isImmediateRetry(key) === true,
  })
}
