import type { z } from 'zod'
import type { BodyName } from '../wire/bodies.ts'
import { refuse } from '../wire/refusals.ts'

const LARGEST = 10 * 1024 * 1024

/** A body's text, read no further than it may be long. */
export async function readText(request: Request): Promise<string> {
  if (Number(request.headers.get('Content-Length') ?? 0) > LARGEST) refuse('bodyTooLarge')
  if (request.body && request.headers.has('Content-Length')) return whole(request.text())
  return Buffer.from(await readBytes(request)).toString()
}

/** Who hangs up half way has not said anything that could be read. */
const whole = <T>(reading: Promise<T>): Promise<T> => reading.catch(() => refuse('parseError'))

/** The same, byte by byte. */
export async function readBytes(request: Request): Promise<Uint8Array> {
  if (Number(request.headers.get('Content-Length') ?? 0) > LARGEST) refuse('bodyTooLarge')
  if (!request.body) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = request.body.getReader()
  for (let read = await whole(reader.read()); !read.done; read = await whole(reader.read())) {
    length += read.value.byteLength
    if (length > LARGEST) {
      await reader.cancel()
      refuse('bodyTooLarge')
    }
    chunks.push(read.value)
  }
  return Buffer.concat(chunks)
}

/** The parameters that a form-encoded body carries, as the Ruby client sends them (clients 4). */
export async function readForm(request: Request): Promise<URLSearchParams> {
  return isForm(request) ? new URLSearchParams(await readText(request)) : new URLSearchParams()
}

export const isForm = (request: Request): boolean =>
  request.headers.get('Content-Type')?.toLowerCase().startsWith('application/x-www-form-urlencoded') ?? false

/** A request body as its schema has it. The schemas are loaded with the first body there is. */
export async function readBody(request: Request, name: BodyName): Promise<unknown> {
  const text = await readText(request)
  if (isForm(request) && text !== '') refuse('formEncodedBody')
  const { BODIES } = await import('../wire/bodies.ts')
  return checked(BODIES[name], parseJson(text))
}

/** An empty body says nothing, which is an object with no fields. */
export function parseJson(text: string): unknown {
  try {
    return text.trim() === '' ? {} : JSON.parse(text)
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

type Issue = z.core.$ZodIssue

/** Where a value could have been one of several things, what was wrong with the closest of them. */
export function deepest([issue]: readonly Issue[]): Issue | undefined {
  if (issue?.code !== 'invalid_union') return issue
  const inner = deepest(issue.errors[0] ?? [])
  return inner && ({ ...inner, path: [...issue.path, ...inner.path] } as Issue)
}

/** `calendars[0].events[3].start`, as a person would write it. */
export const pathOf = (path: readonly PropertyKey[]): string =>
  path.map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at ? '.' : ''}${String(key)}`)).join('')
