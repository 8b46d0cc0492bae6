import type { Context } from 'hono'
import { cors } from 'hono/cors'
import { HINT } from '../control/hints/hint.ts'

/**
 * What lets a page of another origin use the API (behaviour 11.16): every reply to a request with an `Origin`
 * names it, errors too, and any preflight is answered. `/_control` never comes here.
 */
const VERBS = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']
/** What a page may send, where it does not say what it wants to. */
const HEADERS =
  'authorization, content-type, if-match, if-none-match, x-fake-world, x-goog-api-client, x-goog-encode-response-if-executable, x-http-method-override, x-javascript-user-agent, x-origin, x-referer, x-requested-with'
const EXPOSED = [
  'Cache-Control',
  'Content-Encoding',
  'Content-Length',
  'Content-Type',
  'Date',
  'ETag',
  'Expires',
  'Location',
  'Pragma',
  'Server',
  'Vary',
  'WWW-Authenticate',
]

const toAnyOrigin = cors({
  origin: (origin) => origin,
  credentials: true,
  allowMethods: VERBS,
  exposeHeaders: EXPOSED,
  maxAge: 3600,
})

/** Makes a reply readable to the page that asked for it. */
export async function readable(c: Context, next: () => Promise<void>): Promise<Response | undefined> {
  if (c.req.method === 'OPTIONS') return preflight(c)
  if (c.req.header('Origin') === undefined) await next()
  else {
    await toAnyOrigin(c, next)
    if (c.res.headers.has(HINT)) c.res.headers.append('Access-Control-Expose-Headers', HINT)
    const vary = c.res.headers.get('Vary')?.split(', ')
    c.res.headers.set('Vary', [...new Set(vary)].join(', ')) // which says Origin already
  }
  return undefined
}

/** The answer to `OPTIONS` at any path: whatever a page asks to send, it may. The service's is a 200, and says its length. */
async function preflight(c: Context): Promise<Response> {
  const allowed = await toAnyOrigin(c, async () => undefined)
  const headers = new Headers(allowed?.headers)
  if (!c.req.header('Origin')) headers.delete('Access-Control-Allow-Credentials')
  if (!headers.has('Access-Control-Allow-Headers')) headers.set('Access-Control-Allow-Headers', HEADERS)
  headers.set('Allow', VERBS.join(', '))
  headers.set('Content-Length', '0')
  return new Response(null, { headers })
}
