import { isTooDeep } from '../../seeds/parseSeed.ts'
import { toOneLine, withoutTokens } from '../conform/boundedFetch.ts'
import type { Fetch } from '../conform/retryingFetch.ts'
import { CaptureError } from './captureError.ts'
import { requireShape } from './shapes.ts'

/** A JSON object of the service. */
export type ServiceResource = Readonly<Record<string, unknown>>
export type ServiceQuery = Readonly<Record<string, string>>

/** The service as one account sees it. Every method rejects with a CaptureError if the service cannot be read. */
export type Service = {
  /** Returns a resource, or undefined if there is none or the account may not see it. */
  read(path: string): Promise<ServiceResource | undefined>
  /** Returns all items of a collection, or undefined as above. `onPage` receives the number of items so far. */
  list(path: string, query?: ServiceQuery, onPage?: (items: number) => void): Promise<ServiceResource[] | undefined>
}

const MAX_PAGES = 100_000

/** The statuses of a resource that does not exist or that the account may not see. */
const UNSEEN = [403, 404, 410]

/** Opens the service for a token. `fetch` bounds bodies and time (`boundedFetch`) and does not follow redirects. */
export function openService(fetch: Fetch, baseUrl: string, token: string, maxPages = MAX_PAGES): Service {
  const redact = (text: string): string => withoutTokens(text, [token])
  const fail = (message: string): never => {
    throw new CaptureError(toOneLine(message))
  }
  const get = async (path: string, query: ServiceQuery = {}): Promise<ServiceResource | undefined> => {
    const url = `${baseUrl}${path}?${new URLSearchParams(query)}`
    const headers = { Authorization: `Bearer ${token}` }
    const response = await fetch(url, { headers, redirect: 'manual' }).catch((error: unknown) =>
      fail(`${new URL(url).origin} cannot be reached: ${redact(causeOf(error))}`),
    )
    const text = await response.text()
    if (response.ok)
      return parseBody(text) ?? fail(`${url} answers something else than JSON: is this where the service is?`)
    if (response.status >= 300 && response.status < 400)
      return fail(
        `${baseUrl}${path} redirects to ${redact(originOf(response.headers.get('Location')))}, which is not followed`,
      )
    const reason = redact(reasonIn(text))
    if (response.status === 401) return fail(`--token: the token is not accepted (401${reason})`)
    if (UNSEEN.includes(response.status) && !/rateLimit|quota|scope|accessNotConfigured/i.test(reason)) return undefined
    return fail(`${baseUrl}${path}: ${response.status}${reason}`)
  }
  const checked = async (path: string, query?: ServiceQuery): Promise<ServiceResource | undefined> => {
    const body = await get(path, query)
    const problem = body === undefined ? undefined : isTooDeep(body) ? 'it is nested too deep' : requireShape(body)
    return problem === undefined ? body : fail(`${baseUrl}${path}: ${redact(problem)}`)
  }
  return {
    read: (path) => checked(path),
    list: async (path, query = {}, onPage) => {
      const items: ServiceResource[] = []
      const tokens = new Set<string>()
      let pageToken: string | undefined
      do {
        const page = await checked(path, { ...query, ...(pageToken && { pageToken }) })
        // Without its other pages, a collection would look complete.
        if (!page && pageToken) return fail(`${baseUrl}${path}: the page after item ${items.length} cannot be read`)
        if (!page) return undefined
        for (const item of Array.isArray(page.items) ? page.items : []) items.push(item)
        onPage?.(items.length)
        pageToken = typeof page.nextPageToken === 'string' ? page.nextPageToken : undefined
        if (pageToken && tokens.has(pageToken)) fail(`${baseUrl}${path}: the same page token comes twice`)
        if (tokens.size >= maxPages) fail(`${baseUrl}${path}: more than ${maxPages} pages`)
        tokens.add(pageToken ?? '')
      } while (pageToken)
      return items
    },
  }
}

function parseBody(text: string): ServiceResource | undefined {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as ServiceResource) : undefined
  } catch {
    return undefined
  }
}

/** Returns the origin of a redirect's target. Its path may contain credentials. */
function originOf(location: string | null): string {
  const url = URL.canParse(location ?? '') ? new URL(location ?? '') : undefined
  return url === undefined ? 'another path' : url.origin === 'null' ? url.protocol : url.origin
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return String(cause)
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message
}

/** Returns the reason and message of an error, such as ` forbidden: …`. */
function reasonIn(text: string): string {
  try {
    const { error } = JSON.parse(text)
    const reason = error?.errors?.[0]?.reason ?? error?.status ?? ''
    return [reason && ` ${reason}`, error?.message && `: ${error.message}`].join('')
  } catch {
    return ''
  }
}
