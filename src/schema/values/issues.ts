import type { z } from 'zod'
import { listNames, MAX_LISTED } from './limitLines.ts'

type Issue = z.core.$ZodIssue
/** The keys from the root of data to a value. The path of the root is empty. */
export type IssuePath = readonly PropertyKey[]

/** Unknown keys come first, because a field is often missing under a wrong name. */
export const unknownKeysFirst = (issues: readonly Issue[]): readonly Issue[] =>
  issues.toSorted((a, b) => Number(b.code === 'unrecognized_keys') - Number(a.code === 'unrecognized_keys'))

/**
 * Returns the issue to print: of a union, the first issue of the member that accepts the value's type, else of the
 * first member, because the union's own issue has no useful message unless its schema gives one.
 */
export function deepestIssue(issues: readonly Issue[]): Issue | undefined {
  const [issue] = unknownKeysFirst(issues)
  if (issue?.code !== 'invalid_union' || issue.message !== 'Invalid input') return issue && withFewKeys(issue)
  const near = issue.errors.find(([one]) => one?.code !== 'invalid_type' || one.path.length > 0)
  const inner = deepestIssue(near ?? issue.errors[0] ?? [])
  return inner && ({ ...inner, path: [...issue.path, ...inner.path] } as Issue)
}

/** Keeps the first 20 keys in zod's message about unknown keys. */
function withFewKeys(issue: Issue): Issue {
  if (issue.code !== 'unrecognized_keys' || issue.keys.length <= MAX_LISTED) return issue
  if (!issue.message.startsWith('Unrecognized keys')) return issue
  return { ...issue, message: `Unrecognized keys: ${listNames(issue.keys.map((key) => JSON.stringify(key)))}` }
}

/** Forms by the type that the schema names. */
const ACCEPTED = new Map<unknown, string>([
  ['string', 'a text'],
  ['boolean', 'true or false'],
  ['object', 'an object'],
  ['record', 'an object'],
  ['array', 'a list'],
])

/** `a text`, `one of opaque, transparent` */
export const describeAccepted = (issue: Issue | undefined): string =>
  issue?.code === 'invalid_value'
    ? `one of ${issue.values.join(', ')}`
    : (issue?.code === 'invalid_type' && ACCEPTED.get(issue.expected)) || 'an integer'

/** `calendars[0].events[3].start` */
export const formatPath = (path: IssuePath): string =>
  path.map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at ? '.' : ''}${String(key)}`)).join('')
