import type { z } from 'zod'
import type { Verb } from '../../api/endpoint.ts'
import { apiError } from '../../schema/apiErrors.ts'
import { SeedError } from '../../seeds/seedError.ts'
import type { World } from '../worlds/world.ts'
import type { Worlds } from '../worlds/worlds.ts'

export type ControlContext = {
  readonly world: World
  readonly worlds: Worlds
  readonly name: string
  readonly signal?: AbortSignal | undefined
}

type ToInput = (...given: never[]) => unknown

type Definition<S extends z.ZodType, R, T extends ToInput, A extends Readonly<Record<string, ToInput>>> = {
  /** The verb, and the path below `/_control`. */
  route: `${Verb} /${string}`
  summary: string
  input?: S
  example?: z.input<S>
  /** A media type that a body may have instead of JSON, and the field of the input that it becomes. */
  rawBody?: { mediaType: string; field: string }
  /** Converts the arguments of the function to the input. By default the first argument is the input. */
  toInput?: T
  /** Other functions of the same operation. */
  also?: A
  /** The schema of the response; by default `{ done: true }`. */
  result?: z.ZodType
  /** The field of the response that functions return: all of it without `field`, nothing for null. */
  field?: string | null
  /**
   * Runs in a transaction. Throws or rejects with an InvalidInputError, SeedError, TimeoutError or VerificationError.
   */
  run(context: ControlContext, input: z.output<S>): R
  /** The default is the outcome, in `field` if there is one. */
  reply?(outcome: Awaited<R>, input: z.output<S>, context: ControlContext): object
  /** The default is the copied outcome. */
  toResult?(outcome: Awaited<R>, copied: Awaited<R>): unknown
}

export type AnyDefinition = Definition<z.ZodType, unknown, ToInput, Record<string, ToInput>>

export type Operation = Pick<AnyDefinition, 'summary' | 'input' | 'example' | 'rawBody' | 'field'> & {
  name: string
  id: `control.${string}`
  verb: Verb
  path: `/_control/${string}`
  functions: Readonly<Record<string, ToInput>>
  result: z.ZodType
  run(context: ControlContext, input: never): unknown
  reply?(outcome: never, input: never, context: ControlContext): object
  toResult?(outcome: never, copied: never): unknown
}

/** Exists to infer types. */
export const defineOperation = <
  R,
  S extends z.ZodType = z.ZodUndefined,
  T extends ToInput = ToInput,
  const A extends Readonly<Record<string, ToInput>> = Readonly<Record<never, never>>,
>(
  row: Definition<S, R, T, A>,
): Definition<S, R, T, A> => row

/**
 * Runs an operation in one transaction, up to its first wait. Unless the verb is GET, it sends `changed` to the
 * listeners of the journal, also if it rejects.
 */
export const runOperation = (
  { run, verb }: Pick<Operation, 'run' | 'verb'>,
  context: ControlContext,
  input: never,
): unknown => {
  const { data, controls } = context.world
  const outcome = data.store.transaction(() => run(context, input), { by: 'control' })
  if (verb === 'GET') return outcome
  const notify = () => controls.journal.notify('changed')
  if (!(outcome instanceof Promise)) notify()
  else outcome.then(notify, notify)
  return outcome
}

/** `field` is the path of the wrong field: `do[0].delay`. The route answers 400. */
export class InvalidInputError extends RangeError {
  // Private, because node:test prints the properties of an error.
  readonly #field: string
  readonly #problem: string

  constructor(field: string, problem: string) {
    super(`${field}: ${problem}`)
    this.#field = field
    this.#problem = problem
  }

  get field(): string {
    return this.#field
  }

  get problem(): string {
    return this.#problem
  }
}

export class TimeoutError extends Error {}

/** Converts a RangeError to an InvalidInputError of `field`, or of a path inside it (`where.body: …`). */
export const withErrorField = <T>(field: string, act: () => T): T => {
  const rethrow = (error: unknown): never => {
    if (!(error instanceof RangeError) || error instanceof InvalidInputError) throw error
    const { message } = error
    const rest = message.startsWith(field) ? message.slice(field.length) : message
    const [, path = '', problem = message] = /^((?:[.[][^:]*)?): (.*)$/s.exec(rest) ?? []
    throw new InvalidInputError(field + path, problem)
  }
  try {
    const result = act()
    return result instanceof Promise ? (result.catch(rethrow) as T) : result
  } catch (error) {
    return rethrow(error)
  }
}

export async function answerOperation(operation: Operation, context: ControlContext, input: never): Promise<object> {
  try {
    const outcome = await runOperation(operation, context, input)
    if (operation.reply) return operation.reply(outcome as never, input, context)
    return operation.field ? { [operation.field]: outcome } : (outcome as object)
  } catch (error) {
    throw toControlError(error)
  }
}

export function withControlErrors<T>(act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw toControlError(error)
  }
}

function toControlError(error: unknown): unknown {
  if (error instanceof InvalidInputError)
    return apiError('invalidValue', { field: error.field, problem: error.problem })
  if (error instanceof SeedError) return apiError('invalidSeed', { problem: error.message })
  if (error instanceof TimeoutError) return apiError('waitTimedOut', { problem: error.message })
  return error
}
