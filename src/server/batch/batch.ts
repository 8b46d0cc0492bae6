import { STATUS_CODES } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { errorResponse } from '../../http/errors.ts'
import { type ApiResponse, toResponse } from '../../http/reply.ts'
import { rootUrlOf } from '../../http/urls.ts'
import { digest } from '../../model/ids.ts'
import { ApiError, apiError, throwApiError } from '../../schema/apiErrors.ts'
import { readBytes } from '../checks/input.ts'
import { applyRequestFault, applyStall } from '../faults.ts'
import { type Batch, enterExistingWorld, RequestContext } from '../requestContext.ts'

const MAX_PARTS = 1000
/** The length of a response in bytes above which, the remaining parts are not handled (behaviour 14.13). */
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024
const MAX_HEADER_LENGTH = 16 * 1024

type Part = { id: string | undefined; request: Request | ApiError }

/**
 * Answers a batch (behaviour 11.1). Rejects with `badBatch` or `bodyTooLarge` before any part is handled, and with
 * ConnectionLost if a fault resets the connection of the batch or of a part.
 */
export async function answerBatch(context: RequestContext, answer: AnswerPart): Promise<ApiResponse | Response> {
  enterExistingWorld(context)
  return (await applyRequestFault(context)) ?? answerParts(context, { context, stalls: [] }, answer)
}

type AnswerPart = (part: RequestContext) => Promise<Response>

async function answerParts(context: RequestContext, batch: Batch, answer: AnswerPart): Promise<Response> {
  const { request, registry, transport } = context
  const { headers } = request
  const body = Buffer.from(await readBytes(request))
  const parts = splitParts(body, parseBoundary(headers)).map((part) => readPart(part, context))
  const answers: Buffer[] = []
  let length = 0
  const answerPart = (request: Part['request']) =>
    request instanceof ApiError
      ? toResponse(errorResponse(request, { now: context.now }))
      : answer(new RequestContext(registry, request, { ...transport, Response: undefined, socket: undefined }, batch))
  for (const { id, request } of parts) {
    const isFull = length >= MAX_RESPONSE_BYTES
    const response = await formatReplyPart(id, await answerPart(isFull ? apiError('batchResponseTooLong') : request))
    length += response.length
    answers.push(response)
    await nextTurn() // other requests are answered between two parts
  }
  return applyStall(batch, joinParts(answers))
}

function parseBoundary(headers: Headers): string {
  const type = headers.get('Content-Type') ?? ''
  const [, quoted, plain] = /^multipart\/mixed\s*;.*?\bboundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(type) ?? []
  return (
    quoted ?? plain ?? throwApiError('badBatch', { problem: 'Content-Type must be multipart/mixed with a boundary' })
  )
}

/**
 * Lines end in CRLF or LF; the line end before a boundary belongs to the boundary. A text has one character per byte. Throws
 * `badBatch` for no part, for more than 1,000, and without a last boundary.
 */
function splitParts(body: Buffer, boundary: string): string[] {
  const text = body.toString('latin1')
  const mark = `--${boundary}`
  const parts: string[] = []
  let from: number | undefined
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
    if (at > 0 && text[at - 1] !== '\n') continue
    const end = text.indexOf('\n', at)
    const line = text.slice(at, end < 0 ? undefined : end).trimEnd()
    if (line !== mark && line !== `${mark}--`) continue
    if (from !== undefined) parts.push(text.slice(from, Math.max(at - 1, from)).replace(/\r$/, ''))
    if (parts.length > MAX_PARTS) throw apiError('badBatch', { problem: `it has more than ${MAX_PARTS} parts` })
    if (line !== mark) return parts.length > 0 ? parts : throwApiError('badBatch', { problem: 'it has no parts' })
    from = end < 0 ? text.length : end + 1
  }
  throw apiError('badBatch', { problem: 'its last boundary is missing' })
}

function splitHeaders(text: string): { lines: string[]; body: string } {
  const end = /(?:^|\r?\n)\r?\n/.exec(text)
  const head = end ? text.slice(0, end.index) : text
  if (head.length > MAX_HEADER_LENGTH) throw apiError('badBatch', { problem: 'the headers of a part are too long' })
  return {
    lines: head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/),
    body: end ? text.slice(end.index + end[0].length) : '',
  }
}

