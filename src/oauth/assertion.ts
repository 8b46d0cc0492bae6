import { addAccount } from '../api/accounts.ts'
import { apiError } from '../schema/apiErrors.ts'
import { OAUTH_PATHS } from '../schema/oauthPaths.ts'
import { addressOf } from '../schema/values/address.ts'
import { parseJwtPart } from './credentials.ts'
import { type GrantResult, isSignedBy } from './identity.ts'
import { type OAuthCall, parseScopes, requireParam } from './request.ts'
import { createTokenResponse } from './tokens.ts'

/** The claims of a JWT that a service account signs to get a token (RFC 7523). Optional claims of a wrong type are left out. */
type AssertionClaims = {
  iss: string
  /** One audience or a list. One of them must be a token endpoint. */
  aud: unknown
  /** The user that the service account acts for. */
  sub?: string
  scope?: string
  target_audience?: string
  /** Seconds since the epoch, as is `exp`. */
  iat: number
  exp: number
}

const MAX_LIFETIME_S = 3600
const LEEWAY_S = 300

/**
 * Writes nothing. Checks times against the world's clock only if that is real, because they come from the client's machine.
 * Checks the signature only if the service account has a public key.
 * Rejects with status 400: `oauthInvalidRequest` without an assertion, `oauthBadAssertion` for its form, audience or lifetime,
 * `oauthUnknownServiceAccount` in strict mode, and `oauthBadSignature`.
 */
export async function checkAssertion(call: OAuthCall): Promise<void> {
  const { world, auth } = call
  const assertion = requireParam(call, 'assertion')
  const { iss, aud, iat, exp } = parseAssertion(assertion)
  if (![aud].flat().some((one) => isTokenEndpoint(call, one)))
    throw apiError('oauthBadAssertion', { problem: 'Failed audience check.' })
  if (exp <= iat || exp - iat > MAX_LIFETIME_S + LEEWAY_S) throw apiError('oauthBadAssertion', { problem: SHORT_LIVED })
  const now = world.clock.now() / 1000
  if (world.clock.mode === 'real' && (exp + LEEWAY_S < now || iat - LEEWAY_S > now))
    throw apiError('oauthBadAssertion', { problem: SHORT_LIVED })
  const serviceAccount = world.oauth.serviceAccounts.get(addressOf(iss))
  if (!serviceAccount && auth.mode === 'strict') throw apiError('oauthUnknownServiceAccount')
  if (serviceAccount?.publicKey && !(await isSignedBy(assertion, serviceAccount.publicKey, iat)))
    throw apiError('oauthBadSignature')
}

/** Current and former addresses (behaviour 11.19). */
const TOKEN_ENDPOINTS = [
  'https://oauth2.googleapis.com/token',
  'https://www.googleapis.com/oauth2/v4/token',
  'https://www.googleapis.com/oauth2/v3/token',
  'https://accounts.google.com/o/oauth2/token',
]

function isTokenEndpoint({ rootUrl, request }: OAuthCall, audience: unknown): boolean {
  if (typeof audience !== 'string') return false
  const own = OAUTH_PATHS.token.map((path) => `${rootUrl}${path.slice(1)}`)
  return TOKEN_ENDPOINTS.includes(audience) || own.includes(audience) || audience === request.url.replace(/[?#].*$/, '')
}

/**
 * Creates the account of the user `sub` on its first use. With `target_audience`, returns an identity for an ID token
 * instead. Call it only after `checkAssertion`: it verifies neither signature nor times. Throws `oauthUndelegated`
 * (401) if a service account of the seed acts for another account without a scope, or with one that is not delegated
 * to it. This includes ID tokens without a scope, because delegation covers access tokens only. Throws
 * `oauthNoSuchUser` (400) in strict mode for an unknown `sub`, and `oauthInvalidScope` (400) for an access token
 * without a scope.
 */
export function redeemAssertion(call: OAuthCall): GrantResult {
  const { world, auth } = call
  const { iss, sub, scope, target_audience } = parseAssertion(requireParam(call, 'assertion'))
  const serviceAccount = world.oauth.serviceAccounts.get(addressOf(iss))
  const account = addressOf(sub ?? iss)
  const scopes = parseScopes(scope ?? '')
  if (serviceAccount && account !== addressOf(iss)) {
    const allowed = serviceAccount.delegation?.scopes ?? []
    if (scopes.length === 0 || !scopes.every((one) => allowed.includes(one))) throw apiError('oauthUndelegated')
  }
  if (auth.mode === 'strict' && sub && !world.accounts.get(account)) throw apiError('oauthNoSuchUser')
  if (target_audience) {
    return {
      reply: {},
      identity: { account: addAccount(world, { email: account }), scopes: [], audience: target_audience },
    }
  }
  if (scopes.length === 0) throw apiError('oauthInvalidScope', { scopes: '' })
  return { reply: createTokenResponse(call, { account, scopes, client: iss }) }
}

const SHORT_LIVED =
  'Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.'

/**
 * Verifies neither signature nor times. Throws `oauthBadAssertion` (400) unless it is a JWT with `RS256`, `iat` and `exp`, and
 * `oauthUnknownServiceAccount` (400) if `iss` is not an address.
 */
function parseAssertion(assertion: string): AssertionClaims {
  const header = parseJwtPart(assertion, 0)
  const claims = parseJwtPart(assertion, 1)
  const [, , signature, more] = assertion.split('.')
  if (!header || !claims || !signature || more !== undefined)
    throw apiError('oauthBadAssertion', { problem: 'Failed to parse the assertion.' })
  const { alg } = header
  const { iss, aud, prn, sub = prn, scope, target_audience, iat, exp } = claims // `prn` is the older name of `sub`
  if (alg !== 'RS256') throw apiError('oauthBadAssertion', { problem: 'Algorithm must be RS256.' })
  if (typeof iss !== 'string' || !iss.includes('@')) throw apiError('oauthUnknownServiceAccount')
  if (typeof iat !== 'number' || typeof exp !== 'number') throw apiError('oauthBadAssertion', { problem: SHORT_LIVED })
  return {
    iss,
    aud,
    iat,
    exp,
    ...(typeof sub === 'string' && sub.includes('@') && { sub }),
    ...(typeof scope === 'string' && { scope }),
    ...(typeof target_audience === 'string' && { target_audience }),
  }
}
