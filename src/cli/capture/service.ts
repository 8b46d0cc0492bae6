import { parseObject } from '../../schema/values/json.ts'
import { describeNetworkError } from '../../schema/values/networkError.ts'
import { shortenLine } from '../../schema/values/shownText.ts'
import { isTooDeep } from '../../seeds/parseSeed.ts'
import { CutBodyError, LongBodyError, removeTokens } from './boundedFetch.ts'
import { CaptureError } from './captureError.ts'
import type { Fetch } from './retryingFetch.ts'
import { findWrongField } from './shapes.ts'

/** The fields that a capture reads have the right types, or are null or missing. */
export type ServiceResource = Readonly<Record<string, unknown>>
export type ServiceQuery = Readonly<Record<string, string>>

/**
 * A path is below the base URL, starts with a slash, and is escaped. Every method rejects with a CaptureError if the service
 * cannot be read, or responds with an error or a wrong shape.
 */
export type Service = {
  read(path: string): Promise<ServiceResource | undefined>
  /** Undefined if there is no such collection or the account may not see it. `onPage` receives the number of items so far. */
  list(path: string, query?: ServiceQuery, onPage?: (items: number) => void): Promise<ServiceResource[] | undefined>
}

const MAX_PAGES = 100_000

const UNSEEN_STATUSES = [403, 404, 410]

/**
 * `fetch` resolves with a complete body and does not follow redirects, as `boundedFetch` does. `baseUrl` ends in `/calendar/v3`.
 * The token is removed from messages.
 */
export function openService(fetch: Fetch, baseUrl: string, token: string, maxPages = MAX_PAGES): Service {
  const redact = (text: string): string => removeTokens(text, [token])
  const fail = (message: string): never => {
    throw new CaptureError(shortenLine(message))
  }
  const request = async (path: string, query: ServiceQuery = {}): Promise<ServiceResource | undefined> => {
    const url = `${baseUrl}${path}?${new URLSearchParams(query)}`
    const headers = { Authorization: `Bearer ${token}` }
    const response = await fetch(url, { headers, redirect: 'manual' }).catch((error: unknown) =>
      fail(
        error instanceof CutBodyError || error instanceof LongBodyError
          ? `${baseUrl}${path}: ${error.message}`
          : `${new URL(url).origin} cannot be reached: ${redact(describeNetworkError(error))}`,
      ),
    )
    const text = await response.text()
    if (response.ok)
      return parseObject(text) ?? fail(`${url} answers something else than JSON: is this where the service is?`)
    if (response.status >= 300 && response.status < 400)
      return fail(
        `${baseUrl}${path} redirects to ${redact(describeRedirectTarget(response.headers.get('Location')))}, which is not followed`,
      )
    const reason = redact(formatReason(text))
    if (response.status === 401) return fail(`--token: the token is not accepted (401${reason})`)
    if (UNSEEN_STATUSES.includes(response.status) && !/rateLimit|quota|scope|accessNotConfigured/i.test(reason))
      return undefined
    return fail(`${baseUrl}${path}: ${response.status}${reason}`)
  }
  const readChecked = async (path: string, query?: ServiceQuery): Promise<ServiceResource | undefined> => {
    const body = await request(path, query)
    const problem = body === undefined ? undefined : isTooDeep(body) ? 'it is nested too deep' : findWrongField(body)
    return problem === undefined ? body : fail(`${baseUrl}${path}: ${redact(problem)}`)
  }
  return {
    read: (path) => readChecked(path),
    list: async (path, query = {}, onPage) => {
      const items: ServiceResource[] = []
      const tokens = new Set<string>()
      let pageToken: string | undefined
      do {
        const page = await readChecked(path, { ...query, ...(pageToken && { pageToken }) })
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

/** Returns the origin, because the path may contain credentials; the scheme if the target has no origin. */
function describeRedirectTarget(location: string | null): string {
  const url = URL.canParse(location ?? '') ? new URL(location ?? '') : undefined
  return url === undefined ? 'another path' : url.origin === 'null' ? url.protocol : url.origin
}

function formatReason(text: string): string {
  try {
    const { error } = JSON.parse(text)
    const reason = error?.errors?.[0]?.reason ?? error?.status ?? ''
    return [reason && ` ${reason}`, error?.message && `: ${error.message}`].join('')
  } catch {
    return ''
  }
}
