import type { ApiErrorRow } from './row.ts'

const CREDENTIALS_EXPECTED =
  'Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.'

/**
 * `frontEnd` marks errors of the API front end, which have another envelope. `{role}` is the missing role; `{scopes}` are the
 * accepted scopes, separated by spaces.
 */
export const CALLERS = {
  invalidKey: {
    code: 400,
    reason: 'badRequest',
    message: 'API key not valid. Please pass a valid API key.',
    frontEnd: { status: 'INVALID_ARGUMENT', errorInfo: 'API_KEY_INVALID' },
  },
  missingKey: {
    code: 403,
    reason: 'forbidden',
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
    code: 403,
    reason: 'insufficientPermissions',
    message: 'Insufficient Permission',
    frontEnd: {
      status: 'PERMISSION_DENIED',
      message: 'Request had insufficient authentication scopes.',
      errorInfo: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
    },
    challenge: 'Bearer realm="https://accounts.google.com/", error="insufficient_scope", scope="{scopes}"',
  },
  /** The caller has a role on the calendar, but the method needs a higher one. */
  needsRole: {
    code: 403,
    domain: 'calendar',
    reason: 'requiredAccessLevel',
    message: 'You need to have {role} access to this calendar.',
  },
  /** A token for the MCP server whose client is not marked as agentic (behaviour 17.9). */
  clientNotAgentic: {
    code: 403,
    reason: 'forbidden',
    message: 'The OAuth client is not marked for use by an AI-powered agent.',
  },
  forbidden: { code: 403, reason: 'forbidden', message: 'Forbidden' },
} as const satisfies Record<string, ApiErrorRow>
