import { baseUrl, CONTROL_TOKEN } from '../baseUrl.ts'
import { account, world } from '../route.ts'
import { readError } from './errors.ts'

type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

export type Request = {
  /** Shown to users, such as `events.patch`. */
  method: string
  verb?: string
  /** The path below `/calendar/v3` or `/_control`. */
  path: string
  query?: Query
  body?: unknown
  /** An id that the page adds to the body. Users who repeat the request get one of the service. */
  id?: string
  /** Sent as If-Match. */
  etag?: string | undefined
  /** Defaults to the account in the address. */
  account?: string | undefined
  /** Defaults to the world in the address. */
  world?: string | undefined
  /** Reads the data as they were after the write of this revision. Defaults to the present. */
  until?: number | undefined
  signal?: AbortSignal | undefined
}

/** Headers that only the inspector sends are left out. */
export type SentRequest = {
  method: string
  verb: string
  url: string
  headers: Readonly<Record<string, string>>
  body?: unknown
}

export type Result<T> = { data: T; sent: SentRequest }

const INSPECTOR_HEADER = 'X-Fake-Calendar-Inspector'

/** Arrays repeat their parameter; undefined values are left out. */
export function toQueryString(query: Query = {}): string {
  const pairs = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) if (one !== undefined) pairs.append(name, String(one))
  return pairs.size > 0 ? `?${pairs}` : ''
}

export const controlHeaders = (): Record<string, string> =>
  CONTROL_TOKEN === undefined ? {} : { 'X-Fake-Control-Token': CONTROL_TOKEN }

/**
 * Acts as the account by the right of the controls, without a token of the account. Reads are not recorded in the journal.
 * Rejects with a RequestError, or with the browser's error if there is no response (`toRequestError` converts both).
 */
export function callService<T = unknown>(request: Request): Promise<Result<T>> {
  const own = {
    [INSPECTOR_HEADER]: '1',
    ...(request.etag && { 'If-Match': request.etag }),
    ...(request.until !== undefined && { 'X-Fake-Calendar-Until': String(request.until) }),
    ...controlHeaders(),
  }
  const { account: email = account.peek(), world: name = world.peek() } = request
  const sent = toSentRequest(request)
  const root = baseUrl(name)
  const url = `${root}/_control/as/${encodeURIComponent(email)}${sent.url.slice(root.length)}`
  return sendRequest<T>(request, sent, own, url)
}

/** Returns a request to the service as users can repeat it. */
export function toSentRequest(request: Request): SentRequest {
  const { method, verb = 'GET', path, query, body } = request
  const { account: email = account.peek(), world: name = world.peek() } = request
  const headers = { Authorization: `Bearer ${email}` }
  return { method, verb, url: `${baseUrl(name)}/calendar/v3${path}${toQueryString(query)}`, headers, body }
}

/** The path below `/_control`. */
export const worldPath = (name: string): string => `/worlds/${encodeURIComponent(name)}`

/** `path` is below `/_control`. Rejects as `callService` does. */
export function callControl<T = unknown>(
  verb: string,
  path: string,
  options: Pick<Request, 'query' | 'body' | 'world' | 'signal'> = {},
): Promise<Result<T>> {
  const { query, body, world: name = world.peek() } = options
  const url = `${baseUrl(name)}/_control${path}${toQueryString(query)}`
  const headers = controlHeaders()
  return sendRequest<T>(options, { method: `${verb} /_control${path}`, verb, url, headers, body }, headers)
}

/** The result contains `sent`, which users can repeat. The inspector sends it to `url`, with `ownHeaders` in place of a token. */
async function sendRequest<T>(
  { id, signal }: Pick<Request, 'id' | 'signal'>,
  sent: SentRequest,
  ownHeaders: Readonly<Record<string, string>>,
  url = sent.url,
): Promise<Result<T>> {
  const { verb, body } = sent
  const response = await fetch(url, {
    method: verb,
    headers: { ...ownHeaders, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(id === undefined ? body : { id, ...Object(body) }) }),
    ...(signal && { signal }),
    cache: 'no-store',
  })
  if (!response.ok) throw await readError(response)
  const text = await response.text()
  const isText = response.headers.get('Content-Type')?.startsWith('message/')
  return { data: (isText ? text : text === '' ? undefined : JSON.parse(text)) as T, sent }
}

type ListResponse<T> = { items?: T[]; nextPageToken?: string }

export async function collectPages<T>(request: Request): Promise<T[]> {
  const items: T[] = []
  let pageToken: string | undefined
  do {
    const { data } = await callService<ListResponse<T>>({ ...request, query: { ...request.query, pageToken } })
    items.push(...(data.items ?? []))
    pageToken = data.nextPageToken
  } while (pageToken !== undefined)
  return items
}
