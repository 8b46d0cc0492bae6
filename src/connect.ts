import type { FaultView } from './control/faults/faults.ts'
import type { ExpectedChange } from './control/history/verify.ts'
import { VerificationError } from './control/matching/report.ts'
import type { Change, Control, DiffOptions, FakeWorld, Instant, Moment } from './control/types/world.ts'
import type { Snapshot } from './control/worlds/snapshots.ts'
import { withHiddenProperties } from './schema/values/hiddenProperties.ts'
import { SeedError } from './seeds/seedError.ts'

export { SeedError, VerificationError }

/** A function with the same arguments that returns a promise of its result. */
type Async<F> = F extends (...given: infer A) => infer R ? (...given: A) => Promise<Awaited<R>> : never
/** An object whose functions all return promises. */
type AsyncAll<T> = { readonly [N in keyof T]: Async<T[N]> }
/** Groups of controls that are objects of functions. */
type Group = 'clock' | 'conferences' | 'faults' | 'notifications' | 'oauth' | 'syncTokens'
/** Controls that differ from those in process by more than the promise. */
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
  readonly quota: Async<Control['quota']> & AsyncAll<Pick<Control['quota'], 'state'>>
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

/** `root` is the address of the server without a slash at its end; `world` is the name of the world. */
type RemoteWorldOptions = { root: string; world: string; options: ConnectOptions }
/** The input of a control operation: query parameters of a GET, else the JSON body. Undefined fields are left out. */
type ControlInput = Readonly<Record<string, unknown>>

