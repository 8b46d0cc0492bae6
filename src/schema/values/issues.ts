import type { z } from 'zod'
import { listNames, MAX_LISTED } from './limitLines.ts'
import { describeUnknownName, findMisspelled } from './nearest.ts'
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
  if (issue?.code !== 'invalid_union' || issue.message !== 'Invalid input') return issue
  const near = issue.errors.find(([one]) => one?.code !== 'invalid_type' || one.path.length > 0)
  const inner = deepestIssue(near ?? issue.errors[0] ?? [])
  return inner && ({ ...inner, path: [...issue.path, ...inner.path] } as Issue)
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

/** Lists and objects are not formatted, because they may be deep or long. */
function describeGiven(input: unknown): string {
  if (input === undefined) return 'it is missing'
  if (typeof input !== 'object' || input === null || Object.keys(input).length === 0) return `got ${toShown(input)}`
  return Array.isArray(input) ? 'got a list' : 'got an object'
}

/** The message of an issue whose schema has none: what is expected, what was given, and the nearest name. */
function describeIssue(issue: RawIssue): string | undefined {
  const { input } = issue
  const given = describeGiven(input)
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${ACCEPTED.get(issue.expected) ?? (issue.expected === 'int' ? 'a whole number' : `a ${issue.expected}`)}; ${given}`
    case 'invalid_value': {
      const names = issue.values.map(String)
      return typeof input === 'string'
        ? describeUnknownName(input, names)
        : `expected one of ${listNames(names)}; ${given}`
    }
    case 'too_small':
    case 'too_big': {
      const [word, limit] = issue.code === 'too_small' ? ['at least', issue.minimum] : ['at most', issue.maximum]
      const unit = issue.origin === 'string' ? ' characters' : issue.origin === 'array' ? ' elements' : ''
      return `expected ${word} ${limit}${unit}; ${given}`
    }
    case 'invalid_format':
      return `expected ${FORMS[issue.format] ?? 'another form'}; ${given}`
    case 'unrecognized_keys':
      return describeUnknownKeys(issue.keys, listKnownKeys(issue.inst))
    case 'invalid_union':
      return undefined
    default:
      return `not accepted; ${given}`
  }
}

const listKnownKeys = (schema: unknown): string[] =>
  Object.keys((schema as { shape?: object } | undefined)?.shape ?? {})

const ALSO_UNKNOWN = '; also unknown: '

/** Describes the first key, with all known keys if they are few or else the nearest one, and lists the others. */
function describeUnknownKeys([key = '', ...others]: readonly string[], known: readonly string[]): string {
  const isListed = known.length > 0 && known.length <= MAX_LISTED
  const near = isListed ? [findMisspelled(key, known) ?? []].flat() : known
  const more = others.length === 0 ? '' : `${ALSO_UNKNOWN}${listNames(others.slice(0, MAX_LISTED).map(toShown))}`
  const rest = others.length > MAX_LISTED ? ` and ${others.length - MAX_LISTED} more` : ''
  const all = isListed ? `${near.length > 0 ? ' There' : '; there'} are ${known.join(', ')}` : ''
  return `${describeUnknownName(key, near)}${all}${more}${rest}`
}

/** Splits a problem about several keys of an object: the message on each. */
export const splitUnknownKeys = ({ keys, message }: Extract<Issue, { code: 'unrecognized_keys' }>): string[] =>
  keys.map((key, at) => (at === 0 ? (message.split(ALSO_UNKNOWN)[0] ?? '') : describeUnknownName(key, [])))

/** Like `safeParse`, with messages that state what is expected and what was given. */
export function parseData<S extends z.ZodType>(schema: S, data: unknown): z.ZodSafeParseResult<z.output<S>> {
  let described = 0
  return schema.safeParse(data, {
    error: (issue) => (described++ < MAX_DESCRIBED ? describeIssue(issue) : 'not valid'),
  })
}

/** To find the nearest names of more issues would take too long. Each alternative of a union has issues of its own. */
const MAX_DESCRIBED = 1000

/** `calendars[0].events[3].start` */
export const formatPath = (path: IssuePath): string =>
  path.map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at ? '.' : ''}${String(key)}`)).join('')
