import type { Solid } from '../wire/json.ts'

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Patch semantics (behaviour 3.9.2): objects merge, arrays replace, `null` removes. */
export function merged<T>(base: object, patch: T): Solid<T> {
  const result: Record<string, unknown> = { ...base }
  for (const [name, value] of Object.entries(patch as object)) {
    const there = result[name]
    if (value === null) delete result[name]
    else if (value !== undefined)
      result[name] = isObject(value) ? merged(isObject(there) ? there : {}, value) : solid(value)
  }
  return result as Solid<T>
}

/** Without the nulls of the objects that an array holds. */
const solid = (value: unknown): unknown =>
  Array.isArray(value) ? value.map((item) => (isObject(item) ? merged({}, item) : item)) : value

/** Whether two records say the same. Both are composed in the order of a reply, so that their texts can be compared. */
export const same = (a: object, b: object): boolean => JSON.stringify(a) === JSON.stringify(b)

/** A record without some of its fields, the others in their order. */
export function without<T extends object, N extends keyof T & string>(record: T, ...names: readonly N[]): Omit<T, N> {
  const dropped: readonly string[] = names
  const rest: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(record)) if (!dropped.includes(name)) rest[name] = value
  return rest as Omit<T, N>
}
