import type { z } from 'zod'
import { listNames } from './limitLines.ts'
import { describeUnknownName } from './nearest.ts'
import { toShown } from './shownText.ts'

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
  if (issue.code !== 'unrecognized_keys') return issue
  if (!/^Unrecognized keys?: /.test(issue.message) || issue.message.includes('; did you mean')) return issue
  return {
    ...issue,
    message: `Unrecognized key${issue.keys.length === 1 ? '' : 's'}: ${listNames(issue.keys.map((key) => toShown(key)))}`,
  }
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

const FORMS: Readonly<Record<string, string>> = {
  email: 'an address, such as alice@example.com',
  datetime: 'an instant, such as 2026-03-02T09:00:00Z',
  date: 'a date, such as 2026-03-02',
  url: 'an absolute URL',
}

type RawIssue = Parameters<z.core.$ZodErrorMap>[0]

/** The message of an issue whose schema has none: what is expected, what was given, and the nearest name. */
function describeIssue(issue: RawIssue): string | undefined {
  const { input } = issue
  const given = input === undefined ? 'it is missing' : `got ${toShown(input)}`
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${ACCEPTED.get(issue.expected) ?? (issue.expected === 'int' ? 'a whole number' : `a ${issue.expected}`)}; ${given}`
    case 'invalid_value': {
      const names = issue.values.map(String)
      return typeof input === 'string' ? describeUnknownName(input, names) : `expected ${listNames(names)}; ${given}`
    }
    case 'too_small':
    case 'too_big': {
      const [word, limit] = issue.code === 'too_small' ? ['at least', issue.minimum] : ['at most', issue.maximum]
      const unit = issue.origin === 'string' ? ' characters' : issue.origin === 'array' ? ' elements' : ''
      return `expected ${word} ${limit}${unit}; ${given}`
    }
    case 'invalid_format':
      return `expected ${FORMS[issue.format] ?? 'another form'}; ${given}`
    default:
      return undefined
  }
}

/** Like `safeParse`, with messages that state what is expected and what was given. */
export const parseData = <S extends z.ZodType>(schema: S, data: unknown): z.ZodSafeParseResult<z.output<S>> =>
  schema.safeParse(data, { error: describeIssue })

/** `calendars[0].events[3].start` */
export const formatPath = (path: IssuePath): string =>
  path.map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at ? '.' : ''}${String(key)}`)).join('')