const VERBS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const HEADER = /^([!#$%&'*+.^_`|~\w-]+) *:(.*)$/
const REQUEST_LINE = /^([A-Za-z]+) +(\S+)(?: +HTTP\/\d(?:\.\d)?)? *$/
const OUTER_ONLY =
  /^(content-.*|host|connection|keep-alive|transfer-encoding|accept-encoding|expect|x-http-method-override|mime-version)$/i

/** A part that cannot be read fails alone (behaviour 11.1.4). */
function readPart(text: string, context: RequestContext): Part {
  const { lines, body } = splitHeaders(text)
  const id = lines.map((line) => /^content-id *: ?(.*)$/i.exec(line)?.[1]).find((found) => found !== undefined)
  try {
    return { id, request: readRequest(body.replace(/^(?:\r?\n)+/, ''), context) }
  } catch (error) {
    const request =
      error instanceof ApiError ? error : apiError('badBatch', { problem: 'a part is not a valid request' })
    return { id, request }
  }
}

/** Ignores lines that are no headers, such as a body directly after them. Throws `badBatch` or a TypeError. */
function readRequest(text: string, context: RequestContext): Request {
  const { lines, body } = splitHeaders(text)
  const [first = '', ...given] = lines
  const [, method = '', target = ''] =
    REQUEST_LINE.exec(first) ?? throwApiError('badBatch', { problem: 'a part has no request line' })
  if (!VERBS.includes(method.toUpperCase()))
    throw apiError('badBatch', { problem: `the service does not support the method ${method}` })
  const headers = new Headers([...context.request.headers].filter(([name]) => !OUTER_ONLY.test(name)))
  for (const line of given) {
    const [, name = '', value = ''] = HEADER.exec(line) ?? []
    if (name && !/^(host|content-length|accept-encoding)$/i.test(name)) headers.set(name.trim(), value.trim())
  }
  const verb = method.toUpperCase()
  const bytes = verb === 'GET' || verb === 'HEAD' || body === '' ? null : Buffer.from(body, 'latin1')
  return new Request(resolvePartUrl(target, context), { method: verb, headers, body: bytes })
}

/** `target` is a path or a URL; its host and world are replaced by those of the batch. Throws a TypeError. */
function resolvePartUrl(target: string, { request, registry, worldName }: RequestContext): string {
  const { publicUrl } = registry.options
  const root = new URL(request.url).origin
  const { pathname, search } = new URL(target, root)
  const base = publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '')
  const inServer = pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : pathname
  const path = inServer.replace(/^\/w\/[^/]+(?=\/|$)/, '')
  return rootUrlOf(root, worldName) + path.slice(1) + search
}

/** The boundary is a digest of the parts, so that no part contains it and equal runs give equal bytes. */
function joinParts(answers: readonly Buffer[]): Response {
  const boundary = `batch_${digest(Buffer.concat(answers), 'sha1')}`
  const opening = Buffer.from(`--${boundary}\r\n`)
  const chunks = answers.flatMap((part) => [opening, part, Buffer.from('\r\n')])
  return new Response(Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]), {
    headers: { 'Content-Type': `multipart/mixed; boundary=${boundary}`, 'Cache-Control': 'private, max-age=0' },
  })
}

/** `id` is the Content-ID. A part always has a header line, because some clients need one (behaviour 11.1.3). */
async function formatReplyPart(id: string | undefined, reply: Response): Promise<Buffer> {
  const body = Buffer.from(await reply.arrayBuffer())
  const headers = [...reply.headers].filter(([name]) => name !== 'content-length')
  const lines = [
    'Content-Type: application/http',
    ...(id === undefined ? [] : [`Content-ID: ${toResponseId(id)}`]),
    '',
    `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status] ?? 'Unknown'}`,
    ...headers.map(([name, value]) => `${toHeaderCase(name)}: ${value}`),
    ...(reply.status === 304 ? [] : [`Content-Length: ${body.length}`]),
    '',
    '',
  ]
  return Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), body])
}

const CAPITALS = new Map([
  ['etag', 'ETag'],
  ['www-authenticate', 'WWW-Authenticate'],
  ['x-xss-protection', 'X-XSS-Protection'],
])

/** Writes capitals, because some clients compare the names in parts with case. */
const toHeaderCase = (name: string): string =>
  CAPITALS.get(name) ?? name.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase())

const toResponseId = (id: string): string => (id.startsWith('<') ? `<response-${id.slice(1)}` : `response-${id}`)
