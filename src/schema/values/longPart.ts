import type { IssuePath } from './issues.ts'

/** The most entries of a list in a body, and of an object in a body or a file: far more than any may have. */
export const MAX_ENTRIES = 10_000
/** Deeper values are not read. */
const MAX_LEVELS = 100

/** Entries of a list and of an object; undefined: any number. */
export type MaxEntries = { ofList?: number | undefined; ofObject: number }

/** Returns the path to the first list or object with more entries. Copies nothing. */
export function findLongPart(
  value: unknown,
  max: MaxEntries,
  level = 0,
): { path: IssuePath; problem: string } | undefined {
  if (typeof value !== 'object' || value === null || level > MAX_LEVELS) return undefined
  const isList = Array.isArray(value)
  const limit = (isList ? max.ofList : max.ofObject) ?? Number.POSITIVE_INFINITY
  const parts: unknown[] = isList ? value : Object.values(value)
  if (parts.length > limit) return { path: [], problem: `more than ${limit} entries` }
  for (const [at, part] of parts.entries()) {
    const found = findLongPart(part, max, level + 1)
    if (found) return { ...found, path: [isList ? at : (Object.keys(value)[at] ?? ''), ...found.path] }
  }
  return undefined
}
