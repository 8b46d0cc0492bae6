import { z } from 'zod'
import type { Seed, SeedAccount, SeedCalendar, SeedEvent } from '../../schema/types/publicTypes.ts'
import type { IssuePath } from '../../schema/values/issues.ts'
import { seedShape } from './shape.ts'
import { state } from './state.ts'

export type { Seed, SeedAccount, SeedCalendar, SeedEvent }

/**
 * The schema of a seed or a state (a seed that a world wrote, with its counters). A state is validated and returned
 * unchanged; other seeds are transformed by their schema. Lists at most 100 issues.
 */
export const seed = z.unknown().transform((data, context): Seed => {
  const schema = hasCounters(data) ? state : seedShape
  const read = tryParse(schema, data)
  if (read?.success) return read.data as Seed
  context.issues.push(...(listIssues(schema, data) as typeof context.issues))
  return z.NEVER
})

function tryParse(schema: typeof state | typeof seedShape, data: unknown) {
  try {
    return schema.safeParse(data)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const hasCounters = (data: unknown): boolean => typeof data === 'object' && data !== null && 'counters' in data

type Issue = z.core.$ZodIssue

const MAX_LISTED_ISSUES = 100

/** Returns the first 100 issues of invalid data, and the number of the others as a last one. Empty for valid data. */
export function listIssues(schema: z.ZodType, data: unknown): Issue[] {
  const issues = findIssues(schema, data)
  const more = issues.length - MAX_LISTED_ISSUES
  if (more <= 0) return [...issues]
  const rest: Issue = { code: 'custom', path: [], message: `and ${more} more problems`, input: undefined }
  return [...issues.slice(0, MAX_LISTED_ISSUES), rest]
}

/**
 * Parses data and returns the issues, empty for valid data. zod throws a RangeError for some 100,000 issues, because it
 * passes them as arguments. The longest list of such data is parsed in halves. Throws the RangeError if it has no list.
 */
function findIssues(schema: z.ZodType, data: unknown): readonly Issue[] {
  try {
    return schema.safeParse(data).error?.issues ?? []
  } catch (error) {
    const list = error instanceof RangeError ? findLongestList(data) : undefined
    if (!list) throw error
    const half = Math.ceil(list.items.length / 2)
    const first = findIssues(schema, withValueAt(data, list.path, list.items.slice(0, half)))
    // The first half reports everything outside the list, so that the second reports the list alone.
    const second = findIssues(schema, withValueAt(data, list.path, list.items.slice(half)))
    return first.concat(
      second.filter(({ path }) => isBelowPath(path, list.path)).map((one) => shiftIssue(one, list.path, half)),
    )
  }
}

type List = { readonly path: IssuePath; readonly items: readonly unknown[] }

const MAX_LIST_DEPTH = 3

function findLongestList(data: unknown, path: IssuePath = []): List | undefined {
  if (typeof data !== 'object' || data === null || path.length > MAX_LIST_DEPTH) return undefined
  let longest: List | undefined = Array.isArray(data) && data.length > 1 ? { path, items: data } : undefined
  for (const [key, value] of Object.entries(data)) {
    const list = findLongestList(value, [...path, Array.isArray(data) ? Number(key) : key])
    if (list && list.items.length > (longest?.items.length ?? 0)) longest = list
  }
  return longest
}

function withValueAt(data: unknown, [key, ...rest]: IssuePath, value: unknown): unknown {
  if (key === undefined) return value
  const replaced = withValueAt((data as Record<PropertyKey, unknown>)[key], rest, value)
  if (!Array.isArray(data)) return { ...(data as object), [key]: replaced }
  return data.map((item, at) => (at === key ? replaced : item))
}

const isBelowPath = (path: IssuePath, list: IssuePath): boolean =>
  path.length > list.length && list.every((key, at) => path[at] === key)

/**
 * Returns an issue inside of a list with its position in the list moved by an offset. `length` is the length of the
 * list's path.
 */
const shiftIssue = (issue: Issue, { length }: IssuePath, offset: number): Issue => ({
  ...issue,
  path: issue.path.map((key, at) => (at === length ? Number(key) + offset : key)),
})
