import type { z } from 'zod'
import type { Verb } from '../http/endpoint.ts'
import type { Realm } from '../life/realm.ts'
import { refuse } from '../wire/refusals.ts'

/** The worlds that a server holds. */
export interface Worlds {
  names(): string[]
  remove(name: string): void
}

export type ControlCall<B = unknown, Q = unknown> = { realm: Realm; worlds: Worlds; name: string; body: B; query: Q }

/** What a test author may do to a world that no client of the real service can. */
export interface ControlEndpoint {
  id: `control.${string}`
  verb: Verb
  path: `/_control/${string}`
  summary: string
  body?: z.ZodType
  /** What the query may say; without it nothing is read. */
  query?: z.ZodType
  handle(call: ControlCall): object | Promise<object>
}

/** Infers the types of `body` and `query` for `handle`. */
export const control = <B extends z.ZodType = z.ZodUndefined, Q extends z.ZodType = z.ZodUndefined>(
  definition: Omit<ControlEndpoint, 'body' | 'query' | 'handle'> & {
    body?: B
    query?: Q
    handle(call: ControlCall<z.output<B>, z.output<Q>>): object | Promise<object>
  },
): ControlEndpoint => definition as unknown as ControlEndpoint

/** A time or a number that cannot be is a bad request that names its field. */
export const timely = <T>(field: string, act: () => T): T => {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return refuse('invalidValue', { field, problem: error.message })
  }
}
