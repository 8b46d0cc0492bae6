import type { z } from 'zod'
import type { IssuePath } from '../../schema/values/issues.ts'

type Issue = z.core.$ZodIssue

/** Problems of a seed that are reported one by one. */
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
 * Parses data and returns the issues. zod throws a RangeError for some 100,000 issues, because it passes them as arguments. The
 * longest list of such data is parsed in halves.
 */
function findIssues(schema: z.ZodType, data: unknown): readonly Issue[] {
  try {
    return schema.safeParse(data).error?.issues ?? []
  } catch (error) {
    const list = error instanceof RangeError ? longestList(data) : undefined
    if (!list) throw error
    const half = Math.ceil(list.items.length / 2)
    const first = findIssues(schema, replaceAt(data, list.path, list.items.slice(0, half)))
    // The first half reports everything outside the list, so that the second reports the list alone.
    const second = findIssues(schema, replaceAt(data, list.path, list.items.slice(half)))
    return first.concat(second.filter(({ path }) => isBelow(path, list.path)).map((one) => move(one, list.path, half)))
  }
}

type List = { readonly path: IssuePath; readonly items: readonly unknown[] }

/** `calendars[0].events` has a depth of three. */
const MAX_LIST_DEPTH = 3

/** Returns the longest list in data with at least two items, at most three levels deep, or undefined without one. */
function longestList(data: unknown, path: IssuePath = []): List | undefined {
  if (typeof data !== 'object' || data === null || path.length > MAX_LIST_DEPTH) return undefined
  let longest: List | undefined = Array.isArray(data) && data.length > 1 ? { path, items: data } : undefined
  for (const [key, value] of Object.entries(data)) {
    const list = longestList(value, [...path, Array.isArray(data) ? Number(key) : key])
    if (list && list.items.length > (longest?.items.length ?? 0)) longest = list
  }
  return longest
}

/** Returns a copy of data in which the value at a path is replaced. */
function replaceAt(data: unknown, [key, ...rest]: IssuePath, value: unknown): unknown {
  if (key === undefined) return value
  const replaced = replaceAt((data as Record<PropertyKey, unknown>)[key], rest, value)
  if (!Array.isArray(data)) return { ...(data as object), [key]: replaced }
  return data.map((item, at) => (at === key ? replaced : item))
}

/** Returns true if a path lies inside of the list at another path. */
const isBelow = (path: IssuePath, list: IssuePath): boolean =>
  path.length > list.length && list.every((key, at) => path[at] === key)

/**
 * Returns an issue inside of a list with its position in the list moved by an offset. `length` is the length of the
 * list's path.
 */
const move = (issue: Issue, { length }: IssuePath, offset: number): Issue => ({
  ...issue,
  path: issue.path.map((key, at) => (at === length ? Number(key) + offset : key)),
})
