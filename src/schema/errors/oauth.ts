import { errorsWith } from './row.ts'

/** `oauth` is the `error` of the response (RFC 6749), `message` its `error_description`. */
export const OAUTH = errorsWith(
  { code: 400, reason: 'invalid', oauth: 'invalid_grant' },
  {
    oauthInvalidRequest: { message: '{problem}', oauth: 'invalid_request' },
    oauthUnknownClient: { code: 401, message: 'The OAuth client was not found.', oauth: 'invalid_client' },
    oauthWrongSecret: { code: 401, message: 'Unauthorized', oauth: 'invalid_client' },
    oauthBadGrant: { message: 'Bad Request' },
    oauthRevoked: { message: 'Token has been expired or revoked.' },
    oauthBadAssertion: { message: 'Invalid JWT: {problem}' },
    oauthBadSignature: { message: 'Invalid JWT Signature.' },
    oauthUnknownServiceAccount: { message: 'Invalid grant: account not found' },
    oauthNoSuchUser: { message: 'Invalid email or User ID' },
    oauthUndelegated: {
      code: 401,
      message:
        'Client is unauthorized to retrieve access tokens using this method, or client not authorized for any of the scopes requested.',
      oauth: 'unauthorized_client',
    },
    oauthInvalidScope: { message: 'Some requested scopes were invalid: {scopes}', oauth: 'invalid_scope' },
    oauthRedirectMismatch: {
      message: 'The redirect URI in the request does not match the ones of the OAuth client.',
      oauth: 'redirect_uri_mismatch',
    },
    oauthMissingVerifier: { message: 'Missing code verifier.' },
    oauthWrongVerifier: { message: 'Invalid code verifier.' },
    oauthUnsupportedGrant: { message: 'Invalid grant_type: {grant}', oauth: 'unsupported_grant_type' },
    oauthPending: { code: 428, message: 'Precondition Required', oauth: 'authorization_pending' },
    oauthSlowDown: { code: 403, message: 'Forbidden', oauth: 'slow_down' },
    oauthDenied: { code: 403, message: 'Forbidden', oauth: 'access_denied' },
    oauthExpired: { message: 'Bad Request', oauth: 'expired_token' },
    oauthInvalidToken: { message: 'Invalid Value', oauth: 'invalid_token' },
    oauthUnknownToken: { message: 'Token expired or revoked', oauth: 'invalid_token' },
    oauthInvalidCredentials: {
      code: 401,
      message: 'Invalid Credentials',
      oauth: 'invalid_request',
      challenge: 'Bearer realm="https://accounts.google.com/", error="invalid_token"',
    },
    oauthUnavailable: { code: 503, message: 'Service Unavailable', oauth: 'temporarily_unavailable' },
  },
)
