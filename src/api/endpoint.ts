import type { WebhookScope } from '../effects/push/channels.ts'
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
  webhooks?: WebhookScope
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
  'verb' | 'params' | 'role' | 'request' | 'handle'
> & {
  params: P
  request?: B
  role?: R
  handle(call: CallOf<P, B, R>): unknown
}
type CallOf<P extends Params, B, R> = Call<P, B extends BodyName ? Body<B> : undefined> &
  (R extends Role ? OnCalendar : unknown)

/** The verbs of methods by their names; all others are POST. */
const VERBS: Readonly<Record<string, Verb>> = {
  delete: 'DELETE',
  get: 'GET',
  instances: 'GET',
  list: 'GET',
  patch: 'PATCH',
  update: 'PUT',
}

export const endpoint = <
  const P extends Params,
  const B extends BodyName | undefined = undefined,
  const R extends Role | undefined = undefined,
>(
  definition: Definition<P, B, R>,
): Endpoint => {
  const [, , method = ''] = definition.id.split('.')
  return { ...definition, verb: VERBS[method] ?? 'POST' } as unknown as Endpoint
}

export type UpdateMode = 'patch' | 'update'

/** Returns the methods `patch` and `update` of a resource, which differ in what a missing field means (behaviour 3.9). */
export const updateEndpoints = <
  const P extends Params,
  const B extends BodyName | undefined = undefined,
  const R extends Role | undefined = undefined,
>(
  resource: string,
  summary: string,
  definition: Omit<Definition<P, B, R>, 'id' | 'summary' | 'handle'>,
  handle: (how: UpdateMode) => (call: CallOf<P, B, R>) => unknown,
): Endpoint[] =>
  (['patch', 'update'] as const).map((how) =>
    endpoint<P, B, R>({
      ...definition,
      id: `calendar.${resource}.${how}`,
      summary: how === 'patch' ? `${summary} This method supports patch semantics.` : summary,
      handle: handle(how),
    } as Definition<P, B, R>),
  )
