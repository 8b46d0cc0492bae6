import type { JsonSchema } from '../../schema/jsonSchema.ts'
import { STANDARD } from '../../schema/params.ts'
import { findNearest } from '../../schema/values/nearest.ts'
import { type Hint, hint, shortenValue } from './hint.ts'

/** The id and parameters of a method. */
export type MethodParameters = { readonly id: string; readonly params: Readonly<Record<string, unknown>> }

/** Undocumented parameters that clients may send with any method. */
const UNDOCUMENTED = ['access_token', 'alt', '$.xgafv', '$prettyPrint', '$alt', 'callback', 'maxAttendee', 'uploadType']

/** The methods of each parameter. */
export class Parameters {
  readonly #methods = new Map<string, string[]>()

  constructor(methods: readonly MethodParameters[]) {
    for (const { id, params } of methods) {
      for (const name of Object.keys(params)) {
        const others = this.#methods.get(name) ?? []
        this.#methods.set(name, [...others, id.replace('calendar.', '')])
      }
    }
  }

  /** Returns the parameters of a request that its method does not have. */
  unknown(query: URLSearchParams, { params }: MethodParameters): string[] {
    if (query.size === 0) return []
    return [...new Set(query.keys())].filter(
      (name) => !Object.hasOwn(params, name) && !Object.hasOwn(STANDARD, name) && !UNDOCUMENTED.includes(name),
    )
  }

  hintOn(name: string, { id, params }: MethodParameters): Hint {
    const [other] = this.#methods.get(name) ?? []
    const method = id.replace('calendar.', '')
    if (other) return hint('FC103', `${name} is a parameter of ${other}, not of ${method}`, `Remove it`)
    const known = findNearest(name, [...Object.keys(params), ...Object.keys(STANDARD)]) ?? ''
    return hint(
      'FC102',
      `${method} has no parameter ${shortenValue(name)}`,
      `Did you mean ${known}?`,
      Object.keys(params),
    )
  }
}

type Schemas = Readonly<Record<string, JsonSchema>>
/** A field that is not in a schema, and the fields that are. */
export type Stray = { readonly path: string; readonly name: string; readonly known: readonly string[] }

/** Returns up to five fields of a body that are not in its schema, at any depth. */
export function strayFields(body: unknown, name: string, schemas: Schemas): Stray[] {
  const found: Stray[] = []
  const look = (value: unknown, schema: JsonSchema | undefined, path: string): void => {
    const whole = schema?.$ref === undefined ? schema : schemas[schema.$ref]
    if (typeof value !== 'object' || value === null || !whole) return
    if (Array.isArray(value)) {
      for (const item of value) look(item, whole.items, `${path}[]`)
      return
    }
    const { properties } = whole
    if (!properties) return
    for (const field of Object.keys(value)) {
      const at = path === '' ? field : `${path}.${field}`
      if (Object.hasOwn(properties, field)) look((value as Record<string, unknown>)[field], properties[field], at)
      else if (found.length < MAX_STRAY_FIELDS) found.push({ path: at, name: field, known: Object.keys(properties) })
    }
  }
  look(body, schemas[name], '')
  return found
}

const MAX_STRAY_FIELDS = 5

export const strayHint = ({ path, name, known }: Stray): Hint =>
  hint(
    'FC201',
    `${shortenValue(path)} is not a field of the service`,
    `Did you mean ${findNearest(name, known) ?? ''}?`,
    known,
  )

/** Fields that are stored and, unlike in the service, have no effect. */
const INERT = new Map([
  ['anyoneCanAddSelf', 'Add the guests to attendees'],
  ['gadget', 'Remove it: the service has discontinued gadgets'],
])

/** Returns hints on fields without effect. A resource that is sent back as it was read contains its etag, and gets none. */
export function ignoredHints(body: unknown, writable: ReadonlySet<string>, all: ReadonlySet<string>): Hint[] {
  if (typeof body !== 'object' || body === null) return []
  const sent = Object.keys(body)
  if (sent.every((name) => writable.has(name) && !INERT.has(name))) return []
  const echoed = sent.includes('etag') || sent.includes('kind')
  const service = echoed ? [] : sent.filter((name) => all.has(name) && !writable.has(name))
  return [
    ...service.map((name) => hint('FC202', `${name} is read-only`, 'Remove it')),
    ...sent.flatMap((name) => {
      const instead = INERT.get(name)
      return instead === undefined ? [] : [hint('FC203', `${name} is stored, but has no effect`, instead)]
    }),
  ]
}
