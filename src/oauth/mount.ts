import type { AuthMode } from '../http/auth.ts'
import { isForm, parseJson, readText } from '../http/body.ts'
import { errorReply, notFoundPage, refusalOf } from '../http/errors.ts'
import { type Incoming, Reply } from '../http/message.ts'
import { jsonReply } from '../http/reply.ts'
import type { World } from '../world/world.ts'
import { authorize } from './authorize.ts'
import { device, deviceCode } from './device.ts'
import { token } from './grants.ts'
import { publicKeys } from './identity.ts'
import { configuration, revoke, tokenInfo, userInfo } from './information.ts'
import { CERTIFICATE_PEM, KEY_ID } from './keys.ts'
import { type EndpointName, endpointAt } from './paths.ts'
import type { OAuthCall } from './request.ts'

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
const NAMING = ['refresh_token', 'code', 'device_code', 'token', 'access_token', 'client_id']

export type OAuthServer = {
  /** The world that a token names, or else the one that the request does. */
  open(token: string | undefined): { world: World; name: string }
  rootUrl: string
  auth: AuthMode
  consent: boolean
}

export async function answerOAuth(request: Incoming, path: string, { open, ...server }: OAuthServer): Promise<Reply> {
  const row = ENDPOINTS[endpointAt(path) ?? 'configuration']
  const verb = request.method === 'HEAD' ? 'GET' : request.method
  if (!row.verbs.some((one) => one === verb)) return notFoundPage()
  const at = open(undefined).world.clock
  try {
    const form = await readGiven(request)
    const query = new URL(request.url).searchParams
    const given = (name: string) => form.get(name) || query.get(name) || undefined
    const named = NAMING.map(given).find((text) => text?.includes('~'))
    const reply = await row.handle({ ...server, ...open(named), request, given })
    return reply instanceof Reply ? reply : jsonReply(reply, { now: at.now(), cache: 'none', indent: 2 })
  } catch (error) {
    return errorReply(refusalOf(error), { now: at.now() })
  }
}

/** The parameters in a body: a form's, or those of an object of text, which some clients send instead. */
async function readGiven(request: Incoming): Promise<URLSearchParams> {
  if (request.method !== 'POST') return new URLSearchParams()
  const text = await readText(request)
  if (isForm(request) || !request.headers.get('Content-Type')?.includes('json')) return new URLSearchParams(text)
  const data = parseJson(text)
  const texts = Object.entries(typeof data === 'object' && data !== null ? data : {})
  return new URLSearchParams(texts.filter(([, value]) => typeof value === 'string'))
}
