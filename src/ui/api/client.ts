import { recordReads } from '../preferences.ts'
import { account, world } from '../route.ts'
import { baseUrl, CONTROL_TOKEN } from './baseUrl.ts'
import { readError } from './errors.ts'

type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

/** A request to be sent. */
export type Request = {
  /** The API method, such as `events.patch`. It is shown to users who want to make the same call. */
  method: string
  /** The HTTP verb. Defaults to GET. */
  verb?: string
  /** The path below `/calendar/v3`, or below `/_control`. */
  path: string
  query?: Query
  /** Sent as JSON. */
  body?: unknown
  /** The ETag that the event must still have. Otherwise the service responds with 412. */
  ifMatch?: string | undefined
  /** The account that makes the request. Defaults to the account in the address. */
  account?: string
  /** Defaults to the world in the address. */
  world?: string
  /** True if the journal marks the request as the inspector's own. Defaults to true. */
  marked?: boolean
  signal?: AbortSignal
}

/** A request as it was sent, for code snippets. Headers that only the inspector sends are left out. */
export type SentRequest = {
  method: string
  verb: string
  url: string
  headers: Readonly<Record<string, string>>
  body?: unknown
}

/** A successful response: its JSON body, its ETag header, and the request. An empty body is undefined. */
export type Result<T> = { data: T; etag: string | undefined; sent: SentRequest }

const INSPECTOR_HEADER = 'X-Fake-Calendar-Inspector'

/** Returns a query string with its `?`, or an empty text. Arrays repeat their parameter; undefined values are left out. */
export function toQueryString(query: Query = {}): string {
  const pairs = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) if (one !== undefined) pairs.append(name, String(one))
  return pairs.size > 0 ? `?${pairs}` : ''
}

/** Returns the headers of requests to `/_control`: the control token, if the page's address has one. */
export const controlHeaders = (): Record<string, string> =>
  CONTROL_TOKEN === undefined ? {} : { 'X-Fake-Control-Token': CONTROL_TOKEN }

/** Returns true if a request changes no data. `freebusy.query` is a POST, but a read. */
const isReadRequest = ({ verb = 'GET', path }: Request): boolean => verb === 'GET' || path === '/freeBusy'

/**
 * Calls an API method as an account, with the account's address as its token. The server does not record the inspector's
 * reads in the journal (the list of recorded requests), unless `recordReads` is set; writes are recorded and marked. Rejects
 * with a RequestError if the response is an error, and with the browser's error if there is no response or `signal` is
 * aborted. `toRequestError` converts both.
 */
export function callService<T = unknown>(request: Request): Promise<Result<T>> {
  const { path, query, account: email = account.peek(), world: name = world.peek(), ifMatch, marked = true } = request
  const headers = { Authorization: `Bearer ${email}`, ...(ifMatch !== undefined && { 'If-Match': ifMatch }) }
  const reading = { ...controlHeaders(), [INSPECTOR_HEADER]: recordReads.peek() ? 'journal' : '1' }
  const own = isReadRequest(request) && marked ? reading : marked ? { [INSPECTOR_HEADER]: '1' } : {}
  return sendRequest<T>(request, `${baseUrl(name)}/calendar/v3${path}${toQueryString(query)}`, headers, own)
}

/** Calls a route under `/_control`, with the control token. `path` is below `/_control`. Rejects as `callService` does. */
export function callControl<T = unknown>(
  verb: string,
  path: string,
  options: Pick<Request, 'query' | 'body' | 'world' | 'signal'> = {},
): Promise<Result<T>> {
  const { query, world: name = world.peek() } = options
  const url = `${baseUrl(name)}/_control${path}${toQueryString(query)}`
  return sendRequest<T>({ ...options, method: `${verb} /_control${path}`, verb, path }, url, controlHeaders(), {})
}

type HeaderFields = Readonly<Record<string, string>>

/**
 * Sends a request to a URL. The result contains `headers`, so that users can repeat the request; `ownHeaders`, which only
 * the inspector needs, are left out of it. Rejects as `callService` does, and if the body of a success is not JSON.
 */
async function sendRequest<T>(
  request: Request,
  url: string,
  headers: HeaderFields,
  ownHeaders: HeaderFields,
): Promise<Result<T>> {
  const { method, verb = 'GET', body, signal } = request
  const response = await fetch(url, {
    method: verb,
    headers: { ...headers, ...ownHeaders, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
    cache: 'no-store',
  })
  if (!response.ok) throw await readError(response)
  const text = await response.text()
  const data = (text === '' ? undefined : JSON.parse(text)) as T
  return { data, etag: response.headers.get('ETag') ?? undefined, sent: { method, verb, url, headers, body } }
}

type ListResponse<T> = { items?: T[]; nextPageToken?: string }

/** Reads all pages of a list of the API, and resolves to their items in order. Rejects as `callService` does. */
export async function listAll<T>(request: Request): Promise<T[]> {
  const items: T[] = []
  let pageToken: string | undefined
  do {
    const { data } = await callService<ListResponse<T>>({ ...request, query: { ...request.query, pageToken } })
    items.push(...(data.items ?? []))
    pageToken = data.nextPageToken
  } while (pageToken !== undefined)
  return items
}
