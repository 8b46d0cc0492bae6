import type { z } from 'zod'
import type { Verb } from '../http/endpoint.ts'
import { refuse } from '../wire/refusals.ts'
import type { Realm } from '../world/realm.ts'

/** The worlds that a server holds. */
export interface Worlds {
  names(): string[]
  remove(name: string): void
}

export type ControlCall<B = unknown> = { realm: Realm; worlds: Worlds; name: string; body: B; query: URLSearchParams }

/** What a test author may do to a world that no client of the real service can. */
export interface ControlEndpoint {
  id: `control.${string}`
  verb: Verb
  path: `/_control/${string}`
  summary: string
  body?: z.ZodType
  handle(call: ControlCall): object
}

export const control = <B extends z.ZodType = z.ZodUndefined>(
  definition: Omit<ControlEndpoint, 'body' | 'handle'> & { body?: B; handle(call: ControlCall<z.output<B>>): object },
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
