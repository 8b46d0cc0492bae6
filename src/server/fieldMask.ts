import { throwApiError } from '../schema/apiErrors.ts'
import type { JsonSchema } from '../schema/jsonSchema.ts'
import { SCHEMAS } from '../schema/schemas.ts'

/** A field mask: the requested fields, each with the fields inside it. An empty map requests the whole field. */
export type FieldMask = Map<string, FieldMask>

/** Parses `a,b/c,items(id,start/dateTime),*` and checks it against the schema of the response (behaviour 11.11). */
export function readMask(text: string, schema: string): FieldMask | undefined {
  if (text.length > MAX_MASK_LENGTH) throwInvalidField(`${text.slice(0, SHOWN_LENGTH)}…`)
  if (text.trim() === '') return undefined
  const mask = new Parser(text).mask()
  requireKnown(mask, { $ref: schema })
  return mask
}

/** Throws `invalidField` for a field or a mask. */
const throwInvalidField = (field: string): never => throwApiError('invalidField', { field })

/** In characters. Longer masks are not parsed. */
const MAX_MASK_LENGTH = 64 * 1024
const SHOWN_LENGTH = 100
const MAX_MASK_DEPTH = 32

class Parser {
  readonly #tokens: string[]
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
    this.#tokens = text.match(/[,()/]|[^,()/\s]+/g) ?? []
  }

  /** Parses the whole text. Throws `invalidField` for a syntax error. */
  mask(): FieldMask {
    const mask = this.#list(0)
    return this.#at === this.#tokens.length ? mask : throwInvalidField(this.#text)
  }

  /** Parses fields that are separated by commas. */
  #list(depth: number): FieldMask {
    if (depth > MAX_MASK_DEPTH) throwInvalidField(this.#text)
    const mask: FieldMask = new Map()
    do this.#path(mask, depth)
    while (this.#take(','))
    return mask
  }

  /** Parses a name, the path after its slash, or the list in its brackets. */
  #path(into: FieldMask, depth: number): void {
    if (depth > MAX_MASK_DEPTH) throwInvalidField(this.#text)
    const name = this.#tokens[this.#at++] ?? ''
    if (!/^[^,()/]+$/.test(name)) throwInvalidField(this.#text)
    const inner: FieldMask = new Map()
    if (this.#take('/')) this.#path(inner, depth + 1)
    else if (this.#take('(')) {
      union(inner, this.#list(depth + 1))
      if (!this.#take(')')) throwInvalidField(this.#text)
    }
    union(into, new Map([[name, inner]]))
  }

  /** Takes the next token if it is the given one. Returns true if it was. */
  #take(token: string): boolean {
    const isNext = this.#tokens[this.#at] === token
    if (isNext) this.#at++
    return isNext
  }
}

/** Adds a mask to another. A field without inner fields requests the whole field. */
function union(into: FieldMask, other: FieldMask): void {
  for (const [name, inner] of other) {
    const known = into.get(name)
    if (!known) into.set(name, inner)
    else if (known.size === 0 || inner.size === 0) known.clear()
    else union(known, inner)
  }
}

/** Returns the schema of the items of a list, or of the value itself: a mask does not name lists (behaviour 11.11). */
function innerSchema(schema: JsonSchema): JsonSchema {
  if (schema.$ref) return innerSchema(SCHEMAS[schema.$ref] ?? {})
  return schema.items ? innerSchema(schema.items) : schema
}

/** Throws `invalidField` for unknown fields. `*` is valid if any field is. */
function requireKnown(mask: FieldMask, schema: JsonSchema): void {
  const { type, properties = {}, additionalProperties } = innerSchema(schema)
  if (type === 'any') return
  for (const [name, inner] of mask) {
    const named = Object.hasOwn(properties, name) ? properties[name] : additionalProperties
    const field = (name === '*' ? anyOf(schema) : named) ?? throwInvalidField(name)
    if (inner.size > 0) requireKnown(inner, field)
  }
}

/** Returns one schema of all that `*` may match, or undefined if there is nothing. */
function anyOf(schema: JsonSchema): JsonSchema | undefined {
  const { properties, additionalProperties } = innerSchema(schema)
  if (!properties) return additionalProperties
  const inner = Object.values(properties).map((field) => innerSchema(field))
  const values = inner.find((field) => field.additionalProperties)?.additionalProperties
  const fields = Object.assign({}, ...inner.map((field) => field.properties))
  return { type: 'object', properties: fields, ...(values && { additionalProperties: values }) }
}

/** Returns the fields of a response that a mask selects. */
export function applyMask(response: object, mask: FieldMask): object {
  const selected = Object.entries(response).flatMap(([name, field]) => {
    const inner = innerOf(mask, name)
    return inner ? [[name, inner.size > 0 ? applyInside(field, inner) : field]] : []
  })
  return Object.fromEntries(selected)
}

/** Applies a mask to an object, or to each item of a list. Other values stay. */
function applyInside(value: unknown, mask: FieldMask): unknown {
  if (Array.isArray(value)) return value.map((item) => applyInside(item, mask))
  return typeof value === 'object' && value !== null ? applyMask(value, mask) : value
}

/** Returns the mask of a field: its own united with that of `*`. Returns undefined if neither selects it. */
function innerOf(mask: FieldMask, name: string): FieldMask | undefined {
  const [named, any] = [mask.get(name), mask.get('*')]
  if (!named || !any) return named ?? any
  if (named.size === 0 || any.size === 0) return new Map()
  const both: FieldMask = new Map()
  union(both, structuredClone(named))
  union(both, structuredClone(any))
  return both
}
