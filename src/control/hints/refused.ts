import { isZone } from '../../recurrence/zone.ts'
import { type ApiError, type ApiErrorName, errorRowOf } from '../../schema/apiErrors.ts'
import { findJsonProblem } from '../../schema/values/json.ts'
import { findNearest } from '../../schema/values/nearest.ts'
import { shorten } from '../../schema/values/shownText.ts'
import type { Hint } from '../journal/recordedCall.ts'
import {
  explainAddress,
  explainDuplicate,
  explainEmptyRange,
  explainEventId,
  explainInvalidRecurrence,
  explainInvalidTime,
  explainUnreadableTime,
} from './eventBody.ts'
import { explainNeededRole, explainNotFound } from './missing.ts'
import type { RejectedRequest } from './rejectedRequest.ts'
import { createHint } from './table.ts'

type Explain = (request: RejectedRequest) => Hint | undefined
type FixedHint = Parameters<typeof createHint>

/** Errors whose message is sufficient have no hint. */
const EXPLAINED: Partial<Record<ApiErrorName, Explain | FixedHint>> = {
  badTimestamp: explainBadTimestamp,
  notAllowed: ({ details: { location, value, allowed } }) => {
    const known = String(allowed).split(', ')
    return createHint(
      'FC104',
      `${location} cannot be ${shorten(String(value))}`,
      `Did you mean ${findNearest(String(value), known) ?? ''}?`,
      known,
    )
  },
  orderingNotAvailable: ['FC105', 'orderBy=startTime requires singleEvents=true', 'Add singleEvents=true'],
  syncTokenWith: ({ details: { location } }) =>
    location === 'singleEvents'
      ? createHint(
          'FC106',
          'singleEvents differs from the list that the syncToken continues',
          'Send singleEvents as in the full list, or start a full list without syncToken',
        )
      : explainSyncTokenWith(String(location)),
  syncTokenWithNonDefaultOrdering: () => explainSyncTokenWith('orderBy'),
  pageTokenWith: ({ details: { location } }) =>
    createHint('FC107', `${location} differs from the first page`, 'Send the same parameters for every page'),
  invalidPageToken: [
    'FC107',
    'pageToken is not a valid token of this list',
    'Send nextPageToken of the previous page, with the same parameters',
  ],
  invalidSyncToken: [
    'FC107',
    'syncToken was not issued for this list in this world',
    'Send nextSyncToken of the last page of the same list',
  ],
  fullSyncRequired: [
    'FC108',
    'syncToken is no longer valid',
    'Start a full list without syncToken, and store nextSyncToken of its last page',
  ],
  parseError: ({ body }) =>
    typeof body === 'string' ? createHint('FC204', describeBody(body), 'Send a JSON object') : undefined,
  wrongKind: ({ details: { field, instead } }) =>
    createHint('FC210', `${shorten(String(field))} cannot have this value`, `Send ${instead}`),
  invalidValue: ({ details: { field, problem } }) =>
    field === undefined
      ? undefined
      : createHint('FC213', `${shorten(String(field))}: ${shorten(String(problem))}`, 'Correct the value'),
  invalidId: explainInvalidId,
  timeRangeEmpty: explainEmptyRange,
  missingAttendeeEmail: explainAddress,
  invalidAttendeeEmail: explainAddress,
  invalidScopeValue: explainAddress,
  formEncodedBody: ['FC204', 'The body is form-encoded', 'Send JSON, with Content-Type: application/json'],
  missingZone: ({ details: { which } }) =>
    createHint(
      'FC205',
      `A series needs a time zone at its ${which}, also if the time has an offset`,
      `Add ${which}.timeZone, such as Europe/Berlin`,
    ),
  missingTime: ({ details: { which } }) =>
    createHint('FC206', `${which} is missing`, `Add ${which}.dateTime, or ${which}.date for an all-day event`),
  invalidTime: explainInvalidTime,
  mixedTimes: [
    'FC206',
    'start and end have different forms',
    'Set a date in both, or a dateTime in both; null removes the other field',
  ],
  invalidZone: ({ body, details: { which } }) => {
    const zone = findUnknownZone(body, String(which))
    return createHint(
      'FC207',
      `${which}.timeZone ${zone === undefined ? '' : `${shorten(zone)} `}is not a known time zone`,
      'Use a name of the IANA database, such as America/New_York',
    )
  },
  invalidRecurrence: explainInvalidRecurrence,
  notFound: explainNotFound,
  deleted: ['FC311', 'The event is deleted already', 'Take 410 as success'],
  needsRole: explainNeededRole,
  insufficientScope: ({ scopes }) =>
    createHint(
      'FC306',
      'The token has none of the scopes that the method accepts',
      'Request one of the allowed scopes',
      scopes,
    ),
  invalidCredentials: explainInvalidCredentials,
  loginRequired: [
    'FC307',
    'The request has no access token',
    'Send Authorization: Bearer alice@example.com, or start with --anonymous',
  ],
  webhookUrlNotHttps: [
    'FC211',
    'The address is neither https nor on this machine',
    'Use https; for a container or a private address start with --webhooks any',
  ],
  duplicate: explainDuplicate,
  staleEtag: [
    'FC309',
    'The etag in If-Match is not the current one',
    'Read the record again, then repeat the write with its etag and the quotes around it',
  ],
}

