import { atLeast, roleOf } from '../../model/access.ts'
import type { Caller, StoredCalendar, WorldData } from '../../model/worldData.ts'
import { isZone } from '../../recurrence/zone.ts'
import { type ApiError, type ApiErrorName, type ErrorDetails, errorRowOf } from '../../schema/apiErrors.ts'
import type { Param } from '../../schema/params.ts'
import type { Role } from '../../schema/roles.ts'
import { scopeViewsOf } from '../../schema/scopes.ts'
import { addressOf } from '../../schema/values/address.ts'
import { findNearest } from '../../schema/values/nearest.ts'
import { shorten } from '../../schema/values/shownText.ts'
import type { Hint } from '../journal/recordedCall.ts'
import { createHint } from './table.ts'

export type RejectedRequest = {
  readonly world: WorldData
  readonly caller: Caller | undefined
  readonly params: Readonly<Record<string, string | string[]>>
  readonly declared: Readonly<Record<string, Param>>
  readonly scopes: readonly string[]
  readonly body: unknown
  readonly details: ErrorDetails
  readonly injected: boolean
  /** True if the same request was rejected for its rate less than half a second before. */
  readonly isImmediateRetry: boolean
}
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
    typeof body === 'string' ? createHint('FC204', describeJsonError(body), 'Send a JSON object') : undefined,
  wrongKind: ({ details: { field, instead } }) =>
    createHint('FC210', `${shorten(String(field))} cannot have this value`, `Send ${instead}`),
  invalidValue: ({ details: { field, problem } }) =>
    field === undefined
      ? undefined
      : createHint('FC213', `${shorten(String(field))}: ${shorten(String(problem))}`, 'Correct the value'),
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

type EventBody = { id?: unknown; iCalUID?: unknown; recurrence?: unknown; [name: string]: unknown } | undefined

function explainDuplicate({ body }: RejectedRequest): Hint {
  const { id, iCalUID } = (body as EventBody) ?? {}
  if (id === undefined && iCalUID !== undefined)
    return createHint(
      'FC308',
      'The iCalUID is in use by an event of the calendar',
      'Change that event, import the UID with events.import, or choose another',
    )
  return id === undefined
    ? createHint('FC308', 'The destination has had another event with this id', 'Insert a new event there')
    : createHint('FC308', 'The id is in use, possibly by a deleted event', 'Remove id, or choose another')
}

/** The event of a body that has no time is a stub that a move or the removal of a guest left (behaviour 7.7, 7.16). */
const DATE_AND_TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d/

function explainUnreadableTime(body: unknown): Hint | undefined {
  for (const which of ['start', 'end'] as const) {
    const { dateTime, timeZone }: { dateTime?: unknown; timeZone?: unknown } = (body as EventBody)?.[which] ?? {}
    if (typeof dateTime !== 'string') continue
    if (!DATE_AND_TIME.test(dateTime))
      return createHint(
        'FC206',
        `${which}.dateTime=${shorten(dateTime)} is not a date and a time`,
        `Write ${which}.dateTime as 2026-03-02T09:00:00+01:00`,
      )
    if (!timeZone && !/([Zz]|[+-]\d\d:?\d\d)$/.test(dateTime))
      return createHint(
        'FC205',
        `${which}.dateTime=${shorten(dateTime)} has no offset and no zone`,
        `Write ${which}.dateTime=${shorten(dateTime)}Z, or add ${which}.timeZone, such as Europe/Berlin`,
      )
  }
  return undefined
}

function explainInvalidTime({ body, details: { which } }: RejectedRequest): Hint {
  if ((body as EventBody)?.[String(which)] === undefined)
    return createHint(
      'FC206',
      'The event has no content, because it moved to another calendar or its guest was removed',
      'Send the request to the calendar that organizes the event',
    )
  return createHint(
    'FC206',
    `${which} is not one valid time, either a date or a dateTime`,
    `Write ${which}.dateTime as 2026-03-02T09:00:00+01:00, or ${which}.date as 2026-03-02; in a PATCH null removes the other`,
  )
}

