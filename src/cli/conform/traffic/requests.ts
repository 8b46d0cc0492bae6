import { parseJson } from './formats.ts'
import { type Exchange, textAt } from './recording.ts'

/** A request to the API, with the unescaped segments of its path below `/calendar/v3`. */
export type RecordedRequest = { exchange: Exchange; path: readonly string[]; caller: string }

/** An exchange that cannot be replayed, and the reason. */
export type SkippedExchange = { exchange: Exchange; because: string }

/** Splits the exchanges of a recording into those that can be replayed and others. */
export function selectRequests(exchanges: readonly Exchange[]): {
  requests: RecordedRequest[]
  leftOut: SkippedExchange[]
} {
  const requests: RecordedRequest[] = []
  const leftOut: SkippedExchange[] = []
  const issued = new Set<string>()
  for (const exchange of exchanges) {
    const because = skipReason(exchange) ?? (requiresEarlier(exchange, issued) ? BEFORE : undefined)
    if (because !== undefined) {
      leftOut.push({ exchange, because })
      continue
    }
    requests.push({ exchange, path: pathOf(exchange), caller: exchange.headers.get('authorization') ?? '' })
    for (const name of ['nextSyncToken', 'nextPageToken', 'resourceId']) issued.add(textAt(exchange.answer, name) ?? '')
  }
  return { requests, leftOut }
}

export const BEFORE = 'its token, or its channel, is from before the recording'

/** Returns true for a successful request with a token, or a channel, that no earlier response issued. */
function requiresEarlier({ url, status, body }: Exchange, issued: ReadonlySet<string>): boolean {
  const tokens = ['syncToken', 'pageToken'].flatMap((name) => url.searchParams.get(name) || [])
  if (url.pathname.endsWith('/channels/stop') && status < 300)
    tokens.push(textAt(parseJson(body ?? ''), 'resourceId') ?? '')
  return (status < 300 || status === 410) && tokens.some((token) => !issued.has(token))
}

const API = /\/calendar\/v3\//

function skipReason({ url, status, responseHeaders, text }: Exchange): string | undefined {
  if (!API.test(url.pathname)) return 'it is not of the API'
  if (status >= 500 || status === 429 || /(rateLimit|quota|dailyLimit)Exceeded/i.test(text))
    return `the service was busy (${status})`
  if (status === 403 && /insufficient|accessNotConfigured/i.test(text))
    return 'the token, or the service, was not allowed'
  if (responseHeaders.get('content-type')?.startsWith('multipart/')) return 'it is a batch'
  return undefined
}

const pathOf = ({ url }: Exchange): string[] =>
  url.pathname
    .slice(url.pathname.search(API) + '/calendar/v3/'.length)
    .split('/')
    .map(decodeSegment)

function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
