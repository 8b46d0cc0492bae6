import { z } from 'zod'
import { parseData } from '../../schema/values/issues.ts'
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

function tryParse<T extends z.ZodType>(schema: T, data: unknown) {
  try {
    return parseData(schema, data)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const hasCounters = (data: unknown): boolean => typeof data === 'object' && data !== null && 'counters' in data

type Issue = z.core.$ZodIssue

const MAX_PARSED_ITEMS = 1000

/** Parses data once. `issues` are the first 20 of invalid data, and the number of the others as a last one. */
export function parseBounded<T extends z.ZodType>(
  schema: T,
  data: unknown,
): { data: z.output<T> } | { issues: Issue[] } {
  const read = tryParse(schema, data)
  return read?.success ? { data: read.data } : { issues: limitIssues(schema, data, read) }
}

function limitIssues(schema: z.ZodType, data: unknown, read: z.ZodSafeParseError<unknown> | undefined): Issue[] {
  const issues = read?.error.issues
  // zod throws a RangeError for some 100,000 issues, because it passes them as arguments.
  const first = issues ?? tryParse(schema, cutLists(data))?.error?.issues ?? []
  const more = issues ? `and ${issues.length - MAX_LISTED} more problems` : 'and too many more problems to list'
  if (issues && issues.length <= MAX_LISTED) return [...issues]
  return [...first.slice(0, MAX_LISTED), { code: 'custom', path: [], message: more, input: undefined }]
}

const cutLists = (data: unknown): unknown => {
  if (Array.isArray(data)) return data.slice(0, MAX_PARSED_ITEMS).map(cutLists)
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, cutLists(value)]))
}
