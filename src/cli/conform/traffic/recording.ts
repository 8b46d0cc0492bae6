import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { isObject } from '../../../schema/values/json.ts'

/** A recorded request and its response, to any host. */
export type Exchange = {
  /** The HTTP method in upper case. */
  verb: string
  url: URL
  /** The request headers by lower-case names. Several values of one header are joined by `, `. */
  requestHeaders: ReadonlyMap<string, string>
  /** The body as it was sent; undefined if the recording has none. */
  requestBody: string | undefined
  /** The status code; NaN if the recording has none. */
  status: number
  /** The response headers in the form of `requestHeaders`. */
  responseHeaders: ReadonlyMap<string, string>
  /** The parsed response body; undefined if it is not JSON. */
  responseJson: unknown
  /** The decompressed response body; empty without one. */
  responseText: string
}

/**
 * Reads a value in unvalidated data. A string of the path selects an own key of an object, a number an element of an
 * array. Returns undefined if a part is missing.
 */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>((part, name) => {
    if (Array.isArray(part)) return typeof name === 'number' ? part[name] : undefined
    return isObject(part) && Object.hasOwn(part, name) ? part[String(name)] : undefined
  }, value)
}

/** Reads a string in unvalidated data, by a path like that of `at`. Returns undefined for anything else. */
export const textAt = (value: unknown, ...path: (string | number)[]): string | undefined => {
  const found = at(value, ...path)
  return typeof found === 'string' ? found : undefined
}

/** Reads an array in unvalidated data, by a path like that of `at`. Returns an empty one for anything else. */
export const listAt = (value: unknown, ...path: (string | number)[]): readonly unknown[] => {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}

/**
 * Returns an exchange from the unvalidated parts that every format has; undefined if `verb` is not a string or `url` is
 * not an absolute URL. A `responseBody` of bytes may be compressed.
 */
export function toExchange(parts: {
  verb: unknown
  url: string | undefined
  requestHeaders: ReadonlyMap<string, string>
  requestBody: string | undefined
  status: unknown
  responseHeaders: ReadonlyMap<string, string>
  responseBody: Uint8Array | string
}): Exchange | undefined {
  const { verb, url, requestHeaders: headers, requestBody: body, responseHeaders, responseBody: content } = parts
  if (typeof verb !== 'string' || url === undefined || !URL.canParse(url)) return undefined
  const responseText =
    typeof content === 'string' ? content : Buffer.from(decompress(content, responseHeaders)).toString('utf8')
  const responseJson = parseJson(responseText)
  return {
    verb: verb.toUpperCase(),
    url: new URL(url),
    requestHeaders: headers,
    requestBody: body,
    status: Number(parts.status),
    responseHeaders,
    responseJson,
    responseText,
  }
}

/** Decompresses gzip, brotli and deflate. Returns other bytes as they are: some recorders decompress, but keep the header. */
function decompress(bytes: Uint8Array, responseHeaders: ReadonlyMap<string, string>): Uint8Array {
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

/** Returns the data; undefined if the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns headers by lower-case names, from `[{ name, value }]` or from an object of strings or lists of strings. */
export function parseHeaders(headers: unknown): Map<string, string> {
  const pairs = Array.isArray(headers)
    ? headers.map((one) => [textAt(one, 'name'), at(one, 'value')])
    : Object.entries(isObject(headers) ? headers : {})
  return new Map(
    pairs.flatMap(([name, value]) =>
      typeof name === 'string' && value !== undefined ? [[name.toLowerCase(), [value].flat().join(', ')] as const] : [],
    ),
  )
}
