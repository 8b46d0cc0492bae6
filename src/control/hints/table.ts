import { formatHint, type Hint } from '../journal/recordedCall.ts'

export type HintRow = { readonly title: string; readonly why: string }

/** All hints by code: 1xx parameters, 2xx bodies, 3xx access, 4xx rates, 5xx tools of MCP. A code is never reused for another hint. */
export const HINTS = {
  FC101: {
    title: 'A timestamp without a time or an offset',
    why: 'The service expects an RFC 3339 timestamp: a date, a time and an offset from UTC. Its own message is only Bad Request.',
  },
  FC102: { title: 'An unknown parameter', why: 'The service silently ignores unknown parameters.' },
  FC103: {
    title: 'A parameter of another method',
    why: 'The parameter exists, but this method does not have it. The service silently ignores it.',
  },
  FC104: { title: 'A value that is not allowed', why: 'The parameter has a fixed list of values.' },
  FC105: {
    title: 'An order that is not available for this list',
    why: 'A series has no single start time. Sorting by start therefore requires singleEvents=true, which expands series into instances.',
  },
  FC106: {
    title: 'A sync token combined with a filter',
    why: 'A sync token continues an earlier list, whose filters still apply. New filters or orders are rejected.',
  },
  FC107: {
    title: 'A token that is not valid for this list',
    why: 'A page token or sync token is valid only for the list, parameters, account and world that issued it.',
  },
  FC108: {
    title: 'An expired sync token',
    why: 'Sync tokens expire after some time, after a reset, after a change of the role, and when a test expires them.',
  },
  FC109: {
    title: 'A path that no method has',
    why: 'The service answers a page in HTML. Clients add the paths of methods to a base, which ends in /calendar/v3.',
  },
  FC110: {
    title: 'A window that is empty',
    why: 'The end of a window must be later than its start.',
  },
  FC201: { title: 'An unknown field', why: 'The service silently ignores unknown fields.' },
  FC202: { title: 'A read-only field', why: 'The service sets this field itself and ignores it in requests.' },
  FC203: {
    title: 'A field that has no effect here',
    why: 'The fake stores and returns the field, but does not act on it. The service does.',
  },
  FC204: {
    title: 'A body that is not a JSON object',
    why: 'The request body must be a JSON object. The service answers Parse Error, and takes any other JSON value as an empty body.',
  },
  FC205: {
    title: 'A time without an offset or a zone',
    why: 'A dateTime needs an offset or a timeZone. A recurring event always needs a timeZone, because it repeats in local time.',
  },
  FC206: {
    title: 'A missing or invalid start or end',
    why: 'start and end must both have a date (all-day event) or both a dateTime, formatted as in RFC 3339. The end of an all-day event is exclusive.',
  },
  FC207: { title: 'An unknown time zone', why: 'A timeZone must be a name of the IANA time zone database.' },
  FC208: {
    title: 'An invalid recurrence',
    why: 'Each line must be an RRULE, EXRULE, RDATE or EXDATE of RFC 5545. DTSTART and DTEND are not allowed; use the fields start and end.',
  },
  FC209: {
    title: 'Reminders that are stored otherwise',
    why: 'The service sets minutes outside of 0 to 40320 to that limit and stores equal overrides once, without an error.',
  },
  FC210: {
    title: 'A value of the wrong type',
    why: 'The service answers only Invalid value, without the name of the field.',
  },
  FC211: {
    title: 'An http receiver on another machine',
    why: 'The service requires https. The fake also accepts http to this machine, and with --webhooks any to the local network, because receivers of tests have no certificate.',
  },
  FC212: {
    title: 'A receiver that gets no messages',
    why: 'By default, messages are posted to this machine only. Others are kept and marked as withheld.',
  },
  FC213: {
    title: 'A value that is not accepted',
    why: 'The message of the service contains neither the field nor its value.',
  },
  FC214: {
    title: 'An id that is not accepted',
    why: 'The id of an event has 5 to 1024 characters: letters from a to v and digits. The service makes one if it is missing.',
  },
  FC301: {
    title: 'A calendar without access',
    why: 'The account has no role on the calendar. The service then answers Not Found, as if the calendar did not exist.',
  },
  FC302: {
    title: 'A token without an account',
    why: 'An access token is either an email address or a token that this world issued. Any other token acts as the first account of the world, or is rejected with `--strict`.',
  },
  FC303: {
    title: 'An unknown calendar',
    why: 'No calendar of this world has this id. An account and its calendar exist from a seed or the first request of the account on.',
  },
  FC304: {
    title: 'An event of another calendar',
    why: 'An event exists only on the calendars that have a copy of it. Ids are case-sensitive.',
  },
  FC305: {
    title: 'A role that is too low',
    why: 'The method requires a higher role than the access rules of the calendar give to the account.',
  },
  FC306: {
    title: 'A missing scope',
    why: 'The method needs one of several scopes, and some of them cover only own, public or created calendars.',
  },
  FC307: {
    title: 'An invalid token',
    why: 'The token is missing, empty, expired or revoked. The service answers only Invalid Credentials.',
  },
  FC308: {
    title: 'An id that is in use',
    why: 'An event keeps its id after it is deleted, so the id cannot be reused.',
  },
  FC309: {
    title: 'An outdated version',
    why: 'The record changed after the client read the etag in If-Match, or the value is not its etag, which includes the quotes.',
  },
  FC310: {
    title: 'An unknown event',
    why: 'No calendar of this world has had an event with this id. Other worlds have other events, and a reset removes those of requests.',
  },
  FC311: {
    title: 'A deleted event',
    why: 'A deleted event keeps its id for good. Its calendar shows it as cancelled for 30 days.',
  },
  FC312: {
    title: 'A new account with a similar address',
    why: 'Each address is an account from its first request on, so a misspelled one has an empty calendar of its own.',
  },
  FC401: {
    title: 'A retry without backoff',
    why: 'The same request was repeated within half a second of a rate limit error. The service requires exponential backoff.',
  },
  FC501: {
    title: 'A tool that notifies all guests by default',
    why: 'Without notificationLevel a tool of the MCP server notifies all guests. A REST method notifies nobody by default.',
  },
  FC502: {
    title: 'A list of events without a window',
    why: 'Without startTime and endTime the tool lists only the next 7 days.',
  },
  FC503: {
    title: 'A change of a whole series',
    why: 'The id of a series changes all its instances, past ones included. An instance has an id of its own.',
  },
  FC504: {
    title: 'An argument in another form',
    why: 'The parser of the service also takes names in snake case, integers as texts and the numbers of enum values. No schema or text promises it.',
  },
} as const satisfies Record<string, HintRow>

export type HintCode = keyof typeof HINTS

export const createHint = (code: HintCode, what: string, instead: string, allowed?: readonly string[]): Hint => ({
  code,
  what,
  why: HINTS[code].why,
  instead,
  ...(allowed && { allowed }),
})

export const HINT_HEADER = 'X-Fake-Calendar-Hint'

/** Characters. */
const MAX_HEADER_LENGTH = 2000

export const formatHintHeader = (hints: readonly Hint[]): string =>
  hints
    .map(formatHint)
    .join(' | ')
    .slice(0, MAX_HEADER_LENGTH)
    .replace(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
