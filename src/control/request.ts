import { addressOf } from '../schema/values/address.ts'
import { parseJson } from '../schema/values/json.ts'

export interface ObservedRequest {
  /**
   * A method of the service, such as `events.insert`; a tool of MCP, such as `mcp.create_event`; `oauth.token` and its like;
   * `batch`, `discovery`, or `mcp` for other messages of MCP; `unknown` for a path without a route.
   */
  method: string
  readonly verb: string
  /** The path without the prefix that names the world. */
  readonly path: string
  pathParams: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** The body as text; for OAuth in form encoding. */
  text: string
  /** The number of the tool call of MCP that made the request. */
  toolCall?: number | undefined
  /** The number of the batch that contains the request, counted per world. */
  batch?: number | undefined
  account?: string | undefined
  client?: string | undefined
  isFromInspector?: boolean | undefined
  n?: number | undefined
}

/** A repeated parameter becomes a list. */
export function collectParams({
  pathParams,
  query,
}: Pick<ObservedRequest, 'pathParams' | 'query'>): Record<string, string | string[]> {
  return { ...pathParams, ...toParamRecord(query) }
}

/** Converts numbers and flags at any depth, because parameters are text. Matchers and regular expressions stay. */
export function toParamText(expected: unknown): unknown {
  if (typeof expected === 'number' || typeof expected === 'boolean') return String(expected)
  if (Array.isArray(expected)) return expected.map(toParamText)
  if (typeof expected !== 'object' || expected === null) return expected
  const proto: unknown = Object.getPrototypeOf(expected)
  if (proto !== null && Object.getPrototypeOf(proto) !== null) return expected // an asymmetric matcher or a RegExp
  return Object.fromEntries(Object.entries(expected).map(([name, part]) => [name, toParamText(part)]))
}

/** JSON and the forms of OAuth become data, others text. */
export function parseObservedBody({ method, text }: Pick<ObservedRequest, 'method' | 'text'>): unknown {
  if (text.trim() === '') return undefined
  if (method.startsWith('oauth.')) return toParamRecord(new URLSearchParams(text))
  try {
    return parseJson(text)
  } catch {
    return text
  }
}

function toParamRecord(pairs: URLSearchParams): Record<string, string | string[]> {
  const values = new Map<string, string | string[]>()
  for (const name of new Set(pairs.keys())) {
    const [first = '', ...more] = pairs.getAll(name)
    values.set(name, more.length > 0 ? [first, ...more] : first)
  }
  return Object.fromEntries(values)
}

/** Methods of requests: one (`events.insert`), those of a resource (`events.*`), all (`*`), or a list of these. */
export type MethodPattern = string | readonly string[]

/** A batch counts by the requests in it; discovery and messages of MCP that call no tool are no calls of the service. */
const isOnlyByName = (method: string): boolean => /^(?:batch|discovery|mcp)$/.test(method)

/** `*` does not include `batch`, `discovery` and `mcp`. */
export function matchesMethod(on: MethodPattern, method: string): boolean {
  if (typeof on !== 'string') return on.some((one) => matchesMethod(one, method))
  if (on === '*') return !isOnlyByName(method)
  return on.endsWith('.*') ? method.startsWith(on.slice(0, -1)) : on === method
}

/** A selection of requests. `*` is the default of `method`. */
export type RequestFilter = {
  method?: MethodPattern | undefined
  account?: string | undefined
  calendarId?: string | undefined
}

export const isSelected = (request: ObservedCaller, { method = '*', account, calendarId }: RequestFilter): boolean =>
  matchesMethod(method, request.method) &&
  (account === undefined || isSameAccount(request.account, account)) &&
  (calendarId === undefined || listCalendarIds(request).some((id) => isSameCalendar(id, calendarId, request.account)))

type ObservedCaller = Pick<ObservedRequest, 'method' | 'pathParams' | 'text'> & {
  readonly account?: string | undefined
}

/** Compares addresses in any case. */
export const isSameAccount = (one: string | undefined, other: string): boolean =>
  one !== undefined && addressOf(one) === addressOf(other)

/** Compares ids in any case. `primary` equals the address of the account. */
export function isSameCalendar(one: string | undefined, other: string, account: string | undefined): boolean {
  const idOf = (id: string) => (id === 'primary' ? (account ?? id) : id)
  return one !== undefined && isSameAccount(idOf(one), idOf(other))
}

function listCalendarIds({ method, pathParams: { calendarId }, text }: ObservedCaller): string[] {
  if (calendarId !== undefined) return [calendarId]
  if (method !== 'freebusy.query') return []
  const { items } = Object(parseObservedBody({ method, text })) as { items?: unknown }
  if (!Array.isArray(items)) return []
  return items.map((item: unknown) => (Object(item) as { id?: unknown }).id).filter((id) => typeof id === 'string')
}
