import { isObject } from '../schema/values/json.ts'

export const PARSE_ERROR = -32_700
export const INVALID_REQUEST = -32_600
export const INVALID_PARAMS = -32_602

/** Levels, as many as those of the parser whose messages the tools use. */
const MAX_DEPTH = 100
/** More than any tool takes, and few enough to be read by a validator within a moment. */
const MAX_VALUES = 10_000

/** Finds what the SDK would report with a stack or with the sentences of a validator. */
export function findMessageProblem(message: unknown): { code: number; message: string } | undefined {
  let level: unknown[] = [message]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return { code: INVALID_REQUEST, message: `The message is deeper than ${MAX_DEPTH} levels.` }
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []))
    if (level.length > MAX_VALUES)
      return { code: INVALID_REQUEST, message: `The message has more than ${MAX_VALUES} values on one level.` }
  }
  const { method, params } = Object(message) as { method?: unknown; params?: unknown }
  const { arguments: given = {} } = Object(params) as { arguments?: unknown }
  return method !== 'tools/call' || isObject(given)
    ? undefined
    : { code: INVALID_PARAMS, message: 'Invalid params: arguments must be an object.' }
}
