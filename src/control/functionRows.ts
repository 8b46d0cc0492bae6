import { deepestIssue, formatPath, parseData } from '../schema/values/issues.ts'
import { parseSeed } from '../seeds/parseSeed.ts'
import { seed } from '../seeds/schema/seed.ts'
import { isPromise, rejectOpaqueObject } from './matching.ts'
import { FUNCTIONS, REMOTE_ONLY } from './operations/index.ts'
import { answerOperation, type ControlContext, InvalidInputError, type Operation } from './operations/operation.ts'

export type FunctionRow = {
  readonly operation: Operation
  readonly name: string
  readonly own: string
  readonly group: string | undefined
  readonly toInput: (...given: never[]) => unknown
}

const FUNCTIONS_BY_MEMBER = new Map<string, FunctionRow[]>()
for (const [name, row] of FUNCTIONS) {
  if (REMOTE_ONLY.includes(name)) continue
  const [own = name, group] = name.split('.').reverse()
  const member = group ?? own
  FUNCTIONS_BY_MEMBER.set(member, [...(FUNCTIONS_BY_MEMBER.get(member) ?? []), { ...row, name, own, group }])
}

/** A member is a function (`reset`), a group of functions (`clock`), or both (`calls`, `calls.clear`). */
export const listFunctions = (member: string): readonly FunctionRow[] => FUNCTIONS_BY_MEMBER.get(member) ?? []

/** Throws an InvalidInputError for the first wrong field, and a SeedError for a seed. */
export function parseArguments({ input }: Operation, name: string, given: unknown): unknown {
  if (!input) return undefined
  if (isPromise(given)) rejectOpaqueObject(given, name)
  if (input === seed) return parseSeed(given)
  for (const [field, value] of Object.entries(Object(given))) rejectOpaqueObject(value, field)
  const result = parseData(input, given)
  if (result.success) return result.data
  const issue = deepestIssue(result.error.issues)
  throw new InvalidInputError(formatPath(issue?.path ?? []) || name, issue?.message ?? 'invalid')
}

/** The result of a function in a response. `connect` makes of it what the function returns in process. */
export type FunctionAnswer = {
  readonly result?: unknown
  /** Properties of the result. */
  readonly properties?: Readonly<Record<string, unknown>>
  /** Functions of the result: `verify` calls `diff.verify` with its own arguments and those of `diff`. */
  readonly functions?: readonly string[]
  readonly prints?: true
  /** The world that the function returns. */
  readonly world?: unknown
}

export async function answerFunction(
  { operation, name }: Pick<FunctionRow, 'operation' | 'name'>,
  context: ControlContext,
  input: object,
): Promise<FunctionAnswer> {
  const { field, properties, resultFunctions: functions, prints, opens, results } = operation
  const body = (await answerOperation(operation, context, input as never)) as Record<string, unknown>
  const convert = results?.[name]
  return {
    result: convert ? convert(body as never) : field === null ? undefined : field === undefined ? body : body[field],
    ...(properties && { properties: pickProperties(body, properties) }),
    ...{ functions, prints },
    world: opens && Reflect.get(input, opens),
  }
}

const pickProperties = (body: object, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, Reflect.get(body, name)]))
