import { apiError, throwApiError } from '../schema/apiErrors.ts'
import { shorten } from '../schema/values/shownText.ts'
import { parseJwtPart } from './credentials.ts'
import type { GrantResult } from './identity.ts'
import { limitScopes, type OAuthCall, requireParam } from './request.ts'
import { createTokenResponse } from './tokens.ts'

const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'

/**
 * Exchanges the token of another identity provider for an access token (RFC 8693), as libraries do for `external_account`
 * credentials (behaviour 11.26). Accepts only subjects of the seed. Throws with status 400: `oauthBadGrant` for other subjects
 * and audiences, `oauthInvalidScope` for scopes that the subject does not have, and `oauthInvalidRequest` for a missing parameter
 * or another type of requested token.
 */
export function exchangeToken(call: OAuthCall): GrantResult {
  const { world } = call
  const token = requireParam(call, 'subject_token')
  requireParam(call, 'subject_token_type')
  const audience = requireParam(call, 'audience')
  if ((call.given('requested_token_type') ?? ACCESS_TOKEN) !== ACCESS_TOKEN)
    throw apiError('oauthInvalidRequest', {
      problem: `Invalid requested token type: ${shorten(String(call.given('requested_token_type')))}`,
    })
  // The signature of a JWT is not verified, because the key belongs to the provider.
  const { sub } = parseJwtPart(token, 1) ?? {}
  const names = [token, ...(sub === undefined ? [] : [String(sub)])]
  const found = [...world.oauth.subjects.values()].find(
    (one) => names.includes(one.subject) && (one.audience === undefined || one.audience === audience),
  )
  const { account, scopes: allowed } = found ?? throwApiError('oauthBadGrant')
  const scopes = limitScopes(call, allowed)
  const { access_token, expires_in, token_type } = createTokenResponse(call, { account, scopes, client: audience })
  return { reply: { access_token, issued_token_type: ACCESS_TOKEN, token_type, expires_in } }
}
