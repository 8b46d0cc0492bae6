import { FRONT_END } from './frontEnd.ts'
import { errorsWith } from './row.ts'

const EXCEEDED =
  "Quota exceeded for quota metric 'Queries' and limit '{limit}' of service 'calendar-json.googleapis.com' for consumer 'project_number:{project}'."
const DISABLED =
  'Google Calendar API has not been used in project {project} before or it is disabled. Enable it by visiting https://console.developers.google.com/apis/api/calendar-json.googleapis.com/overview?project={project} then retry. If you enabled this API recently, wait a few minutes for the action to propagate to our systems and retry.'
const CONSOLE = 'https://console.developers.google.com/apis/api/calendar-json.googleapis.com/overview?project={project}'
const QUOTAS = 'https://console.developers.google.com/apis/api/calendar-json.googleapis.com/quotas?project={project}'

const LIMITS = errorsWith(
  { code: 403, domain: 'usageLimits' },
  {
    rateLimitExceeded: { message: 'Rate Limit Exceeded' },
    rateLimitExceeded429: { code: 429, reason: 'rateLimitExceeded', message: 'Rate Limit Exceeded' },
    frontEndRateLimitExceeded: {
      reason: 'rateLimitExceeded',
      message: EXCEEDED,
      frontEnd: { status: 'PERMISSION_DENIED', errorInfo: 'RATE_LIMIT_EXCEEDED' },
    },
    frontEndRateLimitExceeded429: {
      code: 429,
      reason: 'rateLimitExceeded',
      message: EXCEEDED,
      frontEnd: { status: 'RESOURCE_EXHAUSTED', errorInfo: 'RATE_LIMIT_EXCEEDED' },
    },
    userRateLimitExceeded: { message: 'User Rate Limit Exceeded' },
    quotaExceeded: { message: 'Calendar usage limits exceeded.' },
    dailyLimitExceeded: { message: 'Daily Limit Exceeded', extendedHelp: QUOTAS },
    dailyLimitExceededUnreg: {
      message: 'Daily Limit for Unauthenticated Use Exceeded. Continued use requires signup.',
      extendedHelp: 'https://code.google.com/apis/console',
    },
    accessNotConfigured: {
      message: DISABLED,
      extendedHelp: CONSOLE,
      frontEnd: {
        status: 'PERMISSION_DENIED',
        errorInfo: 'SERVICE_DISABLED',
        consumer: 'projects/{project}',
        help: { description: 'Google developers console API activation', url: CONSOLE },
      },
    },
  },
)

const FORBIDDEN = errorsWith(
  { code: 403, reason: 'forbidden' },
  {
    API_KEY_SERVICE_BLOCKED: {
      message: 'Requests to this API calendar-json.googleapis.com are blocked.',
      frontEnd: { status: 'PERMISSION_DENIED', errorInfo: 'API_KEY_SERVICE_BLOCKED', consumer: 'projects/{project}' },
    },
    /** The API key is limited to other web pages. */
    API_KEY_HTTP_REFERRER_BLOCKED: {
      message: 'Requests from referer {referer} are blocked.',
      frontEnd: {
        status: 'PERMISSION_DENIED',
        errorInfo: 'API_KEY_HTTP_REFERRER_BLOCKED',
        consumer: 'projects/{project}',
      },
    },
    /** A request without key and token, where the real service has been seen to answer 403 in place of 401. */
    unregisteredCaller: {
      message:
        "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
      frontEnd: { status: 'PERMISSION_DENIED' },
    },
  },
)

const BACKEND_ERRORS = errorsWith(
  { code: 500, reason: 'backendError' },
  {
    backendError: { message: 'Backend Error' },
    backendError503: { code: 503, message: 'Backend Error' },
    frontEndBackendError: { message: 'Internal error encountered.', frontEnd: { status: 'INTERNAL' } },
    frontEndBackendError503: {
      code: 503,
      message: 'The service is currently unavailable.',
      frontEnd: { status: 'UNAVAILABLE' },
    },
  },
)

const OTHERS = errorsWith(
  {},
  {
    notACalendarUser: {
      code: 403,
      domain: 'calendar',
      message: 'The user must be signed up for Google Calendar.',
    },
    eventDurationExceedsLimit: {
      code: 400,
      domain: 'calendar',
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
  },
)

/**
 * Errors that a fault injects by name (behaviour 2.6). Requests cause only two of them: `backendError` for an unexpected error of
 * the fake, and rate limits with a quota. A number at the end of a name is the status of a second form; `frontEnd` in a name is
 * the form of the API front end.
 */
export const INJECTED = {
  ...LIMITS,
  ...FORBIDDEN,
  API_KEY_INVALID: FRONT_END.invalidKey,
  authError: FRONT_END.invalidCredentials,
  ...BACKEND_ERRORS,
  ...OTHERS,
}
