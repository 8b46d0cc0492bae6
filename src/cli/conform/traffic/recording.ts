import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { isObject } from '../matchers.ts'

/** A request to the service and how it was answered. */
export type Exchange = {
  verb: string
  url: URL
  /** By their names in lower case. */
  headers: ReadonlyMap<string, string>
  body: string | undefined
  status: number
  /** The answer's headers, by their names in lower case. */
  said: ReadonlyMap<string, string>
  /** The answer's JSON; none where it was none. */
  answer: unknown
  text: string
}

/** What is read of data that anybody may have written: parts that are not there are undefined. */
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

/** An exchange of the parts that every form of recording has; none where they make no request. */
export function exchangeOf(parts: {
  verb: unknown
  url: string | undefined
  headers: ReadonlyMap<string, string>
  body: string | undefined
  status: unknown
  said: ReadonlyMap<string, string>
  content: Uint8Array | string
}): Exchange | undefined {
  const { verb, url, headers, body, said, content } = parts
  if (typeof verb !== 'string' || url === undefined || !URL.canParse(url)) return undefined
  const text = typeof content === 'string' ? content : Buffer.from(unpacked(content, said)).toString('utf8')
  const answer = jsonOf(text)
  return {
    verb: verb.toUpperCase(),
    url: new URL(url),
    headers,
    body,
    status: Number(parts.status),
    said,
    answer,
    text,
  }
}

/** Recorders keep a body as it came, though some unpack it and leave the header. */
function unpacked(bytes: Uint8Array, said: ReadonlyMap<string, string>): Uint8Array {
  const encoding = said.get('content-encoding')
  try {
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) return gunzipSync(bytes)
    if (encoding === 'br') return brotliDecompressSync(bytes)
    if (encoding === 'deflate') return inflateSync(bytes)
  } catch {
    // It was unpacked before.
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

/** Headers from `[{ name, value }]`, or from an object whose values are texts or lists of them. */
export function headersOf(said: unknown): Map<string, string> {
  const pairs = Array.isArray(said)
    ? said.map((one) => [textAt(one, 'name'), at(one, 'value')])
    : Object.entries(isObject(said) ? said : {})
  return new Map(
    pairs.flatMap(([name, value]) =>
      typeof name === 'string' && value !== undefined ? [[name.toLowerCase(), [value].flat().join(', ')] as const] : [],
    ),
  )
}
