import type { z } from 'zod'
import type { Verb } from '../api/endpoint.ts'
import { SeedError } from '../life/seed.ts'
import { refuse } from '../wire/refusals.ts'
import { done, Misfit, type Operation, type Scene, WaitedInVain } from './operation.ts'

export type ControlCall<B = unknown, Q = unknown> = Scene & { body: B; query: Q }

/** An operation as a route. */
export interface ControlEndpoint {
  id: `control.${string}`
  verb: Verb
  path: `/_control/${string}`
  summary: string
  body?: z.ZodType
  /** What the query may say; without it nothing is read. */
  query?: z.ZodType
  handle(call: ControlCall): Promise<object>
}

export const routeOf = (operation: Operation): ControlEndpoint => {
  const { id, verb, path, summary, input } = operation
  return {
    id,
    verb,
    path,
    summary,
    ...(input && (verb === 'GET' ? { query: input } : { body: input })),
    handle: ({ body, query, ...scene }) => answered(operation, scene, (verb === 'GET' ? query : body) as never),
  }
}

async function answered(operation: Operation, scene: Scene, input: never): Promise<object> {
  try {
    const outcome = await done(operation, scene, input)
    return operation.reply?.(outcome as never, input, scene) ?? (outcome as object)
  } catch (error) {
    return refused(error)
  }
}

/** The same of what is done at one go. */
export function refusing<T>(act: () => T): T {
  try {
    return act()
  } catch (error) {
    return refused(error)
  }
}

/** What is thrown in process, as the refusal that says the same. */
function refused(error: unknown): never {
  if (error instanceof Misfit) refuse('invalidValue', { field: error.field, problem: error.message })
  if (error instanceof SeedError) refuse('badControlRequest', { problem: error.message })
  if (error instanceof WaitedInVain) refuse('waitedInVain', { problem: error.message })
  throw error
}