const explainSyncTokenWith = (parameter: string): Hint =>
  createHint(
    'FC106',
    `${parameter} cannot be combined with syncToken`,
    `Remove ${parameter}, or start a full list without syncToken`,
  )

/**
 * Returns the hint on the first item of an error, or undefined if there is none. An error that a fault injected gets
 * only the hint on retries.
 */
export function explainError(
  { items: [fault] }: ApiError,
  request: Omit<RejectedRequest, 'details'>,
): Hint | undefined {
  if (!fault) return undefined
  if (request.isImmediateRetry && isRateLimitError(fault))
    return createHint(
      'FC401',
      'The same request got a rate limit error less than half a second ago',
      'Wait one second before the next attempt, and double the wait each time',
    )
  if (request.injected) return undefined
  const explain = EXPLAINED[fault.name]
  return typeof explain === 'function'
    ? explain({ ...request, details: fault.details })
    : explain && createHint(...explain)
}

export function isRateLimitError(fault: ApiError['items'][number]): boolean {
  const { domain, reason } = errorRowOf(fault)
  return domain === 'usageLimits' && /^(user)?rateLimitExceeded$|^quotaExceeded$/i.test(reason)
}

function explainInvalidId(request: RejectedRequest): Hint {
  const { field, value } = request.details
  if (field === 'ruleId')
    return createHint('FC214', `ruleId=${shorten(String(value))} has no type`, 'Write user:bob@example.com, or default')
  if (field === 'calendarId')
    return createHint('FC214', 'An update does not accept primary', `Write calendarId=${request.caller?.email}`)
  return explainEventId(request)
}

function explainInvalidCredentials({ world, details: { cause = 'not valid' } }: RejectedRequest): Hint {
  if (cause === 'unknown')
    return createHint(
      'FC302',
      'The token belongs to no account of this world',
      'Send a token that this world issued (oauth.mint issues one), or without --strict an email address',
    )
  return createHint(
    'FC307',
    `The token is ${cause}`,
    world.accounts.size === 0 ? 'Seed an account' : 'Send another token: oauth.mint issues one',
  )
}

const RFC3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/

function explainBadTimestamp({ params, declared, body }: RejectedRequest): Hint | undefined {
  const stamps = Object.entries(declared).filter(([, { format }]) => format === 'date-time')
  for (const [name] of stamps) {
    const value = [params[name] ?? []].flat()[0]
    if (value === undefined || value === '' || RFC3339.test(value)) continue
    const day = /^\d{4}-\d\d-\d\d/.exec(value)?.[0] ?? '2026-01-01'
    const time = /[Tt ](\d\d:\d\d)/.exec(value)?.[1] ?? '00:00'
    const spaced = value.includes(' ') ? ' (a + in a URL is a space: write %2B)' : ''
    return createHint(
      'FC101',
      `${name}=${shorten(value)} needs a time and an offset${spaced}`,
      `Write ${name}=${day}T${time}:00Z`,
    )
  }
  return explainUnreadableTime(body)
}

function describeBody(text: string): string {
  const problem = findJsonProblem(text)
  return problem === undefined ? 'The body is not a JSON object' : `The body is not JSON: ${problem}`
}

function findUnknownZone(body: unknown, which: string): string | undefined {
  const zone = (body as Record<string, { timeZone?: unknown } | undefined> | undefined)?.[which]?.timeZone
  return typeof zone === 'string' && !isZone(zone) ? zone : undefined
}
