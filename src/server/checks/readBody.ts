import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { ApiError, apiError, throwApiError } from '../../schema/apiErrors.ts'
import type { RawBody, RequestContext } from '../requestContext.ts'

const MAX_BODY_BYTES = 10 * 1024 * 1024

const NO_BODY: RawBody = { text: '', isForm: false }

/** Returns true unless the verb is GET, HEAD or DELETE, whose bodies are ignored. */
export const mayHaveBody = ({ verb }: RequestContext): boolean => verb !== 'GET' && verb !== 'HEAD' && verb !== 'DELETE'

/** Reads the body of a request. An error is kept until a check needs the body. */
export async function readBody(context: RequestContext): Promise<void> {
  const { request } = context
  const isForm = isFormEncoded(request)
  try {
    context.text = await readText(request)
    context.rawBody = { text: context.text, isForm }
  } catch (error) {
    context.rawBody = { text: '', isForm, error }
  }
}

/** Returns the text of a raw body. Throws the error that occurred while reading it. */
export function textOf({ text, error }: RawBody = NO_BODY): string {
  if (error) throw error
  return text
}

export const isFormEncoded = ({ headers }: Request): boolean =>
  headers.get('Content-Type')?.toLowerCase().startsWith('application/x-www-form-urlencoded') ?? false

/** Reads a body as text. Throws `bodyTooLarge` above 10 MB, and `parseError` if the client disconnects. */
export const readText = (request: Request): Promise<string> =>
  read(
    request,
    (body) => body.text(),
    (text) => Buffer.byteLength(text),
  )

/** Reads a body as bytes, with the same errors. */
export const readBytes = async (request: Request): Promise<Uint8Array> =>
  new Uint8Array(
    await read(
      request,
      (body) => body.arrayBuffer(),
      ({ byteLength }) => byteLength,
    ),
  )

/**
 * Only a body of unknown length (chunked or compressed) is read as a stream that stops at the limit, because that takes twice
 * as long.
 */
async function read<T>(request: Request, take: (body: Request) => Promise<T>, sizeOf: (body: T) => number): Promise<T> {
  const { headers } = request
  if (Number(headers.get('Content-Length') ?? 0) > MAX_BODY_BYTES) throw apiError('bodyTooLarge')
  try {
    const hasLength = !headers.has('Content-Encoding') && !headers.has('Transfer-Encoding')
    const body = await take(hasLength ? request : await limited(decode(request)))
    return sizeOf(body) > MAX_BODY_BYTES ? throwApiError('bodyTooLarge') : body
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw apiError('parseError')
  }
}

const limit = bodyLimit({ maxSize: MAX_BODY_BYTES, onError: () => throwApiError('bodyTooLarge') })

/** Returns a request whose body is read up to the limit. The middleware of Hono uses only the request of its context. */
async function limited(raw: Request): Promise<Request> {
  const context = { req: { raw } }
  await limit(context as Context, async () => undefined)
  return context.req.raw
}

/** Returns a request with its body decompressed. Google's Java client compresses every body. */
function decode({ url, method, headers: sent, body }: Request): Request {
  const headers = new Headers([...sent].filter(([name]) => !/^content-(encoding|length)$/i.test(name)))
  const encoding = sent.get('Content-Encoding')?.trim().toLowerCase() || 'identity'
  const plain = encoding === 'identity' ? body : body?.pipeThrough(new DecompressionStream(formatOf(encoding)))
  const init = { method, headers, body: plain ?? null, duplex: 'half' }
  return new Request(url, init)
}

const FORMATS = new Map<string, CompressionFormat>([
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
])
const formatOf = (encoding: string): CompressionFormat => FORMATS.get(encoding) ?? throwApiError('parseError')
