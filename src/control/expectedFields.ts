import { z } from 'zod'
import { aclRule } from '../schema/aclRule.ts'
import { channel } from '../schema/bodies.ts'
import { calendar } from '../schema/calendar.ts'
import { shownEntry } from '../schema/calendarListEntry.ts'
import { event } from '../schema/event.ts'
import { mail } from '../schema/mail.ts'
import { setting } from '../schema/setting.ts'
import { describeUnknownName } from '../schema/values/nearest.ts'
import { isInstant } from './assignment.ts'
import type { KindName } from './history/kinds.ts'
import type { ExpectedChange } from './history/verify.ts'
import { checkExpected, isConditions, isDateObject, isRegExp, toCountRange } from './matching.ts'

type Schema = {
  readonly type?: string
  readonly innerType?: z.ZodType
  readonly element?: z.ZodType
  readonly shape?: Readonly<Record<string, z.ZodType>>
  readonly entries?: Readonly<Record<string, string>>
}

/**
 * Throws a RangeError for an unknown name and for a value that the field never has, because an assertion of absence passes for
 * it. A field that is not always present may be expected as undefined or null.
 */
export function requireKnownFields(expected: unknown, schema: z.ZodType, path: string): void {
  const { type = '', innerType, element, shape, entries } = schema.def as unknown as Schema
  if (innerType) {
    if (expected !== undefined && expected !== null) requireKnownFields(expected, innerType, path)
    return
  }
  if (entries && typeof expected === 'string') requireName(expected, Object.values(entries), path)
  if (isConditions(expected)) {
    requireKnownConditions(expected, type, element, path)
    return
  }
  const form = FORMS[type]
  const fits = TYPES[type]?.includes(typeOf(expected)) ?? typeOf(expected) === type
  if (form && !fits) throw new RangeError(`${path}: give ${form}`)
  if (Array.isArray(expected) && element)
    for (const [at, one] of expected.entries()) requireKnownFields(one, element, `${path}[${at}]`)
  if (!shape) return
  for (const [name, part] of Object.entries(expected as object)) {
    requireName(name, Object.keys(shape), path)
    requireTextFormat(name, part, `${path}.${name}`)
    requireKnownFields(part, shape[name] as z.ZodType, `${path}.${name}`)
  }
}

/** The forms of values, by the types of zod. */
const FORMS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  union: 'a text or a number',
}

/** The types of values, where they differ from the type of zod. Both parts of a union are texts or numbers. */
const TYPES: Readonly<Record<string, readonly string[]>> = { union: ['string', 'number'], record: ['object'] }

function typeOf(value: unknown): string {
  if (isDateObject(value)) return 'string'
  return Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value
}

/** A matcher may match anything. */
function requireKnownConditions(given: object, type: string, element: z.ZodType | undefined, path: string): void {
  const isText = isRegExp(given) || !('asymmetricMatch' in given || 'contains' in given)
  if (isText && ['array', 'object', 'record'].includes(type))
    throw new RangeError(`${path}: a condition on a text cannot match ${FORMS[type]}`)
  if (!element || !('contains' in given)) return
  for (const one of [given.contains].flat()) requireKnownFields(one, element, `${path}.contains`)
}

/** The service shows each `dateTime` with an offset, and a `date` without a time. */
function requireTextFormat(name: string, expected: unknown, path: string): void {
  if (typeof expected !== 'string' && !isDateObject(expected)) return
  if (name === 'account' && !String(expected).includes('@')) throw new RangeError(`${path}: give an address`)
  if (name === 'path' && !String(expected).startsWith('/'))
    throw new RangeError(`${path}: give a path, such as "/calendar/v3/colors"`)
  if (name === 'calendarId' && expected === 'primary') throw new RangeError(`${path}: give the id, not primary`)
  if (name === 'date' && !/^\d{4}-\d\d-\d\d$/.test(String(expected)))
    throw new RangeError(`${path}: give a date, such as "2026-03-02"`)
  if (name === 'dateTime' && !isDateObject(expected) && !isInstant(expected))
    throw new RangeError(`${path}: give a time with an offset, such as "2026-03-02T09:00:00+01:00", or a Date`)
}

