import { isZone } from '../recurrence/zone.ts'
import { nearest } from '../wire/nearest.ts'
import type { Param } from '../wire/params.ts'
import type { Details, Refusal, RefusalName } from '../wire/refusals.ts'
import { rowOf } from '../wire/refusals.ts'
import { addressOf } from '../wire/values/address.ts'
import { roleOf } from '../world/access.ts'
import type { Caller, World } from '../world/world.ts'
import { type Hint, hint, shown } from './hint.ts'

/** A request that was refused, as far as hints ask. */
export type Refused = {
  readonly world: World
  /** Who asked, where that was known. */
  readonly caller: Caller | undefined
  readonly params: Readonly<Record<string, string | string[]>>
  readonly taken: Readonly<Record<string, Param>>
  readonly scopes: readonly string[]
  readonly body: unknown
  readonly details: Details
  /** Whether it failed because a test wanted it to. */
  readonly onCue: boolean
  /** Whether the same was refused for its rate a moment ago. */
  readonly again: boolean
}
type Explain = (refused: Refused) => Hint | undefined

/** What each refusal leaves unsaid. Those whose words explain themselves have no line. */
const EXPLAINED: Partial<Record<RefusalName, Explain>> = {
  badTimestamp,
  notAllowed: ({ details: { location, value, allowed } }) => {
    const known = String(allowed).split(', ')
    return hint(
      'FC104',
      `${location} cannot be ${shown(String(value))}`,
      `Did you mean ${nearest(String(value), known) ?? ''}?`,
      known,
    )
  },
  orderingNotAvailable: () =>
    hint('FC105', 'orderBy=startTime is for lists with singleEvents=true', 'Add singleEvents=true'),
  syncTokenWith: ({ details: { location } }) =>
    hint('FC106', `${location} stands beside syncToken`, `Leave ${location} out, or list anew without the syncToken`),
  pageTokenWith: ({ details: { location } }) =>
    hint('FC107', `${location} is another than on the first page`, 'Send the parameters of the first page again'),
  invalidPageToken: () =>
    hint(
      'FC107',
      'pageToken was not given out for this list',
      'Take nextPageToken of the page before, with the same parameters',
    ),
  invalidSyncToken: () =>
    hint(
      'FC107',
      'syncToken was not given out for this list in this world',
      'Take nextSyncToken of the last page of the same list',
    ),
  fullSyncRequired: () =>
    hint('FC108', 'syncToken has expired', 'List anew without it, and keep the nextSyncToken of the last page'),
  parseError: ({ body }) =>
    typeof body === 'string' ? hint('FC204', jsonFault(body), 'Send a JSON object') : undefined,
  formEncodedBody: () => hint('FC204', 'The body is form-encoded', 'Send JSON, with Content-Type: application/json'),
  missingZone: ({ details: { which } }) =>
    hint('FC205', `${which} has neither offset nor zone`, `Add ${which}.timeZone, such as Europe/Berlin`),
  missingTime: ({ details: { which } }) =>
    hint('FC206', `${which} is missing`, `Add ${which}.dateTime, or ${which}.date for an all-day event`),
  invalidTime: ({ details: { which } }) =>
    hint(
      'FC206',
      `${which} is no time`,
      `Write ${which}.dateTime as 2026-03-02T09:00:00+01:00, or ${which}.date as 2026-03-02`,
    ),
  mixedTimes: () =>
    hint('FC206', 'start and end are of two forms', 'Give both a date, or both a dateTime; null takes the other away'),
  invalidZone: ({ body, details: { which } }) => {
    const zone = zoneOf(body, String(which))
    return hint(
      'FC207',
      `${which}.timeZone ${zone === undefined ? '' : `${shown(zone)} `}is no zone`,
      'Take a name of the IANA database, such as America/New_York',
    )
  },
  invalidRecurrence: ({ body }) => {
    const lines = (body as { recurrence?: unknown } | undefined)?.recurrence
    const said = Array.isArray(lines) ? lines.map(String).join(' ') : ''
    return hint(
      'FC208',
      `recurrence cannot be ${shown(said)}`,
      'Write lines such as RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=10',
    )
  },
  notFound,
  needsRole: ({ world, caller, params, details: { role } }) => {
    const id = calendarIdOf(params, caller)
    const own = id === undefined || !caller ? 'none' : roleOf(world, id, caller)
    return hint(
      'FC305',
      `${caller?.email ?? 'nobody'} is ${own} on ${shown(id ?? '')}`,
      `Share it as ${role} by acl.insert, or ask as its owner`,
    )
  },
  insufficientScope: ({ scopes }) =>
    hint('FC306', 'The token has none of the scopes that the method takes', 'Ask for one of those allowed', scopes),
  invalidCredentials,
  loginRequired: () =>
    hint(
      'FC307',
      'The request brings no access token',
      'Send Authorization: Bearer alice@example.com, or start with --anonymous',
    ),
  duplicate: () => hint('FC308', 'The id is taken, be it by a deleted event', 'Leave id out, or choose another'),
  staleEtag: () =>
    hint('FC309', 'The etag in If-Match is not the latest', 'Read the record again, and write on top of that'),
}

