export const REDACTED = '[redacted]'

const ALWAYS = [
  ...['access_token', 'oauth_token', 'refresh_token', 'id_token', 'id_token_hint', 'client_secret', 'authorization'],
  ...['assertion', 'client_assertion', 'subject_token', 'actor_token', 'code_verifier', 'device_code'],
]
const IN_OAUTH = ['code', 'token', 'user_code']
const IN_CHANNELS = ['token']
const IN_QUERY = ['key']

export type CallPart = 'params' | 'body' | 'response'

function findSecretNames(method: string, part: CallPart): ReadonlySet<string> {
  const key = `${part === 'params' ? 'params' : 'data'} ${classifyMethod(method)}`
  const names =
    SECRETS.get(key) ??
    new Set([...ALWAYS, ...(part === 'params' ? IN_QUERY : []), ...listClassSecrets(classifyMethod(method))])
  SECRETS.set(key, names)
  return names
}
const SECRETS = new Map<string, ReadonlySet<string>>()

const classifyMethod = (method: string): 'oauth' | 'channel' | 'other' => {
  if (method.startsWith('oauth.')) return 'oauth'
  return /\.watch$|^channels\.|^batch$/.test(method) ? 'channel' : 'other'
}
const listClassSecrets = (kind: ReturnType<typeof classifyMethod>): string[] =>
  kind === 'oauth' ? IN_OAUTH : kind === 'channel' ? IN_CHANNELS : []

export const redactPart = (value: unknown, method: string, part: CallPart): unknown =>
  redactValue(value, findSecretNames(method, part))

/** Redacts a value at a path inside a part, such as `refresh_token` or `attendees[0].token`. */
export function redactAt(path: string, value: unknown, method: string, part: CallPart): unknown {
  const names = findSecretNames(method, part)
  const isSecret = path.split(/[.[\]]+/).some((name) => names.has(name.toLowerCase()))
  return isSecret ? replaceSecret(value) : redactValue(value, names)
}

const replaceSecret = (value: unknown): unknown =>
  typeof value === 'string' || (typeof value === 'object' && value !== null) ? REDACTED : value

function redactValue(value: unknown, names: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return redactPairs(value, names)
  if (Array.isArray(value)) return value.map((one) => redactValue(one, names))
  if (typeof value !== 'object' || value === null) return value
  const parts = Object.entries(value).map(([name, part]) => [
    name,
    names.has(name.toLowerCase()) ? replaceSecret(part) : redactValue(part, names),
  ])
  return Object.fromEntries(parts)
}

function redactPairs(text: string, names: ReadonlySet<string>): string {
  if (!/[=:]/.test(text)) return text
  const alternatives = [...names].join('|')
  return text
    .replace(new RegExp(`((?:^|[?&#\\s;])(?:${alternatives})=)[^&#\\s;]+`, 'gi'), `$1${REDACTED}`)
    .replace(new RegExp(`("(?:${alternatives})"\\s*:\\s*")(?:[^"\\\\]|\\\\.)*("|$)`, 'gi'), `$1${REDACTED}$2`)
}
