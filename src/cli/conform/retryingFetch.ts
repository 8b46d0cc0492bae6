export type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>

/** An error that a second try would meet again. */
export class PermanentError extends Error {}

/** A pause before the same request goes out again: its length in ms, which try has failed (from 1), and why. */
export type Pause = { ms: number; tried: number; because: string }

export type RetryOptions = {
  /** How often a request goes out at most, the first time included; 6 unless said. */
  tries?: number
  /** How a pause of so many ms is passed; in real time unless said. */
  wait?: (ms: number, signal?: AbortSignal) => Promise<void>
  /** Told before each pause. */
  onWait?: (pause: Pause) => void
}

const FIRST_PAUSE_MS = 1000
const MAX_PAUSE_MS = 32_000
/** A server that asks for more is taken at its word, and not waited for: its answer is handed back. */
const MAX_RETRY_AFTER_MS = 5 * 60_000

const RATE_LIMITS = new Set(['rateLimitExceeded', 'userRateLimitExceeded'])

/**
 * A fetch that comes again after a pause where a server says that it was asked too much (403 for the rate, 429), and,
 * of a request that only reads, where it failed (5xx, or no connection). A write that failed may have been done, so its
 * answer is handed back as it is. Pauses double from 1 s to 32 s; `Retry-After` counts before them. The answer to the
 * last try is handed back, whatever it is; a connection that fails on the last try rejects.
 */
export function retryingFetch(fetch: Fetch, { tries = 6, wait = waitRealTime, onWait }: RetryOptions = {}): Fetch {
  return async (input, init) => {
    const reads = /^(GET|HEAD)$/i.test(init?.method ?? 'GET')
    const signal = init?.signal ?? undefined
    for (let tried = 1; ; tried++) {
      const last = tried >= tries
      const answer = await fetch(input, init).catch((error: unknown) => {
        if (last || !reads || signal?.aborted || error instanceof PermanentError) throw error
        return failureOf(error)
      })
      const because = answer instanceof Response ? await reasonToWait(answer, reads) : answer
      if (answer instanceof Response && (because === undefined || last)) return answer
      const ms = pauseMs(answer, tried)
      if (answer instanceof Response && ms > MAX_RETRY_AFTER_MS) return answer
      if (answer instanceof Response) await answer.body?.cancel()
      onWait?.({ ms, tried, because: because ?? '' })
      await wait(ms, signal)
    }
  }
}

const failureOf = (error: unknown): string =>
  error instanceof Error ? String(error.cause instanceof Error ? error.cause.message : error.message) : String(error)

async function reasonToWait(answer: Response, reads: boolean): Promise<string | undefined> {
  if (answer.status === 429 || (answer.status >= 500 && reads)) return String(answer.status)
  if (answer.status !== 403) return undefined
  const reason = reasonIn(await answer.clone().text())
  return reason !== undefined && RATE_LIMITS.has(reason) ? `403 ${reason}` : undefined
}

/** The reason of the first item of a refusal, in either of the service's shapes. */
function reasonIn(text: string): string | undefined {
  try {
    return JSON.parse(text)?.error?.errors?.[0]?.reason
  } catch {
    return undefined
  }
}

function pauseMs(answer: Response | string, tried: number): number {
  const asked = answer instanceof Response ? retryAfterMs(answer.headers) : undefined
  return asked ?? Math.min(FIRST_PAUSE_MS * 2 ** (tried - 1), MAX_PAUSE_MS)
}

/** `Retry-After`, seconds or a date, in ms. A date is held against the server's own, so that no clock of ours counts. */
function retryAfterMs(headers: Headers): number | undefined {
  const text = headers.get('Retry-After')
  if (text === null) return undefined
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const ms = Date.parse(text) - Date.parse(headers.get('Date') ?? '')
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0)
}

/** Rejects with the signal's reason as soon as it is aborted. */
function waitRealTime(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const given = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', given)
      resolve()
    }, ms)
    if (signal?.aborted) given()
    else signal?.addEventListener('abort', given, { once: true })
  })
}
