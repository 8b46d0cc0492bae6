import { type Fetch, PermanentError } from './retryingFetch.ts'

const TIMEOUT_MS = 30_000
const MAX_BODY_BYTES = 64 * 2 ** 20
const BODILESS_STATUSES = [204, 205, 304]

/** The body ended before it was complete. A retry can succeed. */
export class CutBodyError extends Error {}

export class LongBodyError extends PermanentError {}

/**
 * Reads each body to its end before it resolves, and does not follow redirects. Rejects with a PermanentError if the
 * response is too late, with a CutBodyError for an incomplete body, and with a LongBodyError for more than 64 MB, decompressed.
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
    const body = await readBoundedBody(response).catch((error: unknown) =>
      error instanceof LongBodyError
        ? Promise.reject(error)
        : failLate(new CutBodyError('the body was cut off (the connection was closed)')),
    )
    return new Response(BODILESS_STATUSES.includes(status) ? null : body, { status, headers })
  }

async function readBoundedBody({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body ?? []) {
    size += part.byteLength
    if (size > MAX_BODY_BYTES) throw new LongBodyError(`the body is longer than ${MAX_BODY_BYTES / 2 ** 20} MB`)
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts, size))
}

const MIN_TOKEN_LENGTH = 6

/** E-mail addresses and words of less than 6 characters are kept, because fakes accept them as tokens. */
export const removeTokens = (text: string, tokens: readonly (string | undefined)[]): string =>
  tokens.reduce<string>(
    (rest, token) =>
      token && token.length >= MIN_TOKEN_LENGTH && !token.includes('@') ? rest.replaceAll(token, '<token>') : rest,
    text,
  )
