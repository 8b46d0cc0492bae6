import { STATUS_CODES } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Context } from 'hono'
import { ConnectionLost } from '../testing/faults/connectionLost.ts'
import { Refusal, refuse } from '../wire/refusals.ts'
import { readBytes } from './checks/parseBody.ts'
import { boundaryFor } from './batchBoundary.ts'
import { errorReply, refusalOf } from './errors.ts'
import { DEFAULT_WORLD, type Way } from './place.ts'

const MOST_PARTS = 1000
/** Once a reply is this long, in bytes, what is left of the batch is not done (behaviour 14.13). */
const LONGEST = 32 * 1024 * 1024
/** How long the headers of a part may be: as long as a socket takes those of a request. */
const LONGEST_HEAD = 16 * 1024

/** One part: its Content-ID as it came, and the call in it. */
type Part = { id: string | undefined; call: Request }

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
    const { headers, url } = c.req.raw
    const parts = partsOf(Buffer.from(await readBytes(c)), boundaryOf(headers)).map((part) =>
      readPart(part, headers, (target) => urlOf(target, { root: new URL(url).origin + way.prefix, name, way })),
    )
    const answers: Buffer[] = []
    let length = 0
    for (const { id, call } of parts) {
      // One after the other, in order; other requests have their turn between two of them.
      const answer = await written(id, length < LONGEST ? await run(call) : tooLong(now))
      length += answer.length
      answers.push(answer)
      await nextTurn()
    }
    return joined(answers)
  } catch (error) {
    if (error instanceof ConnectionLost) throw error
    return errorReply(refusalOf(error, 'a batch'), { now })
  }
}

const tooLong = (now: number): Response => errorReply(new Refusal([{ named: 'batchTooLong', details: {} }]), { now })

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
    if (parts.length > MOST_PARTS) refuse('badBatch', { problem: `it has more than ${MOST_PARTS} parts` })
    if (line !== mark) return parts.length > 0 ? parts : refuse('badBatch', { problem: 'it has no parts' })
    from = end < 0 ? text.length : end + 1
  }
  return refuse('badBatch', { problem: 'its last boundary is missing' })
}

/** Headers, each on one line, and what follows the first empty line: nothing, where there is none. */
function headAndBody(text: string): { lines: string[]; body: string } {
  const end = /(?:^|\r?\n)\r?\n/.exec(text)
  const head = end ? text.slice(0, end.index) : text
  if (head.length > LONGEST_HEAD) refuse('badBatch', { problem: 'the headers of a part are too long' })
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

function joined(answers: readonly Buffer[]): Response {
  const boundary = boundaryFor(answers)
  const opening = Buffer.from(`--${boundary}\r\n`)
  const chunks = answers.flatMap((part) => [opening, part, Buffer.from('\r\n')])
  return new Response(Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]), {
    headers: { 'Content-Type': `multipart/mixed; boundary=${boundary}`, 'Cache-Control': 'private, max-age=0' },
  })
}

/** A reply as a part. It always has a header line: a client that finds none gives up (behaviour 11.1.3). */
async function written(id: string | undefined, reply: Response): Promise<Buffer> {
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
