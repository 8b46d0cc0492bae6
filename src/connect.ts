import type { FaultView } from './control/faults/faults.ts'
import type { ExpectedChange } from './control/history/verify.ts'
import { VerificationError } from './control/matching.ts'
import { type ControlRoute, FUNCTIONS, OTHER_ROUTES } from './control/operations/functions.ts'
import type { Change, Control, DiffOptions, FakeWorld, Moment } from './control/types/world.ts'
import type { Snapshot } from './control/worlds/snapshots.ts'
import { withHiddenProperties } from './schema/values/hiddenProperties.ts'
import { SeedError } from './seeds/seedError.ts'

export { SeedError, VerificationError }

type Async<F> = F extends (...given: infer A) => infer R ? (...given: A) => Promise<Awaited<R>> : never
type AsyncAll<T> = { readonly [N in keyof T]: Async<T[N]> }
type Group = 'clock' | 'conferences' | 'faults' | 'notifications' | 'oauth' | 'syncTokens'
/** Controls that differ from those in process in more than the promise. */
type Overridden = Group | 'calls' | 'quota' | 'diff' | 'changes' | 'fork'

/** The changes between two moments, as a list. */
export type RemoteDiff = Change[] & {
  /** A sentence for each change, one per line. */
  readonly text: string
  /** Rejects with a VerificationError unless these are the changes, all of them and no other. Resolves to the changes. */
  verify(expected: readonly ExpectedChange[]): Promise<Change[]>
}

/** The controls of a world of a running server. They are those of `FakeWorld`, and each returns a promise. */
export interface RemoteWorld extends AsyncAll<Omit<Control, Overridden>> {
  /** The name of the world. */
  readonly name: string
  /** The base URL of the Calendar API for this world, without a slash at its end. */
  readonly baseUrl: string
  readonly clock: AsyncAll<Omit<Control['clock'], 'mode'>>
  readonly conferences: AsyncAll<Control['conferences']>
  /** As in process, but `add` resolves to the fault as `list` shows it. Remove it with `remove(id)`. */
  readonly faults: AsyncAll<Omit<Control['faults'], 'add'>> & {
    add(...given: Parameters<Control['faults']['add']>): Promise<FaultView>
  }
  readonly notifications: AsyncAll<Control['notifications']>
  readonly oauth: AsyncAll<Control['oauth']>
  readonly syncTokens: AsyncAll<Control['syncTokens']>
  readonly calls: Async<Control['calls']> & AsyncAll<Pick<Control['calls'], 'until' | 'clear' | 'verify'>>
  readonly quota: Async<Control['quota']> & AsyncAll<Pick<Control['quota'], 'state' | 'remove'>>
  /** The changes between two moments: by default, since the world started, and up to now. */
  diff(options?: DiffOptions): Promise<RemoteDiff>
  diff(before?: Moment, options?: DiffOptions): Promise<RemoteDiff>
  diff(before: Moment, after: Moment, options?: DiffOptions): Promise<RemoteDiff>
  /** The changes since a moment. With `wait`, waits until there is at least one, in real time, at most a minute. */
  changes(which?: Parameters<Control['changes']>[0]): Promise<Awaited<ReturnType<Control['changes']>>>
  /** Creates a world from a snapshot of this one. */
  fork(from: string | Snapshot, world: string): Promise<RemoteWorld>
  /** Returns another world of the server. The server creates it when it is first used. */
  world(name: string): RemoteWorld
  /** Sends a request to this world. The host of the address is replaced by the server's. */
  fetch: FakeWorld['fetch']
  /** The same by path: `request('/calendar/v3/users/me/calendarList', { headers })`. */
  request: FakeWorld['request']
  /** The address of the inspector of this world. */
  ui(): Promise<string>
}

export type ConnectOptions = {
  /** The world. Defaults to the one that the address names (`/w/NAME`), else `default`. */
  world?: string | undefined
  /** The token that the server was started with (`--control-token`). */
  controlToken?: string | undefined
  /** The fetch that sends the requests. Defaults to the global one. */
  fetch?: typeof fetch | undefined
}

/** Paths below the address of a world. An address may end with one of them. */
const ENTRY_PATHS = /\/(?:(?:w\/([^/]+)\/?)?(?:calendar\/v3|_control|_ui)?\/?)$/

/**
 * Connects to a running server. `url` is its address, the base URL of its API, or that of one of its worlds. Nothing is sent
 * before the first call. Calls reject with the errors that they throw in process: RangeError, SeedError, VerificationError.
 * An unreachable server is an Error that names the address.
 */
