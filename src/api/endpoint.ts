import type { Caller, StoredCalendar, WorldData } from '../model/worldData.ts'
import type { Body, BodyName } from '../schema/bodies.ts'
import type { Params, ParamValues } from '../schema/params.ts'
import type { Role } from '../schema/roles.ts'

export type Verb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type Call<P extends Params = Params, B = unknown> = {
  world: WorldData
  caller: Caller
  params: ParamValues<P>
  body: B
  ifMatch: string | undefined
  rootUrl: string
}

export type OnCalendar = { calendar: StoredCalendar; role: Role }

/** One method of the service. Routing, parsing, scope checks, role checks and discovery read it. */
export interface Endpoint {
  id: `calendar.${string}.${string}`
  verb: Verb
  path: `/${string}`
  summary: string
  scopes: readonly string[]
  role?: Role
  /** Accepts an API key instead of a token for public data (behaviour 1.1). */
  public?: true
  params: Params
  request?: BodyName
  response?: string
  subscription?: true
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

export const endpoint = <
  const P extends Params,
  const B extends BodyName | undefined = undefined,
  const R extends Role | undefined = undefined,
>(
  definition: Definition<P, B, R>,
): Endpoint => definition as unknown as Endpoint
