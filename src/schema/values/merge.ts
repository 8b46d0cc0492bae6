import type { WithoutNulls } from '../jsonSchema.ts'

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Returns a merge patch applied to a record (behaviour 3.9.2), as a new object: objects merge at any depth, arrays replace,
 * `null` removes, and undefined changes nothing. Fields that the patch does not name stay, although the type omits them.
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

/** Returns a value. If it is an array, the objects in it lose their fields that are null. */
const withoutNullsInArrays = (value: unknown): unknown =>
  Array.isArray(value) ? value.map((item) => (isObject(item) ? mergePatch({}, item) : item)) : value

/**
 * Returns true if two JSON values are equal at any depth. The order of keys does not matter, that of items does. A field that
 * is undefined equals a missing one.
 */
export function isEqual(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((one, at) => isEqual(one, b[at]))
  if (!isObject(a) || !isObject(b)) return a === b
  const names = Object.keys(a).filter((name) => a[name] !== undefined)
  const others = Object.keys(b).filter((name) => b[name] !== undefined)
  return names.length === others.length && names.every((name) => isEqual(a[name], b[name]))
}

/** Returns a copy of a record without the named fields. The others keep their order. */
export function without<T extends object, N extends keyof T & string>(record: T, ...names: readonly N[]): Omit<T, N> {
  const dropped: readonly string[] = names
  const rest: Record<string, unknown> = {}
  for (const name of Object.keys(record)) if (!dropped.includes(name)) rest[name] = (record as Json)[name]
  return rest as Omit<T, N>
}
