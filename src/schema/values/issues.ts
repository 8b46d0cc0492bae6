import type { z } from 'zod'

type Issue = z.core.$ZodIssue
/** A path of keys and indexes in data. */
export type IssuePath = readonly PropertyKey[]

/**
 * Returns the issue to report, with its path from the root. For a union, it is an issue of the first member whose type
 * matches.
 */
export function deepestIssue([issue]: readonly Issue[]): Issue | undefined {
  if (issue?.code !== 'invalid_union') return issue
  const near = issue.errors.find(([one]) => one?.code !== 'invalid_type' || one.path.length > 0)
  const inner = deepestIssue(near ?? issue.errors[0] ?? [])
  return inner && ({ ...inner, path: [...issue.path, ...inner.path] } as Issue)
}

/** Formats a path as `calendars[0].events[3].start`. */
export const formatPath = (path: IssuePath): string =>
  path.map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at ? '.' : ''}${String(key)}`)).join('')
