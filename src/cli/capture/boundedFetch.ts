import { type Fetch, PermanentError } from './retryingFetch.ts'

export type FetchBounds = {
  maxBytes?: number
  timeout?: () => AbortSignal
}

const MAX_BODY_BYTES = 64 * 2 ** 20
const TIMEOUT_MS = 30_000

const BODILESS_STATUSES = [204, 205, 304]
/** The body ended before it was complete. A retry can succeed. */
export class CutBodyError extends Error {
  constructor(bytes: number) {
    super(`the body was cut off after ${bytes} bytes (the connection was closed)`)
  }
}

/**
 * Reads each body to its end before it resolves, and does not follow redirects. Rejects with a PermanentError if the body is too
 * large, the response too late, or its status not from 200 to 599, because a retry would fail in the same way; with a
 * CutBodyError for an incomplete body.
 */
export const boundedFetch =
  (fetch: Fetch, { maxBytes = MAX_BODY_BYTES, timeout = createTimeoutSignal }: FetchBounds = {}): Fetch =>
  async (input, init) => {
    const signal = timeout()
    const timedOut = rejectOnAbort(signal, () => new PermanentError(`no answer within ${TIMEOUT_MS / 1000} s`))
    const signals = init?.signal ? [signal, init.signal] : [signal]
    const exchange = async () => {
      const response = await fetch(input, { ...init, redirect: 'manual', signal: AbortSignal.any(signals) })
      const { status, headers } = response
      if (status < 200 || status > 599) throw new PermanentError(`an answer with the status ${status}`)
      const bytes = await readLimitedBody(response, maxBytes)
      return new Response(BODILESS_STATUSES.includes(status) ? null : bytes, { status, headers })
    }
    return Promise.race([exchange(), timedOut])
  }

const createTimeoutSignal = (): AbortSignal => AbortSignal.timeout(TIMEOUT_MS)

function rejectOnAbort(signal: AbortSignal, error: () => Error): Promise<never> {
  const rejected = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(error())
    else signal.addEventListener('abort', () => reject(error()), { once: true })
  })
  rejected.catch(() => {})
  return rejected
}

async function readLimitedBody({ body }: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of body ?? []) {
      size += chunk.byteLength
      if (size > maxBytes) throw new PermanentError(`a body above ${Math.round(maxBytes / 2 ** 20)} MB`)
      chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof PermanentError ? error : new CutBodyError(size)
  }
  return Buffer.concat(chunks)
}

const MIN_TOKEN_LENGTH = 6
const MAX_REPORTED_LENGTH = 500

/** At most 500 characters, with a space for control and direction characters. */
export function toOneLine(text: string): string {
  const line = text.replace(/[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
  return line.length > MAX_REPORTED_LENGTH ? `${line.slice(0, MAX_REPORTED_LENGTH)}…` : line
}

/** E-mail addresses and words of less than 6 characters are kept, because fakes accept them as tokens. */
export const removeTokens = (text: string, tokens: readonly (string | undefined)[]): string =>
  tokens.reduce<string>(
    (rest, token) =>
      token && token.length >= MIN_TOKEN_LENGTH && !token.includes('@') ? rest.replaceAll(token, '<token>') : rest,
    text,
  )
