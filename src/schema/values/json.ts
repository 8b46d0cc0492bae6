import type { WithoutNulls } from '../jsonSchema.ts'
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
    else if (value !== undefined)
      result[name] = isObject(value) ? mergePatch(isObject(current) ? current : {}, value) : withoutNullsInArrays(value)
  }
  return result as WithoutNulls<T>
}

const withoutNullsInArrays = (value: unknown): unknown =>
  Array.isArray(value) ? value.map((item) => (isObject(item) ? mergePatch({}, item) : item)) : value

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
