import type { z } from 'zod'
import type { BodyName } from '../wire/bodies.ts'
import { deepest, pathOf } from '../wire/issues.ts'
import { refuse } from '../wire/refusals.ts'
import type { Incoming } from './message.ts'

const LARGEST = 10 * 1024 * 1024

/** A body's text, read no further than it may be long. */
export const readText = async (request: Incoming): Promise<string> => new TextDecoder().decode(await readBytes(request))

/** The same, byte by byte. Who hangs up half way has not said anything that could be read. */
export async function readBytes(request: Incoming): Promise<Uint8Array> {
  if (Number(request.headers.get('Content-Length') ?? 0) > LARGEST) refuse('bodyTooLarge')
  if (!request.body) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of request.body) {
      length += chunk.byteLength
      if (length > LARGEST) break
      chunks.push(chunk)
    }
  } catch {
    refuse('parseError')
  }
  return length > LARGEST ? refuse('bodyTooLarge') : Buffer.concat(chunks)
}

/** The parameters that a form-encoded body carries, as the Ruby client sends them (clients 4). */
export async function readForm(request: Incoming): Promise<URLSearchParams> {
  return isForm(request) ? new URLSearchParams(await readText(request)) : new URLSearchParams()
}

export const isForm = (request: Incoming): boolean =>
  request.headers.get('Content-Type')?.toLowerCase().startsWith('application/x-www-form-urlencoded') ?? false

/** A request body as its schema has it. The schemas are loaded with the first body there is. */
export async function readBody(request: Incoming, name: BodyName): Promise<unknown> {
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
