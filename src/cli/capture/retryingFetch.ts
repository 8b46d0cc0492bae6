import { setTimeout } from 'node:timers/promises'
import { describeNetworkError } from '../../schema/values/networkError.ts'

export type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>

/** An error that is not retried, because a retry would fail in the same way. */
export class PermanentError extends Error {}

/** `tried` is the number of the failed try, from 1. */
export type Pause = { ms: number; tried: number; because: string }

export type RetryOptions = {
  tries?: number
  wait?: (ms: number) => Promise<unknown>
  onWait?: (pause: Pause) => void
}

const FIRST_PAUSE_MS = 1000
const MAX_PAUSE_MS = 32_000
const MAX_RETRY_AFTER_MS = 5 * 60_000

const RATE_LIMITS = new Set(['rateLimitExceeded', 'userRateLimitExceeded'])

/**
 * Retries any request whose rate is limited (429, or 403 with a rate limit), and a read that failed (5xx, or no connection). A
 * failed write may have been carried out, so it is not repeated. A PermanentError rejects at once. Pauses double from
 * 1 s to 32 s; `Retry-After` replaces them. The response to the last try is returned.
 */
export function retryingFetch(fetch: Fetch, { tries = 6, wait = setTimeout, onWait }: RetryOptions = {}): Fetch {
  return async (input, init) => {
    const reads = /^(GET|HEAD)$/i.test(init?.method ?? 'GET')
    for (let tried = 1; ; tried++) {
      const last = tried >= tries
      const answer = await fetch(input, init).catch((error: unknown) => {
        if (last || !reads || error instanceof PermanentError) throw error
        return describeNetworkError(error)
      })
      const because = answer instanceof Response ? await findRetryReason(answer, reads) : answer
      if (answer instanceof Response && (because === undefined || last)) return answer
      const ms = computePauseMs(answer, tried)
      if (answer instanceof Response && ms > MAX_RETRY_AFTER_MS) return answer
      if (answer instanceof Response) await answer.body?.cancel()
      onWait?.({ ms, tried, because: because ?? '' })
      await wait(ms)
    }
  }
}

async function findRetryReason(answer: Response, reads: boolean): Promise<string | undefined> {
  if (answer.status === 429 || (answer.status >= 500 && reads)) return String(answer.status)
  if (answer.status !== 403) return undefined
  const reason = findErrorReason(await answer.clone().text())
  return reason !== undefined && RATE_LIMITS.has(reason) ? `403 ${reason}` : undefined
}

function findErrorReason(text: string): string | undefined {
  try {
    return JSON.parse(text)?.error?.errors?.[0]?.reason
  } catch {
    return undefined
  }
}

function computePauseMs(answer: Response | string, tried: number): number {
  const requested = answer instanceof Response ? parseRetryAfter(answer.headers) : undefined
  return requested ?? Math.min(FIRST_PAUSE_MS * 2 ** (tried - 1), MAX_PAUSE_MS)
}

/** Seconds or a date. A date is compared with the server's own date, so that the local clock does not matter. */
function parseRetryAfter(headers: Headers): number | undefined {
  const text = headers.get('Retry-After')
  if (text === null) return undefined
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const ms = Date.parse(text) - Date.parse(headers.get('Date') ?? '')
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0)
}
