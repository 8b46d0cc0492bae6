import { inOnePiece } from '../recurrence/written.ts'
import type { Ids } from '../time/ids.ts'
import type { Event } from '../wire/event.ts'
import { refuse } from '../wire/refusals.ts'

const ID = /^[a-v0-9]{5,1024}$/
const GOOGLE = '@google.com'

export type Identity = { id: string; iCalUID: string }

/** The id and the iCalUID of a new event, of which a client may give one (behaviour 3.2.4, 14.2). */
export function identify(
  ids: Ids,
  { id, iCalUID }: { id?: string | undefined; iCalUID?: string | undefined },
): Identity {
  if (id !== undefined) {
    if (!ID.test(id)) refuse('invalidId')
    if (iCalUID && iCalUID !== id + GOOGLE) refuse('invalidId')
    return { id, iCalUID: id + GOOGLE }
  }
  if (iCalUID) return { id: idFromUid(iCalUID), iCalUID }
  const born = ids.eventId()
  return { id: born, iCalUID: born + GOOGLE }
}

/** Whether the UID of an event follows from its id, or from that of its series. */
export const hasDefaultUid = ({
  id,
  recurringEventId = id,
  iCalUID,
}: Pick<Event, 'id' | 'recurringEventId' | 'iCalUID'>): boolean => iCalUID === recurringEventId + GOOGLE

/** The id that a UID follows from, if there is one. */
export const idFromDefaultUid = (iCalUID: string): string | undefined =>
  iCalUID.endsWith(GOOGLE) ? iCalUID.slice(0, -GOOGLE.length) : undefined

/** The id of an event made with this UID: the part before `@google.com` where that is an id, else the UID in base32hex. */
export function idFromUid(iCalUID: string): string {
  const local = iCalUID.endsWith(GOOGLE) ? iCalUID.slice(0, -GOOGLE.length) : ''
  return ID.test(local) ? local : `_${base32hex(iCalUID)}`
}

function base32hex(text: string): string {
  const bits = [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const digits = bits.match(/.{1,5}/g) ?? []
  return digits.map((digit) => Number.parseInt(digit.padEnd(5, '0'), 2).toString(32)).join('')
}

/** How an event link shortens the domains of calendars (behaviour 3.2.5). */
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
  return inOnePiece('https://www.google.com/calendar/event?eid=', eid)
}
