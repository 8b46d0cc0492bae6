import type { Host } from './database.ts'
import { MINUTE, SECOND, type Span, type Time, written } from './time.ts'

export type Config = {
  /** `https://www.googleapis.com/calendar/v3`, unless it runs elsewhere. */
  apiUrl: string
  /** `https://oauth2.googleapis.com/token`. */
  tokenUrl: string
  clientId: string
  clientSecret: string
  /** The address for push messages, if it differs from the address of the service. */
  publicUrl?: string
}

type Moment = { dateTime?: string; date?: string; timeZone?: string }

export type CalendarEvent = {
  id: string
  etag: string
  status: 'confirmed' | 'tentative' | 'cancelled'
  summary?: string
  created?: string
  start?: Moment
  end?: Moment
  recurrence?: string[]
  recurringEventId?: string
  originalStartTime?: Moment
  transparency?: 'opaque' | 'transparent'
  attendees?: { email: string }[]
  extendedProperties?: { private?: Record<string, string> }
  hangoutLink?: string
  conferenceData?: { createRequest?: { requestId: string; status?: { statusCode: 'pending' | 'success' | 'failure' } } }
}

type Draft = Omit<Partial<CalendarEvent>, 'conferenceData'> & { conferenceData?: object }
type Page = { items?: CalendarEvent[]; nextPageToken?: string; nextSyncToken?: string }
type Query = Record<string, string | number | boolean | undefined>
type ApiRequest = { method: string; path: string; query?: Query; body?: unknown; etag?: string | undefined }

/** The service refused. */
export class ApiError extends Error {
  readonly status: number
  readonly reason: string
  readonly retryAfter: number | undefined

  constructor(status: number, reason: string, message: string, retryAfter?: number) {
    super(`${status} ${reason}: ${message}`)
    this.status = status
    this.reason = reason
    this.retryAfter = retryAfter
  }
}

/** No response arrived, so the request was possibly executed. */
export class Unreachable extends Error {}

/** The host has revoked the access. */
export class Disconnected extends Error {}

const DEADLINE = 10 * SECOND
const ATTEMPTS = 7
const RATE_LIMITS = ['rateLimitExceeded', 'userRateLimitExceeded', 'quotaExceeded']

/** True if the same request may succeed later. */
function isPassing(error: unknown): error is ApiError | Unreachable {
  if (!(error instanceof ApiError)) return error instanceof Unreachable
  return error.status === 429 || error.status >= 500 || (error.status === 403 && RATE_LIMITS.includes(error.reason))
}

/**
 * The calendar of one host. A failed request is repeated after 1 s, 2 s, 4 s …, so each must be repeatable: the caller
 * handles the error of a request whose first response was lost.
 */
export class CalendarClient {
  readonly #config: Config
  readonly #time: Time
  readonly #host: Host
  #token: { value: string; until: number } | undefined

  constructor(config: Config, time: Time, host: Host) {
    this.#config = config
    this.#time = time
    this.#host = host
  }

  insert(event: Draft, query: Query = {}): Promise<CalendarEvent> {
    return this.#ask({ method: 'POST', path: '/events', query, body: event })
  }

  get(id: string): Promise<CalendarEvent> {
    return this.#ask({ method: 'GET', path: `/events/${id}` })
  }

  patch(id: string, event: Draft, etag: string): Promise<CalendarEvent> {
    return this.#ask({ method: 'PATCH', path: `/events/${id}`, body: event, etag })
  }

  async delete(id: string): Promise<void> {
    try {
      await this.#ask({ method: 'DELETE', path: `/events/${id}` })
    } catch (error) {
      // Already deleted, possibly by an earlier request of this service whose response was lost.
      if (!(error instanceof ApiError && error.status === 410)) throw error
    }
  }

  /** Returns the changes after a sync token, or all events, with the next sync token. */
  async changes(syncToken: string | undefined): Promise<{ events: CalendarEvent[]; cursor: string }> {
    const { events, last } = await this.#pages('/events', { syncToken, maxResults: 50 })
    if (last.nextSyncToken === undefined) throw new Error('a last page without a sync token')
    return { events, cursor: last.nextSyncToken }
  }

