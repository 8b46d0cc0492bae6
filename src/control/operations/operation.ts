import type { z } from 'zod'
import type { Verb } from '../../api/endpoint.ts'
import type { Seed } from '../../seeds/schema/seed.ts'
import type { SnapshotData } from '../worlds/snapshots.ts'
import type { World } from '../worlds/world.ts'

/** The worlds of a server. */
export interface Worlds {
  names(): string[]
  remove(name: string): void
  /** Replaces or creates a world with seeds, or with a snapshot of another world. */
  begin(name: string, start: SnapshotData | readonly Seed[]): void
  world(name: string): World
}

/** The world that an operation acts on, and the other worlds of the server. */
export type ControlContext = {
  readonly world: World
  readonly worlds: Worlds
  readonly name: string
  /** Aborts when the client disconnects. Undefined in process. */
  readonly signal?: AbortSignal | undefined
}

/** Functions in process by name (`clock.freeze`). Each converts its arguments to the input of the operation. */
type InProcessFunctions<I> = Record<string, (...given: never[]) => I>

type Row<S extends z.ZodType, W, R> = {
  id: `control.${string}`
  verb: Verb
  path: `/_control/${string}`
  summary: string
  /** The schema of path parameters with the query (GET) or the JSON body (others). Without it there is no input. */
  input?: S
  /** An input that is valid in any world. */
  example?: z.input<S>
  /** The schema of the response. */
  result: z.ZodType
  inProcess: W
  /** Returns true for inputs in process that need no validation, such as handles. */
  isKnown?(given: z.input<S>): boolean
  /** Runs the operation. Throws a RangeError or a SeedError for invalid input. */
  run(context: ControlContext, input: z.output<S>): R
  /** Converts the outcome to the body of the response. The default is the outcome itself. */
  reply?(outcome: Awaited<R>, input: z.output<S>, context: ControlContext): object
  /** Converts the outcome to the result in process if it is more than data. `copied` is a copy for the caller. */
  handOver?(outcome: Awaited<R>, copied: Awaited<R>): unknown
}

/** A control operation: a route and functions in process. Clients of the real service have no such operation. */
export interface Operation {
  id: `control.${string}`
  verb: Verb
  path: `/_control/${string}`
  summary: string
  input?: z.ZodType | undefined
  example?: unknown
  result: z.ZodType
  inProcess: InProcessFunctions<unknown>
  isKnown?(given: never): boolean
  run(context: ControlContext, input: never): unknown
  reply?(outcome: never, input: never, context: ControlContext): object
  handOver?(outcome: never, copied: never): unknown
}

/** Defines an operation. Infers the types of input, outcome and functions in process. */
export const operation = <W extends InProcessFunctions<z.input<S>>, R, S extends z.ZodType = z.ZodUndefined>(
  row: Row<S, W, R>,
): Row<S, W, R> => row

/** Runs an operation in one transaction, up to its first wait. */
export const runOperation = ({ run, verb }: Operation, context: ControlContext, input: never): unknown => {
  const { data, controls } = context.world
  const outcome = data.store.withAuthor({ by: 'control' }, () => data.store.transaction(() => run(context, input)))
  if (verb === 'GET') return outcome
  const notify = () => controls.journal.notify('changed')
  if (!(outcome instanceof Promise)) notify()
  // A failed operation may have written before its first wait.
  else outcome.then(notify, notify)
  return outcome
}

/** The conversion of functions without arguments. */
export const noInput = (): undefined => undefined

/** Thrown for invalid input. `field` names the wrong field. */
export class InvalidInputError extends RangeError {
  readonly field: string

  constructor(field: string, problem: string) {
    super(problem)
    this.field = field
  }
}

/** Thrown when a wait ends without success. */
export class TimeoutError extends Error {}

/** Acts, and converts a RangeError to an InvalidInputError of the field. */
export const inField = <T>(field: string, act: () => T): T => {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof RangeError) || error instanceof InvalidInputError) throw error
    throw new InvalidInputError(field, error.message)
  }
}
