import { signal } from '@preact/signals'
import type { Made } from './made.ts'
import { refusedBy } from './refused.ts'
import { account, world } from './route.ts'
import { rootOf, TOKEN } from './where.ts'

/** Whether the journal is to tell of what the page itself reads. */
export const noteReads = signal(false)

type Values = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

export type Asked = {
  /** `events.patch`, to be shown to whoever wants to make the same call. */
  method: string
  verb?: string
  /** Below `/calendar/v3`, or of `/_control` below that: `/users/me/calendarList`. */
  path: string
  query?: Values
  body?: unknown
  ifMatch?: string | undefined
  /** Whose call it is; the one that the page acts as, unless said. */
  account?: string
  world?: string
  /** Sees to it that the journal tells of a read. */
  noted?: boolean
  signal?: AbortSignal
}

export type Answered<T> = { data: T; etag: string | undefined; made: Made }

function queryOf(query: Values = {}): string {
  const pairs = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) if (one !== undefined) pairs.append(name, String(one))
  return pairs.size > 0 ? `?${pairs}` : ''
}

const guarded = (): Record<string, string> => (TOKEN === undefined ? {} : { 'X-Fake-Control-Token': TOKEN })

const isRead = ({ verb = 'GET', path }: Asked): boolean => verb === 'GET' || path === '/freeBusy'

/**
 * Calls a method of the service as an account. A read is marked, so that nothing follows from it; a write is one as any
 * client's. A refusal throws a Refused.
 */
export function call<T = unknown>(asked: Asked): Promise<Answered<T>> {
  const {
    path,
    query,
    account: by = account.peek(),
    world: name = world.peek(),
    ifMatch,
    noted = noteReads.peek(),
  } = asked
  const headers = { Authorization: `Bearer ${by}`, ...(ifMatch !== undefined && { 'If-Match': ifMatch }) }
  const look = isRead(asked) ? { ...guarded(), 'X-Fake-Calendar-Inspector': noted ? 'journal' : '1' } : {}
  return send<T>(asked, `${rootOf(name)}/calendar/v3${path}${queryOf(query)}`, headers, look)
}

/** Asks something of `/_control`, in the world that is shown unless another is said. */
export function control<T = unknown>(verb: string, path: string, more: Partial<Asked> = {}): Promise<Answered<T>> {
  const { query, world: name = world.peek() } = more
  const method = `${verb} /_control${path}`
  return send<T>({ ...more, method, verb, path }, `${rootOf(name)}/_control${path}${queryOf(query)}`, guarded(), {})
}

type Headers = Readonly<Record<string, string>>

/** `headers` belong to the call, `own` to the page that makes it. */
async function send<T>(asked: Asked, url: string, headers: Headers, own: Headers): Promise<Answered<T>> {
  const { method, verb = 'GET', body, signal } = asked
  const response = await fetch(url, {
    method: verb,
    headers: { ...headers, ...own, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
    cache: 'no-store',
  })
  if (!response.ok) throw await refusedBy(response)
  const text = await response.text()
  const data = (text === '' ? undefined : JSON.parse(text)) as T
  return { data, etag: response.headers.get('ETag') ?? undefined, made: { method, verb, url, headers, body } }
}

type Listing<T> = { items?: T[]; nextPageToken?: string }

/** All pages of a list. */
export async function all<T>(asked: Asked): Promise<T[]> {
  const items: T[] = []
  let pageToken: string | undefined
  do {
    const { data } = await call<Listing<T>>({ ...asked, query: { ...asked.query, pageToken } })
    items.push(...(data.items ?? []))
    pageToken = data.nextPageToken
  } while (pageToken !== undefined)
  return items
}
