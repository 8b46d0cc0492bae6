import { dateText, readUtc } from '../recurrence/written.ts'
import { refuse } from './refusals.ts'

/**
 * What a path or query parameter may say, in the words of a discovery document: the table is read by the server to
 * parse a request and by discovery to print it.
 */
export type Param = {
  readonly type: 'string' | 'boolean' | 'integer'
  readonly format?: 'int32' | 'date-time'
  readonly enum?: readonly string[]
  readonly repeated?: true
  readonly required?: true
  readonly default?: string
  readonly minimum?: string
  readonly maximum?: string
}
/** A parameter as a discovery document prints it. */
export type Located = Param & { readonly location: 'path' | 'query' }
export type Params = Readonly<Record<string, Param>>

/** What a handler gets for each parameter of a table; `undefined` where the request does not give it. */
export type Values<P extends Params> = { -readonly [K in keyof P]: Value<P[K]> | Absent<P[K]> }
type Absent<P extends Param> = P extends { required: true } | { default: string } ? never : undefined
type Value<P extends Param> = P extends { repeated: true } ? Single<P>[] : Single<P>
type Single<P extends Param> = P['type'] extends 'boolean'
  ? boolean
  : P['type'] extends 'integer'
    ? number
    : P extends { enum: readonly (infer E)[] }
      ? E
      : string

export const TEXT = { type: 'string' } as const
export const PATH = { type: 'string', required: true } as const
export const FLAG = { type: 'boolean' } as const
export const COUNT = { type: 'integer', format: 'int32', minimum: '1' } as const
export const VERSION = { type: 'integer', format: 'int32', minimum: '0', maximum: '1' } as const
export const TIMESTAMP = { type: 'string', format: 'date-time' } as const
export const choice = <const E extends readonly string[]>(...allowed: E) => ({ type: 'string', enum: allowed }) as const
export const repeated = <P extends Param>(param: P) => ({ ...param, repeated: true }) as const

export const PAGING = { maxResults: COUNT, pageToken: TEXT } as const
export const SYNC_PAGING = { ...PAGING, syncToken: TEXT } as const

/** What every method takes beside its own parameters (behaviour 1.10). */
export const STANDARD = {
  alt: { ...choice('json'), default: 'json' },
  fields: TEXT,
  key: TEXT,
  oauth_token: TEXT,
  prettyPrint: { ...FLAG, default: 'true' },
  quotaUser: TEXT,
  userIp: TEXT,
} as const satisfies Params

const LONGEST_QUOTA_USER = 40
const { alt, fields, quotaUser } = STANDARD
const DECISIVE = { alt, fields, quotaUser }

/** What a request gave of the standard parameters that decide whether it is answered. */
export function readStandard(query: URLSearchParams): { fields: string } {
  if (query.size === 0) return { fields: '' }
  const given = readParams(DECISIVE, { query })
  const value = String(given.quotaUser ?? '')
  if (value.length > LONGEST_QUOTA_USER) refuse('tooLong', { location: 'quotaUser', value, most: LONGEST_QUOTA_USER })
  return { fields: String(given.fields ?? '') }
}

/** A name that the service's own documents also use for a parameter (behaviour 1.19). */
const ALSO: Readonly<Record<string, string>> = { maxAttendees: 'maxAttendee' }
/** Where an empty value is not none: it names no zone (behaviour 13.2.1). */
const MEANT_EMPTY = ['timeZone']

/** Where a request gives parameters: what its path names is said there alone. */
type Given = {
  readonly path?: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly form?: URLSearchParams | undefined
}

/** A parameter of a table with all the names that it goes by. */
type Row = { readonly name: string; readonly names: readonly string[]; readonly param: Param }

/** The rows of the tables that were read: a table never changes. */
const rows = new WeakMap<Params, readonly Row[]>()

