/** A request in the words of a test author: what faults choose among, and what the journal tells of. */
export interface Asked {
  /**
   * A method of the service, such as `events.insert`; or `oauth.token`, `batch`, `discovery`; or `unknown`, where nothing of
   * the service stands at its address.
   */
  readonly method: string
  readonly verb: string
  /** The path in its world. */
  readonly path: string
  /** What the path names: `calendarId`, `eventId`. */
  readonly named: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** The body as it was sent; of OAuth as a form. */
  readonly text: string
  /** Of what came in a batch, the batch's number among those of its world. */
  readonly batch?: number | undefined
  /** Who asks, once that is known. */
  account?: string | undefined
  client?: string | undefined
  /** Its number in the journal, which it takes with its turn. */
  n?: number
}

/** All that a request names in its path and its query; what is said several times is a list. */
export function paramsOf({ named, query }: Pick<Asked, 'named' | 'query'>): Record<string, string | string[]> {
  return { ...named, ...valuesOf(query) }
}

/** A body as data where it is JSON, else its text; nothing where there is none. That of OAuth is a form. */
export function bodyOf({ method, text }: Pick<Asked, 'method' | 'text'>): unknown {
  if (text.trim() === '') return undefined
  if (method.startsWith('oauth.')) return valuesOf(new URLSearchParams(text))
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function valuesOf(pairs: URLSearchParams): Record<string, string | string[]> {
  const values = new Map<string, string | string[]>()
  for (const name of new Set(pairs.keys())) {
    const [first = '', ...more] = pairs.getAll(name)
    values.set(name, more.length > 0 ? [first, ...more] : first)
  }
  return Object.fromEntries(values)
}

/** Methods as a test author names them: one, those of a resource (`events.*`), all (`*`), or several of these. */
export type On = string | readonly string[]

/** What is said of every request is not said of these: a batch is its parts, and who reads discovery asks for nothing yet. */
const BY_NAME_ALONE = ['batch', 'discovery']

/** Whether a method is among those named. */
export function reaches(on: On, method: string): boolean {
  if (typeof on !== 'string') return on.some((one) => reaches(one, method))
  if (on === '*') return !BY_NAME_ALONE.includes(method)
  return on.endsWith('.*') ? method.startsWith(on.slice(0, -1)) : on === method
}

type Calling = { readonly account?: string | undefined; readonly named: Readonly<Record<string, string>> }

/** Whether a request comes from an account. */
export const isBy = ({ account: by }: Calling, account: string): boolean => by === account.toLowerCase()

/** Whether a request's path names a calendar; `primary` and the account's address are one. */
export function isOn({ account, named: { calendarId: named } }: Calling, calendarId: string): boolean {
  const known = (id: string) => (id === 'primary' ? (account ?? id) : id).toLowerCase()
  return named !== undefined && known(named) === known(calendarId)
}
