import { addAccount } from '../api/accounts.ts'
import { refuse } from '../wire/refusals.ts'
import { addressOf } from '../wire/values/address.ts'
import { type Given, isSignedBy } from './identity.ts'
import { type OAuthCall, required, scopesIn } from './request.ts'
import { mint } from './tokens.ts'

type Claims = { iss: string; sub?: string; scope?: string; target_audience?: string; iat: number; exp: number }

const HOUR = 3600
/** How far a client's clock may be off. */
const LEEWAY = 300

/** That it is a service account's own, made just now. */
export async function checkAssertion(call: OAuthCall): Promise<void> {
  const { world, auth } = call
  const assertion = required(call, 'assertion')
  const { iss, iat, exp } = claimsOf(assertion)
  if (exp <= iat || exp - iat > HOUR + LEEWAY) refuse('oauthBadAssertion', { problem: SHORT_LIVED })
  const now = world.clock.now() / 1000
  if (world.clock.mode === 'real' && (exp + LEEWAY < now || iat - LEEWAY > now))
    refuse('oauthBadAssertion', { problem: SHORT_LIVED })
  const robot = world.oauth.serviceAccounts.get(addressOf(iss))
  if (!robot && auth.mode === 'strict') refuse('oauthUnknownServiceAccount')
  if (robot?.publicKey && !(await isSignedBy(assertion, robot.publicKey, iat))) refuse('oauthBadSignature')
}

/**
 * A service account asks for a token, for itself or as `sub` for one of its domain's people. The assertion bears the time
 * of the client's machine, so it is held against the world's clock only where that follows the machine too.
 */
export function assertionGrant(call: OAuthCall): Given {
  const { world, auth } = call
  const { iss, sub, scope, target_audience } = claimsOf(required(call, 'assertion'))
  const robot = world.oauth.serviceAccounts.get(addressOf(iss))
  const account = addressOf(sub ?? iss)
  const scopes = scopesIn(scope ?? '')
  if (robot && account !== addressOf(iss)) {
    const allowed = robot.delegation?.scopes ?? []
    if (scopes.length === 0 || !scopes.every((one) => allowed.includes(one))) refuse('oauthUndelegated')
  }
  if (auth.mode === 'strict' && sub && !world.accounts.get(account)) refuse('oauthNoSuchUser')
  if (target_audience) {
    return { reply: {}, identity: { account: addAccount(world, { email: account }), audience: target_audience } }
  }
  if (scopes.length === 0) refuse('oauthInvalidScope', { scopes: '' })
  return { reply: mint(call, { account, scopes, client: iss }) }
}

const SHORT_LIVED =
  'Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.'

function claimsOf(assertion: string): Claims {
  const [header, payload, signature, more] = assertion.split('.')
  if (!signature || more !== undefined) return malformed()
  const { alg } = parsed(header)
  const claims = parsed(payload)
  const { iss, sub, scope, target_audience, iat, exp } = claims
  if (alg !== 'RS256') return refuse('oauthBadAssertion', { problem: 'Algorithm must be RS256.' })
  if (typeof iss !== 'string' || !iss.includes('@')) return refuse('oauthUnknownServiceAccount')
  if (typeof iat !== 'number' || typeof exp !== 'number') return refuse('oauthBadAssertion', { problem: SHORT_LIVED })
  return {
    iss,
    iat,
    exp,
    ...(typeof sub === 'string' && sub.includes('@') && { sub }),
    ...(typeof scope === 'string' && { scope }),
    ...(typeof target_audience === 'string' && { target_audience }),
  }
}

const malformed = (): never => refuse('oauthBadAssertion', { problem: 'Failed to parse the assertion.' })

function parsed(part: string | undefined): Record<string, unknown> {
  try {
    const data: unknown = JSON.parse(Buffer.from(part ?? '', 'base64url').toString())
    return typeof data === 'object' && data !== null ? { ...data } : malformed()
  } catch {
    return malformed()
  }
}