export function connect(url: string | URL, options: ConnectOptions = {}): RemoteWorld {
  const address = new URL(url)
  const named = ENTRY_PATHS.exec(address.pathname)?.[1]
  const root = `${address.origin}${address.pathname.replace(ENTRY_PATHS, '')}`
  const world = options.world ?? (named === undefined ? 'default' : decodeURIComponent(named))
  return openRemoteWorld({ root, world, options })
}

type RemoteWorldOptions = { root: string; world: string; options: ConnectOptions }
/** Query parameters of a GET, else the JSON body. Undefined fields are left out. */
type ControlInput = Readonly<Record<string, unknown>>

/** Sends nothing. */
function openRemoteWorld({ root, world: name, options }: RemoteWorldOptions): RemoteWorld {
  const worldUrl = name === 'default' ? root : `${root}/w/${encodeURIComponent(name)}`
  /** Rejects with an Error that names the server if it cannot be reached, and with the reason of an aborted signal. */
  const send = async (target: string, init?: RequestInit): Promise<Response> => {
    try {
      return await (options.fetch ?? fetch)(target, init)
    } catch (error) {
      if (init?.signal?.aborted) throw error
      throw new Error(`no server at ${root}: ${describeNetworkError(error)}`, { cause: error })
    }
  }

  const call: CallRoute = async ({ verb, path }, input) => {
    const { target, rest } = fillPath(path, input)
    const hasBody = (verb === 'POST' || verb === 'PUT') && rest !== undefined
    const query = verb === 'GET' ? formatQueryString(toWorldName((rest ?? {}) as ControlInput)) : ''
    const response = await send(`${worldUrl}/_control${target}${query}`, {
      method: verb,
      headers: {
        ...(hasBody && { 'Content-Type': 'application/json' }),
        ...(options.controlToken !== undefined && { 'X-Fake-Control-Token': options.controlToken }),
      },
      ...(hasBody && { body: JSON.stringify(rest, toSendableValue) }),
    })
    const body = await parseJsonResponse(response)
    if (!response.ok) throw toError(response.status, path, body)
    return body
  }
  const controls = createControls(call)
  const { fork } = controls
  const remote: Omit<RemoteWorld, Exclude<keyof Control, 'fork'>> = {
    name,
    baseUrl: `${worldUrl}/calendar/v3`,
    world: (other) => openRemoteWorld({ root, world: other, options }),
    request: (path, init) => send(`${worldUrl}${path.startsWith('/') ? '' : '/'}${path}`, init),
    async fetch(given, init) {
      const request = new Request(given, init)
      const { pathname, search } = new URL(request.url)
      return send(`${worldUrl}${pathname}${search}`, {
        method: request.method,
        headers: request.headers,
        signal: request.signal,
        ...(request.body && { body: await request.arrayBuffer() }),
      })
    },
    async ui() {
      const token = options.controlToken
      return `${worldUrl}/_ui/${token === undefined ? '' : `#${new URLSearchParams({ token })}`}`
    },

    async fork(...given) {
      await fork(...given)
      return remote.world(given[1])
    },
  }
  return Object.assign(controls, remote) as RemoteWorld
}

type CallRoute = (route: ControlRoute, input: unknown) => Promise<Record<string, unknown>>
type RemoteFunction = (...given: never[]) => Promise<unknown>

/** Each function converts its arguments, calls its route, and resolves to a part of the response. */
function createControls(call: CallRoute): RemoteWorld {
  const controls: Record<string, RemoteFunction & Record<string, RemoteFunction>> = {}
  for (const [name, row] of Object.entries(FUNCTIONS)) {
    const route = ('operation' in row ? FUNCTIONS[row.operation] : row) as ControlRoute
    const toInput = 'toInput' in row ? (row.toInput as (...given: never[]) => unknown) : () => undefined
    const toResult = RESULTS[name] ?? ((body) => selectField(body, route))
    const act: RemoteFunction = async (...given) => {
      const input = toInput(...given)
      return toResult(await call(route, input), input, call)
    }
    const [own = name, group] = name.split('.').reverse()
    if (group === undefined) controls[own] = Object.assign(act, controls[own])
    else controls[group] = Object.assign(controls[group] ?? {}, { [own]: act }) as (typeof controls)[string]
  }
  return controls as unknown as RemoteWorld
}

