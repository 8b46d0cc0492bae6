import type { z } from 'zod'

type Issue = z.core.$ZodIssue
/** The keys and indexes that lead from the root of data to a value. The path of the root is empty. */
export type IssuePath = readonly PropertyKey[]

/**
 * Returns the first issue of a failed parse, with its path from the root; undefined for an empty list. For a union, it is the
 * first issue of the member that accepts the value's type, else of the first member, because the union's own issue has no
 * useful message.
 */
export function deepestIssue([issue]: readonly Issue[]): Issue | undefined {
  if (issue?.code !== 'invalid_union') return issue
  const near = issue.errors.find(([one]) => one?.code !== 'invalid_type' || one.path.length > 0)
  const inner = deepestIssue(near ?? issue.errors[0] ?? [])
  return inner && ({ ...inner, path: [...issue.path, ...inner.path] } as Issue)
}

/** The values that a field accepts, by the type that its schema names. */
const ACCEPTED = new Map<unknown, string>([
  ['string', 'a text'],
  ['boolean', 'true or false'],
  ['object', 'an object'],
  ['record', 'an object'],
  ['array', 'a list'],
])

/** Returns a phrase for the values that the field of an issue accepts: `a text`, `one of opaque, transparent`. */
export const describeAccepted = (issue: Issue | undefined): string =>
  issue?.code === 'invalid_value'
    ? `one of ${issue.values.join(', ')}`
    : (issue?.code === 'invalid_type' && ACCEPTED.get(issue.expected)) || 'an integer'

/** Formats a path as `calendars[0].events[3].start`; the path of the root as the empty text. */
export const formatPath = (path: IssuePath): string =>
  path.map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at ? '.' : ''}${String(key)}`)).join('')
