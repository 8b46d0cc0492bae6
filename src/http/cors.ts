import { type Incoming, Reply } from './message.ts'

/**
 * What lets a page of another origin use the API (behaviour 11.16): every reply to a request with an `Origin`
 * names it, errors too, and any preflight is answered. `/_control` never comes here.
 */
const VERBS = 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT'
const HEADERS =
  'authorization, content-type, if-match, if-none-match, x-fake-world, x-goog-api-client, x-goog-encode-response-if-executable, x-http-method-override, x-javascript-user-agent, x-origin, x-referer, x-requested-with'
const EXPOSED =
  'Cache-Control, Content-Encoding, Content-Length, Content-Type, Date, ETag, Expires, Location, Pragma, Server, Vary, WWW-Authenticate'

/** The answer to `OPTIONS` at any path: whatever a page asks to send, it may. */
export function preflight(request: Incoming): Reply {
  const asked = request.headers.get('Access-Control-Request-Headers')
  return withOrigin(
    request,
    new Reply(null, {
      headers: {
        Allow: VERBS,
        'Access-Control-Allow-Methods': VERBS,
        'Access-Control-Allow-Headers': asked || HEADERS,
        'Access-Control-Max-Age': '3600',
        'Content-Length': '0',
        Vary: 'Origin',
      },
    }),
  )
}

/** A reply that the page which asked may read. */
export function withOrigin(request: Incoming, response: Reply): Reply {
  const origin = request.headers.get('Origin')
  if (origin === null) return response
  const { headers } = response
  headers.set('Access-Control-Allow-Origin', origin)
  headers.set('Access-Control-Allow-Credentials', 'true')
  headers.set('Access-Control-Expose-Headers', EXPOSED)
  return response
}
