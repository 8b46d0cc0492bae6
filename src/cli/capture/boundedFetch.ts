import { type Fetch, PermanentError } from './retryingFetch.ts'

const TIMEOUT_MS = 30_000
const BODILESS_STATUSES = [204, 205, 304]

/** The body ended before it was complete. A retry can succeed. */
export class CutBodyError extends Error {}

/**
 * Reads each body to its end before it resolves, and does not follow redirects. Rejects with a PermanentError if the
 * response is too late, and with a CutBodyError for an incomplete body.
 */
export const boundedFetch =
  (fetch: Fetch, createTimeout = () => AbortSignal.timeout(TIMEOUT_MS)): Fetch =>
  async (input, init) => {
    const timeout = createTimeout()
    const failLate = (error: unknown): never => {
      throw timeout.aborted ? new PermanentError(`no answer within ${TIMEOUT_MS / 1000} s`) : error
    }
    const response = await fetch(input, { ...init, redirect: 'manual', signal: timeout }).catch(failLate)
    const { status, headers } = response
    const body = await response
      .arrayBuffer()
      .catch(() => failLate(new CutBodyError('the body was cut off (the connection was closed)')))
    return new Response(BODILESS_STATUSES.includes(status) ? null : body, { status, headers })
  }

const MIN_TOKEN_LENGTH = 6
const MAX_REPORTED_LENGTH = 500

/** Keeps at most 500 characters, with a space for control and direction characters. */
export function toReportedLine(text: string): string {
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
