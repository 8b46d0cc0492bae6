import { z } from 'zod'
import { parseData } from '../../schema/values/issues.ts'
import { findLongPart } from '../../schema/values/json.ts'
import { MAX_LISTED } from '../../schema/values/limitLines.ts'
import { type accountSeed, type calendarSeed, seedShape } from './shape.ts'
import { counters, state } from './state.ts'

export const PUBLIC_SEED = seedShape.extend({ counters: counters.optional() })
/** A world as JSON, with the field names of the API. Missing fields get the defaults of the service. */
export type Seed = z.output<typeof PUBLIC_SEED>
export type SeedAccount = z.output<typeof accountSeed>
export type SeedCalendar = z.output<typeof calendarSeed>
export type SeedEvent = NonNullable<SeedCalendar['events']>[number]

/** A state is validated and returned unchanged; other seeds are transformed by their schema. */
export const seed = z.unknown().transform((data, context): Seed => {
  const schema = hasCounters(data) ? state : seedShape
  const read = parseBounded(schema, data)
  if ('data' in read) return read.data as Seed
  context.issues.push(...(read.issues as typeof context.issues))
  return z.NEVER
})

const hasCounters = (data: unknown): boolean => typeof data === 'object' && data !== null && 'counters' in data

type Issue = z.core.$ZodIssue

const MAX_PARSED_ITEMS = 1000

/**
 * `issues` are the first 20 of invalid data, and the number of the others as a last one. A long list is parsed to its end only
 * if its first 1,000 items are right, because each issue takes as long as ten right values.
 */
export function parseBounded<T extends z.ZodType>(
  schema: T,
  data: unknown,
): { data: z.output<T> } | { issues: Issue[] } {
  const isLong = findLongPart(data, { ofList: MAX_PARSED_ITEMS, ofObject: Number.POSITIVE_INFINITY }) !== undefined
  const start = isLong ? parseData(schema, cutLists(data)).error?.issues : undefined
  const read = start && start.length > MAX_LISTED ? undefined : tryParse(schema, data)
  if (read?.success) return { data: read.data }
  const issues = read?.error.issues ?? start ?? []
  if (read && issues.length <= MAX_LISTED) return { issues: [...issues] }
  const more = read ? `and ${issues.length - MAX_LISTED} more problems` : 'and too many more problems to list'
  return { issues: [...issues.slice(0, MAX_LISTED), { code: 'custom', path: [], message: more, input: undefined }] }
}

/** Returns undefined for some 100,000 issues, which zod cannot pass as arguments. */
function tryParse<T extends z.ZodType>(schema: T, data: unknown) {
  try {
    return parseData(schema, data)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const cutLists = (data: unknown): unknown => {
  if (Array.isArray(data)) return data.slice(0, MAX_PARSED_ITEMS).map(cutLists)
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, cutLists(value)]))
}
