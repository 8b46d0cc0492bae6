import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { z } from 'zod'
import type { Given } from '../hints/hints.ts'
import { strayFields } from '../hints/ignored.ts'
import type { BodyName } from '../wire/bodies.ts'
import { deepest, pathOf } from '../wire/issues.ts'
import { parseJson as parse } from '../wire/parseJson.ts'
import { Refusal, refuse } from '../wire/refusals.ts'

const LARGEST = 10 * 1024 * 1024

const limited = bodyLimit({ maxSize: LARGEST, onError: () => refuse('bodyTooLarge') })

/** A body's text, read no further than it may be long. Who hangs up half way has not said anything that could be read. */
export const readText = (c: Context): Promise<string> => read(c, TEXT)

/** The same, byte by byte. */
export const readBytes = async (c: Context): Promise<Uint8Array> => new Uint8Array(await read(c, BYTES))

/** How a body is taken whole, and how long it then is. */
type Form<T> = { take(request: Request): Promise<T>; sizeOf(taken: T): number }
const TEXT: Form<string> = { take: (request) => request.text(), sizeOf: (text) => Buffer.byteLength(text) }
const BYTES: Form<ArrayBuffer> = { take: (request) => request.arrayBuffer(), sizeOf: ({ byteLength }) => byteLength }

/**
 * A body comes in pieces where its length is not known before: without a Content-Length on a socket, or compressed. Only
 * these are read as a stream, which stops at the limit and takes twice as long.
 */
async function read<T>(c: Context, { take, sizeOf }: Form<T>): Promise<T> {
  const { headers } = c.req.raw
  if (Number(headers.get('Content-Length') ?? 0) > LARGEST) refuse('bodyTooLarge')
  try {
    if (headers.has('Content-Encoding') || headers.has('Transfer-Encoding')) {
      c.req.raw = decoded(c.req.raw)
      await limited(c, async () => undefined)
    }
    const taken = await take(c.req.raw)
    return sizeOf(taken) > LARGEST ? refuse('bodyTooLarge') : taken
  } catch (error) {
    if (error instanceof Refusal) throw error
    return refuse('parseError')
  }
}

/** A request whose body is what was meant: Google's Java client compresses all that it sends. */
function decoded({ url, method, headers: sent, body }: Request): Request {
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
const formatOf = (encoding: string): CompressionFormat => FORMATS.get(encoding) ?? refuse('parseError')

/** A body as it was sent. What is wrong with it is said when it is its turn among the checks. */
export type Sent = { readonly text: string; readonly form: boolean; readonly refusal?: unknown }

const NOTHING: Sent = { text: '', form: false }

/** Reads what a request has sent; a GET sends nothing. */
export function sentBy(c: Context): Sent | Promise<Sent> {
  const { method } = c.req.raw
  return method === 'GET' || method === 'HEAD' || method === 'DELETE' ? NOTHING : reading(c)
}

function reading(c: Context): Promise<Sent> {
  const form = isForm(c.req.raw)
  return readText(c).then(
    (text) => ({ text, form }),
    (refusal: unknown) => ({ text: '', form, refusal }),
  )
}

const textOf = ({ text, refusal }: Sent): string => {
  if (refusal) throw refusal
  return text
}

/** The parameters that a form-encoded body carries, as the Ruby client sends them (behaviour 11.14). */
export const formIn = (sent: Sent): URLSearchParams => new URLSearchParams(sent.form ? textOf(sent) : '')

export const isForm = (request: Request): boolean =>
  request.headers.get('Content-Type')?.toLowerCase().startsWith('application/x-www-form-urlencoded') ?? false

type Read = { body: unknown; given: Given }

/** A request body as its schema has it, and what it gave beside. The schemas are loaded with the first body there is. */
export function bodyIn(sent: Sent, name: BodyName): Read | Promise<Read> {
  const text = textOf(sent)
  if (sent.form && text !== '') refuse('formEncodedBody')
  return known ? readBy(known, text, name) : allKnown().then((all) => readBy(all, text, name))
}

type Known = Pick<typeof import('../wire/bodies.ts'), 'BODIES'> & Pick<typeof import('../wire/schemas.ts'), 'SCHEMAS'>
let known: Known | undefined

async function allKnown(): Promise<Known> {
  const { BODIES } = await import('../wire/bodies.ts')
  const { SCHEMAS } = await import('../wire/schemas.ts')
  known = { BODIES, SCHEMAS }
  return known
}

function readBy({ BODIES, SCHEMAS }: Known, text: string, name: BodyName): Read {
  const data = parseJson(text)
  const body = checked(BODIES[name], data)
  const { writable, all } = namesIn(name, BODIES[name].shape, SCHEMAS[name]?.properties)
  return { body, given: { data: Object(data), stray: strayFields(data, name, SCHEMAS), writable, all } }
}

type Names = Pick<Given, 'writable' | 'all'>
const names = new Map<BodyName, Names>()

function namesIn(name: BodyName, shape: object, properties: object = {}): Names {
  const found = names.get(name) ?? { writable: new Set(Object.keys(shape)), all: new Set(Object.keys(properties)) }
  names.set(name, found)
  return found
}

/** An empty body says nothing, which is an object with no fields. */
export function parseJson(text: string): unknown {
  try {
    return text.trim() === '' ? {} : parse(text)
  } catch {
    return refuse('parseError')
  }
}

/** Data as its schema has it, or a refusal that names the field at fault and what is wrong with it. */
export function checked<S extends z.ZodType>(schema: S, data: unknown): z.output<S> {
  const result = schema.safeParse(data)
  if (result.success) return result.data
  const issue = deepest(result.error.issues)
  return refuse('invalidValue', { field: pathOf(issue?.path ?? []) || 'body', problem: issue?.message ?? '' })
}
