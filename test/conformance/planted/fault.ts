// biome-ignore lint/suspicious/noExplicitAny: bodies have many shapes, which the faults state
export type Json = any

/** A request, which a fault may change before the fake gets it. A body that is no JSON is a text. */
export type PlantedRequest = {
  method: string
  path: string
  query: URLSearchParams
  headers: Headers
  body: Json
}

/** A reply, which a fault may change before the client gets it. A body that is no JSON is a text. */
export type PlantedReply = { status: number; headers: Headers; body: Json; indent: number }

/** A wrong server: what it does otherwise, the heading of the book that it breaks, and the files with the tests of that fact. */
export type PlantedFault = {
  heading: string
  files: string
  request?(request: PlantedRequest): void
  reply?(reply: PlantedReply, request: PlantedRequest): void
  /** Changes the headers of a push message, by their names in lower case. */
  message?(headers: Headers): void
}

export const bearer = (account: string) => `Bearer ${account}`
export const isList = ({ method, path }: PlantedRequest, name: string) => method === 'GET' && path.endsWith(`/${name}`)
export const isWrite = ({ method, path }: PlantedRequest) => method !== 'GET' && /\/events(\/|$)/.test(path)

/** Calls `change` with each event of a reply: of a list, or alone. */
export function eachEvent({ body }: PlantedReply, change: (event: Json) => void): void {
  for (const one of [body, ...(body?.items ?? [])]) if (one?.kind === 'calendar#event') change(one)
}

/** Changes each event of the replies. */
export const events = (change: (event: Json) => void) => ({ reply: (reply: PlantedReply) => eachEvent(reply, change) })
/** Removes fields of each event. */
export const withoutFields = (...names: string[]) =>
  events((event) => {
    for (const name of names) delete event[name]
  })
/** Replaces a pattern in the recurrence lines of each body. */
export const rules = (pattern: RegExp, text: string) => ({
  request: ({ body }: PlantedRequest) => {
    if (Array.isArray(body?.recurrence))
      body.recurrence = body.recurrence.map((line: string) => line.replace(pattern, text))
  },
})
/** Ignores parameters of a query. */
export const ignores = (...names: string[]) => ({
  request: ({ query }: PlantedRequest) => {
    for (const name of names) query.delete(name)
  },
})
/** Adds a parameter to the requests that `selects` selects. */
export const adds = (name: string, value: string, selects: (request: PlantedRequest) => boolean) => ({
  request: (request: PlantedRequest) => {
    if (selects(request)) request.query.set(name, value)
  },
})
/** Changes the replies with an error of this status. */
export const errors = (status: number, change: (reply: PlantedReply) => void) => ({
  reply: (reply: PlantedReply) => {
    if (reply.status === status) change(reply)
  },
})
export const withoutHeader = (name: string) => ({
  reply: ({ headers }: PlantedReply) => {
    headers.delete(name)
  },
})
export const onlyFirst = (name: string) => ({
  request: ({ query }: PlantedRequest) => {
    const [first] = query.getAll(name)
    if (first !== undefined) query.set(name, first)
  },
})
export const toUtc = (time: string) => new Date(time).toISOString().replace('.000', '')
export const moved = (time: string | null, ms: number) => new Date(Date.parse(time ?? '') + ms).toISOString()
