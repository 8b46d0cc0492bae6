import { type ApiResponse, jsonResponse } from '../http/reply.ts'
import type { WorldData } from '../model/worldData.ts'
import { handleAuthorization, toErrorPage } from '../oauth/authorize.ts'
import { splitToken } from '../oauth/credentials.ts'
import { handleDevicePage, issueDeviceCode } from '../oauth/device.ts'
import { prepareTokenRequest } from '../oauth/grants.ts'
import { getCertificates, getPublicKeys, resolveIssuer } from '../oauth/identity.ts'
import { getUserInfo, handleRevocation, openIdConfiguration, prepareTokenInfo } from '../oauth/information.ts'
import { getPerson } from '../oauth/person.ts'
import { type OAuthCall, stripWorldPrefix } from '../oauth/request.ts'
import { findConsent } from '../oauth/tokens.ts'
import { ApiError, apiError } from '../schema/apiErrors.ts'
import type { EndpointName } from '../schema/oauthPaths.ts'
import { isFormEncoded, parseJsonBody, readText } from './checks/input.ts'
import { applyRequestFault } from './faults.ts'
import { enterWorld, type RequestContext, recordError } from './requestContext.ts'

/**
 * `handle` runs in a transaction; `prepare` waits first, writes nothing, and returns the function that runs in the transaction.
 * The result is a Response, or an object that is sent as JSON. An ApiError rolls the transaction back.
 */
type OAuthEndpoint = {
  errorPage?(error: ApiError): Response
} & ({ handle(call: OAuthCall): object } | { prepare(call: OAuthCall): Promise<() => object> })

const ENDPOINTS: Record<EndpointName, OAuthEndpoint> = {
  authorize: { handle: handleAuthorization, errorPage: toErrorPage },
  token: { prepare: prepareTokenRequest },
  revoke: { handle: handleRevocation },
  tokenInfo: { prepare: prepareTokenInfo },
  userInfo: { handle: getUserInfo },
  person: { handle: getPerson },
  deviceCode: { handle: issueDeviceCode },
  device: { handle: handleDevicePage },
  configuration: { handle: openIdConfiguration },
  keys: { handle: getPublicKeys },
  certificates: { handle: getCertificates },
}

const TOKEN_PARAMETERS = ['refresh_token', 'code', 'device_code', 'token', 'access_token']

/**
 * Faults apply to token requests only. A request that writes nothing, such as HEAD or a read of keys, creates no world.
 * Rejects with the ApiErrors of the endpoint, of the body (400, 413) and of a world that is not allowed (404), and with
 * ConnectionLost if a fault resets the connection.
 */
export async function answerOAuth(context: RequestContext, name: EndpointName): Promise<ApiResponse | Response> {
  const endpoint: OAuthEndpoint = ENDPOINTS[name]
  const { request, query, registry, rootUrl, verb, record } = context
  const form = await readForm(context)
  record.text = String(form)
  const given = (parameter: string) => form.get(parameter) || query.get(parameter) || undefined
  const client = given('client_id')
  record.set({ client, createsWorld: false })
  const worldName = resolveWorldName(context, given)
  const { data } = enterWorld(context, worldName)
  if (name === 'token') {
    record.account = findConsent(data, stripWorldPrefix(given('refresh_token') ?? ''))?.account
    const injected = await applyRequestFault(context)
    if (injected) return injected
  }
  const { writes } = data.store
  const { auth } = context
  const { consent = false, signInAs, issuer } = registry.options
  try {
    const call = {
      world: data,
      worldName,
      rootUrl,
      issuer: resolveIssuer(issuer, rootUrl),
      auth,
      consent,
      signInAs,
      request,
      given,
    }
    const result = await callEndpoint(endpoint, call)
    record.createsWorld = data.store.writes !== writes && verb !== 'HEAD'
    if (result instanceof Response) return result
    record.account = findTokenAccount(data, result) ?? record.account
    return jsonResponse(result, { now: context.now, cache: 'none', indent: 2 })
  } catch (error) {
    if (!endpoint.errorPage || !(error instanceof ApiError)) throw error
    return endpoint.errorPage(recordError(context, error))
  }
}

/**
 * Returns the name of the world that a token parameter (`<world>~<token>`) or else the client id names; without one the
 * world of the request. A client id names a world only if that exists, because clients choose their ids.
 */
function resolveWorldName({ registry, transport, worldName }: RequestContext, given: OAuthCall['given']): string {
  if (transport.named !== undefined) return transport.named
  const token = TOKEN_PARAMETERS.map(given).find((text) => text?.includes('~'))
  if (token !== undefined) return splitToken(token).world ?? worldName
  const { world } = splitToken(given('client_id') ?? '')
  return world !== undefined && registry.find(world) ? world : worldName
}

/** HEAD writes nothing. */
async function callEndpoint(endpoint: OAuthEndpoint, call: OAuthCall): Promise<object> {
  const { store } = call.world
  const handle = 'prepare' in endpoint ? await endpoint.prepare(call) : () => endpoint.handle(call)
  return call.request.method === 'HEAD' ? store.dryRun(handle) : store.transaction(handle)
}

function findTokenAccount(world: WorldData, result: object): string | undefined {
  const token = 'access_token' in result && typeof result.access_token === 'string' ? result.access_token : undefined
  return token && world.grants.get(stripWorldPrefix(token))?.account
}

/**
 * A form, or the text fields of a JSON object, which some clients send. Throws `bodyTooLarge` (413), `parseError` (400)
 * for an interrupted body, and `oauthInvalidRequest` (400) for invalid JSON. Before it throws, it enters the world,
 * whose journal records the error.
 */
async function readForm(context: RequestContext): Promise<URLSearchParams> {
  const { request, verb } = context
  if (verb !== 'POST') return new URLSearchParams()
  try {
    const text = await readText(request)
    if (isFormEncoded(request) || !request.headers.get('Content-Type')?.includes('json'))
      return new URLSearchParams(text)
    const data = parseJsonBody(text, () => apiError('oauthInvalidRequest', { problem: 'The body is not JSON.' }))
    const texts = Object.entries(typeof data === 'object' && data !== null ? data : {})
    return new URLSearchParams(texts.filter(([, value]) => typeof value === 'string'))
  } catch (error) {
    enterWorld(context)
    throw error
  }
}
