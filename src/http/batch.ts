import { STATUS_CODES } from 'node:http'
import type { Context } from 'hono'
import { refuse } from '../wire/refusals.ts'
import { readBytes } from './body.ts'
import { errorReply, refusalOf } from './errors.ts'
import { DEFAULT_WORLD, type Way } from './place.ts'

const MOST_PARTS = 1000

/** One part: its Content-ID as it came, and the call in it. */
type Part = { id: string | undefined; call: Request }
type Answer = { id: string | undefined; reply: Response }

export type Batch = {
  now: number
  /** The world that the batch is for, and so is each of its parts. */
  name: string
  way: Way
  run(call: Request): Promise<Response>
}

/** Many calls in one request (behaviour 11.1). Each goes through the same door as a call of its own. */
export async function answerBatch(c: Context, { now, name, way, run }: Batch): Promise<Response> {
  try {
    const answers: Answer[] = []
    const { headers, url } = c.req.raw
    const parts = partsOf(Buffer.from(await readBytes(c)), boundaryOf(headers)).map((part) =>
      readPart(part, headers, (target) => urlOf(target, { root: new URL(url).origin + way.prefix, name, way })),
    )
    if (parts.length === 0) refuse('badBatch', { problem: 'it has no parts' })
    if (parts.length > MOST_PARTS) refuse('badBatch', { problem: `it has more than ${MOST_PARTS} parts` })
    for (const { id, call } of parts) answers.push({ id, reply: await run(call) }) // one after the other, in order
    return await joined(answers)
  } catch (error) {
    return errorReply(refusalOf(error), { now })
  }
}

function boundaryOf(headers: Headers): string {
  const type = headers.get('Content-Type') ?? ''
  const [, quoted, plain] = /^multipart\/mixed\s*;.*?\bboundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(type) ?? []
  return quoted ?? plain ?? refuse('badBatch', { problem: 'Content-Type must be multipart/mixed with a boundary' })
}

/**
 * What lies between the boundaries. Lines end in CRLF or in LF alone; the line end before a boundary is the boundary's.
 * Text is one character a byte, so that whatever is handed back or on is the same to the byte.
 */
function partsOf(body: Buffer, boundary: string): string[] {
  const parts: string[][] = []
  let closed = false
  for (const line of body.toString('latin1').split('\n')) {
    const mark = line.trimEnd()
    if (mark === `--${boundary}--`) closed = true
    if (closed) break
    if (mark === `--${boundary}`) parts.push([])
    else parts.at(-1)?.push(line)
  }
  if (!closed) refuse('badBatch', { problem: 'its last boundary is missing' })
  return parts.map((lines) => lines.join('\n').replace(/\r$/, ''))
}

/** Headers, each on one line, and what follows the first empty line: nothing, where there is none. */
function headAndBody(text: string): { lines: string[]; body: string } {
  const end = /(?:^|\r?\n)\r?\n/.exec(text)
  const head = end ? text.slice(0, end.index) : text
  return {
    lines: head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/),
    body: end ? text.slice(end.index + end[0].length) : '',
  }
}

const VERBS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const HEADER = /^([!#$%&'*+.^_`|~\w-]+) *:(.*)$/
const REQUEST_LINE = /^([A-Za-z]+) +(\S+)(?: +HTTP\/\d(?:\.\d)?)? *$/
/** Of the headers around a batch those are not its parts' that speak of the connection or of the body. */
const OUTER_ONLY =
  /^(content-.*|host|connection|keep-alive|transfer-encoding|accept-encoding|expect|x-http-method-override|mime-version)$/i

function readPart(text: string, outer: Headers, aim: (target: string) => string): Part {
  const { lines, body: call } = headAndBody(text)
  const id = lines.map((line) => /^content-id *: ?(.*)$/i.exec(line)?.[1]).find((found) => found !== undefined)
  const { lines: inner, body } = headAndBody(call.replace(/^(?:\r?\n)+/, ''))
  const [first = '', ...given] = inner
  const [, method = '', target = ''] =
    REQUEST_LINE.exec(first) ?? refuse('badBatch', { problem: 'a part has no request line' })
  if (!VERBS.includes(method.toUpperCase())) refuse('badBatch', { problem: `${method} is no verb of the service` })
  try {
    const headers = new Headers([...outer].filter(([name]) => !OUTER_ONLY.test(name)))
    for (const line of given.filter(Boolean)) {
      const [, name = '', value = ''] = HEADER.exec(line) ?? refuse('badBatch', { problem: 'a header is none' })
      if (!/^(host|content-length|accept-encoding)$/i.test(name)) headers.set(name.trim(), value.trim())
    }
    const verb = method.toUpperCase()
    const bytes = verb === 'GET' || verb === 'HEAD' || body === '' ? null : Buffer.from(body, 'latin1')
    return { id, call: new Request(aim(target), { method: verb, headers, body: bytes }) }
  } catch {
    return refuse('badBatch', { problem: 'a part is not a request' })
  }
}

/** A target may be a path or a whole URL; whatever host it names, it is for the world of the batch. */
function urlOf(target: string, { root, name, way }: Pick<Batch, 'name' | 'way'> & { root: string }): string {
  const { pathname, search } = new URL(target, root)
  const base = way.publicUrl === undefined ? way.prefix : new URL(way.publicUrl).pathname.replace(/\/$/, '')
  const path = pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : pathname
  return root + (path.startsWith('/w/') || name === DEFAULT_WORLD ? path : `/w/${name}${path}`) + search
}

async function joined(answers: readonly Answer[]): Promise<Response> {
  const parts = await Promise.all(answers.map(written))
  let boundary = 'batch_calendar_v3'
  while (parts.some((part) => part.includes(boundary, 0, 'latin1'))) boundary += '_'
  const opening = Buffer.from(`--${boundary}\r\n`)
  const chunks = parts.flatMap((part) => [opening, part, Buffer.from('\r\n')])
  return new Response(Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]), {
    headers: { 'Content-Type': `multipart/mixed; boundary=${boundary}`, 'Cache-Control': 'private, max-age=0' },
  })
}

/** A reply as a part. It always has a header line: a client that finds none gives up (behaviour 11.1.3). */
async function written({ id, reply }: Answer): Promise<Buffer> {
  const body = Buffer.from(await reply.arrayBuffer())
  const headers = [...reply.headers].filter(([name]) => name !== 'content-length')
  const lines = [
    'Content-Type: application/http',
    ...(id === undefined ? [] : [`Content-ID: ${responseId(id)}`]),
    '',
    `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status] ?? 'Unknown'}`,
    ...headers.map(([name, value]) => `${asWritten(name)}: ${value}`),
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

/** A Headers has its names in lower case; parts are parsed by the clients themselves, some of which compare them as written. */
const asWritten = (name: string): string =>
  CAPITALS.get(name) ?? name.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase())

/** `<item1>` comes back as `<response-item1>`, the rest byte for byte. */
const responseId = (id: string): string => (id.startsWith('<') ? `<response-${id.slice(1)}` : `response-${id}`)
