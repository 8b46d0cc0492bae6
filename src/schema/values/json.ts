import type { JsonSchema, WithoutNulls } from '../jsonSchema.ts'
import type { IssuePath } from './issues.ts'
import { shorten } from './shownText.ts'

type Json = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * A merge patch (behaviour 3.9.2): objects merge at any depth, arrays replace, `null` removes, and undefined changes nothing.
 * Fields that the patch does not name stay, although the type omits them.
 */
export function mergePatch<T>(base: object, patch: T): WithoutNulls<T> {
  const result: Record<string, unknown> = { ...base }
  for (const name of Object.keys(patch as object)) {
    const value: unknown = (patch as Json)[name]
    const current = result[name]
    if (value === null) delete result[name]
    else if (isObject(value)) result[name] = mergePatch(isObject(current) ? current : {}, value)
    else if (Array.isArray(value)) result[name] = value.map((item) => (isObject(item) ? mergePatch({}, item) : item))
    else if (value !== undefined) result[name] = value
  }
  return result as WithoutNulls<T>
}

/** The order of keys does not matter, that of items does. A field that is undefined equals a missing one. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length) return false
    for (const [at, one] of a.entries()) if (!isEqual(one, b[at])) return false
    return true
  }
  if (!isObject(a) || !isObject(b)) return a === b
  for (const name of Object.keys(a)) if (!isEqual(a[name], b[name])) return false
  for (const name of Object.keys(b)) if (b[name] !== undefined && !Object.hasOwn(a, name)) return false
  return true
}

/** The other fields keep their order. */
export function without<T extends object, N extends keyof T & string>(record: T, ...names: readonly N[]): Omit<T, N> {
  const dropped: readonly string[] = names
  const rest: Record<string, unknown> = {}
  for (const name of Object.keys(record)) if (!dropped.includes(name)) rest[name] = (record as Json)[name]
  return rest as Omit<T, N>
}

/** Undefined for a text that is not JSON, or not that of an object. */
export function parseObject(text: string): Json | undefined {
  try {
    const data: unknown = JSON.parse(text)
    return isObject(data) ? data : undefined
  } catch {
    return undefined
  }
}

/**
 * If an object has a key several times, its last value that is not null counts (behaviour 11.14). `JSON.parse` would use the
 * last. Throws its SyntaxError.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  const rest = /:\s*null\b/.test(text) ? withoutRepeatedNulls(text) : text
  return rest === text ? value : JSON.parse(rest)
}

/** Returns the reason why a text is not JSON; undefined for JSON. */
export function findJsonProblem(text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return shorten(error instanceof Error ? error.message : String(error))
  }
}

/** A string, with its comma before it, and as a key with its colon and `null` after it; or a brace. */
const MEMBER = /(?:,\s*)?("[^"\\]*(?:\\.[^"\\]*)*")(\s*:\s*(null\b)?)?|[{}]/g

function withoutRepeatedNulls(text: string): string {
  const open: Set<string>[] = []
  return text.replace(MEMBER, (member: string, key?: string, colon?: string, isNull?: string) => {
    if (member === '{') open.push(new Set())
    if (member === '}') open.pop()
    if (key === undefined || colon === undefined) return member
    const keys = open.at(-1) ?? new Set()
    const name: string = JSON.parse(key)
    const isRepeated = isNull !== undefined && keys.has(name)
    keys.add(name)
    return isRepeated ? '' : member
  })
}

/** The most entries of a list in a body, and of an object in a body or a file: far more than any may have. */
export const MAX_ENTRIES = 10_000
/** Deeper values are not read. */
const MAX_LEVELS = 100

/** Entries of a list and of an object; undefined: any number. */
export type MaxEntries = { ofList?: number | undefined; ofObject: number }

/** Returns the path to the first list or object with more entries. Copies nothing. */
export function findLongPart(
  value: unknown,
  max: MaxEntries,
  level = 0,
): { path: IssuePath; problem: string } | undefined {
  if (typeof value !== 'object' || value === null || level > MAX_LEVELS) return undefined
  const isList = Array.isArray(value)
  const limit = (isList ? max.ofList : max.ofObject) ?? Number.POSITIVE_INFINITY
  const parts: unknown[] = isList ? value : Object.values(value)
  if (parts.length > limit) return { path: [], problem: `more than ${limit} entries` }
  for (const [at, part] of parts.entries()) {
    const found = findLongPart(part, max, level + 1)
    if (found) return { ...found, path: [isList ? at : (Object.keys(value)[at] ?? ''), ...found.path] }
  }
  return undefined
}

const MAX_UNKNOWN_FIELDS = 5

type Schemas = Readonly<Record<string, JsonSchema>>
export type UnknownField = { readonly path: string; readonly name: string; readonly known: readonly string[] }

/** Searches at any depth. */
export function findUnknownFields(body: unknown, name: string, schemas: Schemas): UnknownField[] {
  const found: UnknownField[] = []
  const visit = (value: unknown, schema: JsonSchema | undefined, path: string): void => {
    const whole = schema?.$ref === undefined ? schema : schemas[schema.$ref]
    if (typeof value !== 'object' || value === null || !whole) return
    if (Array.isArray(value)) {
      for (const item of value) visit(item, whole.items, `${path}[]`)
      return
    }
    const { properties } = whole
    if (!properties) return
    for (const field of Object.keys(value)) {
      const at = path === '' ? field : `${path}.${field}`
      if (Object.hasOwn(properties, field)) visit((value as Record<string, unknown>)[field], properties[field], at)
      else if (found.length < MAX_UNKNOWN_FIELDS) found.push({ path: at, name: field, known: Object.keys(properties) })
    }
  }
  visit(body, schemas[name], '')
  return found
}
