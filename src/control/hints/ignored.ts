import type { Schema } from '../../wire/json.ts'
import { nearest } from '../../wire/nearest.ts'
import { STANDARD } from '../../wire/params.ts'
import { type Hint, hint, shown } from './hint.ts'

/** What a method takes, as far as hints ask. */
export type Taking = { readonly id: string; readonly params: Readonly<Record<string, unknown>> }

/** What clients of the service may send with any method, beside what its documents say. */
const ALSO = ['access_token', 'alt', '$.xgafv', '$prettyPrint', '$alt', 'callback', 'maxAttendee', 'uploadType']

/** Which methods take a parameter, by its name. */
export class Parameters {
  readonly #methods = new Map<string, string[]>()

  constructor(methods: readonly Taking[]) {
    for (const { id, params } of methods) {
      for (const name of Object.keys(params)) {
        const others = this.#methods.get(name) ?? []
        this.#methods.set(name, [...others, id.replace('calendar.', '')])
      }
    }
  }

  /** The parameters of a request that its method does not know. */
  unknown(query: URLSearchParams, { params }: Taking): string[] {
    if (query.size === 0) return []
    return [...new Set(query.keys())].filter(
      (name) => !Object.hasOwn(params, name) && !Object.hasOwn(STANDARD, name) && !ALSO.includes(name),
    )
  }

  hintOn(name: string, { id, params }: Taking): Hint {
    const [other] = this.#methods.get(name) ?? []
    const method = id.replace('calendar.', '')
    if (other) return hint('FC103', `${name} is a parameter of ${other} and not of ${method}`, `Leave it out`)
    const known = nearest(name, [...Object.keys(params), ...Object.keys(STANDARD)]) ?? ''
    return hint('FC102', `${method} has no parameter ${shown(name)}`, `Did you mean ${known}?`, Object.keys(params))
  }
}

type Schemas = Readonly<Record<string, Schema>>
/** A field that is not in a schema, and those that are. */
export type Stray = { readonly path: string; readonly name: string; readonly known: readonly string[] }

/** Fields of a body that its schema does not know, wherever they stand in it. */
export function strayFields(body: unknown, name: string, schemas: Schemas): Stray[] {
  const found: Stray[] = []
  const look = (value: unknown, schema: Schema | undefined, path: string): void => {
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
      else if (found.length < MOST) found.push({ path: at, name: field, known: Object.keys(properties) })
    }
  }
  look(body, schemas[name], '')
  return found
}

const MOST = 5

export const strayHint = ({ path, name, known }: Stray): Hint =>
  hint('FC201', `${shown(path)} is no field of the service`, `Did you mean ${nearest(name, known) ?? ''}?`, known)

/** Fields that are kept and have no effect, which the service's have. */
const INERT = new Map([
  ['anyoneCanAddSelf', 'Invite the guests by name'],
  ['gadget', 'The service has given gadgets up as well'],
])

/** What of a body is read and yet has no effect. A whole resource that is sent back as it came has its etag with it. */
export function ignoredHints(body: unknown, writable: ReadonlySet<string>, all: ReadonlySet<string>): Hint[] {
  if (typeof body !== 'object' || body === null) return []
  const sent = Object.keys(body)
  if (sent.every((name) => writable.has(name) && !INERT.has(name))) return []
  const echoed = sent.includes('etag') || sent.includes('kind')
  const service = echoed ? [] : sent.filter((name) => all.has(name) && !writable.has(name))
  return [
    ...service.map((name) => hint('FC202', `Only the service writes ${name}`, 'Leave it out')),
    ...sent.flatMap((name) => {
      const instead = INERT.get(name)
      return instead === undefined ? [] : [hint('FC203', `${name} is kept, with no effect`, instead)]
    }),
  ]
}
