import { apiError, throwApiError } from './apiErrors.ts'

/** A parameter in the terms of a discovery document, which prints this table. The server parses requests by it. */
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
export type Located = Param & { readonly location: 'path' | 'query' }
export type Params = Readonly<Record<string, Param>>

/** A missing parameter is undefined, unless it is required or has a default. */
export type ParamValues<P extends Params> = { -readonly [K in keyof P]: Value<P[K]> | Absent<P[K]> }
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
/** Such as `conferenceDataVersion`: 0 if a client does not support the feature, else 1. */
export const VERSION = { type: 'integer', format: 'int32', minimum: '0', maximum: '1' } as const
/** RFC 3339. Parsing checks it and keeps its text. */
export const TIMESTAMP = { type: 'string', format: 'date-time' } as const
export const enumParam = <const E extends readonly string[]>(...allowed: E) =>
  ({ type: 'string', enum: allowed }) as const
/** A request may send it several times. Its value is a list. */
export const repeated = <P extends Param>(param: P) => ({ ...param, repeated: true }) as const

export const PAGING = { maxResults: COUNT, pageToken: TEXT } as const
export const SYNC_PAGING = { ...PAGING, syncToken: TEXT } as const

/** Every method has them (behaviour 1.10). */
export const STANDARD = {
  alt: { ...enumParam('json'), default: 'json' },
  fields: TEXT,
  key: TEXT,
  oauth_token: TEXT,
  prettyPrint: { ...FLAG, default: 'true' },
  quotaUser: TEXT,
  userIp: TEXT,
} as const satisfies Params

const MAX_QUOTA_USER_LENGTH = 40
const { alt, fields, quotaUser } = STANDARD
const CHECKED_STANDARD = { alt, fields, quotaUser }

/**
 * Returns the field mask, unparsed; empty if there is none. The other standard parameters are read where they are
 * used and cause no error here. Throws `notAllowed` and `parameterTooLong` (400).
 */
export function parseStandardParams(query: URLSearchParams): { fields: string } {
  if (query.size === 0) return { fields: '' }
  const { quotaUser: value = '', fields = '' } = parseParams(CHECKED_STANDARD, { query })
  if (value.length > MAX_QUOTA_USER_LENGTH) throw apiError('parameterTooLong', { location: 'quotaUser' })
  return { fields }
}

/** A second name of a parameter, by its first (behaviour 1.19). */
const ALTERNATIVE_NAMES: Readonly<Record<string, string>> = { maxAttendees: 'maxAttendee' }
/** An empty value is kept and rejected by the method. Other empty values are dropped (behaviour 13.2.1). */
const KEPT_IF_EMPTY = ['timeZone']

type ParamSources = {
  readonly path?: Readonly<Record<string, string>>
  readonly query: URLSearchParams
}

function findValues(name: string, { path, query }: ParamSources): readonly string[] {
  const inPath = path?.[name]
  if (inPath !== undefined) return [inPath]
  const alternative = ALTERNATIVE_NAMES[name]
  const values = alternative === undefined ? query.getAll(name) : [...query.getAll(name), ...query.getAll(alternative)]
  return KEPT_IF_EMPTY.includes(name) ? values : values.filter((text) => text !== '')
}

/**
 * An empty value counts as missing, except that of `timeZone`. Of several values of a parameter that is not
 * `repeated` the first is used. Throws `missingParameter`, and the errors of `parseValue`. Other parameters of the
 * request are ignored.
 */
export function parseParams<P extends Params>(params: P, sources: ParamSources): ParamValues<P> {
  const values: Record<string, unknown> = {}
  for (const [name, param] of Object.entries(params)) {
    const [first = param.default, ...others] = findValues(name, sources)
    if (first !== undefined) {
      const value = parseParamValue(name, param, first)
      values[name] = param.repeated ? [value, ...others.map((text) => parseParamValue(name, param, text))] : value
    } else if (param.required) throw apiError('missingParameter', { location: name })
  }
  return values as ParamValues<P>
}

function parseParamValue(location: string, param: Param, value: string): string | number | boolean {
  switch (param.type) {
    case 'boolean':
      if (!/^(true|false)$/i.test(value)) throw apiError('invalidBoolean', { location, value })
      return value.toLowerCase() === 'true'
    case 'integer':
      return parseInteger(location, param, value)
    case 'string':
      if (param.enum) return parseWord(location, param.enum, value)
      if (param.format === 'date-time') instantOfTimestamp(value)
      return value
  }
}

/** Words match in any case (behaviour 1.13). Throws `notAllowed` (400). */
function parseWord(location: string, words: readonly string[], value: string): string {
  const lower = value.toLowerCase()
  const word = words.find((one) => one.toLowerCase() === lower)
  return word ?? throwApiError('notAllowed', { location, value, allowed: words.join(', ') })
}

/** Both limits are inclusive; by default they are those of 32 bits. Throws `invalidInteger` (400), and `outOfRange` (400). */
function parseInteger(location: string, { minimum, maximum }: Param, value: string): number {
  if (!/^[+-]?\d+$/.test(value)) throw apiError('invalidInteger', { location, value })
  const number = Number(value)
  const least = Number(minimum ?? -(2 ** 31))
  const most = Number(maximum ?? 2 ** 31 - 1)
  if (number < least || number > most) throw apiError('outOfRange', { location, value, least, most })
  return number
}

// The hour 24, which Date.parse accepts, is not in RFC 3339.
const RFC3339 = /^(\d{4}-\d\d-\d\d)[Tt]((?!24)\d\d:\d\d:\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:?\d\d)$/

/**
 * Milliseconds, rounded down to a whole second. The offset is mandatory, its colon is not (behaviour 1.14). Throws
 * `badTimestamp` (400).
 */
export const instantOfTimestamp = (timestamp: string): number => Math.floor(preciseInstant(timestamp) / 1000) * 1000

/** Milliseconds. Digits after them are dropped (behaviour 1.14.1). Throws `badTimestamp` (400). */
export function preciseInstant(timestamp: string): number {
  const [, date = '', time = '', fraction = '', offset = ''] = RFC3339.exec(timestamp) ?? []
  const instant = isDate(date)
    ? Date.parse(`${date}T${time}${offset.toUpperCase().replace(/(\d\d)(\d\d)$/, '$1:$2')}`)
    : Number.NaN
  return Number.isNaN(instant) ? throwApiError('badTimestamp') : instant + Number(fraction.padEnd(3, '0').slice(0, 3))
}

const DATE = /^\d{4}-\d\d-\d\d$/

/** JavaScript alone would read 30 February as 2 March. */
export const isDate = (text: string): boolean =>
  DATE.test(text) && new Date(`${text}T00:00:00Z`).getUTCDate() === Number(text.slice(8))

/** Parameters that the service accepts without documenting them. */
export const UNDOCUMENTED = [
  'access_token',
  'alt',
  '$.xgafv',
  '$prettyPrint',
  '$alt',
  'callback',
  'maxAttendee',
  'uploadType',
]
