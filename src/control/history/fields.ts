import { isEqual } from '../../schema/values/json.ts'

/**
 * The old and the new value of each changed field, by path: `start.dateTime`,
 * `attendees[bob@example.com].responseStatus`. A missing value is null.
 */
export type Fields = Record<string, readonly [was: unknown, is: unknown]>

type Json = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Fields that each write sets, or that follow from other fields. They are left out unless `all` is true. */
const VOLATILE = new Set(['kind', 'etag', 'updated', 'created', 'sequence', 'htmlLink', 'iCalUID', 'originWorld'])

/**
 * Returns the fields that differ, down to the parts of objects and of lists whose elements have keys. For a new record
 * (`was` is undefined) or a deleted one, these are all its fields. Leaves out `id` and volatile fields unless `all` is
 * true.
 */
export function fieldsOf(was: object | undefined, is: object | undefined, { all = false } = {}): Fields {
  const fields: Fields = {}
  const names = new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})])
  for (const name of names) {
    if (!all && (VOLATILE.has(name) || name === 'id')) continue
    collect(fields, name, (was as Json | undefined)?.[name], (is as Json | undefined)?.[name])
  }
  return fields
}

/** Adds the differences of two values at a path to `fields`. */
function collect(fields: Fields, path: string, was: unknown, is: unknown): void {
  if (isEqual(was, is)) return
  const [before, after] = [elementsByKey(was), elementsByKey(is)]
  if (before && after) {
    for (const key of new Set([...before.keys(), ...after.keys()])) {
      const [one, other] = [before.get(key), after.get(key)]
      if (one && other) collectFields(fields, `${path}[${key}]`, one, other)
      else setField(fields, `${path}[${key}]`, one, other)
    }
  } else if ((isObject(was) || was === undefined) && (isObject(is) || is === undefined))
    collectFields(fields, path, was ?? {}, is ?? {})
  else setField(fields, path, was, is)
}

/** Adds the differences of two objects at a path to `fields`. */
function collectFields(fields: Fields, path: string, was: Json, is: Json): void {
  for (const name of new Set([...Object.keys(was), ...Object.keys(is)]))
    collect(fields, `${path}.${name}`, was[name], is[name])
}

/** Defines an own property, because paths contain names that clients choose, such as `__proto__`. */
function setField(fields: Fields, path: string, was: unknown, is: unknown): void {
  Object.defineProperty(fields, path, {
    value: [was ?? null, is ?? null],
    enumerable: true,
    writable: true,
    configurable: true,
  })
}

/**
 * Returns the elements of a list by key: their `email`, else their `id`. An absent list is empty. Returns undefined for
 * any other value, and unless every element is an object with a key of its own.
 */
function elementsByKey(list: unknown): Map<string, Json> | undefined {
  if (list === undefined) return new Map()
  if (!Array.isArray(list)) return undefined
  const byKey = new Map<string, Json>()
  for (const element of list) {
    if (!isObject(element)) return undefined
    const { email, id } = element
    const key = typeof email === 'string' ? email : id
    if (typeof key !== 'string' || byKey.has(key)) return undefined
    byKey.set(key, element)
  }
  return byKey
}
