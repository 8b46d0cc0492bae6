import { throwApiError } from '../schema/apiErrors.ts'
import type { JsonSchema } from '../schema/jsonSchema.ts'
import { SCHEMAS } from '../schema/schemas.ts'
import { shorten } from '../schema/values/shownText.ts'

/** A field mask: the requested fields, each with the fields inside it. An empty map requests the whole field. */
export type FieldMask = Map<string, FieldMask>

/**
 * A text such as `a,b/c,items(id,start/dateTime),*` (behaviour 11.11). `schema` is the name of the response's.
 * Undefined for an empty text. Throws `invalidField` (400) for a syntax error and an unknown field.
 */
export function parseMask(text: string, schema: string): FieldMask | undefined {
  if (text.length > MAX_MASK_LENGTH) throwInvalidField(text)
  if (text.trim() === '') return undefined
  const mask = parseMaskTokens(text)
  requireMaskFields(mask, { $ref: schema })
  return mask
}

/** `field` is a field or a whole mask. */
const throwInvalidField = (field: string): never => throwApiError('invalidField', { field: shorten(field) })

const MAX_MASK_LENGTH = 64 * 1024
const MAX_MASK_DEPTH = 32

function parseMaskTokens(text: string): FieldMask {
  const tokens = text.match(/[,()/]|[^,()/\s]+/g) ?? []
  let at = 0
  const take = (token: string): boolean => {
    const isNext = tokens[at] === token
    if (isNext) at++
    return isNext
  }
  const parseList = (depth: number): FieldMask => {
    const mask: FieldMask = new Map()
    do parsePath(mask, depth)
    while (take(','))
    return mask
  }
  const parsePath = (into: FieldMask, depth: number): void => {
    const name = tokens[at++] ?? ''
    if (depth > MAX_MASK_DEPTH || !/^[^,()/]+$/.test(name)) throwInvalidField(text)
    const inner: FieldMask = new Map()
    if (take('/')) parsePath(inner, depth + 1)
    else if (take('(')) {
      mergeMask(inner, parseList(depth + 1))
      if (!take(')')) throwInvalidField(text)
    }
    mergeMask(into, new Map([[name, inner]]))
  }
  const mask = parseList(0)
  return at === tokens.length ? mask : throwInvalidField(text)
}

function mergeMask(into: FieldMask, other: FieldMask): void {
  for (const [name, inner] of other) {
    const known = into.get(name)
    if (!known) into.set(name, inner)
    else if (known.size === 0 || inner.size === 0) known.clear()
    else mergeMask(known, inner)
  }
}

/** A mask does not name the level of a list, so it returns the schema of its items (behaviour 11.11). */
function findItemSchema(schema: JsonSchema): JsonSchema {
  if (schema.$ref) return findItemSchema(SCHEMAS[schema.$ref] ?? {})
  return schema.items ? findItemSchema(schema.items) : schema
}

/** `*` is valid if the fields inside fit any field. */
function requireMaskFields(mask: FieldMask, schema: JsonSchema): void {
  const { type, properties = {}, additionalProperties } = findItemSchema(schema)
  if (type === 'any') return
  for (const [name, inner] of mask) {
    const named = Object.hasOwn(properties, name) ? properties[name] : additionalProperties
    const field = (name === '*' ? combineFieldSchemas(schema) : named) ?? throwInvalidField(name)
    if (inner.size > 0) requireMaskFields(inner, field)
  }
}

function combineFieldSchemas(schema: JsonSchema): JsonSchema | undefined {
  const { properties, additionalProperties } = findItemSchema(schema)
  if (!properties) return additionalProperties
  const inner = Object.values(properties).map((field) => findItemSchema(field))
  const values = inner.find((field) => field.additionalProperties)?.additionalProperties
  const fields = Object.assign({}, ...inner.map((field) => field.properties))
  return { type: 'object', properties: fields, ...(values && { additionalProperties: values }) }
}

/** Keeps the order of the response. */
export function applyMask(response: object, mask: FieldMask): object {
  const selected = Object.entries(response).flatMap(([name, field]) => {
    const inner = findInnerMask(mask, name)
    return inner ? [[name, inner.size > 0 ? applyInside(field, inner) : field]] : []
  })
  return Object.fromEntries(selected)
}

function applyInside(value: unknown, mask: FieldMask): unknown {
  if (Array.isArray(value)) return value.map((item) => applyInside(item, mask))
  return typeof value === 'object' && value !== null ? applyMask(value, mask) : value
}

function findInnerMask(mask: FieldMask, name: string): FieldMask | undefined {
  const [named, any] = [mask.get(name), mask.get('*')]
  if (!named || !any) return named ?? any
  if (named.size === 0 || any.size === 0) return new Map()
  const both: FieldMask = new Map()
  mergeMask(both, structuredClone(named))
  mergeMask(both, structuredClone(any))
  return both
}