/** Creates the controls of a world of a server. Sends nothing. */
function openRemoteWorld({ root, world: name, options }: RemoteWorldOptions): RemoteWorld {
  const worldUrl = name === 'default' ? root : `${root}/w/${encodeURIComponent(name)}`
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

  /**
   * Calls a path below `/_control`, with the input as query (GET, DELETE) or as JSON (POST, PUT). Resolves to one field of
   * the JSON response, or to all of it. Rejects with the error of `toError` for a status other than 2xx.
   */
  async function call<T>(verb: string, path: string, input?: ControlInput | null, field?: string): Promise<T> {
    const hasBody = verb === 'POST' || verb === 'PUT'
    const query = hasBody || !input ? '' : formatQueryString(input)
    const response = await send(`${worldUrl}/_control${path}${query}`, {
      method: verb,
      headers: {
        ...(hasBody && { 'Content-Type': 'application/json' }),
        ...(options.controlToken !== undefined && { 'X-Fake-Control-Token': options.controlToken }),
      },
      ...(hasBody && input !== undefined && { body: JSON.stringify(input, toSendableValue) }),
    })
    const body = await parseJsonResponse(response)
    if (!response.ok) throw toError(response.status, path, body)
    return (field === undefined ? body : body[field]) as T
  }
  // The verbs of `call`, with the same arguments and result.
  const get = <T>(path: string, input?: ControlInput, field?: string) => call<T>('GET', path, input, field)
  const post = <T>(path: string, input?: ControlInput | null, field?: string) => call<T>('POST', path, input, field)
  const put = <T>(path: string, input?: ControlInput | null, field?: string) => call<T>('PUT', path, input, field)
  const remove = <T>(path: string, field?: string) => call<T>('DELETE', path, undefined, field)

  /** Sets the mode of the clock (undefined keeps it) and its time. Resolves to what fired. */
  const setClock = (mode: string | undefined, instant?: Instant) =>
    put<never>('/clock', { mode, now: instant === undefined ? undefined : formatInstant(instant) }, 'fired')
  const advance = (by: string | number) => post<never>('/clock/advance', { by }, 'fired')
  const advanceTo = (to: Instant) => post<never>('/clock/advance', { to: formatInstant(to) }, 'fired')
  /** Waits for a request, and resolves to nothing. */
  const discardResult = async (sent: Promise<unknown>): Promise<void> => void (await sent)
  /** Resolves to the snapshot of a name or id, or to undefined. */
  const findSnapshot = async (wanted: string) =>
    (await get<Snapshot[]>('/snapshots', undefined, 'snapshots')).find(
      ({ name, id }) => name === wanted || id === wanted,
    )
  /**
   * Resolves to the path of a snapshot, given by its name or id. A name of dots is replaced by the id, because URLs drop dot
   * segments, also encoded ones.
   */
  const snapshotPath = async (wanted: string) => {
    const id = /^\.\.?$/.test(wanted) ? (await findSnapshot(wanted))?.id : undefined
    return `/snapshots/${encodeURIComponent(id ?? wanted)}`
  }

  const remote: RemoteWorld = {
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

    health: () => get('/health'),
    reset: () => post('/reset', undefined, 'reset'),
    seed: (seed) => post('/seed', seed, 'added'),
    replace: (seed) => put('/seed', seed, 'replaced'),
    state: () => get('/state'),
    worlds: () => get('/worlds', undefined, 'worlds'),
    delete: () => discardResult(remove('/worlds')),
    deleteWorld: (other) => discardResult(remove(`/worlds/${encodeURIComponent(other)}`)),
    snapshots: () => get('/snapshots', undefined, 'snapshots'),
    snapshot: (as) => post('/snapshots', { name: as }, 'snapshot'),
    restore: async (which) => post(`${await snapshotPath(toSnapshotKey(which))}/restore`, {}, 'restored'),
    async deleteSnapshot(which) {
      const wanted = toSnapshotKey(which)
      const snapshot = await findSnapshot(wanted)
      await remove(await snapshotPath(wanted))
      return snapshot as Snapshot
    },
    async fork(from, other) {
      await put(`/worlds/${encodeURIComponent(other)}`, { from: toSnapshotKey(from) })
      return remote.world(other)
    },
    async diff(first?: Moment | DiffOptions, second?: Moment | DiffOptions, third?: DiffOptions) {
      const input = toDiffQuery(first, second, third)
      const { changes, text } = await get<{ changes: Change[]; text: string }>('/diff', input)
      const verify = (expected: readonly ExpectedChange[]) =>
        post<Change[]>('/diff/verify', { ...input, expected }, 'changes')
      return withHiddenProperties(changes, { text, verify })
    },
    async changes(which = {}) {
      const { changes, dropped } = await get<{ changes: never[]; dropped: number }>('/changes', which)
      return withHiddenProperties(changes, { dropped })
    },
    clock: {
      state: () => get('/clock'),
      now: async () => Date.parse((await get<{ now: string }>('/clock')).now),
      freeze: (instant) => setClock('frozen', instant),
      run: (instant) => setClock('set', instant),
      set: (instant) => setClock(undefined, instant),
      real: () => setClock('real'),
      advance,
      advanceTo,
    },
    advance,
    advanceTo,
    conferences: {
      state: () => get('/conferences'),
      policy: (policy) => discardResult(put('/conferences', policy)),
      expect: (rule) => discardResult(post('/conferences/expect', rule)),
      settle: (which = {}) => post('/conferences/settle', which, 'settled'),
    },
    mail: (to) => get('/mail', { to }, 'mail'),
    clearMail: () => remove('/mail', 'cleared'),
    channels: () => get('/channels', undefined, 'channels'),
    notifications: {
      list: (which = {}) => get('/notifications', which, 'notifications'),
      settled: (patience = {}) => discardResult(post('/notifications/settle', patience)),
      until: (channelId, count, patience = {}) =>
        post('/notifications/wait', { ...patience, channelId, count }, 'notifications'),
      hold: (channelId) => discardResult(post('/notifications/hold', { channelId })),
      release: (channelId) => discardResult(post('/notifications/release', { channelId })),
      drop: (next = {}) => discardResult(post('/notifications/drop', next)),
      duplicate: (next = {}) => discardResult(post('/notifications/duplicate', next)),
      delay: (by, next = {}) => discardResult(post('/notifications/delay', { ...next, by })),
      reorder: (next = {}) => discardResult(post('/notifications/reorder', next)),
      replay: (id) => post('/notifications/replay', { id }, 'notification'),
    },
    oauth: {
      state: () => get('/oauth'),
      fail: (failure) => discardResult(post('/oauth', failure)),
      forget: () => discardResult(remove('/oauth')),
      mint: (token) => post('/oauth/mint', token, 'token'),
      expire: (account) => post('/oauth/expire', { account }, 'expired'),
      revoke: (account) => post('/oauth/revoke', { account }, 'revoked'),
      consent: (account) => discardResult(post('/oauth/consent', { account })),
    },
    calls: Object.assign(
      async (
        method?: string | readonly string[],
        { account, calendarId, where }: NonNullable<Parameters<Control['calls']>[1]> = {},
      ) => {
        const input = { method: [method ?? []].flat().join() || undefined, account, calendarId, where }
        const { calls, evicted } = await get<{ calls: never[]; evicted: number }>('/calls', input)
        return withHiddenProperties(calls, { evicted })
      },
      {
        until: (method, count, which = {}) => post('/calls/wait', { ...which, method, count }, 'calls'),
        clear: () => remove('/calls', 'cleared'),
        verify: (method, where = {}, which = {}) => post('/calls/verify', { ...which, method, where }, 'calls'),
      } satisfies AsyncAll<Pick<Control['calls'], 'until' | 'clear' | 'verify'>>,
    ),
    faults: {
      add: (fault) => post('/faults', fault),
      list: () => get('/faults', undefined, 'faults'),
      remove: (id) => discardResult(remove(`/faults/${encodeURIComponent(id)}`)),
      clear: () => remove('/faults', 'cleared'),
      verify: () => discardResult(get('/faults/verify')),
    },
    quota: Object.assign((limits: Parameters<Control['quota']>[0]) => discardResult(put('/quota', limits)), {
      state: () => get<never>('/quota'),
    }),
    syncTokens: { expire: (which = {}) => discardResult(post('/syncTokens/expire', which)) },
    ical: (calendarId) => get('/ical', { calendarId }),
    importICalendar: (text, more = {}) => post('/ical', { ...more, text }),
  }
  return remote
}

