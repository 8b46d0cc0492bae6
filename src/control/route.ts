import { apiError } from '../schema/apiErrors.ts'
import { SeedError } from '../seeds/seedError.ts'
import {
  type ControlContext,
  InvalidInputError,
  type Operation,
  runOperation,
  TimeoutError,
} from './operations/operation.ts'

/** Runs an operation and returns the body of its response. Errors of a process become API errors. */
export async function answerOperation(operation: Operation, context: ControlContext, input: never): Promise<object> {
  try {
    const outcome = await runOperation(operation, context, input)
    return operation.reply?.(outcome as never, input, context) ?? (outcome as object)
  } catch (error) {
    throw toControlError(error)
  }
}

/** Acts, and throws API errors in place of those of a process. */
export function withControlErrors<T>(act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw toControlError(error)
  }
}

function toControlError(error: unknown): unknown {
  if (error instanceof InvalidInputError) throw apiError('invalidValue', { field: error.field, problem: error.message })
  if (error instanceof SeedError) throw apiError('invalidSeed', { problem: error.message })
  if (error instanceof TimeoutError) throw apiError('waitTimedOut', { problem: error.message })
  return error
}
