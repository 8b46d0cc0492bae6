import type { Context } from 'hono'
import { type AuthMode, splitToken } from '../http/auth.ts'
import { isForm, parseJson, readText } from '../http/body.ts'
import { underFate } from '../http/effects.ts'
import { errorAnswer, errorReply, notFoundPage, reasonOf, refusalOf } from '../http/errors.ts'
import { type Place, routed } from '../http/place.ts'
import { type Answer, jsonAnswer, made } from '../http/reply.ts'
import type { Wire } from '../http/spoilt.ts'
import type { Asked } from '../rig/asked.ts'
import { ConnectionLost } from '../rig/lost.ts'
import type { Rig } from '../rig/rig.ts'
import { Refusal, refuse } from '../wire/refusals.ts'
import type { World } from '../world/world.ts'
import { authorize, errorShown } from './authorize.ts'
import { device, deviceCode } from './device.ts'
import { token } from './grants.ts'
import { publicKeys } from './identity.ts'
import { configuration, revoke, tokenInfo, userInfo } from './information.ts'
import { CERTIFICATE_PEM, KEY_ID } from './keys.ts'
import { type EndpointName, PATHS } from './paths.ts'
import { known, type OAuthCall } from './request.ts'
import { consentOf } from './tokens.ts'

type Verb = 'GET' | 'POST'
/**
 * Who answers at a path: `handle`, at one go; or after what has to be waited for, which writes nothing, what `prepare`
 * returns. A refusal that is returned, and not thrown, leaves what was written: the failure that was cued is used up.
 */
type Row = {
  verbs: readonly Verb[]
  /** How a refusal is shown, where it is not JSON. */
  refused?(refusal: Refusal): Response
} & ({ handle(call: OAuthCall): object } | { prepare(call: OAuthCall): Promise<() => object> })

const EITHER: readonly Verb[] = ['GET', 'POST']

/** What stands at each path; a reply that is not a page is JSON. */
const ENDPOINTS: Record<EndpointName, Row> = {
  authorize: { verbs: EITHER, handle: authorize, refused: errorShown },
  token: { verbs: ['POST'], prepare: token },
  revoke: { verbs: EITHER, handle: revoke },
  tokenInfo: { verbs: EITHER, prepare: tokenInfo },
  userInfo: { verbs: EITHER, handle: userInfo },
  deviceCode: { verbs: ['POST'], handle: deviceCode },
  device: { verbs: EITHER, handle: device },
  configuration: { verbs: ['GET'], handle: configuration },
  keys: { verbs: ['GET'], handle: publicKeys },
  certificates: { verbs: ['GET'], handle: () => ({ [KEY_ID]: CERTIFICATE_PEM }) },
}

/** Parameters that carry a token of ours, which names its world. */
const NAMING = ['refresh_token', 'code', 'device_code', 'token', 'access_token']

type Answering = (world: World, name: string, rig: Rig) => Promise<Response>
export type OAuthServer = Pick<Place, 'path' | 'query' | 'rootUrl'> & {
  /** Answers in the world that a token names, or else in the one that the request does. */
  visit(token: string | undefined, act: Answering): Promise<Response>
  /** Whether there is a world of that name already. */
  isOpen(name: string): boolean
  wire?: Wire | undefined
  now(): number
  auth: AuthMode
  consent: boolean
}
type Asking = Context<{ Bindings: OAuthServer }>

async function answer(c: Asking, endpoint: EndpointName): Promise<Response> {
  const row: Row = ENDPOINTS[endpoint]
  const { visit, isOpen, query, path, rootUrl, auth, consent, wire } = c.env
  const form = await readGiven(c)
  const given = (name: string) => form.get(name) || query.get(name) || undefined
  const named = NAMING.map(given).find((text) => text?.includes('~'))
  // A client's id is its own, and may look like anything: it names no world that there is not.
  const client = given('client_id')
  const naming = isOpen(splitToken(client ?? '').world ?? '') ? client : undefined
  return visit(named ?? naming, (world, name, rig) => {
    const call = { world, name, rootUrl, auth, consent, request: c.req.raw, given }
    const asked: Asked = {
      ...{ method: `oauth.${endpoint}`, verb: c.req.raw.method, path, named: {}, query, text: `${form}`, client },
    }
    // Of signing in it is the tokens that may fail on cue.
    const isToken = endpoint === 'token'
    if (isToken) asked.account = consentOf(world, known(given('refresh_token') ?? ''))?.account
    const fate = isToken && !rig.faults.none ? rig.faults.meet(asked) : undefined
    const at = { now: world.clock.now(), gone: () => c.req.raw.signal }
    return underFate(fate, asked, { rig, wire }, at, () => heard(call, row, asked))
  })
}

/** Answers, and says what the journal is to know of it. */
async function heard(call: OAuthCall, row: Row, asked: Asked) {
  const { world } = call
  const at = { now: world.clock.now() }
  try {
    const reply = await done(call, row)
    const said = reply instanceof Response ? reply : jsonAnswer(reply, { ...at, cache: 'none', indent: 2 })
    asked.account = accountIn(world, reply) ?? asked.account
    return { reply: said instanceof Response ? said : made(said), outcome: outcomeOf(said) }
  } catch (error) {
    const refusal = refusalOf(error, `${asked.verb} ${asked.path}`)
    const said = row.refused && error instanceof Refusal ? row.refused(refusal) : errorAnswer(refusal, at)
    const outcome = { ...outcomeOf(said), reason: reasonOf(refusal) }
    return { reply: said instanceof Response ? said : made(said), outcome }
  }
}

/** Of a page the journal keeps its status alone. */
const outcomeOf = (said: Response | Answer) => ({
  status: said.status,
  text: said instanceof Response ? null : said.text,
})

/** Whose token is handed out. */
function accountIn(world: World, reply: object): string | undefined {
  const token = 'access_token' in reply && typeof reply.access_token === 'string' ? reply.access_token : undefined
  return token && world.grants.get(known(token))?.account
}

/** A request is done whole or not at all; one that only looks leaves nothing behind. */
async function done(call: OAuthCall, row: Row): Promise<object> {
  const { store } = call.world
  const act = 'prepare' in row ? await row.prepare(call) : () => row.handle(call)
  let reply: object = {}
  const answered = () => {
    reply = act()
  }
  if (call.request.method === 'HEAD') store.dryRun(answered)
  else store.transaction(answered)
  if (reply instanceof Refusal) throw reply
  return reply
}

export const oauthApp = routed<OAuthServer>()
for (const [name, row] of Object.entries(ENDPOINTS)) {
  oauthApp.on([...row.verbs], [...PATHS[name as EndpointName]], (c) => answer(c, name as EndpointName))
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
