/** What a hint is about, for all requests alike: why it is so, in a sentence. Its code is an anchor in docs/hints.md. */
export type Row = { readonly title: string; readonly why: string }

/**
 * Every hint, by its code: 1xx parameters, 2xx bodies, 3xx who asks for what, 4xx how often. A code is never given to
 * another hint.
 */
export const HINTS = {
  FC101: {
    title: 'A timestamp without a time or an offset',
    why: 'The service takes an RFC 3339 timestamp: a date, a time, and an offset from UTC. It says no more than Bad Request.',
  },
  FC102: { title: 'An unknown parameter', why: 'The service ignores parameters that it does not know.' },
  FC103: {
    title: 'A parameter of another method',
    why: 'The service knows it, though not for this method, and ignores it here.',
  },
  FC104: { title: 'A value that is none of those allowed', why: 'The parameter takes one of a few values.' },
  FC105: {
    title: 'An order that this list does not have',
    why: 'Only single events have one start: a list in order of start has to be of instances.',
  },
  FC106: {
    title: 'A sync token beside a parameter that chooses',
    why: 'A sync token goes on with the list that it came from, which has chosen already.',
  },
  FC107: {
    title: 'A token that this list did not give out',
    why: 'Page and sync tokens are good for the list, the parameters, the account and the world that they came from.',
  },
  FC108: {
    title: 'A sync token that has expired',
    why: 'Sync tokens expire with time, with a reset, and when a test makes them.',
  },
  FC201: { title: 'An unknown field', why: 'The service ignores fields that it does not know.' },
  FC202: { title: 'A field that only the service writes', why: 'The service ignores it in a request.' },
  FC203: {
    title: 'A field that has no effect here',
    why: 'The fake keeps it and gives it back; the service does more with it.',
  },
  FC204: { title: 'A body that is not JSON', why: 'The service says no more than Parse Error.' },
  FC205: {
    title: 'A time without an offset or a zone',
    why: 'A dateTime needs an offset, or a timeZone beside it; a series needs the zone that it repeats in.',
  },
  FC206: {
    title: 'A time of neither form',
    why: 'start and end have a date each (all-day) or a dateTime each, in the forms of RFC 3339.',
  },
  FC207: { title: 'An unknown time zone', why: 'Zones are named as in the IANA database.' },
  FC208: {
    title: 'A recurrence that is no rule',
    why: 'Each line is an RRULE, EXRULE, RDATE or EXDATE of RFC 5545; start and end are fields of their own.',
  },
  FC301: {
    title: 'A calendar of somebody else',
    why: 'To an account that has no role on it a calendar is not there: the service says Not Found.',
  },
  FC302: {
    title: 'A token that stands for no account',
    why: 'An access token is an address, or one that this world has given out. Any other stands for its first account, or where only known ones are taken (`--strict`) for nobody.',
  },
  FC303: { title: 'A calendar that there is not', why: 'No calendar of this world has the id.' },
  FC304: {
    title: 'An event of another calendar',
    why: 'An event is found on the calendars that hold a copy of it, and its id is case-sensitive.',
  },
  FC305: { title: 'Too low a role', why: 'The rules of the calendar give the account less than the method takes.' },
  FC306: { title: 'Too few scopes', why: 'The access token was given out for other scopes than the method takes.' },
  FC307: {
    title: 'A token that is not good',
    why: 'It is missing, empty, expired or revoked. The service says no more than Invalid Credentials.',
  },
  FC308: {
    title: 'An id that is taken',
    why: 'The id of an event stays taken when the event is deleted.',
  },
  FC309: {
    title: 'A version that is not the latest',
    why: 'The record was written since the etag in If-Match was read.',
  },
  FC401: {
    title: 'A retry without backoff',
    why: 'The same request came again within half a second after it had been refused for its rate. The service asks for exponential backoff.',
  },
} as const satisfies Record<string, Row>

export type HintCode = keyof typeof HINTS
