import type { z } from 'zod'
import { findNearest } from '../schema/values/nearest.ts'
import { isConditions } from './matching.ts'

type Schema = {
  readonly innerType?: z.ZodType
  readonly element?: z.ZodType
  readonly shape?: Readonly<Record<string, z.ZodType>>
  readonly entries?: Readonly<Record<string, string>>
}

/**
 * Throws a RangeError for a field or a text that no value of the schema can have, because an assertion that expects
 * nothing of the kind would pass for a misspelled name.
 */
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

/** Throws a RangeError that proposes the nearest of the known names, unless a name is one of them. */
export function requireName(name: string, known: readonly string[], path: string): void {
  if (known.includes(name)) return
  const nearest = JSON.stringify(findNearest(name, known))
  throw new RangeError(`${path}: there is no ${JSON.stringify(name)}; did you mean ${nearest}?`)
}
