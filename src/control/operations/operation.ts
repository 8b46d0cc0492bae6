import type { z } from 'zod'
import type { Verb } from '../../api/endpoint.ts'
import { apiError } from '../../schema/apiErrors.ts'
import { SeedError } from '../../seeds/seedError.ts'
import type { Attempts } from '../types/attempts.ts'
import type { World } from '../worlds/world.ts'
import type { Worlds } from '../worlds/worlds.ts'

export type ControlContext = {
  readonly world: World
  readonly worlds: Worlds
  /** The attempts of agents. Rejects with an Error if the composer of the server gave no module that makes them. */
  readonly attempts: () => Promise<Attempts>
  readonly name: string
  readonly signal?: AbortSignal | undefined
}

type ToInput = (...given: never[]) => unknown

/** An argument with expectations: its field in the input, and a function that throws a RangeError for what cannot be met. */
export type Expects = {
  field: string
  check(expected: never, context: Pick<ControlContext, 'world'>, input: never): void
}

type Definition<S extends z.ZodType, R, T extends ToInput, A extends Readonly<Record<string, ToInput>>> = {
  /** The verb, and the path below `/_control`. */
  route: `${Verb} /${string}`
  summary: string
  input?: S
  example?: z.input<S>
  /** The most entries of a list in the input, which are counted before the schema reads each. */
  maxEntries?: number
  /** The argument that holds what is expected. */
  expects?: Expects
  /** A media type that a body may have instead of JSON, and the field of the input that it becomes. */
  rawBody?: { mediaType: string; field: string }
  /** A media type: the route answers with the text of `field`, not with JSON. */
  rawResult?: string
  /** Converts the arguments of the function to the input. By default the first argument is the input. */
  toInput?: T
  /** Other functions of the same operation. */
  also?: A
  /** The results of functions that return neither the response nor `field`. */
  results?: { readonly [N in keyof A]?: (response: never) => unknown }
  /** The schema of the response; by default `{ done: true }`. */
  result?: z.ZodType
  /** The field of the response that functions return: all of it without `field`, nothing for null. */
  field?: string | null
  /** Other fields of the response, which are properties of the list that functions return. */
  properties?: readonly string[]
  /** Functions of the result, each a row of its own (`diff.verify`), which takes the arguments of this one after its own. */
  resultFunctions?: readonly string[]
  /** True if the function also prints its result. */
  prints?: true
  /** The field of the input that names the world that the function returns. */
  opens?: keyof z.output<S>
  /** True if all errors of the function are rejections. */
  rejects?: true
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

type TypedPart = 'route' | 'toInput' | 'also' | 'result' | 'run' | 'reply' | 'toResult'

export type Operation = Omit<AnyDefinition, TypedPart> & {
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
  operation: Pick<Operation, 'run' | 'verb' | 'expects' | 'rejects'>,
  context: ControlContext,
  input: never,
): unknown => {
  const { data, controls } = context.world
  const run = () => {
    requireExpectable(operation, context, input)
    return operation.run(context, input)
  }
  const outcome = data.store.transaction(operation.rejects ? async () => run() : run, { by: 'control' })
  if (operation.verb === 'GET') return outcome
  const notify = () => controls.journal.notify('changed')
  if (!(outcome instanceof Promise)) notify()
  else outcome.then(notify, notify)
  return outcome
}

/** Throws an InvalidInputError for expectations that cannot be met. */
export function requireExpectable(
  { expects }: Pick<Operation, 'expects'>,
  context: Pick<ControlContext, 'world'>,
  input: object,
): void {
  if (!expects) return
  const { field, check } = expects
  const expected = (input as Record<string, unknown>)[field]
  if (expected !== undefined) withErrorField(field, () => check(expected as never, context, input as never))
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
