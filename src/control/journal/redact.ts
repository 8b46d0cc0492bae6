/** Replaces the values of secrets; their names stay. */
export const REDACTED = '[redacted]'

/** Credentials, secret in every request. */
const ALWAYS = [
  ...['access_token', 'oauth_token', 'refresh_token', 'id_token', 'id_token_hint', 'client_secret', 'authorization'],
  ...['assertion', 'client_assertion', 'subject_token', 'actor_token', 'code_verifier', 'device_code'],
]
/** Names that are secret in OAuth requests only. */
const IN_OAUTH = ['code', 'token', 'user_code']
/** The token of a channel, by which its receiver verifies messages. */
const IN_CHANNELS = ['token']
/** The API key in the query of any request. */
const IN_QUERY = ['key']

export type CallPart = 'params' | 'body' | 'response'

/** Returns the secret names in one part of a call. */
function secretNames(method: string, part: CallPart): ReadonlySet<string> {
  const key = `${part === 'params' ? 'params' : 'data'} ${kindOf(method)}`
  const names = SECRETS.get(key) ?? new Set([...ALWAYS, ...(part === 'params' ? IN_QUERY : []), ...of(kindOf(method))])
  SECRETS.set(key, names)
  return names
}
const SECRETS = new Map<string, ReadonlySet<string>>()

const kindOf = (method: string): 'oauth' | 'channel' | 'other' => {
  if (method.startsWith('oauth.')) return 'oauth'
  // A batch contains the text of its parts.
  return /\.watch$|^channels\.|^batch$/.test(method) ? 'channel' : 'other'
}
const of = (kind: ReturnType<typeof kindOf>): string[] =>
  kind === 'oauth' ? IN_OAUTH : kind === 'channel' ? IN_CHANNELS : []

/** Returns one part of a call without its secrets. */
export const redact = (value: unknown, method: string, part: CallPart): unknown =>
  redactIn(value, secretNames(method, part))

/** Redacts the value at a path inside a part, such as `refresh_token` or `attendees[0].token`. */
export function redactAt(path: string, value: unknown, method: string, part: CallPart): unknown {
  const names = secretNames(method, part)
  const isSecret = path.split(/[.[\]]+/).some((name) => names.has(name.toLowerCase()))
  return isSecret ? hide(value) : redactIn(value, names)
}

/** Numbers are kept, because they are error codes. */
const hide = (value: unknown): unknown =>
  typeof value === 'string' || (typeof value === 'object' && value !== null) ? REDACTED : value

function redactIn(value: unknown, names: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return redactPairs(value, names)
  if (Array.isArray(value)) return value.map((one) => redactIn(one, names))
  if (typeof value !== 'object' || value === null) return value
  const parts = Object.entries(value).map(([name, part]) => [
    name,
    names.has(name.toLowerCase()) ? hide(part) : redactIn(part, names),
  ])
  return Object.fromEntries(parts)
}

/** Redacts a text that is not JSON or contains a URL: the value after a secret name and `=` or `":`. */
function redactPairs(text: string, names: ReadonlySet<string>): string {
  if (!/[=:]/.test(text)) return text
  const alternatives = [...names].join('|')
  return text
    .replace(new RegExp(`((?:^|[?&#\\s;])(?:${alternatives})=)[^&#\\s;]+`, 'gi'), `$1${REDACTED}`)
    .replace(new RegExp(`("(?:${alternatives})"\\s*:\\s*")(?:[^"\\\\]|\\\\.)*("|$)`, 'gi'), `$1${REDACTED}$2`)
}