/** The hint on a refusal, where its words leave something unsaid. */
export function refusedHint({ faults: [fault] }: Refusal, refused: Omit<Refused, 'details'>): Hint | undefined {
  if (!fault) return undefined
  if (refused.again && isOfRate(fault))
    return hint(
      'FC401',
      'The same request was refused for its rate less than half a second ago',
      'Wait a second before it is sent again, and twice as long each time',
    )
  if (refused.onCue) return undefined
  return EXPLAINED[fault.named]?.({ ...refused, details: fault.details })
}

/** Whether a request was refused because there were too many. */
export function isOfRate(fault: Refusal['faults'][number]): boolean {
  const { domain, reason } = rowOf(fault)
  return domain === 'usageLimits' && /^(user)?rateLimitExceeded$|^quotaExceeded$/i.test(reason)
}

function invalidCredentials({ world, details: { cause = 'not good' } }: Refused): Hint {
  const instead =
    world.accounts.size === 0
      ? 'Seed an account'
      : 'Send a token that this world gave out (oauth.mint makes one), or an address in open mode'
  return cause === 'unknown'
    ? hint('FC302', 'The token stands for no account of this world', instead)
    : hint('FC307', `The token is ${cause}`, instead)
}

const RFC3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/

function badTimestamp({ params, taken }: Refused): Hint | undefined {
  const stamps = Object.entries(taken).filter(([, { format }]) => format === 'date-time')
  for (const [name] of stamps) {
    const value = [params[name] ?? []].flat()[0]
    if (value === undefined || value === '' || RFC3339.test(value)) continue
    const day = /^\d{4}-\d\d-\d\d/.exec(value)?.[0] ?? '2026-01-01'
    const time = /[Tt ](\d\d:\d\d)/.exec(value)?.[1] ?? '00:00'
    const spaced = value.includes(' ') ? ' (a + in a URL is a space: write %2B)' : ''
    return hint(
      'FC101',
      `${name}=${shown(value)} needs a time and an offset${spaced}`,
      `Write ${name}=${day}T${time}:00Z`,
    )
  }
  return undefined
}

const calendarIdOf = ({ calendarId }: Refused['params'], caller: Caller | undefined): string | undefined =>
  calendarId === 'primary' ? caller?.email : typeof calendarId === 'string' ? addressOf(calendarId) : undefined

function notFound({ world, caller, params }: Refused): Hint | undefined {
  const id = calendarIdOf(params, caller)
  if (id === undefined) return undefined
  const calendar = world.calendars.get(id)
  if (!calendar || calendar.deleted) {
    const known = [...world.calendars.values()].slice(0, MOST_NAMED).map((one) => one.id)
    return hint('FC303', `There is no calendar ${shown(id)}`, `Did you mean ${nearest(id, known) ?? 'primary'}?`)
  }
  if (!caller || roleOf(world, id, caller) === 'none') {
    const who = caller?.email ?? 'nobody'
    return hint(
      'FC301',
      `${shown(id)} exists, and ${who} has no role on it`,
      'Share it by acl.insert, or ask as its owner',
    )
  }
  const { eventId } = params
  if (typeof eventId !== 'string') return undefined
  return elsewhere(world, id, eventId)
}

/** How many calendars are looked at for a name that is near, or for an event. */
const MOST_NAMED = 200

function elsewhere(world: World, id: string, eventId: string): Hint | undefined {
  for (const calendar of [...world.calendars.values()].slice(0, MOST_NAMED)) {
    if (calendar.id === id || !world.events.get(calendar.id)?.get(eventId)) continue
    return hint('FC304', `${shown(eventId)} is an event of ${calendar.id}`, 'Ask for it on that calendar')
  }
  const upper = eventId.replace(/_(\d{8})t(\d{6})z$/, '_$1T$2Z')
  if (upper !== eventId) return hint('FC304', `${shown(eventId)} is written small`, `Write ${shown(upper)}`)
  return undefined
}

function jsonFault(text: string): string {
  try {
    JSON.parse(text)
    return 'The body is no JSON object'
  } catch (error) {
    return `The body is not JSON: ${shown(error instanceof Error ? error.message : '')}`
  }
}

function zoneOf(body: unknown, which: string): string | undefined {
  const zone = (body as Record<string, { timeZone?: unknown } | undefined> | undefined)?.[which]?.timeZone
  return typeof zone === 'string' && !isZone(zone) ? zone : undefined
}
