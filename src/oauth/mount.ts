import type { Context } from 'hono'
import { type AuthMode, splitToken } from '../http/auth.ts'
import { isForm, parseJson, readText } from '../http/body.ts'
import { underFault } from '../http/effects.ts'
import { errorReply, notFoundPage, refusalOf } from '../http/errors.ts'
import { type Place, routed } from '../http/place.ts'
import { jsonReply } from '../http/reply.ts'
import type { Wire } from '../http/spoilt.ts'
import { ConnectionLost } from '../rig/lost.ts'
import type { Rig } from '../rig/rig.ts'
import { refuse } from '../wire/refusals.ts'
import type { World } from '../world/world.ts'
import { authorize } from './authorize.ts'
import { device, deviceCode } from './device.ts'
import { token } from './grants.ts'
import { publicKeys } from './identity.ts'
import { configuration, revoke, tokenInfo, userInfo } from './information.ts'
import { CERTIFICATE_PEM, KEY_ID } from './keys.ts'
import { type EndpointName, PATHS } from './paths.ts'
import { known, type OAuthCall } from './request.ts'
import { consentOf } from './tokens.ts'

type Verb = 'GET' | 'POST'
type Row = { verbs: readonly Verb[]; handle(call: OAuthCall): object | Promise<object> }

const EITHER: readonly Verb[] = ['GET', 'POST']

/** What stands at each path; a reply that is not a page is JSON. */
const ENDPOINTS: Record<EndpointName, Row> = {
  authorize: { verbs: EITHER, handle: authorize },
  token: { verbs: ['POST'], handle: token },
  revoke: { verbs: EITHER, handle: revoke },
  tokenInfo: { verbs: EITHER, handle: tokenInfo },
  userInfo: { verbs: EITHER, handle: userInfo },
  deviceCode: { verbs: ['POST'], handle: deviceCode },
  device: { verbs: EITHER, handle: device },
  configuration: { verbs: ['GET'], handle: configuration },
  keys: { verbs: ['GET'], handle: publicKeys },
  certificates: { verbs: ['GET'], handle: () => ({ [KEY_ID]: CERTIFICATE_PEM }) },
}

/** Parameters that carry a token of ours, which names its world. */
const NAMING = ['refresh_token', 'code', 'device_code', 'token', 'access_token']

export type OAuthServer = Pick<Place, 'path' | 'query' | 'rootUrl'> & {
  /** The world that a token names, or else the one that the request does. */
  open(token: string | undefined): { world: World; rig: Rig; name: string }
  /** Whether there is a world of that name already. */
  isOpen(name: string): boolean
  wire?: Wire | undefined
  now(): number
  auth: AuthMode
  consent: boolean
}
type Asking = Context<{ Bindings: OAuthServer }>

async function answer(c: Asking, row: Row): Promise<Response> {
  const { open, isOpen, query, rootUrl, auth, consent, now } = c.env
  const form = await readGiven(c)
  const given = (name: string) => form.get(name) || query.get(name) || undefined
  const named = NAMING.map(given).find((text) => text?.includes('~'))
  // A client's id is its own, and may look like anything: it names no world that there is not.
  const client = given('client_id')
  const world = isOpen(splitToken(client ?? '').world ?? '') ? client : undefined
  const { rig, ...opened } = open(named ?? world)
  const call = { ...opened, rootUrl, auth, consent, request: c.req.raw, given }
  const act = async () => {
    const reply = await done(call, row.handle)
    return reply instanceof Response ? reply : jsonReply(reply, { now: now(), cache: 'none', indent: 2 })
  }
  if (row !== ENDPOINTS.token || rig.faults.none) return act()
  const account = consentOf(call.world, known(given('refresh_token') ?? ''))?.account
  const asked = { method: 'oauth.token', verb: 'POST', path: c.env.path, named: {}, query, text: String(form), account }
  return underFault(asked, { rig, wire: c.env.wire }, { now: now(), gone: () => c.req.raw.signal }, act)
}

/** A request is done whole or not at all, up to where it has to wait; one that only looks leaves nothing behind. */
function done(call: OAuthCall, handle: Row['handle']): object | Promise<object> {
  const { store } = call.world
  const before = store.picture()
  const reply = store.transaction(() => handle(call))
  if (call.request.method === 'HEAD') store.goBack(before)
  return reply
}

export const oauthApp = routed<OAuthServer>()
for (const [name, row] of Object.entries(ENDPOINTS)) {
  oauthApp.on([...row.verbs], [...PATHS[name as EndpointName]], (c) => answer(c, row))
}
oauthApp.notFound(notFoundPage)
oauthApp.onError((error, c) => {
  if (error instanceof ConnectionLost) throw error
  return errorReply(refusalOf(error, `${c.req.method} ${c.env.path}`), { now: c.env.now() })
})

/** The parameters in a body: a form's, or those of an object of text, which some clients send instead. */
async function readGiven(c: Context): Promise<URLSearchParams> {
  const request = c.req.raw
  if (request.method !== 'POST') return new URLSearchParams()
  const text = await readText(c)
  if (isForm(request) || !request.headers.get('Content-Type')?.includes('json')) return new URLSearchParams(text)
  const data = parsed(text)
  const texts = Object.entries(typeof data === 'object' && data !== null ? data : {})
  return new URLSearchParams(texts.filter(([, value]) => typeof value === 'string'))
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return refuse('oauthInvalidRequest', { problem: 'The body is not JSON.' })
  }
}
