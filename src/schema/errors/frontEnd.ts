import { errorsWith } from './row.ts'

const CREDENTIALS_EXPECTED =
  'Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.'

/** Errors of the API front end, which have another envelope (behaviour 2.1.2). Requests cause them. */
export const FRONT_END = errorsWith(
  { code: 403, reason: 'forbidden' },
  {
    /** The body is not `multipart/mixed`, or one of its parts is no request. */
    badBatch: {
      code: 400,
      reason: 'badRequest',
      message: 'Failed to parse batch request: {problem}.',
      frontEnd: { status: 'INVALID_ARGUMENT' },
    },
    invalidKey: {
      code: 400,
      reason: 'badRequest',
      message: 'API key not valid. Please pass a valid API key.',
      frontEnd: { status: 'INVALID_ARGUMENT', errorInfo: 'API_KEY_INVALID' },
    },
    missingKey: {
      message: 'The request is missing a valid API key.',
      frontEnd: { status: 'PERMISSION_DENIED' },
    },
    loginRequired: {
      code: 401,
      reason: 'required',
      message: 'Login Required.',
      location: 'Authorization',
      frontEnd: {
        status: 'UNAUTHENTICATED',
        message: `Request is missing required authentication credential. ${CREDENTIALS_EXPECTED}`,
        errorInfo: 'CREDENTIALS_MISSING',
      },
      challenge: 'Bearer realm="https://accounts.google.com/"',
    },
    invalidCredentials: {
      code: 401,
      reason: 'authError',
      message: 'Invalid Credentials',
      location: 'Authorization',
      frontEnd: {
        status: 'UNAUTHENTICATED',
        message: `Request had invalid authentication credentials. ${CREDENTIALS_EXPECTED}`,
      },
      challenge: 'Bearer realm="https://accounts.google.com/", error="invalid_token"',
    },
    insufficientScope: {
      reason: 'insufficientPermissions',
      message: 'Insufficient Permission',
      frontEnd: {
        status: 'PERMISSION_DENIED',
        message: 'Request had insufficient authentication scopes.',
        errorInfo: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
      },
      challenge: 'Bearer realm="https://accounts.google.com/", error="insufficient_scope", scope="{scopes}"',
    },
  },
)
