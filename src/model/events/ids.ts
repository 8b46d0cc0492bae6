import { flatString } from '../../recurrence/format.ts'
import { apiError } from '../../schema/apiErrors.ts'
import type { Event } from '../../schema/event.ts'
import type { Ids } from '../ids.ts'

const ID = /^[a-v0-9]{5,1024}$/
const GOOGLE = '@google.com'

export type EventIdentity = { id: string; iCalUID: string }

/** Returns the id and the iCalUID of a new event. A client may give one of them (behaviour 3.2.4, 14.2). */
export function identify(
  ids: Ids,
  { id, iCalUID }: { id?: string | undefined; iCalUID?: string | undefined },
): EventIdentity {
  if (id !== undefined) {
    if (!ID.test(id)) throw apiError('invalidId')
    if (iCalUID && iCalUID !== id + GOOGLE) throw apiError('invalidId')
    return { id, iCalUID: id + GOOGLE }
  }
  if (iCalUID) return { id: idFromUid(iCalUID), iCalUID }
  const born = ids.eventId()
  return { id: born, iCalUID: born + GOOGLE }
}

/** Returns true if the UID of an event derives from its id, or from that of its series. */
export const hasDefaultUid = ({
  id,
  recurringEventId = id,
  iCalUID,
}: Pick<Event, 'id' | 'recurringEventId' | 'iCalUID'>): boolean => iCalUID === recurringEventId + GOOGLE

/** Returns the id that a UID derives from, if any. */
export const idFromDefaultUid = (iCalUID: string): string | undefined =>
  iCalUID.endsWith(GOOGLE) ? iCalUID.slice(0, -GOOGLE.length) : undefined

/**
 * Returns the id of an event that is created with a UID: the part before `@google.com` if it is an id, else the UID in
 * base32hex.
 */
export function idFromUid(iCalUID: string): string {
  const local = iCalUID.endsWith(GOOGLE) ? iCalUID.slice(0, -GOOGLE.length) : ''
  return ID.test(local) ? local : `_${base32hex(iCalUID)}`
}

function base32hex(text: string): string {
  const bits = [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const digits = bits.match(/.{1,5}/g) ?? []
  return digits.map((digit) => Number.parseInt(digit.padEnd(5, '0'), 2).toString(32)).join('')
}

/** The short forms of calendar domains in event links (behaviour 3.2.5). */
const SHORT_DOMAINS: readonly (readonly [string, string])[] = [
  ['@gmail.com', '@m'],
  ['@group.calendar.google.com', '@g'],
  ['@group.v.calendar.google.com', '@v'],
  ['@import.calendar.google.com', '@i'],
]

export function htmlLink(eventId: string, calendarId: string): string {
  const [domain, short] = SHORT_DOMAINS.find(([long]) => calendarId.endsWith(long)) ?? ['', '']
  const calendar = domain ? calendarId.slice(0, -domain.length) + short : calendarId
  const eid = Buffer.from(`${eventId} ${calendar}`).toString('base64').replace(/=+$/, '')
  return flatString('https://www.google.com/calendar/event?eid=', eid)
}
