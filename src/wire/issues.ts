import type { z } from 'zod'

type Issue = z.core.$ZodIssue

/** Where a value could have been one of several things, what was wrong with the closest of them. */
export function deepest([issue]: readonly Issue[]): Issue | undefined {
  if (issue?.code !== 'invalid_union') return issue
  const inner = deepest(issue.errors[0] ?? [])
  return inner && ({ ...inner, path: [...issue.path, ...inner.path] } as Issue)
}

/** `calendars[0].events[3].start`, as a person would write it. */
export const pathOf = (path: readonly PropertyKey[]): string =>
  path.map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at ? '.' : ''}${String(key)}`)).join('')
