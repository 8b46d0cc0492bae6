import { isObject } from '../../../schema/values/json.ts'
import { isTooDeep } from '../../../seeds/parseSeed.ts'
import { at, type Exchange, listAt, parseHeaders, textAt, toExchange } from './recording.ts'

/** Thrown for a recording that cannot be read. The message is a clause for the user. */
export class UnknownFormat extends Error {}

/**
 * Returns the exchanges of a recording in order, without entries that are no request. Formats: HAR (also of Polly),
 * nock, and VCR of Ruby or Python. Rejects with UnknownFormat if the text has none of them or is nested too deep.
 */
export async function parseRecording(text: string): Promise<Exchange[]> {
  const data = parseJson(text) ?? (await parseYaml(text))
  const form = FORMATS.find(({ list }) => Array.isArray(list(data)))
  if (isTooDeep(data)) throw new UnknownFormat('it is nested too deep')
  if (!form) throw new UnknownFormat('unknown format (expected HAR, nock, Polly or VCR)')
  return listAt({ list: form.list(data) }, 'list').flatMap((one) => form.read(one) ?? [])
}

/**
 * A format. `list` finds its entries in the parsed file, and returns no array for a file of another format. `read`
 * converts an entry, or returns undefined if it is no request.
 */
type RecordingFormat = { list: (data: unknown) => unknown; read: (one: unknown) => Exchange | undefined }

/** The formats, in the order in which they are tried: HAR, nock, VCR of Ruby, VCR of Python. */
const FORMATS: readonly RecordingFormat[] = [
  { list: (data) => at(data, 'log', 'entries'), read: fromHar },
  {
    list: (data) => (Array.isArray(data) && data.some((one) => at(one, 'scope') !== undefined) ? data : undefined),
    read: fromNock,
  },
  { list: (data) => at(data, 'http_interactions'), read: fromCassette },
  { list: (data) => at(data, 'interactions'), read: fromCassette },
]

/** Returns the parsed data, or undefined if the text is not JSON. A byte order mark is allowed. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}

/** Returns the parsed data, or undefined if the text is not YAML. */
async function parseYaml(text: string): Promise<unknown> {
  const { parse } = await import('yaml')
  try {
    // Ruby cassettes contain class names, which are ignored; Python cassettes contain bodies in base64.
    return parse(text, { logLevel: 'silent', customTags: ['binary'] })
  } catch {
    return undefined
  }
}

/**
 * Converts an entry of HAR; returns undefined if it is not a request. Polly stores a compressed body as a JSON list of base64
 * texts.
 */
function fromHar(entry: unknown): Exchange | undefined {
  const responseHeaders = parseHeaders(at(entry, 'response', 'headers'))
  const text = textAt(entry, 'response', 'content', 'text') ?? ''
  const inBase64 = textAt(entry, 'response', 'content', 'encoding') === 'base64'
  const chunks = text.startsWith('["') ? listAt({ list: parseJson(text) }, 'list') : [text]
  return toExchange({
    verb: at(entry, 'request', 'method'),
    url: textAt(entry, 'request', 'url'),
    requestHeaders: parseHeaders(at(entry, 'request', 'headers')),
    requestBody: textAt(entry, 'request', 'postData', 'text'),
    status: at(entry, 'response', 'status'),
    responseHeaders,
    responseBody: inBase64 ? Buffer.concat(chunks.map((chunk) => Buffer.from(String(chunk), 'base64'))) : text,
  })
}

/**
 * Converts an entry of nock; returns undefined if it is not a request. nock stores JSON bodies as JSON, and a compressed body
 * as a list of hexadecimal chunks.
 */
function fromNock(one: unknown): Exchange | undefined {
  const responseHeaders =
    at(one, 'rawHeaders') === undefined ? parseHeaders(at(one, 'headers')) : parseRawHeaders(at(one, 'rawHeaders'))
  const response = at(one, 'response')
  const isPacked = Array.isArray(response) && responseHeaders.has('content-encoding')
  return toExchange({
    verb: at(one, 'method'),
    url: `${textAt(one, 'scope')}${textAt(one, 'path')}`,
    requestHeaders: parseHeaders(at(one, 'reqheaders')),
    requestBody: asText(at(one, 'body')),
    status: at(one, 'status'),
    responseHeaders,
    responseBody: isPacked ? Buffer.from(response.join(''), 'hex') : (asText(response) ?? ''),
  })
}

/**
 * Returns headers by lower-case names, from an array of alternating names and values, or from the forms of
 * `parseHeaders`.
 */
function parseRawHeaders(headers: unknown): Map<string, string> {
  if (!Array.isArray(headers) || isObject(headers[0])) return parseHeaders(headers)
  const pairs = headers.flatMap((name, index) => (index % 2 === 0 ? [{ name, value: headers[index + 1] }] : []))
  return parseHeaders(pairs)
}

/** Returns a body as it was sent: a text as it is, other data as JSON; undefined for none. */
function asText(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Converts an interaction of VCR; returns undefined if it is not a request. Ruby and Python both use `status.code` and `uri`. */
function fromCassette(one: unknown): Exchange | undefined {
  const content = contentOf(at(one, 'response', 'body'))
  const body = contentOf(at(one, 'request', 'body'))
  return toExchange({
    verb: at(one, 'request', 'method'),
    url: textAt(one, 'request', 'uri'),
    requestHeaders: parseHeaders(at(one, 'request', 'headers')),
    requestBody: body.length > 0 ? Buffer.from(body).toString('utf8') : undefined,
    status: at(one, 'response', 'status', 'code'),
    responseHeaders: parseHeaders(at(one, 'response', 'headers')),
    responseBody: content,
  })
}

/**
 * Returns the bytes of a body of VCR: under `base64_string` or `string`, or the body itself; none if it has another
 * form.
 */
function contentOf(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body
  if (typeof body === 'string') return Buffer.from(body)
  const inBase64 = textAt(body, 'base64_string')
  if (inBase64 !== undefined) return Buffer.from(inBase64, 'base64')
  const text = at(body, 'string')
  return text instanceof Uint8Array ? text : Buffer.from(typeof text === 'string' ? text : '')
}
