import type { Caller, StoredCalendar, WorldData } from '../model/worldData.ts'
import type { Body, BodyName } from '../schema/bodies.ts'
import type { Params, ParamValues } from '../schema/params.ts'
import type { Role } from '../schema/roles.ts'

export type Verb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The input of a handler, after all checks of its endpoint. */
export type Call<P extends Params = Params, B = unknown> = {
  world: WorldData
  caller: Caller
  params: ParamValues<P>
  body: B
  ifMatch: string | undefined
  /** The address of the server and its world as the client reaches it, with a slash at the end. */
  rootUrl: string
  /** True if a fault keeps a deleted calendar on its owner's list (behaviour 2.6.4). */
  isListLagging?: boolean | undefined
}

/** The calendar of `calendarId`, and the role of the caller on it. */
export type OnCalendar = { calendar: StoredCalendar; role: Role }

/** One method of the service. Routing, parsing, scope checks, role checks and discovery read it. */
export interface Endpoint {
  id: `calendar.${string}.${string}`
  verb: Verb
  path: `/${string}`
  summary: string
  /** A token needs one of these scopes. */
  scopes: readonly string[]
  /** The role that the caller needs on the calendar of `calendarId`. Without it the handler checks access. */
  role?: Role
  /** Accepts an API key instead of a token for public data (behaviour 1.1). */
  public?: true
  params: Params
  request?: BodyName
  /** The schema of the response. Without it the response is 204 and empty. */
  response?: string
  /** True if there is a `watch` method for this list. */
  subscription?: true
  /** Loads modules that only this handler needs. */
  prepare?(): Promise<unknown>
  handle(call: Call & OnCalendar): unknown
}

type Definition<P extends Params, B, R extends Role | undefined> = Omit<
  Endpoint,
  'params' | 'role' | 'request' | 'handle'
> & {
  params: P
  request?: B
  role?: R
  handle(call: Call<P, B extends BodyName ? Body<B> : undefined> & (R extends Role ? OnCalendar : unknown)): unknown
}

/** Defines an endpoint. Infers the types of `params` and `body` for `handle`. */
export const endpoint = <
  const P extends Params,
  const B extends BodyName | undefined = undefined,
  const R extends Role | undefined = undefined,
>(
  definition: Definition<P, B, R>,
): Endpoint => definition as unknown as Endpoint