export const requireKnownEventFields = (expected: unknown): void => requireKnownFields(expected, event, 'event')
export const requireKnownMailFields = (expected: unknown, path = 'mail'): void =>
  requireKnownFields(expected, mail, path)

/** Throws a RangeError that proposes the nearest known name. */
export function requireName(name: string, known: readonly string[], path: string): void {
  if (!known.includes(name)) throw new RangeError(`${path}: ${describeUnknownName(name, known)}`)
}

const SCHEMAS: Record<KindName, z.ZodType> = {
  event,
  calendar,
  calendarList: shownEntry,
  acl: aclRule,
  setting,
  channel,
}

const text = z.string().optional()
const CHANGE = z.object({ account: text, calendarId: text, id: text, title: text })

/**
 * Throws a RangeError for a change that cannot occur or be compared, and for an id and the like that is undefined, because it would
 * match any.
 */
export function requireKnownChanges(expected: readonly ExpectedChange[]): void {
  for (const [at, { change: _, kind, fields, times = 1, ...parts }] of expected.entries()) {
    for (const [name, value] of Object.entries(parts))
      if (value === undefined) throw new RangeError(`[${at}].${name}: is undefined; leave it out to expect any`)
    toCountRange(times, `[${at}].times`)
    const { where, ...others } = parts
    for (const [name, value] of Object.entries({ ...parts, fields })) checkExpected(value, `[${at}].${name}`)
    requireKnownFields(others, CHANGE, `[${at}]`)
    const check = (schema: z.ZodType) => requireKnownParts({ where, fields }, schema, `[${at}]`)
    if (kind !== undefined) check(SCHEMAS[kind])
    else requireAny(Object.values(SCHEMAS), check)
  }
}

/** Throws the error of the first schema if all have one. */
function requireAny(schemas: readonly z.ZodType[], check: (schema: z.ZodType) => void): void {
  const errors: unknown[] = []
  for (const schema of schemas) {
    try {
      check(schema)
      return
    } catch (error) {
      errors.push(error)
    }
  }
  throw errors[0]
}

type ExpectedParts = Pick<ExpectedChange, 'where' | 'fields'>

function requireKnownParts({ where, fields = {} }: ExpectedParts, schema: z.ZodType, place: string): void {
  if (where !== undefined) requireKnownFields(where, schema, `${place}.where`)
  for (const [path, value] of Object.entries(fields)) {
    const field = requireKnownPath(path, schema, `${place}.fields`)
    const values = Array.isArray(value) && value.length === 2 ? value : [value]
    for (const one of values.filter((one) => one !== undefined && one !== null)) {
      if (!field) continue
      requireTextFormat(path.replace(/.*\./, ''), one, `${place}.fields.${path}`)
      requireKnownFields(one, field, `${place}.fields.${path}`)
    }
  }
}

/**
 * Returns the schema of a path of the form `attendees[bob@example.com].responseStatus`. Names of free maps, such as of properties,
 * are valid and have none.
 */
function requireKnownPath(path: string, schema: z.ZodType, place: string): z.ZodType | undefined {
  let part: z.ZodType | undefined = schema
  for (const { 0: step, index } of path.matchAll(/\[[^\]]*\]|[^.[]+/g)) {
    const { element, shape } = unwrap(part)
    if (step.startsWith('[')) part = element
    else {
      const known = Object.keys(shape ?? {}).map((name) => path.slice(0, index) + name)
      if (shape) requireName(path.slice(0, index) + step, known, place)
      part = shape?.[step]
    }
    if (!part) return undefined
  }
  return part
}

function unwrap(schema: z.ZodType): Schema {
  const def = schema.def as unknown as Schema
  return def.innerType ? unwrap(def.innerType) : def
}
