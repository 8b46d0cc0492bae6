/** `private` must be revalidated, `hour` is for colours, `none` is not cached (behaviour 11.4). */
export type Cache = 'private' | 'hour' | 'none'

const COMMON = {
  Vary: 'Origin, X-Origin, Referer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'SAMEORIGIN',
  'X-XSS-Protection': '0',
  Server: 'ESF',
}

const LONG_AGO = 'Mon, 01 Jan 1990 00:00:00 GMT'

const formatHttpDate = (instant: number): string => new Date(instant).toUTCString()

/** Headers at an instant in epoch milliseconds. */
const CACHING: Record<Cache, (now: number) => Record<string, string>> = {
  private: (now) => ({
    'Cache-Control': 'private, max-age=0, must-revalidate, no-transform',
    Expires: formatHttpDate(now),
  }),
  hour: (now) => ({
    'Cache-Control': 'private, max-age=3600, must-revalidate, no-transform',
    Expires: formatHttpDate(now), // The service sends this although max-age is an hour (behaviour 11.4.1).
  }),
  none: () => ({
    'Cache-Control': 'no-cache, no-store, max-age=0, must-revalidate',
    Pragma: 'no-cache',
    Expires: LONG_AGO,
  }),
}

type Headers = Readonly<Record<string, string>>

type CachedHeaders = { second: number; headers: Headers; tagged: Headers }

const cachedHeaders = new Map<Cache, CachedHeaders>()

/**
 * The headers are shared: do not write to them. An etag gets a copy of `tagged`, because replacing a field of a copy is twenty
 * times faster than adding one.
 */
function createHeaders(cache: Cache, now: number, etag?: string): Headers {
  const second = Math.floor(now / 1000)
  const known = cachedHeaders.get(cache)
  const { headers, tagged } = known?.second === second ? known : renewHeaders(cache, now, second)
  return etag === undefined ? headers : { ...tagged, ETag: etag }
}

function renewHeaders(cache: Cache, now: number, second: number): CachedHeaders {
  const headers = {
    ...COMMON,
    Date: formatHttpDate(now),
    ...CACHING[cache](now),
    'Content-Type': 'application/json; charset=UTF-8',
  }
  const made = { second, headers, tagged: { ...headers, ETag: '' } }
  cachedHeaders.set(cache, made)
  return made
}

/** Hints and faults change it before a Response is constructed. A null text is no body. */
export type ApiResponse = { readonly status: number; readonly headers: Headers; readonly text: Text | null }

type ResponseClass = { Response?: typeof Response | undefined }

/** The class on a socket is the adapter's own, which is written without being read. */
export const toResponse = (
  { status, headers, text }: ApiResponse,
  { Response: SocketResponse }: ResponseClass = {},
): Response =>
  SocketResponse
    ? new SocketResponse(text === null ? null : toPayload(text, takeBuffer), { status, headers })
    : new Response(text === null ? null : toPayload(text), { status, headers })

export type ResponseOptions = {
  status?: number
  /** The time by the world's clock, in epoch milliseconds. */
  now: number
  cache: Cache
  indent: number
  etag?: string | undefined
  headers?: Headers
}

/**
 * `headers` replace those of the service (behaviour 11.3). They are a plain record, because a Headers adds half of
 * the cost.
 */
export function jsonResponse(
  body: object,
  { status = 200, now, cache, indent, etag, headers: more }: ResponseOptions,
): ApiResponse {
  const headers = createHeaders(cache, now, etag)
  return { status, headers: more ? { ...headers, ...more } : headers, text: formatJson(body, indent) }
}

/** 204 has a Content-Length, which some clients need (behaviour 11.7); 304 has the etag. */
export function emptyResponse(status: 204 | 304, { now, etag }: { now: number; etag?: string }): ApiResponse {
  const { 'Content-Type': _, ...headers } = createHeaders(status === 204 ? 'none' : 'private', now)
  return {
    status,
    headers: { ...headers, ...(status === 204 && { 'Content-Length': '0' }), ...(etag && { ETag: etag }) },
    text: null,
  }
}

export type Awaitable<T> = T | Promise<T>

/**
 * Strings and UTF-8 bytes. Several responses share the parts, because the journal keeps many responses, and a copy of the bytes
 * for each would cost memory and garbage collection.
 */
export class TextParts {
  readonly #parts: readonly (string | Buffer)[]
  readonly length: number

  constructor(parts: readonly (string | Buffer)[]) {
    this.#parts = parts
    this.length = parts.reduce((sum, part) => sum + sizeOf(part), 0)
  }

  bytes(take: TakeBuffer = Buffer.allocUnsafe): Buffer<ArrayBuffer> {
    const bytes = take(this.length)
    let at = 0
    for (const part of this.#parts) {
      if (typeof part === 'string') at += bytes.write(part, at)
      else {
        bytes.set(part, at)
        at += part.length
      }
    }
    return bytes
  }

  start(max: number): TextParts {
    const parts: (string | Buffer)[] = []
    let left = max
    for (const part of this.#parts) {
      const size = sizeOf(part)
      if (size > left) return new TextParts([...parts, copyStart(part, left)])
      parts.push(part)
      left -= size
    }
    return this
  }
}

