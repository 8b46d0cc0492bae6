import type { FaultView } from './control/faults/faults.ts'
import type { ExpectedChange } from './control/history/verify.ts'
import { VerificationError } from './control/matching.ts'
import type { Change, Control, DiffOptions, FakeWorld, Moment } from './control/types/world.ts'
import type { Snapshot } from './control/worlds/snapshots.ts'
import { runForCaller } from './schema/values/callerStack.ts'
import { withHiddenProperties } from './schema/values/hiddenProperties.ts'
import { describeNetworkError } from './schema/values/networkError.ts'
import { SeedError } from './seeds/seedError.ts'

export { SeedError, VerificationError }

type Async<F> = F extends (...given: infer A) => infer R ? (...given: A) => Promise<Awaited<R>> : never
type AsyncAll<T> = { readonly [N in keyof T]: Async<T[N]> }
type Group = 'clock' | 'conferences' | 'faults' | 'notifications' | 'oauth' | 'syncTokens'
/** Controls that differ from those in process in more than the promise. */
type Overridden = Group | 'calls' | 'quota' | 'worlds' | 'diff' | 'changes' | 'fork'

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
  readonly worlds: Async<Control['worlds']> & AsyncAll<Pick<Control['worlds'], 'setResult' | 'rename'>>
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
  const address = runForCaller(connect, () => new URL(url))
  const named = ENTRY_PATHS.exec(address.pathname)?.[1]
  const root = `${address.origin}${address.pathname.replace(ENTRY_PATHS, '')}`
  const world = options.world ?? (named === undefined ? 'default' : decodeURIComponent(named))
  return openRemoteWorld({ root, world, options })
}

