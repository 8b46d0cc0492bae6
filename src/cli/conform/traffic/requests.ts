import { parseJson } from './formats.ts'
import { type Exchange, textAt } from './recording.ts'

/** An exchange with the API that can be replayed. */
export type RecordedRequest = {
  exchange: Exchange
  /** The unescaped segments of the path below `/calendar/v3/`, such as `['calendars', 'primary', 'events']`. */
  segments: readonly string[]
  /** The `Authorization` header, which identifies the caller; empty without one. */
  credential: string
}

/** An exchange that cannot be replayed, and the reason as a clause for the report. */
export type LeftOutExchange = { exchange: Exchange; reason: string }

/**
 * Splits the exchanges (requests with their responses) of a recording into those that can be replayed and others. Both keep
 * their order.
 */
export function selectRequests(exchanges: readonly Exchange[]): {
  requests: RecordedRequest[]
  leftOut: LeftOutExchange[]
} {
  const requests: RecordedRequest[] = []
  const leftOut: LeftOutExchange[] = []
  const issued = new Set<string>()
  for (const exchange of exchanges) {
    const reason = reasonToLeaveOut(exchange) ?? (requiresEarlierToken(exchange, issued) ? ISSUED_EARLIER : undefined)
    if (reason !== undefined) {
      leftOut.push({ exchange, reason })
      continue
    }
    requests.push({
      exchange,
      segments: pathOf(exchange),
      credential: exchange.requestHeaders.get('authorization') ?? '',
    })
    for (const name of ['nextSyncToken', 'nextPageToken', 'resourceId']) {
      const token = textAt(exchange.responseJson, name)
      if (token !== undefined) issued.add(token)
    }
  }
  return { requests, leftOut }
}

/** The reason to leave out a request with a token or a channel from before the recording. */
export const ISSUED_EARLIER = 'no response of the recording issued its token or its channel'

/**
 * Returns true for a request that depends on a token, or on a channel, that no earlier response of the recording
 * issued. A rejected request does not depend on it, except by 410: the service issued that token and let it expire.
 */
function requiresEarlierToken({ url, status, requestBody }: Exchange, issued: ReadonlySet<string>): boolean {
  const tokens: (string | undefined)[] = ['syncToken', 'pageToken'].flatMap((name) => url.searchParams.get(name) || [])
  // Without a resourceId, which only a recorder can have removed, the channel is unknown.
  if (url.pathname.endsWith('/channels/stop') && status < 300)
    tokens.push(textAt(parseJson(requestBody ?? ''), 'resourceId'))
  return (status < 300 || status === 410) && tokens.some((token) => token === undefined || !issued.has(token))
}

const API = /\/calendar\/v3\//

/** Returns the reason why a request cannot be replayed, as a clause for the report; undefined if it can. */
function reasonToLeaveOut({ url, status, responseHeaders, responseText }: Exchange): string | undefined {
  if (!API.test(url.pathname)) return 'it is not of the API'
  const isRateLimited = status === 403 && /(rateLimit|quota|dailyLimit)Exceeded/i.test(responseText)
  if (status >= 500 || status === 429 || isRateLimited) return `the service was busy (${status})`
  if (status === 403 && /insufficient|accessNotConfigured/i.test(responseText))
    return 'the token, or the service, was not allowed'
  if (responseHeaders.get('content-type')?.startsWith('multipart/')) return 'it is a batch'
  return undefined
}

/** Returns the unescaped segments of a path below `/calendar/v3/`. The path must contain that. */
const pathOf = ({ url }: Exchange): string[] =>
  url.pathname
    .slice(url.pathname.search(API) + '/calendar/v3/'.length)
    .split('/')
    .map(decodeSegment)

/** Decodes percent escapes. Returns a segment with invalid ones as it is. */
function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
