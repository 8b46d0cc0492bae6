import { z } from 'zod'
import type { Seed, SeedAccount, SeedCalendar, SeedEvent } from '../../schema/types/publicTypes.ts'
import { listIssues } from './listIssues.ts'
import { seedShape } from './shape.ts'
import { state } from './state.ts'

export type { Seed, SeedAccount, SeedCalendar, SeedEvent }

/**
 * Parses a seed or a state. A state is validated and restored unchanged; other seeds are transformed by their schema.
 */
export const seed = z.unknown().transform((data, context): Seed => {
  const schema = isState(data) ? state : seedShape
  const read = tryParse(schema, data)
  if (read?.success) return read.data as Seed
  context.issues.push(...(listIssues(schema, data) as typeof context.issues))
  return z.NEVER
})

/** Returns the result of the schema, or undefined for data with more issues than zod can return. */
function tryParse(schema: typeof state | typeof seedShape, data: unknown) {
  try {
    return schema.safeParse(data)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Returns true for data with counters: a state. */
const isState = (data: unknown): boolean => typeof data === 'object' && data !== null && 'counters' in data
