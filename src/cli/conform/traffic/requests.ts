import type { Exchange } from './recording.ts'

/** A request of the API: what stands in its path below `/calendar/v3`, not escaped. */
export type RecordedRequest = { exchange: Exchange; path: readonly string[]; caller: string }

/** Why an exchange cannot be played. */
export type SkippedExchange = { exchange: Exchange; because: string }

/** Those of a recording that can be played, and those that cannot. */
export function selectRequests(exchanges: readonly Exchange[]): {
  asked: RecordedRequest[]
  leftOut: SkippedExchange[]
} {
  const asked: RecordedRequest[] = []
  const leftOut: SkippedExchange[] = []
  for (const exchange of exchanges) {
    const because = skipReason(exchange)
    if (because !== undefined) leftOut.push({ exchange, because })
    else asked.push({ exchange, path: pathOf(exchange), caller: exchange.headers.get('authorization') ?? '' })
  }
  return { asked, leftOut }
}

const API = /\/calendar\/v3\//

function skipReason({ url, status, said, text }: Exchange): string | undefined {
  if (!API.test(url.pathname)) return 'it is not of the API'
  if (status >= 500 || status === 429 || /(rateLimit|quota|dailyLimit)Exceeded/i.test(text))
    return `the service was busy (${status})`
  if (status === 403 && /insufficient|accessNotConfigured/i.test(text))
    return 'the token, or the service, was not allowed'
  if (said.get('content-type')?.startsWith('multipart/')) return 'it is a batch'
  return undefined
}

const pathOf = ({ url }: Exchange): string[] =>
  url.pathname
    .slice(url.pathname.search(API) + '/calendar/v3/'.length)
    .split('/')
    .map(decoded)

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
