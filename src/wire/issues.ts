import type { z } from 'zod'

type Issue = z.core.$ZodIssue
/** Where in a seed something stands. */
export type Path = readonly PropertyKey[]

/** The issue to report: of a union, the one of its first member that is of the type at all, with the path from the root. */
export function deepest([issue]: readonly Issue[]): Issue | undefined {
  if (issue?.code !== 'invalid_union') return issue
  const near = issue.errors.find(([one]) => one?.code !== 'invalid_type' || one.path.length > 0)
  const inner = deepest(near ?? issue.errors[0] ?? [])
  return inner && ({ ...inner, path: [...issue.path, ...inner.path] } as Issue)
}

/** `calendars[0].events[3].start`, as a person would write it. */
export const pathOf = (path: Path): string =>
  path.map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at ? '.' : ''}${String(key)}`)).join('')
