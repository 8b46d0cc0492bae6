import { same } from '../wire/values/merge.ts'

/** What a field was and is, by its path (`start.dateTime`); null where there was or is none. */
export type Fields = Record<string, readonly [was: unknown, is: unknown]>

type Json = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** What each write sets anew, or follows from the rest: told only where all is asked for. */
const VOLATILE = new Set(['kind', 'etag', 'updated', 'created', 'sequence', 'htmlLink', 'iCalUID', 'originWorld'])

/** The fields in which a record differs from what it was; of one that came or went, all that it has. */
export function fieldsOf(was: object | undefined, is: object | undefined, { all = false } = {}): Fields {
  const fields: Fields = {}
  const names = new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})])
  for (const name of names) {
    if (!all && (VOLATILE.has(name) || name === 'id')) continue
    collect(fields, name, (was as Json | undefined)?.[name], (is as Json | undefined)?.[name])
  }
  return fields
}

function collect(fields: Fields, path: string, was: unknown, is: unknown): void {
  if (same(was, is)) return
  const [before, after] = [keyed(was), keyed(is)]
  if (before && after) {
    for (const key of new Set([...before.keys(), ...after.keys()])) {
      const [one, other] = [before.get(key), after.get(key)]
      if (one && other) each(fields, `${path}[${key}]`, one, other)
      else set(fields, `${path}[${key}]`, one, other)
    }
  } else if ((isObject(was) || was === undefined) && (isObject(is) || is === undefined))
    each(fields, path, was ?? {}, is ?? {})
  else set(fields, path, was, is)
}

function each(fields: Fields, path: string, was: Json, is: Json): void {
  for (const name of new Set([...Object.keys(was), ...Object.keys(is)]))
    collect(fields, `${path}.${name}`, was[name], is[name])
}

/** Paths are made of names that clients choose too: each is the object's own. */
function set(fields: Fields, path: string, was: unknown, is: unknown): void {
  Object.defineProperty(fields, path, {
    value: [was ?? null, is ?? null],
    enumerable: true,
    writable: true,
    configurable: true,
  })
}

/** The elements of a list by what each is known by, people by their address; none where not all are known by something of their own. */
function keyed(list: unknown): Map<string, Json> | undefined {
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
