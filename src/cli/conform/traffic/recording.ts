import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { isObject } from '../matchers.ts'

/** A request to the service and its response. */
export type Exchange = {
  verb: string
  url: URL
  /** By lower-case names. */
  headers: ReadonlyMap<string, string>
  body: string | undefined
  status: number
  /** The response headers by lower-case names. */
  responseHeaders: ReadonlyMap<string, string>
  /** The JSON of the response; undefined without JSON. */
  answer: unknown
  text: string
}

/** Reads a path in unvalidated data. Returns undefined for missing parts. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>((part, name) => {
    if (Array.isArray(part)) return typeof name === 'number' ? part[name] : undefined
    return isObject(part) && Object.hasOwn(part, name) ? part[String(name)] : undefined
  }, value)
}

export const textAt = (value: unknown, ...path: (string | number)[]): string | undefined => {
  const found = at(value, ...path)
  return typeof found === 'string' ? found : undefined
}

export const listAt = (value: unknown, ...path: (string | number)[]): readonly unknown[] => {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}

/** Returns an exchange from the parts that every format has; undefined if they are no request. */
export function exchangeOf(parts: {
  verb: unknown
  url: string | undefined
  headers: ReadonlyMap<string, string>
  body: string | undefined
  status: unknown
  responseHeaders: ReadonlyMap<string, string>
  content: Uint8Array | string
}): Exchange | undefined {
  const { verb, url, headers, body, responseHeaders, content } = parts
  if (typeof verb !== 'string' || url === undefined || !URL.canParse(url)) return undefined
  const text = typeof content === 'string' ? content : Buffer.from(unpacked(content, responseHeaders)).toString('utf8')
  const answer = jsonOf(text)
  return {
    verb: verb.toUpperCase(),
    url: new URL(url),
    headers,
    body,
    status: Number(parts.status),
    responseHeaders,
    answer,
    text,
  }
}

/** Decompresses a body if necessary. Some recorders decompress it but keep the header. */
function unpacked(bytes: Uint8Array, responseHeaders: ReadonlyMap<string, string>): Uint8Array {
  const encoding = responseHeaders.get('content-encoding')
  try {
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) return gunzipSync(bytes)
    if (encoding === 'br') return brotliDecompressSync(bytes)
    if (encoding === 'deflate') return inflateSync(bytes)
  } catch {
    // The body was decompressed before.
  }
  return bytes
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Parses headers from `[{ name, value }]`, or from an object of texts or lists of texts. */
export function headersOf(headers: unknown): Map<string, string> {
  const pairs = Array.isArray(headers)
    ? headers.map((one) => [textAt(one, 'name'), at(one, 'value')])
    : Object.entries(isObject(headers) ? headers : {})
  return new Map(
    pairs.flatMap(([name, value]) =>
      typeof name === 'string' && value !== undefined ? [[name.toLowerCase(), [value].flat().join(', ')] as const] : [],
    ),
  )
}
