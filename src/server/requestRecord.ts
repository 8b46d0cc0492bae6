import type { Endpoint } from '../api/endpoint.ts'
import type { InjectedReply } from '../control/faults/effectTable.ts'
import type { FaultMatch } from '../control/faults/faults.ts'
import type { BodyFields, HintedRequest } from '../control/hints/hints.ts'
import { type Journal, readRealTime } from '../control/journal/journal.ts'
import type { Hint } from '../control/journal/recordedCall.ts'
import type { TestControls } from '../control/testControls.ts'
import type { ApiResponse } from '../http/reply.ts'
import type { Caller } from '../model/worldData.ts'
import type { CallerCredentials } from '../oauth/credentials.ts'
import type { ApiError } from '../schema/apiErrors.ts'
import type { Visit } from './worldRegistry.ts'

/** The world that a request entered, with the controls that apply to it. */
export type WorldEntry = {
  readonly visit: Visit
  readonly controls: TestControls
  /** True for a read of the inspector, which changes nothing. */
  readonly isInspected: boolean
  /** The number of the batch that contains the request. */
  readonly batch?: number | undefined
}

/** The name of a request's route in the journal, the parameters in its path, and the method of the service that it calls. */
type Route = {
  readonly method: string
  readonly pathParams: Readonly<Record<string, string>>
  readonly endpoint?: Endpoint | undefined
  readonly isFromInspector?: boolean
}

export const UNKNOWN_ROUTE: Route = { method: 'unknown', pathParams: {} }

/** The caller of a request. Without credentials, an account that another part of the request names. */
export type IdentifiedCaller = {
  readonly account: string | undefined
  readonly client?: string | undefined
  readonly caller?: Caller
  readonly credentials?: CallerCredentials
}

type Outcome = {
  error?: ApiError
  reason?: string | undefined
  hints?: readonly Hint[]
  response?: ApiResponse
}

/** The results of the stages of a request, for the journal, faults, quota and hints. */
export class RequestRecord implements HintedRequest {
  readonly startedAt = readRealTime()
  readonly verb: string
  readonly path: string
  readonly query: URLSearchParams
  readonly toolCall: number | undefined

  /** False if the request never creates a world. */
  createsWorld = true
  /** Undefined for a request that is not in the journal: of a control, a page or a file. */
  route: Route | undefined = undefined
  entry: WorldEntry | undefined = undefined
  identity: IdentifiedCaller | undefined = undefined
  text = ''
  bodyFields: BodyFields | undefined = undefined
  fault: FaultMatch | undefined = undefined
  /** The reply of a fault in place of the response of the service. */
  injected: InjectedReply | undefined = undefined
  n: number | undefined = undefined
  /** The journal and the number of the batch that the request is. */
  ownBatch: { journal?: Journal; number?: number } | undefined = undefined
  readonly outcome: Outcome = {}

  constructor(verb: string, path: string, query: URLSearchParams, toolCall: number | undefined) {
    this.verb = verb
    this.path = path
    this.query = query
    this.toolCall = toolCall
  }

  get method() {
    return (this.route ?? UNKNOWN_ROUTE).method
  }
  get pathParams() {
    return (this.route ?? UNKNOWN_ROUTE).pathParams
  }
  get endpoint() {
    return this.route?.endpoint
  }
  get isFromInspector() {
    return this.route?.isFromInspector
  }
  get visit() {
    return this.entry?.visit
  }
  get controls() {
    return this.entry?.controls
  }
  get batch() {
    return this.entry?.batch ?? this.ownBatch?.number
  }
  get account() {
    return this.identity?.account
  }
  get client() {
    return this.identity?.client
  }
  get caller() {
    return this.identity?.caller
  }
  get credentials() {
    return this.identity?.credentials
  }
  get error() {
    return this.outcome.error
  }
}
