/** A request in the words of a test author: what faults choose among, and what the journal tells of. */
export interface Asked {
  /** A method of the service, such as `events.insert`; or `oauth.token`, `batch`, `discovery`. */
  readonly method: string
  readonly verb: string
  /** The path in its world. */
  readonly path: string
  /** What the path names: `calendarId`, `eventId`. */
  readonly named: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** The body as it was sent. */
  readonly text: string
  /** Who asks, once that is known. */
  account?: string | undefined
  client?: string | undefined
  /** Its number in the journal, which it takes with its turn. */
  n?: number
}

/** All that a request names in its path and its query; what is said several times is a list. */
export function paramsOf({ named, query }: Asked): Record<string, string | string[]> {
  const params = new Map<string, string | string[]>(Object.entries(named))
  for (const name of new Set(query.keys())) {
    const [first = '', ...more] = query.getAll(name)
    params.set(name, more.length > 0 ? [first, ...more] : first)
  }
  return Object.fromEntries(params)
}

/** A body as data where it is JSON, else its text; nothing where there is none. */
export function bodyOf({ text }: Asked): unknown {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
