import { addressOf } from '../wire/values/address.ts'

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
  batch?: number | undefined
  /** Who asks, once that is known. */
  account?: string | undefined
  client?: string | undefined
  /** The request has the inspector's header. */
  inspector?: boolean | undefined
  /** Its number in the journal, which it takes with its turn. */
  n?: number
}

/** All that a request names in its path and its query; what is said several times is a list. */
export function paramsOf({ named, query }: Pick<Asked, 'named' | 'query'>): Record<string, string | string[]> {
  return { ...named, ...valuesOf(query) }
}

/** Parameters are text: a number or a flag that is wanted of one is meant as it is written. */
export function asText(wanted: unknown): unknown {
  if (typeof wanted === 'number' || typeof wanted === 'boolean') return String(wanted)
  if (Array.isArray(wanted)) return wanted.map(asText)
  if (typeof wanted !== 'object' || wanted === null) return wanted
  const proto: unknown = Object.getPrototypeOf(wanted)
  if (proto !== null && Object.getPrototypeOf(proto) !== null) return wanted // a matcher, or a pattern
  return Object.fromEntries(Object.entries(wanted).map(([name, part]) => [name, asText(part)]))
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

type Calling = Pick<Asked, 'method' | 'named' | 'text'> & { readonly account?: string | undefined }

/** Whether a request comes from an account. */
export const isBy = ({ account: by }: Calling, account: string): boolean =>
  by !== undefined && addressOf(by) === addressOf(account)

/** Whether a request names a calendar; `primary` and the account's address are one. */
export function isOn(calling: Calling, calendarId: string): boolean {
  const known = (id: string) => addressOf(id === 'primary' ? (calling.account ?? id) : id)
  return calendarsIn(calling).some((id) => known(id) === known(calendarId))
}

/** The calendars that a request is about: the one in its path, or of free/busy those that are asked for. */
function calendarsIn({ method, named: { calendarId }, text }: Calling): string[] {
  if (calendarId !== undefined) return [calendarId]
  if (method !== 'freebusy.query') return []
  const { items } = Object(bodyOf({ method, text })) as { items?: unknown }
  if (!Array.isArray(items)) return []
  return items.map((item: unknown) => (Object(item) as { id?: unknown }).id).filter((id) => typeof id === 'string')
}
