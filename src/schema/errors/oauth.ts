import type { ApiErrorRow } from './row.ts'

/** `oauth` is the `error` of the response (RFC 6749), `message` its `error_description`; `reason` is not sent. */
export const OAUTH = {
  oauthInvalidRequest: { code: 400, reason: 'invalid', message: '{problem}', oauth: 'invalid_request' },
  oauthUnknownClient: {
    code: 401,
    reason: 'invalid',
    message: 'The OAuth client was not found.',
    oauth: 'invalid_client',
  },
  oauthWrongSecret: { code: 401, reason: 'invalid', message: 'Unauthorized', oauth: 'invalid_client' },
  oauthBadGrant: { code: 400, reason: 'invalid', message: 'Bad Request', oauth: 'invalid_grant' },
  oauthRevoked: {
    code: 400,
    reason: 'invalid',
    message: 'Token has been expired or revoked.',
    oauth: 'invalid_grant',
  },
  oauthBadAssertion: { code: 400, reason: 'invalid', message: 'Invalid JWT: {problem}', oauth: 'invalid_grant' },
  oauthBadSignature: { code: 400, reason: 'invalid', message: 'Invalid JWT Signature.', oauth: 'invalid_grant' },
  oauthUnknownServiceAccount: {
    code: 400,
    reason: 'invalid',
    message: 'Invalid grant: account not found',
    oauth: 'invalid_grant',
  },
  oauthNoSuchUser: { code: 400, reason: 'invalid', message: 'Invalid email or User ID', oauth: 'invalid_grant' },
  oauthUndelegated: {
    code: 401,
    reason: 'invalid',
    message:
      'Client is unauthorized to retrieve access tokens using this method, or client not authorized for any of the scopes requested.',
    oauth: 'unauthorized_client',
  },
  oauthInvalidScope: {
    code: 400,
    reason: 'invalid',
    message: 'Some requested scopes were invalid: {scopes}',
    oauth: 'invalid_scope',
  },
  oauthRedirectMismatch: {
    code: 400,
    reason: 'invalid',
    message: 'The redirect URI in the request does not match the ones of the OAuth client.',
    oauth: 'redirect_uri_mismatch',
  },
  oauthMissingVerifier: { code: 400, reason: 'invalid', message: 'Missing code verifier.', oauth: 'invalid_grant' },
  oauthWrongVerifier: { code: 400, reason: 'invalid', message: 'Invalid code verifier.', oauth: 'invalid_grant' },
  oauthUnsupportedGrant: {
    code: 400,
    reason: 'invalid',
    message: 'Invalid grant_type: {grant}',
    oauth: 'unsupported_grant_type',
  },
  oauthPending: { code: 428, reason: 'invalid', message: 'Precondition Required', oauth: 'authorization_pending' },
  oauthSlowDown: { code: 403, reason: 'invalid', message: 'Forbidden', oauth: 'slow_down' },
  oauthDenied: { code: 403, reason: 'invalid', message: 'Forbidden', oauth: 'access_denied' },
  oauthExpired: { code: 400, reason: 'invalid', message: 'Bad Request', oauth: 'expired_token' },
  oauthInvalidToken: { code: 400, reason: 'invalid', message: 'Invalid Value', oauth: 'invalid_token' },
  oauthUnknownToken: {
    code: 400,
    reason: 'invalid',
    message: 'Token expired or revoked',
    oauth: 'invalid_token',
  },
  oauthInvalidCredentials: {
    code: 401,
    reason: 'invalid',
    message: 'Invalid Credentials',
    oauth: 'invalid_request',
    challenge: 'Bearer realm="https://accounts.google.com/", error="invalid_token"',
  },
  oauthUnavailable: { code: 503, reason: 'invalid', message: 'Service Unavailable', oauth: 'temporarily_unavailable' },
} as const satisfies Record<string, ApiErrorRow>
