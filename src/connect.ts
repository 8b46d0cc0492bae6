import type { FunctionAnswer } from './control/functionRows.ts'
import { VerificationError } from './control/matching.ts'
import type { RemoteDiff, RemoteWorld } from './control/types/remoteWorld.ts'
import { runForCaller } from './schema/values/callerStack.ts'
import { withHiddenProperties } from './schema/values/hiddenProperties.ts'
import { describeNetworkError } from './schema/values/networkError.ts'
import { SeedError } from './seeds/seedError.ts'

export { type RemoteDiff, type RemoteWorld, SeedError, VerificationError }

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
  if (!URL.canParse(String(url)))
    runForCaller(connect, () => {
      throw new TypeError(`connect: give the address of a server, such as http://127.0.0.1:8787; got ${String(url)}`)
    })
  const address = new URL(url)
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
  const call: CallFunction = async (name, given) => {
    const response = await send(`${worldUrl}/_control/functions/${name}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(token !== undefined && { 'X-Fake-Control-Token': token }),
      },
      body: formatArguments(given),
    })
    const body = await parseJsonResponse(response)
    if (!response.ok) throw toError(response.status, body)
    return toResult(body, name, given)
  }
  const toResult = (
    { result, world, prints, properties, functions = [] }: FunctionAnswer,
    name: string,
    given: Given,
  ) => {
    if (typeof world === 'string') return remote.world(world)
    if (prints) console.log(result)
    if (!properties) return result
    const ofResult = functions.map((own) => {
      const act = (...more: unknown[]): Promise<unknown> =>
        runForCaller(act, () => call(`${name}.${own}`, [...more, ...given]))
      return [own, act] as const
    })
    return withHiddenProperties(result as object, { ...properties, ...Object.fromEntries(ofResult) })
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
    toJSON: () => ({ world: name }),
  }
  return withFunctions(remote, '', call) as RemoteWorld
}

type Given = readonly unknown[]
/** Calls a function of the table of operations by its name, with its arguments, and resolves to its result. */
type CallFunction = (name: string, given: Given) => Promise<unknown>

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
      const act = (...given: unknown[]): Promise<unknown> => runForCaller(act, () => call(name, given))
      if (!functions.has(key)) functions.set(key, withFunctions(act, `${name}.`, call))
      return functions.get(key)
    },
  })
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

/** Returns the error of a response as the same function throws it in process. */
function toError(status: number, { error, message }: Record<string, unknown>): Error {
  const { message: ofError, errors } = Object(error) as { message?: unknown; errors?: { reason?: unknown }[] }
  const text = String(message ?? ofError ?? `status ${status}`).replace(/^Invalid value for: /, '')
  if (status === 417) return new VerificationError(text)
  if (errors?.[0]?.reason === 'invalidSeed') return new SeedError(text)
  return status === 400 || status === 404 ? new RangeError(text) : new Error(text)
}

/** The keys from the arguments to a value. */
type Path = readonly (string | number)[]

/** Returns the body of a call: the arguments as JSON, and the paths of the undefined parts, which JSON omits. */
function formatArguments(given: Given): string {
  const paths = new Map<unknown, Path>([[given, []]])
  const undefinedPaths: Path[] = []
  const text = JSON.stringify(given, function (this: unknown, key, value) {
    if (value === given) return value
    const path = [...(paths.get(this) ?? []), Array.isArray(this) ? Number(key) : key]
    const part = toSendableValue((this as Record<string, unknown>)[key], key, value)
    if (part === undefined) undefinedPaths.push(path)
    if (typeof part === 'object' && part !== null) paths.set(part, path)
    return part
  })
  return `{"arguments":${text},"undefined":${JSON.stringify(undefinedPaths)}}`
}

/**
 * Replaces a value for `JSON.stringify`: a RegExp becomes `{ matches }`. Throws a TypeError for flags other than `u` and
 * `g`, for a function, and for a matcher of a test framework, which has functions. Throws a RangeError for an invalid Date.
 */
function toSendableValue(given: unknown, name: string, value: unknown): unknown {
  if (given instanceof Date && Number.isNaN(given.getTime())) throw new RangeError(`${name}: not a valid Date`)
  if (value instanceof RegExp) {
    if (value.flags.replace(/[ug]/g, '') === '') return { matches: value.source }
    throw new TypeError(`${name}: a pattern with the flags ${value.flags} cannot be sent to a server`)
  }
  if (typeof value === 'function') throw new TypeError(`${name}: a function cannot be sent to a server`)
  if (typeof value === 'object' && value !== null && 'asymmetricMatch' in value)
    throw new TypeError(`${name}: a matcher cannot be sent to a server; use { contains } or { matches }`)
  return value
}