const selectField = (body: Record<string, unknown>, { field }: ControlRoute): unknown => {
  if (field === null) return undefined
  return field === undefined ? body : body[field]
}

type ToResult = (body: Record<string, unknown>, input: unknown, call: CallRoute) => unknown
/** The results that are more than a part of the response. */
const RESULTS: Readonly<Record<string, ToResult>> = {
  'clock.now': ({ now }) => Date.parse(String(now)),
  calls: ({ calls, evicted }) => withHiddenProperties(calls as object[], { evicted }),
  changes: ({ changes, dropped }) => withHiddenProperties(changes as object[], { dropped }),
  diff({ changes, text }, input, call) {
    const route = OTHER_ROUTES['diff.verify']
    const verify = async (expected: readonly ExpectedChange[]) =>
      selectField(await call(route, { ...toWorldName(input as ControlInput), expected }), route)
    return withHiddenProperties(changes as object[], { text, verify })
  },
}

/** The cause of an error of `fetch` says more than the error itself. */
const describeNetworkError = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.message || cause.name : String(cause)
}

/** Rejects with an Error for a body that is not JSON, because no fake-calendar sent it. */
async function parseJsonResponse(response: Response): Promise<Record<string, unknown>> {
  const text = await response.text()
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    throw new Error(
      `${response.url} is not a fake-calendar server: it answered ${response.status} without JSON (check the URL of connect)`,
    )
  }
}

/**
 * Returns the error that the same function throws in process: VerificationError for 417, SeedError for a seed, RangeError for 400
 * and 404, and else Error.
 */
function toError(status: number, path: string, { error, message }: Record<string, unknown>): Error {
  const given = message ?? (error as { message?: unknown } | undefined)?.message ?? `status ${status}`
  const text = String(given).replace(/^Invalid value for: /, '')
  if (status === 417) return new VerificationError(text)
  if (status === 400 && path === '/seed') return new SeedError(text)
  return status === 400 || status === 404 ? new RangeError(text) : new Error(text)
}

/** Lists are joined by commas, objects are JSON. */
function formatQueryString(input: ControlInput): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined) continue
    query.set(name, formatQueryValue(toSnapshotKey(value)))
  }
  return query.size > 0 ? `?${query}` : ''
}

const formatQueryValue = (value: unknown): string => {
  if (Array.isArray(value)) return value.join()
  return typeof value === 'object' ? JSON.stringify(value, toSendableValue) : String(value)
}

/**
 * A RegExp becomes `{ matches }`. Throws a TypeError for flags other than `u` and `g`, and for a matcher of a test framework,
 * because a function cannot be sent.
 */
function toSendableValue(name: string, value: unknown): unknown {
  if (value instanceof RegExp) {
    if (value.flags.replace(/[ug]/g, '') === '') return { matches: value.source }
    throw new TypeError(`${name}: a pattern with the flags ${value.flags} cannot be sent to a server`)
  }
  if (typeof value === 'object' && value !== null && 'asymmetricMatch' in value)
    throw new TypeError(`${name}: a matcher cannot be sent to a server; use { contains } or { matches }`)
  return value
}

/** Returns the name of a snapshot, or its id if it has none. */
function toSnapshotKey(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('id' in value && 'revision' in value)) return value
  return (value as Snapshot).name ?? value.id
}

/** Returns a path with the values of its parameters, and the rest of the input. */
function fillPath(path: string, input: unknown): { target: string; rest: unknown } {
  if (!path.includes('{')) return { target: path, rest: input }
  const rest: Record<string, unknown> = { ...(input as ControlInput) }
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(toSnapshotKey(rest[name]))
    delete rest[name]
    // URLs drop dot segments, also encoded ones, and no name is one.
    if (/^\.?\.?$/.test(value)) throw new RangeError(`${name}: ${JSON.stringify(value)} is no name`)
    return encodeURIComponent(value)
  })
  return { target, rest }
}

/**
 * Another world in `since` becomes its name in `world`. Throws a RangeError for a world in `until`, which a route does not
 * accept.
 */
function toWorldName(input: ControlInput): ControlInput {
  const { since, until, ...rest } = input
  if (typeof toSnapshotKey(until) === 'object') throw new RangeError('until: a revision, an instant, or a snapshot')
  if (typeof toSnapshotKey(since) !== 'object') return input
  const { name, world = name } = since as { name?: unknown; world?: unknown }
  return { ...rest, ...(until !== undefined && { until }), world: typeof world === 'string' ? world : name }
}