function explainInvalidRecurrence({ world, caller, params, body }: RejectedRequest): Hint {
  const { eventId } = params
  const calendarId = resolveCalendarId(params, caller)
  const event = calendarId === undefined ? undefined : world.events.get(calendarId)?.named(String(eventId))
  if (event?.recurringEventId)
    return createHint(
      'FC208',
      'An instance of a series has no recurrence of its own',
      `Write it to the series ${shorten(event.recurringEventId)}`,
    )
  const lines = (body as EventBody)?.recurrence
  const lineText = Array.isArray(lines) ? lines.map(String).join(' ') : ''
  return createHint(
    'FC208',
    `recurrence cannot be ${shorten(lineText)}`,
    'Write lines such as RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=10',
  )
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

const resolveCalendarId = (
  { calendarId }: RejectedRequest['params'],
  caller: Caller | undefined,
): string | undefined =>
  calendarId === 'primary' ? caller?.email : typeof calendarId === 'string' ? addressOf(calendarId) : undefined

function explainNotFound(request: RejectedRequest): Hint | undefined {
  const { caller, params } = request
  const id = resolveCalendarId(params, caller)
  const destination = resolveCalendarId({ calendarId: params.destination ?? '' }, caller)
  return (
    explainMissingCalendar(request, id) ??
    explainMissingEvent(request, id) ??
    (params.destination === undefined ? undefined : explainMissingCalendar(request, destination))
  )
}

function explainMissingCalendar(request: RejectedRequest, id: string | undefined): Hint | undefined {
  const { world, caller } = request
  if (id === undefined) return undefined
  const calendar = world.calendars.get(id)
  if (!calendar || calendar.deleted) {
    const known = listStoredCalendars(world).map((one) => one.id)
    return createHint(
      'FC303',
      `The calendar ${shorten(id)} does not exist`,
      `Did you mean ${findNearest(id, known) ?? 'primary'}?`,
    )
  }
  if (caller && roleOf(world, id, caller) !== 'none') return undefined
  return (
    explainScopeView(request, id, 'freeBusyReader') ??
    createHint(
      'FC301',
      `${shorten(id)} exists, but ${nameOf(caller)} has no role on it`,
      'Share the calendar with acl.insert, or send the request as its owner',
    )
  )
}

function explainNeededRole(request: RejectedRequest): Hint {
  const { world, caller, params, details } = request
  const role = details.role as Role
  const roleOn = (id: string | undefined): Role => (id === undefined || !caller ? 'none' : roleOf(world, id, caller))
  const source = resolveCalendarId(params, caller)
  const destination = resolveCalendarId({ calendarId: params.destination ?? '' }, caller)
  const id = (destination && atLeast(roleOn(source), role) ? destination : source) ?? ''
  return (
    explainScopeView(request, id, role) ??
    createHint(
      'FC305',
      `The role of ${nameOf(caller)} on ${shorten(id)} is ${roleOn(id)}`,
      `Grant the role ${role} with acl.insert, or send the request as the owner`,
    )
  )
}

/** Returns a hint if the account has the role `needed`, but a scope of its token limits it (behaviour 1.5.1). */
function explainScopeView({ world, caller, scopes }: RejectedRequest, id: string, needed: Role): Hint | undefined {
  if (!caller?.scopeView) return undefined
  const role = roleOf(world, id, { ...caller, scopeView: undefined })
  if (!atLeast(role, needed)) return undefined
  return createHint(
    'FC306',
    `${nameOf(caller)} has the role ${role} on ${shorten(id)}, but ${roleOf(world, id, caller)} with the scopes of the token`,
    'Request one of the scopes without this limit',
    scopes.filter((scope) => scopeViewsOf(scopes, [scope]) === undefined),
  )
}

const nameOf = (caller: Caller | undefined): string => caller?.email ?? 'an anonymous caller'

const MAX_SEARCHED_CALENDARS = 200

const listStoredCalendars = ({ calendars }: WorldData): StoredCalendar[] =>
  [...calendars.values()].filter(({ deleted }) => !deleted).slice(0, MAX_SEARCHED_CALENDARS)

function explainMissingEvent({ world, caller, params }: RejectedRequest, id: string | undefined): Hint | undefined {
  const { eventId } = params
  if (typeof eventId !== 'string' || id === undefined || hasEvent(world, id, eventId)) return undefined
  const found = listStoredCalendars(world).filter((one) => hasEvent(world, one.id, eventId))
  const isReadable = ({ id }: StoredCalendar): boolean =>
    caller !== undefined && atLeast(roleOf(world, id, caller), 'reader')
  const other = found.find(isReadable) ?? found[0]
  if (other)
    return createHint(
      'FC304',
      `${shorten(eventId)} is an event of ${other.id}`,
      isReadable(other) ? 'Send that calendarId' : 'Send that calendarId as an account that may read it',
    )
  const upper = eventId.replace(/_(\d{8})t(\d{6})z$/, '_$1T$2Z')
  if (upper !== eventId && hasEvent(world, id, upper))
    return createHint('FC304', `${shorten(eventId)} is in lower case`, `Write ${shorten(upper)}`)
  return undefined
}

function hasEvent(world: WorldData, calendarId: string, eventId: string): boolean {
  const event = world.events.get(calendarId)?.named(eventId)
  return event !== undefined && event.status !== 'cancelled'
}

function describeJsonError(text: string): string {
  try {
    JSON.parse(text)
    return 'The body is not a JSON object'
  } catch (error) {
    return `The body is not JSON: ${shorten(error instanceof Error ? error.message : '')}`
  }
}

function findUnknownZone(body: unknown, which: string): string | undefined {
  const zone = (body as Record<string, { timeZone?: unknown } | undefined> | undefined)?.[which]?.timeZone
  return typeof zone === 'string' && !isZone(zone) ? zone : undefined
}
