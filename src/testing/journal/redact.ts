/** What stands where something secret was: names stay, values go. */
export const REDACTED = '[redacted]'

/** What proves who somebody is, wherever it is said. */
const ALWAYS = [
  ...['access_token', 'oauth_token', 'refresh_token', 'id_token', 'id_token_hint', 'client_secret', 'authorization'],
  ...['assertion', 'client_assertion', 'subject_token', 'actor_token', 'code_verifier', 'device_code'],
]
/** What is secret in signing in, and means something else elsewhere. */
const IN_OAUTH = ['code', 'token', 'user_code']
/** What is secret in a channel: the word by which its receiver knows a message. */
const IN_CHANNELS = ['token']
/** In the query of any request: the key of an application. */
const IN_QUERY = ['key']

export type Spot = 'params' | 'body' | 'response'

/** Which names are secret in a part of a call. */
function secrets(method: string, spot: Spot): ReadonlySet<string> {
  const known = `${spot === 'params' ? 'params' : 'data'} ${kindOf(method)}`
  const names =
    SECRETS.get(known) ?? new Set([...ALWAYS, ...(spot === 'params' ? IN_QUERY : []), ...of(kindOf(method))])
  SECRETS.set(known, names)
  return names
}
const SECRETS = new Map<string, ReadonlySet<string>>()

const kindOf = (method: string): 'oauth' | 'channel' | 'other' => {
  if (method.startsWith('oauth.')) return 'oauth'
  return /\.watch$|^channels\./.test(method) ? 'channel' : 'other'
}
const of = (kind: ReturnType<typeof kindOf>): string[] =>
  kind === 'oauth' ? IN_OAUTH : kind === 'channel' ? IN_CHANNELS : []

/** A part of a call without what is secret in it. */
export const redacted = (value: unknown, method: string, spot: Spot): unknown => without(value, secrets(method, spot))

/** The same of what stands at a path in it, such as `refresh_token` or `attendees[0].token`. */
export function redactedAt(path: string, value: unknown, method: string, spot: Spot): unknown {
  const names = secrets(method, spot)
  const isSecret = path.split(/[.[\]]+/).some((name) => names.has(name.toLowerCase()))
  return isSecret ? hidden(value) : without(value, names)
}

/** A number is no secret: it is the code of an error. */
const hidden = (value: unknown): unknown =>
  typeof value === 'string' || (typeof value === 'object' && value !== null) ? REDACTED : value

function without(value: unknown, names: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return withoutPairs(value, names)
  if (Array.isArray(value)) return value.map((one) => without(one, names))
  if (typeof value !== 'object' || value === null) return value
  const parts = Object.entries(value).map(([name, part]) => [
    name,
    names.has(name.toLowerCase()) ? hidden(part) : without(part, names),
  ])
  return Object.fromEntries(parts)
}

/** A text may be what could not be read as data, or hold an address: in it the same names stand before `=` or `":`. */
function withoutPairs(text: string, names: ReadonlySet<string>): string {
  if (!/[=:]/.test(text)) return text
  const said = [...names].join('|')
  return text
    .replace(new RegExp(`((?:^|[?&#\\s;])(?:${said})=)[^&#\\s;]+`, 'gi'), `$1${REDACTED}`)
    .replace(new RegExp(`("(?:${said})"\\s*:\\s*")(?:[^"\\\\]|\\\\.)*("|$)`, 'gi'), `$1${REDACTED}$2`)
}
