import { deepestIssue, formatPath } from '../schema/values/issues.ts'
import { parseSeed } from '../seeds/parseSeed.ts'
import { seed } from '../seeds/schema/seed.ts'
import { isPromise, rejectOpaqueObject } from './matching.ts'
import { FUNCTIONS, REMOTE_ONLY } from './operations/index.ts'
import type { Operation } from './operations/operation.ts'

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

/** Throws a RangeError with the path of the first wrong field, and a SeedError for a seed. */
export function parseArguments({ input }: Operation, name: string, given: unknown): unknown {
  if (!input) return undefined
  if (isPromise(given)) rejectOpaqueObject(given, name)
  if (input === seed) return parseSeed(given)
  for (const [field, value] of Object.entries(Object(given))) rejectOpaqueObject(value, field)
  const result = input.safeParse(given)
  if (result.success) return result.data
  const issue = deepestIssue(result.error.issues)
  throw new RangeError(`${formatPath(issue?.path ?? []) || name}: ${issue?.message ?? 'invalid'}`)
}