  /** Returns the events of a time span, with each instance of a series. */
  async during({ start, end }: Span): Promise<CalendarEvent[]> {
    const query = { timeMin: written(start), timeMax: written(end), singleEvents: true }
    return (await this.#pages('/events', query)).events
  }

  async instances(id: string, query: Query = {}): Promise<CalendarEvent[]> {
    return (await this.#pages(`/events/${id}/instances`, query)).events
  }

  async busy({ start, end }: Span): Promise<Span[]> {
    const body = { timeMin: written(start), timeMax: written(end), items: [{ id: this.#host.email }] }
    type FreeBusyResponse = { calendars: Record<string, { busy: { start: string; end: string }[]; errors?: object[] }> }
    const { calendars } = await this.#ask<FreeBusyResponse>({ method: 'POST', path: '/freeBusy', body })
    const calendar = calendars[this.#host.email]
    if (!calendar || calendar.errors) throw new Error(`nobody can tell when ${this.#host.email} is busy`)
    return calendar.busy.map((one) => ({ start: Date.parse(one.start), end: Date.parse(one.end) }))
  }

  watch(channel: object): Promise<{ id: string; resourceId: string; expiration: string }> {
    return this.#ask({ method: 'POST', path: '/events/watch', body: channel })
  }

  async stop(channel: { id: string; resourceId: string }): Promise<void> {
    await this.#ask({ method: 'POST', path: '/channels/stop', body: channel })
  }

  async #pages(path: string, query: Query): Promise<{ events: CalendarEvent[]; last: Page }> {
    const events: CalendarEvent[] = []
    let last: Page = {}
    do {
      last = await this.#ask<Page>({ method: 'GET', path, query: { ...query, pageToken: last.nextPageToken } })
      events.push(...(last.items ?? []))
    } while (last.nextPageToken)
    return { events, last }
  }

  async #ask<T>(request: ApiRequest): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return (await this.#once(request)) as T
      } catch (error) {
        if (!isPassing(error) || attempt === ATTEMPTS) throw error
        const patience = error instanceof ApiError ? error.retryAfter : undefined
        await this.#time.sleep(patience ?? 2 ** (attempt - 1) * SECOND)
      }
    }
  }

  async #once({ method, path, query = {}, body, etag }: ApiRequest): Promise<unknown> {
    const url = new URL(this.#config.apiUrl + (path.startsWith('/events') ? `/calendars/primary${path}` : path))
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, `${value}`)
    const send = async () => {
      const authorization = `Bearer ${await this.#accessToken()}`
      const headers = { authorization, 'content-type': 'application/json', ...(etag && { 'if-match': etag }) }
      return this.#fetch(url, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
    }
    const answer = await send()
    if (answer.status !== 401) return read(answer)
    // The token may have ended before its time; a new one is all that can help.
    this.#token = undefined
    return read(await send())
  }

  async #accessToken(): Promise<string> {
    if (this.#token && this.#time.now() < this.#token.until) return this.#token.value
    const { clientId, clientSecret, tokenUrl } = this.#config
    const form = { grant_type: 'refresh_token', refresh_token: this.#host.refreshToken }
    const params = new URLSearchParams({ ...form, client_id: clientId, client_secret: clientSecret })
    const answer = await this.#fetch(new URL(tokenUrl), { method: 'POST', body: params })
    if (answer.status >= 500) throw new ApiError(answer.status, 'oauth', 'no token')
    const body = JSON.parse(answer.text)
    if (answer.status >= 400) throw new Disconnected(`${this.#host.email}: ${body.error}`)
    this.#token = { value: body.access_token, until: this.#time.now() + body.expires_in * SECOND - MINUTE }
    return this.#token.value
  }

  /** An answer to its end, within the deadline. */
  async #fetch(url: URL, init: RequestInit): Promise<RawResponse> {
    const late = new AbortController()
    const inTime = this.#time.after(DEADLINE, () => late.abort())
    try {
      const response = await fetch(url, { ...init, signal: late.signal })
      return { status: response.status, headers: response.headers, text: await response.text() }
    } catch (cause) {
      throw new Unreachable(late.signal.aborted ? 'no answer in time' : 'no answer', { cause })
    } finally {
      inTime()
    }
  }
}

type RawResponse = { status: number; headers: Headers; text: string }

function read({ status, headers, text }: RawResponse): unknown {
  if (status === 204) return undefined
  if (status < 400 && text === '') throw new Unreachable('an empty answer')
  if (status < 400) return JSON.parse(text)
  const { error = {} } = headers.get('content-type')?.includes('json') ? JSON.parse(text) : {}
  const retryAfter = Number(headers.get('retry-after'))
  const reason = error.errors?.[0]?.reason ?? 'unknown'
  throw new ApiError(status, reason, error.message ?? text, retryAfter > 0 ? retryAfter * SECOND : undefined)
}