function rowsOf(params: Params): readonly Row[] {
  const known = rows.get(params)
  if (known) return known
  const made = Object.entries(params).map(([name, param]) => ({ name, names: [name, ALSO[name] ?? []].flat(), param }))
  rows.set(params, made)
  return made
}

const NOTHING: readonly string[] = []

/** What a query or a form says, by name: it says little, and is asked for much. */
function sayings(said: URLSearchParams | undefined): Map<string, string[]> {
  const byName = new Map<string, string[]>()
  said?.forEach((value, name) => {
    const others = byName.get(name)
    if (others) others.push(value)
    else byName.set(name, [value])
  })
  return byName
}

type Sayings = ReturnType<typeof sayings>

function saidOf(names: readonly string[], { path }: Given, query: Sayings, form: Sayings): readonly string[] {
  const [name = ''] = names
  const named = path?.[name]
  if (named !== undefined) return [named]
  if (form.size === 0 && names.length === 1) return query.get(name) ?? NOTHING
  return names.flatMap((one) => [...(query.get(one) ?? NOTHING), ...(form.get(one) ?? NOTHING)])
}

/** Parses what a request gave for the parameters of a table. An empty value counts as none. */
export function readParams(params: Params, given: Given): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  const [query, form] = [sayings(given.query), sayings(given.form)]
  for (const { name, names, param } of rowsOf(params)) {
    const said = saidOf(names, given, query, form)
    const meant = MEANT_EMPTY.includes(name) ? said : said.includes('') ? said.filter((text) => text !== '') : said
    const texts = meant.length === 0 && param.default !== undefined ? [param.default] : meant
    if (texts.length > 0) {
      values[name] = param.repeated ? texts.map((text) => read(name, param, text)) : read(name, param, texts[0] ?? '')
    } else if (param.required) refuse('missingParameter', { location: name })
  }
  return values
}

function read(location: string, param: Param, value: string): string | number | boolean {
  switch (param.type) {
    case 'boolean':
      if (!/^(true|false)$/i.test(value)) refuse('invalidBoolean', { location, value })
      return value.toLowerCase() === 'true'
    case 'integer':
      return readInteger(location, param, value)
    case 'string':
      if (param.enum && !param.enum.includes(value)) {
        refuse('notAllowed', { location, value, allowed: param.enum.join(', ') })
      }
      if (param.format === 'date-time') instantOfTimestamp(value)
      return value
  }
}

function readInteger(location: string, { minimum, maximum }: Param, value: string): number {
  if (!/^[+-]?\d+$/.test(value)) refuse('invalidInteger', { location, value })
  const number = Number(value)
  const least = Number(minimum ?? -(2 ** 31))
  const most = Number(maximum ?? 2 ** 31 - 1)
  if (number < least || number > most) refuse('outOfRange', { location, value, least, most })
  return number
}

const RFC3339 = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:?\d\d)$/

/** The instant of an RFC 3339 timestamp in whole seconds. The offset is mandatory, its colon is not (behaviour 1.14). */
export const instantOfTimestamp = (timestamp: string): number => Math.floor(preciseInstant(timestamp) / 1000) * 1000

/** The same to the millisecond, where fractions count (behaviour 1.14.1). */
export function preciseInstant(timestamp: string): number {
  const [, date = '', time = '', fraction = '', offset = ''] = RFC3339.exec(timestamp) ?? []
  const instant = isDate(date)
    ? Date.parse(`${date}T${time}${offset.toUpperCase().replace(/(\d\d)(\d\d)$/, '$1:$2')}`)
    : Number.NaN
  return Number.isNaN(instant) ? refuse('badTimestamp') : instant + Number(fraction.padEnd(3, '0').slice(0, 3))
}

/** A day that the calendar has: JavaScript reads 30 February as 2 March. */
export const isDate = (date: string): boolean => {
  const midnight = readUtc(`${date}T00:00:00Z`)
  return !Number.isNaN(midnight) && dateText(midnight).startsWith(date)
}
