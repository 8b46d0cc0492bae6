import type { ApiErrorRow } from './row.ts'

const EXCEEDED =
  "Quota exceeded for quota metric 'Queries' and limit '{limit}' of service 'calendar-json.googleapis.com' for consumer 'project_number:{project}'."
const LIMITS = 'usageLimits'
const DISABLED =
  'Google Calendar API has not been used in project {project} before or it is disabled. Enable it by visiting https://console.developers.google.com/apis/api/calendar-json.googleapis.com/overview?project={project} then retry. If you enabled this API recently, wait a few minutes for the action to propagate to our systems and retry.'
const CONSOLE = 'https://console.developers.google.com/apis/api/calendar-json.googleapis.com/overview?project={project}'
const QUOTAS = 'https://console.developers.google.com/apis/api/calendar-json.googleapis.com/quotas?project={project}'

/**
 * Errors that a fault injects by name (behaviour 2.6). Requests cause only two of them: `backendError` for an unexpected error of
 * the fake, and rate limits with a quota. A number at the end of a name is the status of a second form; `frontEnd` in a name is
 * the form of the API front end.
 */
export const INJECTED = {
  rateLimitExceeded: { code: 403, domain: LIMITS, reason: 'rateLimitExceeded', message: 'Rate Limit Exceeded' },
  rateLimitExceeded429: { code: 429, domain: LIMITS, reason: 'rateLimitExceeded', message: 'Rate Limit Exceeded' },
  frontEndRateLimitExceeded: {
    code: 403,
    domain: LIMITS,
    reason: 'rateLimitExceeded',
    message: EXCEEDED,
    frontEnd: { status: 'PERMISSION_DENIED', errorInfo: 'RATE_LIMIT_EXCEEDED' },
  },
  frontEndRateLimitExceeded429: {
    code: 429,
    domain: LIMITS,
    reason: 'rateLimitExceeded',
    message: EXCEEDED,
    frontEnd: { status: 'RESOURCE_EXHAUSTED', errorInfo: 'RATE_LIMIT_EXCEEDED' },
  },
  userRateLimitExceeded: {
    code: 403,
    domain: LIMITS,
    reason: 'userRateLimitExceeded',
    message: 'User Rate Limit Exceeded',
  },
  quotaExceeded: { code: 403, domain: LIMITS, reason: 'quotaExceeded', message: 'Calendar usage limits exceeded.' },
  dailyLimitExceeded: {
    code: 403,
    domain: LIMITS,
    reason: 'dailyLimitExceeded',
    message: 'Daily Limit Exceeded',
    extendedHelp: QUOTAS,
  },
  dailyLimitExceededUnreg: {
    code: 403,
    domain: LIMITS,
    reason: 'dailyLimitExceededUnreg',
    message: 'Daily Limit for Unauthenticated Use Exceeded. Continued use requires signup.',
    extendedHelp: 'https://code.google.com/apis/console',
  },
  accessNotConfigured: {
    code: 403,
    domain: LIMITS,
    reason: 'accessNotConfigured',
    message: DISABLED,
    extendedHelp: CONSOLE,
    frontEnd: {
      status: 'PERMISSION_DENIED',
      errorInfo: 'SERVICE_DISABLED',
      consumer: 'projects/{project}',
      help: { description: 'Google developers console API activation', url: CONSOLE },
    },
  },
  API_KEY_SERVICE_BLOCKED: {
    code: 403,
    reason: 'forbidden',
    message: 'Requests to this API calendar-json.googleapis.com are blocked.',
    frontEnd: { status: 'PERMISSION_DENIED', errorInfo: 'API_KEY_SERVICE_BLOCKED', consumer: 'projects/{project}' },
  },
  /** The API key is limited to other web pages. */
  API_KEY_HTTP_REFERRER_BLOCKED: {
    code: 403,
    reason: 'forbidden',
    message: 'Requests from referer {referer} are blocked.',
    frontEnd: {
      status: 'PERMISSION_DENIED',
      errorInfo: 'API_KEY_HTTP_REFERRER_BLOCKED',
      consumer: 'projects/{project}',
    },
  },
  API_KEY_INVALID: {
    code: 400,
    reason: 'badRequest',
    message: 'API key not valid. Please pass a valid API key.',
    frontEnd: { status: 'INVALID_ARGUMENT', errorInfo: 'API_KEY_INVALID' },
  },
  /** A request without key and token, where the real service has been seen to answer 403 in place of 401. */
  unregisteredCaller: {
    code: 403,
    reason: 'forbidden',
    message:
      "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
    frontEnd: { status: 'PERMISSION_DENIED' },
  },
  notACalendarUser: {
    code: 403,
    domain: 'calendar',
    reason: 'notACalendarUser',
    message: 'The user must be signed up for Google Calendar.',
  },
  backendError: { code: 500, reason: 'backendError', message: 'Backend Error' },
  backendError503: { code: 503, reason: 'backendError', message: 'Backend Error' },
  frontEndBackendError: {
    code: 500,
    reason: 'backendError',
    message: 'Internal error encountered.',
    frontEnd: { status: 'INTERNAL' },
  },
  frontEndBackendError503: {
    code: 503,
    reason: 'backendError',
    message: 'The service is currently unavailable.',
    frontEnd: { status: 'UNAVAILABLE' },
  },
  authError: {
    code: 401,
    reason: 'authError',
    message: 'Invalid Credentials',
    location: 'Authorization',
    frontEnd: {
      status: 'UNAUTHENTICATED',
      message:
        'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.',
    },
    challenge: 'Bearer realm="https://accounts.google.com/", error="invalid_token"',
  },
  eventDurationExceedsLimit: {
    code: 400,
    domain: 'calendar',
    reason: 'eventDurationExceedsLimit',
    message: 'The requested event duration exceeds the limit.',
  },
  pushNotSupportedForRequestedResource403: {
    code: 403,
    reason: 'pushNotSupportedForRequestedResource',
    message: 'Push notifications are not supported by this resource.',
  },
  webhookUrlUnauthorized: {
    code: 401,
    reason: 'push.webhookUrlUnauthorized',
    message: 'Unauthorized WebHook callback channel: {url}',
  },
} as const satisfies Record<string, ApiErrorRow>
