import type { Schema } from '../wire/json.ts'
import { refuse } from '../wire/refusals.ts'
import { SCHEMAS } from '../wire/schemas.ts'

/** The fields that a request asks for, each with those it asks for inside it: none, where it wants the whole. */
export type Mask = Map<string, Mask>

/**
 * `a,b/c,items(id,start/dateTime),*` against the schema of the reply (behaviour 11.11). Empty text asks for everything.
 */
export function readMask(text: string, schema: string): Mask | undefined {
  if (text.trim() === '') return undefined
  const mask = new Parser(text).mask()
  requireKnown(mask, { $ref: schema })
  return mask
}

const invalid = (field: string): never => refuse('invalidField', { field })

const MOST_NESTED = 32

class Parser {
  readonly #tokens: string[]
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
    this.#tokens = text.match(/[,()/]|[^,()/\s]+/g) ?? []
  }

  mask(): Mask {
    const mask = this.#list(0)
    return this.#at === this.#tokens.length ? mask : invalid(this.#text)
  }

  #list(depth: number): Mask {
    if (depth > MOST_NESTED) invalid(this.#text)
    const mask: Mask = new Map()
    do this.#path(mask, depth)
    while (this.#take(','))
    return mask
  }

  /** A name, what follows its slashes, and what stands in brackets behind the last. */
  #path(into: Mask, depth: number): void {
    if (depth > MOST_NESTED) invalid(this.#text)
    const name = this.#tokens[this.#at++] ?? ''
    if (!/^[^,()/]+$/.test(name)) invalid(this.#text)
    const inner: Mask = new Map()
    if (this.#take('/')) this.#path(inner, depth + 1)
    else if (this.#take('(')) {
      union(inner, this.#list(depth + 1))
      if (!this.#take(')')) invalid(this.#text)
    }
    union(into, new Map([[name, inner]]))
  }

  #take(token: string): boolean {
    const there = this.#tokens[this.#at] === token
    if (there) this.#at++
    return there
  }
}

/** What either of two masks asks for; who asks for a field without saying what of it wants the whole. */
function union(into: Mask, other: Mask): void {
  for (const [name, inner] of other) {
    const known = into.get(name)
    if (!known) into.set(name, inner)
    else if (known.size === 0 || inner.size === 0) known.clear()
    else union(known, inner)
  }
}

/** The schema of what lies in a value: lists are gone through without a word (behaviour 11.11). */
function insideOf(schema: Schema): Schema {
  if (schema.$ref) return insideOf(SCHEMAS[schema.$ref] ?? {})
  return schema.items ? insideOf(schema.items) : schema
}

/** `*` may go where any of the fields can. */
function requireKnown(mask: Mask, schema: Schema): void {
  const { type, properties = {}, additionalProperties } = insideOf(schema)
  if (type === 'any') return
  for (const [name, inner] of mask) {
    const named = Object.hasOwn(properties, name) ? properties[name] : additionalProperties
    const field = (name === '*' ? anyOf(schema) : named) ?? invalid(name)
    if (inner.size > 0) requireKnown(inner, field)
  }
}

/** All that may lie behind a `*`, as one schema; none where there is nothing to choose from. */
function anyOf(schema: Schema): Schema | undefined {
  const { properties, additionalProperties } = insideOf(schema)
  if (!properties) return additionalProperties
  const inner = Object.values(properties).map((field) => insideOf(field))
  const values = inner.find((field) => field.additionalProperties)?.additionalProperties
  const fields = Object.assign({}, ...inner.map((field) => field.properties))
  return { type: 'object', properties: fields, ...(values && { additionalProperties: values }) }
}

/** What a mask leaves of a reply. A field that the reply has not is not in it; what was asked for inside comes as it is. */
export function masked(reply: object, mask: Mask): object {
  const kept = Object.entries(reply).flatMap(([name, field]) => {
    const inner = innerOf(mask, name)
    return inner ? [[name, inner.size > 0 ? within(field, inner) : field]] : []
  })
  return Object.fromEntries(kept)
}

function within(value: unknown, mask: Mask): unknown {
  if (Array.isArray(value)) return value.map((item) => within(item, mask))
  return typeof value === 'object' && value !== null ? masked(value, mask) : value
}

function innerOf(mask: Mask, name: string): Mask | undefined {
  const [named, any] = [mask.get(name), mask.get('*')]
  if (!named || !any) return named ?? any
  if (named.size === 0 || any.size === 0) return new Map()
  const both: Mask = new Map()
  union(both, structuredClone(named))
  union(both, structuredClone(any))
  return both
}