/** Returns the message of the cause of an error of `fetch`, which says more than the error itself, or else its own. */
const describeNetworkError = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.message || cause.name : String(cause)
}

/** Returns the JSON body of a response. Rejects with an Error for any other body, because no fake-calendar sent it. */
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
 * Returns the error of a response, by its status and path, as the same function throws it in process: VerificationError
 * for 417, SeedError for a seed, RangeError for 400 and 404, and else Error.
 */
function toError(status: number, path: string, { error, message }: Record<string, unknown>): Error {
  const text = String(message ?? (error as { message?: unknown } | undefined)?.message ?? `status ${status}`)
  if (status === 417) return new VerificationError(text)
  if (status === 400 && path === '/seed') return new SeedError(text)
  return status === 400 || status === 404 ? new RangeError(text) : new Error(text)
}

/** Formats a query that begins with `?`; empty without defined fields. Objects are sent as JSON. */
function formatQueryString(input: ControlInput): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined) continue
    query.set(name, typeof value === 'object' ? JSON.stringify(value, toSendableValue) : String(value))
  }
  return query.size > 0 ? `?${query}` : ''
}

/**
 * Replaces a value for `JSON.stringify`: a RegExp becomes `{ matches }`. Throws a TypeError for flags other than `u` and
 * `g`, and for a matcher of a test framework, because a function cannot be sent.
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

/** Formats an instant as RFC 3339. A text is returned as it is; numbers are epoch milliseconds. */
const formatInstant = (instant: Instant): string =>
  typeof instant === 'string' ? instant : new Date(instant as Date | number).toISOString()

/** Returns the name of a snapshot, or its id if it has none. */
const toSnapshotKey = (which: string | Snapshot): string =>
  typeof which === 'string' ? which : (which.name ?? which.id)

/** Returns true for an object with only the keys of options; an empty object is one. */
const isDiffOptions = (value: unknown): value is DiffOptions =>
  typeof value === 'object' &&
  value !== null &&
  !(value instanceof Date) &&
  Object.keys(value).every((name) => name === 'copies' || name === 'all')

/** Returns the input of a diff from the arguments of `diff`: two optional moments, then options. */
function toDiffQuery(first?: Moment | DiffOptions, second?: Moment | DiffOptions, third?: DiffOptions): ControlInput {
  if (isDiffOptions(first)) return { ...first }
  if (isDiffOptions(second)) return { ...toMomentQuery('since', first), ...second }
  return { ...toMomentQuery('since', first), ...toMomentQuery('until', second), ...third }
}

/**
 * Returns the input for one moment: a revision or an instant by `field`, a snapshot by its name, and another world, which
 * only `since` accepts, as `world`. Throws a RangeError for a world in `until`.
 */
function toMomentQuery(field: 'since' | 'until', moment: Moment | undefined): ControlInput {
  if (moment === undefined) return {}
  if (moment instanceof Date) return { [field]: moment.toISOString() }
  if (typeof moment !== 'object') return { [field]: moment }
  if ('id' in moment && 'revision' in moment) return { [field]: toSnapshotKey(moment as Snapshot) }
  const name = 'name' in moment ? moment.name : (moment as { world?: unknown }).world
  if (field === 'until') throw new RangeError('until: a revision, an instant, or a snapshot')
  return { world: name }
}
