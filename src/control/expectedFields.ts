import type { z } from 'zod'
import { aclRule } from '../schema/aclRule.ts'
import { channel } from '../schema/bodies.ts'
import { calendar } from '../schema/calendar.ts'
import { shownEntry } from '../schema/calendarListEntry.ts'
import { event } from '../schema/event.ts'
import { setting } from '../schema/setting.ts'
import { describeUnknownName } from '../schema/values/nearest.ts'
import type { KindName } from './history/kinds.ts'
import type { ExpectedChange } from './history/verify.ts'
import { isConditions } from './matching.ts'

type Schema = {
  readonly innerType?: z.ZodType
  readonly element?: z.ZodType
  readonly shape?: Readonly<Record<string, z.ZodType>>
  readonly entries?: Readonly<Record<string, string>>
}

/** Throws a RangeError for unknown names, because an assertion of absence passes for a misspelled one. */
export function requireKnownFields(expected: unknown, schema: z.ZodType, path: string): void {
  const { innerType, element, shape, entries } = schema.def as unknown as Schema
  if (innerType) requireKnownFields(expected, innerType, path)
  if (entries && typeof expected === 'string') requireName(expected, Object.values(entries), path)
  const hasConditions: boolean = isConditions(expected)
  if (typeof expected !== 'object' || expected === null || hasConditions) return
  if (Array.isArray(expected)) {
    if (element) for (const [at, one] of expected.entries()) requireKnownFields(one, element, `${path}[${at}]`)
    return
  }
  if (!shape) return
  for (const [name, part] of Object.entries(expected)) {
    requireName(name, Object.keys(shape), path)
    requireKnownFields(part, shape[name] as z.ZodType, `${path}.${name}`)
  }
}

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

export function requireKnownChanges(expected: readonly ExpectedChange[]): void {
  for (const [at, { kind, where, fields = {} }] of expected.entries()) {
    if (kind === undefined) continue
    requireKnownFields(where, SCHEMAS[kind], `[${at}].where`)
    for (const name of Object.keys(fields)) requireKnownPath(name, SCHEMAS[kind], `[${at}].fields`)
  }
}

/** Checks a path of the form `attendees[bob@example.com].responseStatus`. Names of free maps, such as of properties, are valid. */
function requireKnownPath(path: string, schema: z.ZodType, place: string): void {
  let part: z.ZodType | undefined = schema
  for (const { 0: step, index } of path.matchAll(/\[[^\]]*\]|[^.[]+/g)) {
    const { element, shape } = unwrap(part)
    if (step.startsWith('[')) part = element
    else {
      const known = Object.keys(shape ?? {}).map((name) => path.slice(0, index) + name)
      if (shape) requireName(path.slice(0, index) + step, known, place)
      part = shape?.[step]
    }
    if (!part) return
  }
}

function unwrap(schema: z.ZodType): Schema {
  const def = schema.def as unknown as Schema
  return def.innerType ? unwrap(def.innerType) : def
}
