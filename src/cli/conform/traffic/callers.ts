import { isObject } from '../../../schema/values/json.ts'
import { at, listAt, textAt } from './recording.ts'
import type { RecordedRequest } from './requests.ts'

/** The owner of a calendar if a recording does not name one. */
export const UNKNOWN_ACCOUNT = 'somebody@example.com'

/** Ids of secondary calendars. Any other id is the address of an account. */
export const SECONDARY_CALENDAR_ID = /@(group|import|resource)\.calendar\.google\.com$/

/**
 * Returns the email of the account of each credential (the `Authorization` header of requests): the account that responses call
 * primary or self, else the one that created an
 * event or owns a calendar. Other credentials get the first account found, or an invented one.
 */
export function findCallers(requests: readonly RecordedRequest[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const find of [
    ({ exchange, segments }: RecordedRequest) => selfEmail(exchange.responseJson, segments),
    creatorEmail,
  ])
    for (const one of requests) {
      const email = found.has(one.credential) ? undefined : find(one)
      if (email !== undefined) found.set(one.credential, email)
    }
  const [first = UNKNOWN_ACCOUNT] = found.values()
  return new Map(requests.map(({ credential }) => [credential, found.get(credential) ?? first]))
}

/**
 * Returns the email of the caller of an exchange (a request with its response), or undefined if it shows none: the creator of
 * an inserted event, the data owner of a new calendar, or the only person with the role `owner` in a list of rules.
 */
function creatorEmail({ exchange: { verb, status, responseJson }, segments }: RecordedRequest): string | undefined {
  if (status !== 200 || segments[0] !== 'calendars') return undefined
  if (verb === 'POST' && segments.length === 1) return textAt(responseJson, 'dataOwner')
  if (verb === 'POST' && segments[2] === 'events' && segments.length === 3)
    return textAt(responseJson, 'creator', 'email')
  if (verb !== 'GET' || segments[2] !== 'acl') return undefined
  const owners = listAt(responseJson, 'items').flatMap((rule) => {
    const value = textAt(rule, 'scope', 'value')
    return textAt(rule, 'role') === 'owner' && value !== undefined && !SECONDARY_CALENDAR_ID.test(value) ? [value] : []
  })
  return owners.length === 1 ? owners[0] : undefined
}

/**
 * Returns the email of the caller, if a response marks it as primary or self, or is about the primary calendar; else undefined.
 * The second parameter is the path below `/calendar/v3/`.
 */
function selfEmail(responseJson: unknown, [collection, id, ...rest]: readonly string[]): string | undefined {
  const items = listAt(responseJson, 'items')
  if (collection === 'users' && (rest.at(-1) === 'primary' || at(responseJson, 'primary') === true))
    return textAt(responseJson, 'id')
  if (collection === 'users')
    return textAt(
      items.find((one) => isObject(one) && one.primary === true),
      'id',
    )
  if (collection === 'calendars' && id === 'primary') {
    if (rest.length === 0) return textAt(responseJson, 'id')
    const summary = textAt(responseJson, 'summary')
    if (rest.length === 1 && textAt(responseJson, 'kind') === 'calendar#events' && summary?.includes('@'))
      return summary
  }
  const people = [responseJson, ...items].flatMap((event) =>
    isObject(event)
      ? [event.creator, ...listAt(event, 'attendees')].filter((one) => isObject(one) && one.self === true)
      : [],
  )
  return people
    .map((one) => textAt(one, 'email'))
    .find((email) => email?.includes('@') && !email.endsWith('.calendar.google.com'))
}

/**
 * Returns true for the 403 of a caller whose role on a calendar is too low, which proves that the caller has some role.
 */
export const isInsufficientRole = (status: number, responseJson: unknown): boolean =>
  status === 403 && textAt(listAt(at(responseJson, 'error'), 'errors')[0], 'reason') === 'requiredAccessLevel'
