import { z } from 'zod'
import { seedShape } from './seeds/shape.ts'
import { type counters, state } from './seeds/state.ts'

export type Seed = z.output<typeof seedShape> & {
  /** Only in a state: where the world's counter, its source of chance and its lives stood. Such a seed is restored to the letter. */
  counters?: z.output<typeof counters> | undefined
}

/** A state is checked and restored to the letter; any other seed is taken as its schema reads it. */
export const seed = z.unknown().transform((data, context): Seed => {
  const read = (isState(data) ? state : seedShape).safeParse(data)
  if (read.success) return read.data as Seed
  context.issues.push(...(read.error.issues as typeof context.issues))
  return z.NEVER
})

const isState = (data: unknown): boolean => typeof data === 'object' && data !== null && 'counters' in data

export type SeedAccount = NonNullable<Seed['accounts']>[number]
export type SeedCalendar = NonNullable<Seed['calendars']>[number]
export type SeedEvent = NonNullable<SeedCalendar['events']>[number]
