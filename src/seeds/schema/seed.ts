import { z } from 'zod'
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
  const { issues = [], seed } = parse(hasCounters(data) ? state : seedShape, data)
  context.issues.push(...(issues as typeof context.issues))
  return seed ?? z.NEVER
})

const hasCounters = (data: unknown): boolean => typeof data === 'object' && data !== null && 'counters' in data

type Issue = z.core.$ZodIssue

/** Returns the first 20 issues of invalid data, and the number of the others as a last one. */
function parse(schema: z.ZodType, data: unknown): { seed?: Seed; issues?: Issue[] } {
  try {
    const read = schema.safeParse(data)
    if (read.success) return { seed: read.data as Seed }
    const { issues } = read.error
    if (issues.length <= MAX_LISTED) return { issues }
    return { issues: [...issues.slice(0, MAX_LISTED), createIssue(`and ${issues.length - MAX_LISTED} more problems`)] }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    // zod throws a RangeError for some 100,000 issues, because it passes them as arguments.
    return { issues: [createIssue('too many problems to list')] }
  }
}

const createIssue = (message: string): Issue => ({ code: 'custom', path: [], message, input: undefined })
