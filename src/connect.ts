import type { FaultView } from './control/faults/faults.ts'
import type { ExpectedChange } from './control/history/verify.ts'
import { VerificationError } from './control/matching/verificationError.ts'
import type { Change, DiffOptions, Moment } from './control/types/history.ts'
import type { Control, FakeWorld, Instant } from './control/types/world.ts'
import type { Snapshot } from './control/worlds/snapshots.ts'
import { withHiddenProperties } from './schema/values/hiddenProperties.ts'
import { SeedError } from './seeds/seedError.ts'

export { SeedError, VerificationError }

type Async<F> = F extends (...given: infer A) => infer R ? (...given: A) => Promise<Awaited<R>> : never
type AsyncAll<T> = { readonly [N in keyof T]: Async<T[N]> }
type Group = 'clock' | 'conferences' | 'faults' | 'notifications' | 'oauth' | 'syncTokens'
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
  readonly name: string
  /** The base URL of the Calendar API for this world, without a slash at its end. */
  readonly baseUrl: string
  readonly clock: AsyncAll<Omit<Control['clock'], 'mode'>>
  readonly conferences: AsyncAll<Control['conferences']>
  /** `add` resolves to the fault as `list` shows it. Remove it with `remove(id)`. */
  readonly faults: AsyncAll<Omit<Control['faults'], 'add'>> & {
    add(...given: Parameters<Control['faults']['add']>): Promise<FaultView>
  }
  readonly notifications: AsyncAll<Control['notifications']>
  readonly oauth: AsyncAll<Control['oauth']>
  readonly syncTokens: AsyncAll<Control['syncTokens']>
  readonly calls: Async<Control['calls']> & AsyncAll<Pick<Control['calls'], 'until' | 'clear' | 'verify'>>
  readonly quota: Async<Control['quota']> & AsyncAll<Pick<Control['quota'], 'state'>>
  diff(options?: DiffOptions): Promise<RemoteDiff>
  diff(before?: Moment, options?: DiffOptions): Promise<RemoteDiff>
  diff(before: Moment, after: Moment, options?: DiffOptions): Promise<RemoteDiff>
  /** With `wait`, waits until there is at least one, in real time, at most a minute. */
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

type Connection = { root: string; world: string; options: ConnectOptions }
type Input = Readonly<Record<string, unknown>>

function openRemoteWorld({ root, world: name, options }: Connection): RemoteWorld {
  const worldUrl = name === 'default' ? root : `${root}/w/${encodeURIComponent(name)}`
  const send = async (target: string, init?: RequestInit): Promise<Response> => {
    try {
      return await (options.fetch ?? fetch)(target, init)
    } catch (error) {
      if (init?.signal?.aborted) throw error
      throw new Error(`no server at ${root}: ${reasonOf(error)}`, { cause: error })
    }
  }

  /** Calls a route with its input as query (GET) or JSON, and returns one field of the response, or all of it. */
  async function call<T>(verb: string, path: string, input?: Input | null, field?: string): Promise<T> {
    const hasBody = verb === 'POST' || verb === 'PUT'
    const query = hasBody || !input ? '' : toQuery(input)
    const response = await send(`${worldUrl}/_control${path}${query}`, {
      method: verb,
      headers: {
        ...(hasBody && { 'Content-Type': 'application/json' }),
        ...(options.controlToken !== undefined && { 'X-Fake-Control-Token': options.controlToken }),
      },
      ...(hasBody && input !== undefined && { body: JSON.stringify(input, toJson) }),
    })
    const body = await readJson(response)
    if (!response.ok) throw toError(response.status, path, body)
    return (field === undefined ? body : body[field]) as T
  }
  const get = <T>(path: string, input?: Input, field?: string) => call<T>('GET', path, input, field)
  const post = <T>(path: string, input?: Input | null, field?: string) => call<T>('POST', path, input, field)
  const put = <T>(path: string, input?: Input | null, field?: string) => call<T>('PUT', path, input, field)
  const remove = <T>(path: string, field?: string) => call<T>('DELETE', path, undefined, field)

  const setClock = (mode: string | undefined, instant?: Instant) =>
    put<never>('/clock', { mode, now: instant === undefined ? undefined : toText(instant) }, 'fired')
  const advance = (by: string | number) => post<never>('/clock/advance', { by }, 'fired')
  const advanceTo = (to: Instant) => post<never>('/clock/advance', { to: toText(to) }, 'fired')
  const nothing = async (sent: Promise<unknown>): Promise<void> => void (await sent)
  const findSnapshot = async (wanted: string) =>
    (await get<Snapshot[]>('/snapshots', undefined, 'snapshots')).find(
      ({ name, id }) => name === wanted || id === wanted,
    )
  /** The path of a snapshot. URLs drop dot segments, also encoded ones, so that a name of dots is sent as its id. */
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
    delete: () => nothing(remove('/worlds')),
    deleteWorld: (other) => nothing(remove(`/worlds/${encodeURIComponent(other)}`)),
    snapshots: () => get('/snapshots', undefined, 'snapshots'),
    snapshot: (as) => post('/snapshots', { name: as }, 'snapshot'),
    restore: async (which) => post(`${await snapshotPath(nameOf(which))}/restore`, {}, 'restored'),
    async deleteSnapshot(which) {
      const wanted = nameOf(which)
      const snapshot = await findSnapshot(wanted)
      await remove(await snapshotPath(wanted))
      return snapshot as Snapshot
    },
    async fork(from, other) {
      await put(`/worlds/${encodeURIComponent(other)}`, { from: nameOf(from) })
      return remote.world(other)
    },
    async diff(first?: Moment | DiffOptions, second?: Moment | DiffOptions, third?: DiffOptions) {
      const input = diffInput(first, second, third)
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
      policy: (policy) => nothing(put('/conferences', policy)),
      expect: (rule) => nothing(post('/conferences/expect', rule)),
      settle: (which = {}) => post('/conferences/settle', which, 'settled'),
    },
    mail: (to) => get('/mail', { to }, 'mail'),
    clearMail: () => remove('/mail', 'cleared'),
    channels: () => get('/channels', undefined, 'channels'),
    notifications: {
      list: (which = {}) => get('/notifications', which, 'notifications'),
      settled: (patience = {}) => nothing(post('/notifications/settle', patience)),
      until: (channelId, count, patience = {}) =>
        post('/notifications/wait', { ...patience, channelId, count }, 'notifications'),
      hold: (channelId) => nothing(post('/notifications/hold', { channelId })),
      release: (channelId) => nothing(post('/notifications/release', { channelId })),
      drop: (next = {}) => nothing(post('/notifications/drop', next)),
      duplicate: (next = {}) => nothing(post('/notifications/duplicate', next)),
      delay: (by, next = {}) => nothing(post('/notifications/delay', { ...next, by })),
      reorder: (next = {}) => nothing(post('/notifications/reorder', next)),
      replay: (id) => post('/notifications/replay', { id }, 'notification'),
    },
    oauth: {
      state: () => get('/oauth'),
      fail: (failure) => nothing(post('/oauth', failure)),
      forget: () => nothing(remove('/oauth')),
      mint: (token) => post('/oauth/mint', token, 'token'),
      expire: (account) => post('/oauth/expire', { account }, 'expired'),
      revoke: (account) => post('/oauth/revoke', { account }, 'revoked'),
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
      remove: (id) => nothing(remove(`/faults/${encodeURIComponent(id)}`)),
      clear: () => remove('/faults', 'cleared'),
      verify: () => nothing(get('/faults/verify')),
    },
    quota: Object.assign((limits: Parameters<Control['quota']>[0]) => nothing(put('/quota', limits)), {
      state: () => get<never>('/quota'),
    }),
    syncTokens: { expire: (which = {}) => nothing(post('/syncTokens/expire', which)) },
    ical: (calendarId) => get('/ical', { calendarId }),
    importICalendar: (text, more = {}) => post('/ical', { ...more, text }),
  }
  return remote
}

