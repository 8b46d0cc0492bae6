import { isTooDeep } from '../../../seeds/parseSeed.ts'
import { isObject } from '../matchers.ts'
import { at, type Exchange, exchangeOf, headersOf, listAt, textAt } from './recording.ts'

/** Thrown for a recording in an unknown format. */
export class UnknownFormat extends Error {}

/** Returns the exchanges of a recording in order. Formats: HAR (also of Polly), nock, and VCR of Ruby or Python. */
export async function parseRecording(text: string): Promise<Exchange[]> {
  const data = parseJson(text) ?? (await parseYaml(text))
  const form = FORMATS.find(({ list }) => Array.isArray(list(data)))
  if (isTooDeep(data)) throw new UnknownFormat('it is nested too deep')
  if (!form) throw new UnknownFormat('unknown format (expected HAR, nock, Polly or VCR)')
  return listAt({ list: form.list(data) }, 'list').flatMap((one) => form.read(one) ?? [])
}

type RecordingFormat = { list: (data: unknown) => unknown; read: (one: unknown) => Exchange | undefined }

const FORMATS: readonly RecordingFormat[] = [
  { list: (data) => at(data, 'log', 'entries'), read: fromHar },
  {
    list: (data) => (Array.isArray(data) && data.some((one) => at(one, 'scope') !== undefined) ? data : undefined),
    read: fromNock,
  },
  { list: (data) => at(data, 'http_interactions'), read: fromCassette },
  { list: (data) => at(data, 'interactions'), read: fromCassette },
]

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}

async function parseYaml(text: string): Promise<unknown> {
  const { parse } = await import('yaml')
  try {
    // Ruby cassettes contain class names, which are ignored; Python cassettes contain bodies in base64.
    return parse(text, { logLevel: 'silent', customTags: ['binary'] })
  } catch {
    return undefined
  }
}

/** Polly stores a compressed body as a JSON list of base64 texts. */
function fromHar(entry: unknown): Exchange | undefined {
  const responseHeaders = headersOf(at(entry, 'response', 'headers'))
  const text = textAt(entry, 'response', 'content', 'text') ?? ''
  const inBase64 = textAt(entry, 'response', 'content', 'encoding') === 'base64'
  const chunks = text.startsWith('["') ? listAt({ list: parseJson(text) }, 'list') : [text]
  return exchangeOf({
    verb: at(entry, 'request', 'method'),
    url: textAt(entry, 'request', 'url'),
    headers: headersOf(at(entry, 'request', 'headers')),
    body: textAt(entry, 'request', 'postData', 'text'),
    status: at(entry, 'response', 'status'),
    responseHeaders,
    content: inBase64 ? Buffer.concat(chunks.map((chunk) => Buffer.from(String(chunk), 'base64'))) : text,
  })
}

/** A compressed response is a list of hexadecimal chunks; JSON is stored as JSON. */
function fromNock(one: unknown): Exchange | undefined {
  const responseHeaders =
    at(one, 'rawHeaders') === undefined ? headersOf(at(one, 'headers')) : rawHeaders(at(one, 'rawHeaders'))
  const response = at(one, 'response')
  const isPacked = Array.isArray(response) && responseHeaders.has('content-encoding')
  return exchangeOf({
    verb: at(one, 'method'),
    url: `${textAt(one, 'scope')}${textAt(one, 'path')}`,
    headers: headersOf(at(one, 'reqheaders')),
    body: asText(at(one, 'body')),
    status: at(one, 'status'),
    responseHeaders,
    content: isPacked ? Buffer.from(response.join(''), 'hex') : (asText(response) ?? ''),
  })
}

/** Parses headers in the form of Node: alternating names and values, or an object. */
function rawHeaders(headers: unknown): Map<string, string> {
  if (!Array.isArray(headers) || isObject(headers[0])) return headersOf(headers)
  const pairs = headers.flatMap((name, index) => (index % 2 === 0 ? [{ name, value: headers[index + 1] }] : []))
  return headersOf(pairs)
}

function asText(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/**
 * Ruby and Python both use `status.code` and `uri`. The body is under `string` or `base64_string`, or is a text itself.
 */
function fromCassette(one: unknown): Exchange | undefined {
  const content = contentOf(at(one, 'response', 'body'))
  const body = contentOf(at(one, 'request', 'body'))
  return exchangeOf({
    verb: at(one, 'request', 'method'),
    url: textAt(one, 'request', 'uri'),
    headers: headersOf(at(one, 'request', 'headers')),
    body: body.length > 0 ? Buffer.from(body).toString('utf8') : undefined,
    status: at(one, 'response', 'status', 'code'),
    responseHeaders: headersOf(at(one, 'response', 'headers')),
    content,
  })
}

function contentOf(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body
  if (typeof body === 'string') return Buffer.from(body)
  const inBase64 = textAt(body, 'base64_string')
  if (inBase64 !== undefined) return Buffer.from(inBase64, 'base64')
  const text = at(body, 'string')
  return text instanceof Uint8Array ? text : Buffer.from(typeof text === 'string' ? text : '')
}
