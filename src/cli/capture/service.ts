import type { Fetch } from '../conform/patient.ts'
import { CaptureError } from './captureError.ts'

/** What a reply of the service holds, as far as it is looked at. */
export type Shown = Readonly<Record<string, unknown>>
export type Query = Readonly<Record<string, string>>

/** The service as one account sees it. What cannot be read rejects with a CaptureError. */
export type Service = {
  /** One resource; nothing where there is none, or the account may not see it. */
  read(path: string): Promise<Shown | undefined>
  /** All pages of a collection; nothing as above. `onPage` is told how many items there are so far. */
  list(path: string, query?: Query, onPage?: (items: number) => void): Promise<Shown[] | undefined>
}

/** What the service answers to what there is not, and to what somebody may not see. */
const UNSEEN = [403, 404, 410]

export function openService(fetch: Fetch, baseUrl: string, token: string): Service {
  const asked = async (path: string, query: Query = {}): Promise<Shown | undefined> => {
    const url = `${baseUrl}${path}?${new URLSearchParams(query)}`
    const response = await sent(fetch, url, { headers: { Authorization: `Bearer ${token}` } })
    const text = await response.text().catch(unreachable(baseUrl))
    if (response.ok) return parsed(text, url)
    const said = reasonIn(text)
    if (response.status === 401) throw new CaptureError(`--token: the token is not accepted (401${said})`)
    if (UNSEEN.includes(response.status) && !/rateLimit|quota|scope|accessNotConfigured/i.test(said)) return undefined
    throw new CaptureError(`${baseUrl}${path}: ${response.status}${said}`)
  }
  return {
    read: (path) => asked(path),
    list: async (path, query = {}, onPage) => {
      const items: Shown[] = []
      let pageToken: string | undefined
      do {
        const page = await asked(path, { ...query, ...(pageToken && { pageToken }) })
        if (!page) return undefined
        for (const item of Array.isArray(page.items) ? page.items : []) items.push(item)
        onPage?.(items.length)
        pageToken = typeof page.nextPageToken === 'string' ? page.nextPageToken : undefined
      } while (pageToken)
      return items
    },
  }
}

/** The body belongs to the request: a connection that is lost in the middle of it is one more to be patient with. */
export const wholeReplies =
  (fetch: Fetch): Fetch =>
  async (input, init) => {
    const response = await fetch(input, init)
    const { status, headers } = response
    return new Response(await response.arrayBuffer(), { status, headers })
  }

const sent = (fetch: Fetch, url: string, init: RequestInit): Promise<Response> =>
  fetch(url, init).catch(unreachable(new URL(url).origin))

const unreachable = (where: string) => (error: unknown) => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  throw new CaptureError(`${where} cannot be reached: ${code || (cause instanceof Error ? cause.message : cause)}`)
}

function parsed(text: string, url: string): Shown {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null) return body as Shown
  } catch {
    // What else it is does not matter.
  }
  throw new CaptureError(`${url} answers something else than JSON: is this where the service is?`)
}

/** ` forbidden: …`, as far as a refusal says it. */
function reasonIn(text: string): string {
  try {
    const { error } = JSON.parse(text)
    const reason = error?.errors?.[0]?.reason ?? error?.status ?? ''
    return [reason && ` ${reason}`, error?.message && `: ${error.message}`].join('')
  } catch {
    return ''
  }
}
