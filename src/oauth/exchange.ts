import { refuse } from '../wire/refusals.ts'
import type { Given } from './identity.ts'
import { type OAuthCall, required, scopesIn } from './request.ts'
import { mint } from './tokens.ts'

const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'

/**
 * Somebody who has signed in elsewhere brings that provider's token for one of an account's (RFC 8693), as the libraries do
 * for the credentials of an `external_account` (behaviour 11.26). Only those whom a seed names may.
 */
export function exchangeGrant(call: OAuthCall): Given {
  const { world } = call
  const token = required(call, 'subject_token')
  required(call, 'subject_token_type')
  const audience = required(call, 'audience')
  if ((call.given('requested_token_type') ?? ACCESS_TOKEN) !== ACCESS_TOKEN)
    refuse('oauthInvalidRequest', { problem: `Invalid requested token type: ${call.given('requested_token_type')}` })
  const names = [token, subOf(token)]
  const found = [...world.oauth.subjects.values()].find(
    (one) => names.includes(one.subject) && (one.audience === undefined || one.audience === audience),
  )
  const { account, scopes: allowed } = found ?? refuse('oauthBadGrant')
  const asked = scopesIn(call.given('scope') ?? '')
  const beyond = asked.filter((scope) => allowed && !allowed.includes(scope))
  if (beyond.length > 0) refuse('oauthInvalidScope', { scopes: beyond.join(' ') })
  const scopes = asked.length > 0 ? asked : allowed
  const { access_token, expires_in, token_type } = mint(call, { account, scopes, client: audience })
  return { reply: { access_token, issued_token_type: ACCESS_TOKEN, token_type, expires_in } }
}

/** Whom a token that is a JWT speaks of; what vouches for it is its provider's affair. */
function subOf(token: string): string | undefined {
  try {
    const { sub }: { sub?: unknown } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    return sub === undefined ? undefined : String(sub)
  } catch {
    return undefined
  }
}