type RemoteWorldOptions = { root: string; world: string; options: ConnectOptions }
/** Sends nothing. */
function openRemoteWorld({ root, world: name, options }: RemoteWorldOptions): RemoteWorld {
  const worldUrl = name === 'default' ? root : `${root}/w/${encodeURIComponent(name)}`
  const token = options.controlToken
  /**
   * Sends a request to an absolute URL. Rejects with an Error that names the server if it cannot be reached, and with the
   * reason of an aborted signal.
   */
  const send = async (target: string, init?: RequestInit): Promise<Response> => {
    try {
      return await (options.fetch ?? fetch)(target, init)
    } catch (error) {
      if (init?.signal?.aborted) throw error
      throw new Error(`no server at ${root}: ${describeNetworkError(error)}`, { cause: error })
    }
  }
  const call: CallFunction = async (own, given) => {
    rejectUndefinedParts(own, given)
    const response = await send(`${worldUrl}/_control/functions/${own}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(token !== undefined && { 'X-Fake-Control-Token': token }),
      },
      body: JSON.stringify(given, toSendableValue),
    })
    const body = await parseJsonResponse(response)
    if (!response.ok) throw toError(response.status, own, body)
    return body.result
  }
  const remote = {
    name,
    baseUrl: `${worldUrl}/calendar/v3`,
    world: (other: string) => openRemoteWorld({ root, world: other, options }),
    request: (path: string, init?: RequestInit) => send(`${worldUrl}${path.startsWith('/') ? '' : '/'}${path}`, init),
    async fetch(given: Request | string | URL, init?: RequestInit) {
      const request = new Request(given, init)
      const { pathname, search } = new URL(request.url)
      return send(`${worldUrl}${pathname}${search}`, {
        method: request.method,
        headers: request.headers,
        signal: request.signal,
        ...(request.body && { body: await request.arrayBuffer() }),
      })
    },
    ui: async () => `${worldUrl}/_ui/${token === undefined ? '' : `#${new URLSearchParams({ token })}`}`,
    fork: function fork(...given: Parameters<RemoteWorld['fork']>) {
      return runForCaller(fork, async () => {
        await call('fork', given)
        return remote.world(given[1])
      })
    },
    toJSON: () => ({ world: name }),
  }
  return withFunctions(remote, '', call) as RemoteWorld
}

/** Calls a function of the table of operations by its name, with its arguments, and resolves to its result. */
type CallFunction = (name: string, given: readonly unknown[]) => Promise<unknown>

/**
 * Returns an object that has all functions of the table, whose names begin with `prefix`, beside its own members. Each
 * function has the functions of its group as members: `calls`, `calls.until`.
 */
function withFunctions(own: object, prefix: string, call: CallFunction): unknown {
  const functions = new Map<string, unknown>()
  return new Proxy(own, {
    get(target, key) {
      // A promise may resolve to this object, which has no `then`.
      if (typeof key !== 'string' || key === 'then' || key in target) return Reflect.get(target, key)
      const name = prefix + key
      const act = (...given: unknown[]): Promise<unknown> =>
        runForCaller(act, async () => (RESULTS[name] ?? toSame)((await call(name, given)) as never, given, call))
      if (!functions.has(key)) functions.set(key, withFunctions(act, `${name}.`, call))
      return functions.get(key)
    },
  })
}

type ToResult = (result: never, given: readonly unknown[], call: CallFunction) => unknown
const toSame: ToResult = (result) => result
/** The results that are more than those of their routes. */
const RESULTS: Readonly<Record<string, ToResult>> = {
  'clock.now': ({ now }: { now: string }) => Date.parse(now),
  print(text: string) {
    console.log(text)
    return text
  },
  calls: ({ calls, evicted }: { calls: object[]; evicted: number }) => withHiddenProperties(calls, { evicted }),
  worlds: ({ worlds, nextPageToken }: { worlds: object[]; nextPageToken?: string }) =>
    withHiddenProperties(worlds, { nextPageToken }),
  changes: ({ changes, dropped }: { changes: object[]; dropped: number }) => withHiddenProperties(changes, { dropped }),
  diff({ changes, text }: { changes: object[]; text: string }, given, call) {
    const verify = (expected: readonly ExpectedChange[]): Promise<unknown> =>
      runForCaller(verify, () => call('diff.verify', [expected, ...given]))
    return withHiddenProperties(changes, { text, verify })
  },
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
 * Returns the error of a response, by its status and the function, as the same function throws it in process:
 * VerificationError for 417, SeedError for a seed, RangeError for 400 and 404, and else Error.
 */
function toError(status: number, name: string, { error, message }: Record<string, unknown>): Error {
  const given = message ?? (error as { message?: unknown } | undefined)?.message ?? `status ${status}`
  const text = String(given).replace(/^Invalid value for: /, '')
  if (status === 417) return new VerificationError(text)
  if (status === 400 && (name === 'seed' || name === 'replace')) return new SeedError(text)
  return status === 400 || status === 404 ? new RangeError(text) : new Error(text)
}

type Selection = { where?: { params?: unknown; body?: unknown } } | undefined

/** Throws a RangeError for an undefined part of what a function expects, because JSON drops it, so that more would match. */
function rejectUndefinedParts(name: string, given: readonly unknown[]): void {
  const [first, second, third] = given
  if (name === 'calls.verify') rejectUndefined(second, 'where')
  if (name === 'calls' || name === 'calls.until')
    rejectUndefined(((name === 'calls' ? second : third) as Selection)?.where, 'where')
  if (name === 'faults.add') {
    const { params, body } = (first as Selection)?.where ?? {}
    rejectUndefined(params, 'where.params')
    rejectUndefined(body, 'where.body')
  }
  if (name !== 'diff.verify' || !Array.isArray(first)) return
  for (const [at, expected] of (first as readonly ExpectedChange[]).entries()) {
    const { where, fields, kind: _, change: __, times: ___, ...parts } = Object(expected) as ExpectedChange
    for (const [part, value] of Object.entries(parts))
      if (value === undefined) throw new RangeError(`[${at}].${part}: is undefined; leave it out to expect any`)
    rejectUndefined(where, `[${at}].where`)
    rejectUndefined(fields, `[${at}].fields`)
  }
}

function rejectUndefined(expected: unknown, path: string): void {
  if (typeof expected !== 'object' || expected === null || 'asymmetricMatch' in expected) return
  for (const [name, part] of Object.entries(expected)) {
    const at = Array.isArray(expected) ? `${path}[${name}]` : `${path}.${name}`
    // In a list, undefined becomes null.
    if (part === undefined && !Array.isArray(expected))
      throw new RangeError(`${at}: is undefined; give null to expect no value`)
    rejectUndefined(part, at)
  }
}

/**
 * Replaces a value for `JSON.stringify`: a RegExp becomes `{ matches }`. Throws a TypeError for flags other than `u` and
 * `g`, and for a matcher of a test framework, because a function cannot be sent. Throws a RangeError for an invalid Date.
 */
function toSendableValue(this: Record<string, unknown>, name: string, value: unknown): unknown {
  const given = this[name]
  if (given instanceof Date && Number.isNaN(given.getTime())) throw new RangeError(`${name}: not a valid Date`)
  if (value instanceof RegExp) {
    if (value.flags.replace(/[ug]/g, '') === '') return { matches: value.source }
    throw new TypeError(`${name}: a pattern with the flags ${value.flags} cannot be sent to a server`)
  }
  if (typeof value === 'object' && value !== null && 'asymmetricMatch' in value)
    throw new TypeError(`${name}: a matcher cannot be sent to a server; use { contains } or { matches }`)
  return value
}
