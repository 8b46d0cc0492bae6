import type { Account } from '../model/worldData.ts'
import { apiError, throwApiError } from '../schema/apiErrors.ts'
import { authenticateCaller, findBearerToken } from './credentials.ts'
import { ISSUER, verifyIdToken } from './identity.ts'
import { type OAuthCall, requireParam, stripWorldPrefix } from './request.ts'
import {
  ACCESS_TOKEN_LIFETIME_S,
  DEFAULT_SCOPE,
  requireTokenHolder,
  revokeToken,
  toProfileClaims,
  toSubjectId,
  toTokenHolder,
} from './tokens.ts'

/**
 * The claims of `id_token`, as text, or the account and scopes of an access token. Rejects with `oauthInvalidToken` (400) for an
 * invalid `id_token`; the function throws the same for an invalid access token, and `oauthInvalidRequest` (400) without a token.
 */
export async function prepareTokenInfo(call: OAuthCall): Promise<() => object> {
  const identity = call.given('id_token')
  if (identity === undefined) return () => getAccessTokenInfo(call)
  const claims = (await verifyIdToken(call, identity)) ?? throwApiError('oauthInvalidToken')
  return () => Object.fromEntries(Object.entries(claims).map(([name, value]) => [name, String(value)]))
}

/** The token is a parameter or a bearer token. Times are in seconds, as text except in the older versions. */
function getAccessTokenInfo(call: OAuthCall): object {
  const { world } = call
  const bearer = findBearerToken(call.request, new URL(call.request.url).searchParams)
  const token = call.given('access_token') ?? bearer ?? requireParam(call, 'access_token')
  const { email, scopes } = requireTokenHolder(call, token, 'oauthInvalidToken')
  const grant = world.grants.get(stripWorldPrefix(token))
  const until =
    grant?.expires === undefined ? world.clock.now() + ACCESS_TOKEN_LIFETIME_S * 1000 : Date.parse(grant.expires)
  const client = grant?.client ?? 'fake-calendar'
  const sub = toSubjectId(email)
  const scope = (scopes ?? [DEFAULT_SCOPE]).join(' ')
  const seconds = Math.max(0, Math.floor((until - world.clock.now()) / 1000))
  if (isOlderVersion(call.request)) {
    const names = { issued_to: client, audience: client, user_id: sub, scope, expires_in: seconds }
    return { ...names, email, verified_email: true, access_type: 'offline' }
  }
  return {
    azp: client,
    aud: client,
    sub,
    scope,
    exp: String(Math.floor(until / 1000)),
    expires_in: String(seconds),
    email,
    email_verified: 'true',
    access_type: 'offline',
  }
}

/** Versions 1 and 2 of the OAuth2 API have other names (behaviour 11.19). OpenID Connect has its own v1. */
const isOlderVersion = ({ url }: Request): boolean =>
  /\/(oauth2\/v[12]\/\w+|userinfo\/v2\/me)$/.test(new URL(url).pathname)

/**
 * Creates the account on its first use. Throws `loginRequired` (401) without a token, and for an invalid one
 * `invalidCredentials`, or with version 3 `oauthInvalidCredentials` (both 401).
 */
export function getUserInfo(call: OAuthCall): object {
  const { world, auth, request } = call
  const url = new URL(request.url)
  const token = findBearerToken(request, url.searchParams)
  const { email, scopes } =
    token !== undefined && url.pathname.endsWith('/oauth2/v3/userinfo')
      ? requireTokenHolder(call, token, 'oauthInvalidCredentials')
      : toTokenHolder(authenticateCaller(world, token, auth))
  const account: Account = world.accounts.get(email) ?? throwApiError('invalidCredentials')
  const { sub, email_verified, ...profile } = toProfileClaims(account, scopes)
  return isOlderVersion(request)
    ? { id: sub, verified_email: email_verified, ...profile }
    : { sub, ...profile, email_verified }
}

/** Throws `oauthUnknownToken` (400) for an invalid token, and `oauthInvalidRequest` (400) without one. */
export function handleRevocation(call: OAuthCall): object {
  if (revokeToken(call.world, stripWorldPrefix(requireParam(call, 'token'))) === 0) throw apiError('oauthUnknownToken')
  return {}
}

/** The service's own document names several hosts. */
const SERVICE_ENDPOINTS = {
  authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
  device_authorization_endpoint: 'https://oauth2.googleapis.com/device/code',
  token_endpoint: 'https://oauth2.googleapis.com/token',
  userinfo_endpoint: 'https://openidconnect.googleapis.com/v1/userinfo',
  revocation_endpoint: 'https://oauth2.googleapis.com/revoke',
  jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
}

const endpointsBelow = (rootUrl: string) => ({
  authorization_endpoint: `${rootUrl}o/oauth2/v2/auth`,
  device_authorization_endpoint: `${rootUrl}device/code`,
  token_endpoint: `${rootUrl}token`,
  userinfo_endpoint: `${rootUrl}oauth2/v3/userinfo`,
  revocation_endpoint: `${rootUrl}revoke`,
  jwks_uri: `${rootUrl}oauth2/v3/certs`,
})

export const openIdConfiguration = ({ rootUrl, issuer }: OAuthCall): object => ({
  issuer,
  ...(rootUrl === `${ISSUER}/` ? SERVICE_ENDPOINTS : endpointsBelow(rootUrl)),
  response_types_supported: ['code', 'token'],
  response_modes_supported: ['query', 'fragment'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  scopes_supported: ['openid', 'email', 'profile'],
  token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
  claims_supported: [
    'aud',
    'email',
    'email_verified',
    'exp',
    'family_name',
    'given_name',
    'iat',
    'iss',
    'name',
    'picture',
    'sub',
  ],
  code_challenge_methods_supported: ['plain', 'S256'],
  grant_types_supported: [
    'authorization_code',
    'refresh_token',
    'urn:ietf:params:oauth:grant-type:device_code',
    'urn:ietf:params:oauth:grant-type:jwt-bearer',
    'urn:ietf:params:oauth:grant-type:token-exchange',
  ],
})
