import type { Body, BodyName } from '../wire/bodies.ts'
import type { Params, Values } from '../wire/params.ts'
import type { Role } from '../wire/roles.ts'
import type { Caller, StoredCalendar, World } from '../world/world.ts'

export type Verb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The verb of a request: a POST may ask to be taken for another (behaviour 11.13). */
export function verbOf({ method, headers }: Request): string {
  const asked = method === 'POST' ? headers.get('X-HTTP-Method-Override')?.trim().toUpperCase() : undefined
  if (asked && /^[A-Z]+$/.test(asked)) return asked
  return method === 'HEAD' ? 'GET' : method
}

/** What a handler is called with: the request, once it has passed every check that its endpoint asks for. */
export type Call<P extends Params = Params, B = unknown> = {
  world: World
  caller: Caller
  params: Values<P>
  body: B
  ifMatch: string | undefined
  /** Absolute URLs in replies begin with it: where the client reached the server, and its world. */
  rootUrl: string
}

/** The calendar that `calendarId` names, and the caller's role on it. */
export type OnCalendar = { calendar: StoredCalendar; role: Role }

/** One method of the service. Routing, parsing, scope and role checks and the discovery document all read this. */
export interface Endpoint {
  id: `calendar.${string}.${string}`
  verb: Verb
  path: `/${string}`
  summary: string
  /** Any one of these lets a caller in. */
  scopes: readonly string[]
  /** What the caller must be on the calendar that `calendarId` names. Without it the handler finds its own way. */
  role?: Role
  /** Answers for public data with an API key alone (behaviour 1.1). */
  public?: true
  params: Params
  request?: BodyName
  /** The schema of the reply; without one the reply is 204 and empty. */
  response?: string
  /** Has a `watch` beside it. */
  subscription?: true
  /** Loads what the handler needs and nobody else does. */
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

/** Infers the types of `params` and `body` for `handle`. */
export const endpoint = <
  const P extends Params,
  const B extends BodyName | undefined = undefined,
  const R extends Role | undefined = undefined,
>(
  definition: Definition<P, B, R>,
): Endpoint => definition as unknown as Endpoint
