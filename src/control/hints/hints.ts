import { api } from '../../api/index.ts'
import { bodyOf, type ObservedRequest, paramsOf } from '../../testing/request.ts'
import type { TestControls } from '../../testing/testControls.ts'
import type { Param } from '../../wire/params.ts'
import type { Refusal } from '../../wire/refusals.ts'
import type { Caller, World } from '../../world/world.ts'
import { type Hint, hint, shown } from './hint.ts'
import { ignoredHints, Parameters, type Stray, strayHint } from './ignored.ts'
import { isOfRate, refusedHint } from './refused.ts'

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
  readonly visit: { readonly realm: { readonly world: World } } | undefined
  readonly controls: TestControls | undefined
  readonly caller: Caller | undefined
  readonly credentials: { readonly guessed?: true } | undefined
  readonly bodyFields: BodyFields | undefined
  readonly error: Refusal | undefined
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
  if (credentials?.guessed && account !== undefined)
    hints.push(
      hint(
        'FC302',
        `The token stands for no account, and ${shown(account)} was taken`,
        'Send an address as the token, or one that this world gave out',
      ),
    )
  return bodyFields ? [...hints, ...ignoredHints(bodyFields.data, bodyFields.writable, bodyFields.all)] : hints
}

function hintOnError(method: HintedMethod, request: HintedRequest, error: Refusal): Hint | undefined {
  const { visit, caller, controls, isInjected } = request
  if (!visit) return undefined
  const [fault] = error.faults
  const key = `${request.account} ${request.verb} ${request.path}?${request.query} ${request.text}`
  return refusedHint(error, {
    world: visit.realm.world,
    caller,
    params: paramsOf(request),
    taken: method.params,
    scopes: method.scopes,
    body: bodyOf(request),
    injected: isInjected,
    isImmediateRetry: fault !== undefined && isOfRate(fault) && controls?.retries.isImmediateRetry(key) === true,
  })
}
