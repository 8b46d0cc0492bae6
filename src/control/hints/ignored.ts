import type { JsonSchema } from '../../schema/jsonSchema.ts'
import { STANDARD } from '../../schema/params.ts'
import { findNearest } from '../../schema/values/nearest.ts'
import { createHint, type Hint, shortenValue } from './table.ts'

/** The id of a method (`calendar.events.list`) and its parameters by name. */
export type MethodParameters = { readonly id: string; readonly params: Readonly<Record<string, unknown>> }

/** Undocumented parameters that clients may send with any method. */
const UNDOCUMENTED = ['access_token', 'alt', '$.xgafv', '$prettyPrint', '$alt', 'callback', 'maxAttendee', 'uploadType']

/** The names of the methods that have each parameter. */
export class ParameterIndex {
  readonly #methods = new Map<string, string[]>()

  constructor(methods: readonly MethodParameters[]) {
    for (const { id, params } of methods) {
      for (const name of Object.keys(params)) {
        const others = this.#methods.get(name) ?? []
        this.#methods.set(name, [...others, id.replace('calendar.', '')])
      }
    }
  }

  /** Returns the names of the query parameters that the method does not have, each once. */
  findUnknown(query: URLSearchParams, { params }: MethodParameters): string[] {
    if (query.size === 0) return []
    return [...new Set(query.keys())].filter(
      (name) => !Object.hasOwn(params, name) && !Object.hasOwn(STANDARD, name) && !UNDOCUMENTED.includes(name),
    )
  }

  /** Returns the hint on an unknown parameter: FC103 if another method has it, else FC102 with the nearest name. */
  createUnknownParameterHint(name: string, { id, params }: MethodParameters): Hint {
    const [other] = this.#methods.get(name) ?? []
    const method = id.replace('calendar.', '')
    if (other) return createHint('FC103', `${name} is a parameter of ${other}, not of ${method}`, 'Remove it')
    const known = findNearest(name, [...Object.keys(params), ...Object.keys(STANDARD)]) ?? ''
    return createHint(
      'FC102',
      `${method} has no parameter ${shortenValue(name)}`,
      `Did you mean ${known}?`,
      Object.keys(params),
    )
  }
}

type Schemas = Readonly<Record<string, JsonSchema>>
/** A field that is not in a schema: its path (`start.tz`), its name, and the names of the fields of that schema. */
export type UnknownField = { readonly path: string; readonly name: string; readonly known: readonly string[] }

/**
 * Returns the fields of a body that are not in its schema, at any depth, at most five. `name` is the name of the schema
 * in `schemas`.
 */
export function findUnknownFields(body: unknown, name: string, schemas: Schemas): UnknownField[] {
  const found: UnknownField[] = []
  /** Adds the unknown fields of a value at a path to `found`. */
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

/** More unknown fields of one body are not reported. */
const MAX_UNKNOWN_FIELDS = 5

/** Returns the hint on an unknown field, with the nearest name. */
export const createUnknownFieldHint = ({ path, name, known }: UnknownField): Hint =>
  createHint(
    'FC201',
    `${shortenValue(path)} is not a field of the service`,
    `Did you mean ${findNearest(name, known) ?? ''}?`,
    known,
  )

/** Fields that are stored and, unlike in the service, have no effect, each with the text of `instead`. */
const INERT = new Map([
  ['anyoneCanAddSelf', 'Add the guests to attendees'],
  ['gadget', 'Remove it: the service has discontinued gadgets'],
])

/**
 * Returns hints on fields without effect: read-only ones (FC202), and stored ones (FC203). A body that contains an etag
 * or a kind is a resource that the client sends back as it was read; its read-only fields get no hint.
 */
export function listIgnoredFieldHints(body: unknown, writable: ReadonlySet<string>, all: ReadonlySet<string>): Hint[] {
  if (typeof body !== 'object' || body === null) return []
  const sent = Object.keys(body)
  if (sent.every((name) => writable.has(name) && !INERT.has(name))) return []
  const echoed = sent.includes('etag') || sent.includes('kind')
  const service = echoed ? [] : sent.filter((name) => all.has(name) && !writable.has(name))
  return [
    ...service.map((name) => createHint('FC202', `${name} is read-only`, 'Remove it')),
    ...sent.flatMap((name) => {
      const instead = INERT.get(name)
      return instead === undefined ? [] : [createHint('FC203', `${name} is stored, but has no effect`, instead)]
    }),
  ]
}