function copyStart(part: string | Buffer, max: number): Buffer {
  const bytes = typeof part === 'string' ? Buffer.from(part) : part
  let end = max
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return Buffer.from(bytes.subarray(0, end))
}

const sizeOf = (part: string | Buffer): number => (typeof part === 'string' ? Buffer.byteLength(part) : part.length)

export type Text = string | TextParts

export const toPayload = (text: Text, take?: TakeBuffer): string | Buffer<ArrayBuffer> =>
  typeof text === 'string' ? text : text.bytes(take)

type TakeBuffer = (length: number) => Buffer<ArrayBuffer>

const MIN_REUSED_BYTES = 16_384
const MAX_REUSED_BYTES = 1_048_576
const MAX_IDLE_BUFFERS = 8
/** Buffers for the bodies of sockets. A new one for each page took a quarter of its cost. */
const idleBuffers: Buffer<ArrayBuffer>[] = []
const lentMemory = new WeakSet<ArrayBufferLike>()

function takeBuffer(length: number): Buffer<ArrayBuffer> {
  if (length < MIN_REUSED_BYTES || length > MAX_REUSED_BYTES) return Buffer.allocUnsafe(length)
  const whole = idleBuffers.pop() ?? Buffer.allocUnsafeSlow(MAX_REUSED_BYTES)
  lentMemory.add(whole.buffer)
  return whole.subarray(0, length)
}

/** Lets the buffer of a body be used again, once the socket has sent it. Other buffers are ignored. */
export function releaseBuffer({ buffer }: Buffer): void {
  const isLent = lentMemory.delete(buffer)
  if (isLent && idleBuffers.length < MAX_IDLE_BUFFERS) idleBuffers.push(Buffer.from(buffer as ArrayBuffer))
}

export const readAsText = (text: Text): string => (typeof text === 'string' ? text : text.bytes().toString())

/** The text at the index `indent * 2` as a whole body, at `indent * 2 + 1` the bytes as an item of a list. */
type Texts = { [index: number]: string | Buffer }

let cached = new WeakMap<object, Texts>()
let cachedCharacters = 0
const MAX_CACHED_CHARACTERS = 16_000_000

/** Objects in the resource must not change either. */
export function cachedJson<T extends object>(resource: T): T {
  if (!cached.has(resource)) cached.set(Object.freeze(resource), {})
  return resource
}

/**
 * Formats like `JSON.stringify(body, null, indent)`, with a line end. The JSON of cached objects is reused: of the
 * body itself, and of the items of its lists. Items are cached as bytes, because concatenating those takes a quarter
 * of the time of joining and encoding strings.
 */
export function formatJson(body: object, indent: number): Text {
  const texts = cached.get(body)
  if (texts) {
    const known = texts[indent * 2]
    if (typeof known === 'string') return known
    const text = `${JSON.stringify(body, null, indent)}\n`
    cacheText(texts, indent * 2, text)
    return text
  }
  const fields = Object.entries(body)
  if (!fields.some(([, value]) => isListOfCached(value))) return `${JSON.stringify(body, null, indent)}\n`
  const parts: (string | Buffer)[] = []
  let head = '{'
  for (const [name, value] of fields) {
    const items = isListOfCached(value) ? value : undefined
    const text = items ? '[' : jsonAt(value, indent, 1)
    if (text === undefined) continue
    head += `${head === '{' && parts.length === 0 ? '' : ','}${lineBreakAt(indent, 1)}${JSON.stringify(name)}${indent === 0 ? ':' : ': '}${text}`
    if (!items) continue
    parts.push(head)
    pushItems(parts, items, indent)
    head = `${lineBreakAt(indent, 1)}]`
  }
  parts.push(`${head}${lineBreakAt(indent, 0)}}\n`)
  return new TextParts(parts)
}

const isListOfCached = (value: unknown): value is unknown[] => Array.isArray(value) && cached.has(value[0])

function pushItems(parts: (string | Buffer)[], items: readonly unknown[], indent: number): void {
  let isFirst = true
  for (const item of items) {
    const bytes = itemBytesOf(item, indent)
    parts.push(isFirst ? bytes.subarray(1) : bytes)
    isFirst = false
  }
}

const lineBreakAt = (indent: number, depth: number): string => (indent === 0 ? '' : `\n${' '.repeat(indent * depth)}`)

function itemBytesOf(item: unknown, indent: number): Buffer {
  const texts = cached.get(item as object)
  const index = indent * 2 + 1
  const known = texts?.[index]
  if (typeof known === 'object') return known
  const bytes = Buffer.from(`,${lineBreakAt(indent, 2)}${jsonAt(item, indent, 2) ?? 'null'}`)
  if (texts) cacheText(texts, index, bytes)
  return bytes
}

function cacheText(texts: Texts, index: number, text: string | Buffer): void {
  cachedCharacters += text.length
  if (cachedCharacters > MAX_CACHED_CHARACTERS) {
    cached = new WeakMap()
    cachedCharacters = 0
  } else texts[index] = text
}

/**
 * `split` and `join` instead of `replace`, because V8 stores the result of `replace` in pieces, and joining those
 * again takes ten times as long.
 */
function jsonAt(value: unknown, indent: number, depth: number): string | undefined {
  const text = JSON.stringify(value, null, indent)
  return indent === 0 ? text : text?.split('\n').join(lineBreakAt(indent, depth))
}