const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.message || cause.name : String(cause)
}

async function readJson(response: Response): Promise<Record<string, unknown>> {
  const text = await response.text()
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    throw new Error(`${response.url} is no fake-calendar: status ${response.status} without JSON`)
  }
}

/** Returns the error of a response as the same function throws it in process. */
function toError(status: number, path: string, { error, message }: Record<string, unknown>): Error {
  const text = String(message ?? (error as { message?: unknown } | undefined)?.message ?? `status ${status}`)
  if (status === 417) return new VerificationError(text)
  if (status === 400 && path === '/seed') return new SeedError(text)
  return status === 400 || status === 404 ? new RangeError(text) : new Error(text)
}

function toQuery(input: Input): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined) continue
    query.set(name, typeof value === 'object' ? JSON.stringify(value, toJson) : String(value))
  }
  return query.size > 0 ? `?${query}` : ''
}

/** A pattern is sent as `{ matches }`. Matchers of a test framework are functions, which cannot be sent. */
function toJson(name: string, value: unknown): unknown {
  if (value instanceof RegExp) {
    if (value.flags.replace(/[ug]/g, '') === '') return { matches: value.source }
    throw new TypeError(`${name}: a pattern with the flags ${value.flags} cannot be sent to a server`)
  }
  if (typeof value === 'object' && value !== null && 'asymmetricMatch' in value)
    throw new TypeError(`${name}: a matcher cannot be sent to a server; use { contains } or { matches }`)
  return value
}

const toText = (instant: Instant): string =>
  typeof instant === 'string' ? instant : new Date(instant as Date | number).toISOString()

/** Returns the name of a snapshot, or its id if it has none. */
const nameOf = (which: string | Snapshot): string => (typeof which === 'string' ? which : (which.name ?? which.id))

const isDiffOptions = (value: unknown): value is DiffOptions =>
  typeof value === 'object' &&
  value !== null &&
  !(value instanceof Date) &&
  Object.keys(value).every((name) => name === 'copies' || name === 'all')

function diffInput(first?: Moment | DiffOptions, second?: Moment | DiffOptions, third?: DiffOptions): Input {
  if (isDiffOptions(first)) return { ...first }
  if (isDiffOptions(second)) return { ...momentInput('since', first), ...second }
  return { ...momentInput('since', first), ...momentInput('until', second), ...third }
}

function momentInput(field: 'since' | 'until', moment: Moment | undefined): Input {
  if (moment === undefined) return {}
  if (moment instanceof Date) return { [field]: moment.toISOString() }
  if (typeof moment !== 'object') return { [field]: moment }
  if ('id' in moment && 'revision' in moment) return { [field]: nameOf(moment as Snapshot) }
  const name = 'name' in moment ? moment.name : (moment as { world?: unknown }).world
  if (field === 'until') throw new RangeError('until: a revision, an instant, or a snapshot')
  return { world: name }
}
