import { same, without } from '../store/merge.ts'
import type { Event, EventDraft } from '../wire/event.ts'

/** `meeting`: the same on every copy. `copy`: each copy has its own. `service`: no client writes it. */
type Owner = 'meeting' | 'copy' | 'service'

/** Every field of an event, in the order of a reply (behaviour 3.2.1). A field that is missing here does not compile. */
const OWNER: Record<keyof Event, Owner> = {
  kind: 'service',
  etag: 'service',
  id: 'service',
  status: 'meeting',
  htmlLink: 'service',
  created: 'service',
  updated: 'service',
  summary: 'meeting',
  description: 'meeting',
  location: 'meeting',
  colorId: 'copy',
  creator: 'service',
  organizer: 'service',
  start: 'meeting',
  end: 'meeting',
  endTimeUnspecified: 'meeting',
  recurrence: 'meeting',
  recurringEventId: 'service',
  originalStartTime: 'service',
  transparency: 'copy',
  visibility: 'copy',
  iCalUID: 'service',
  sequence: 'meeting',
  attendees: 'meeting',
  attendeesOmitted: 'meeting',
  extendedProperties: 'meeting', // but for the private ones, which are each copy's own
  hangoutLink: 'meeting', // goes with the conference; no body can say it
  conferenceData: 'meeting',
  gadget: 'meeting',
  anyoneCanAddSelf: 'meeting',
  guestsCanInviteOthers: 'meeting',
  guestsCanModify: 'meeting',
  guestsCanSeeOtherGuests: 'meeting',
  privateCopy: 'service',
  locked: 'service',
  reminders: 'copy',
  source: 'meeting',
  workingLocationProperties: 'meeting',
  outOfOfficeProperties: 'meeting',
  focusTimeProperties: 'meeting',
  attachments: 'meeting',
  birthdayProperties: 'meeting',
  eventLabelId: 'copy',
  eventType: 'meeting',
}

/** The values that a reply leaves out, because a field that is absent means them (behaviour 3.2.3). */
const DEFAULT: Partial<Record<keyof Event, unknown>> = {
  summary: '',
  description: '',
  location: '',
  colorId: '',
  transparency: 'opaque',
  visibility: 'default',
  endTimeUnspecified: false,
  attendeesOmitted: false,
  anyoneCanAddSelf: false,
  guestsCanInviteOthers: true,
  guestsCanModify: false,
  guestsCanSeeOtherGuests: true,
  privateCopy: false,
  locked: false,
}

/** An event without the fields that each write sets anew. */
export type Composed = Omit<Event, 'kind' | 'etag' | 'updated'>

const STAMPS: readonly (keyof Event)[] = ['kind', 'etag', 'updated']
export const EVENT_FIELDS = Object.keys(OWNER) as (keyof Event)[]
const TURNS: ReadonlyMap<string, number> = new Map(EVENT_FIELDS.map((field, turn) => [field, turn]))
const NO_VALUES: readonly unknown[] = EVENT_FIELDS.map(() => undefined)
const DEFAULTS: readonly unknown[] = EVENT_FIELDS.map((field) => DEFAULT[field])
const ownedBy = (owner: Owner) => EVENT_FIELDS.filter((field) => OWNER[field] === owner)

const MEETING_FIELDS = ownedBy('meeting')
const COPY_FIELDS = ownedBy('copy')
const CLIENT_FIELDS = [...MEETING_FIELDS, ...COPY_FIELDS]
const ORIGIN_FIELDS = ownedBy('service').filter((field) => !STAMPS.includes(field))

type Fields = Partial<Record<keyof Event, unknown>>

/**
 * The fields that have a value, in the order of a reply, without those at their default. What other objects have beside
 * them is taken along, of two the later's.
 */
export function eventInOrder<E extends Fields>(event: E, ...beside: readonly Fields[]): E {
  const values: unknown[] = NO_VALUES.slice()
  // By the fields that there are: to look for one that is not there takes as long as to copy three.
  for (const fields of beside) lay(fields, values)
  lay(event, values)
  const ordered: Fields = {}
  let turn = 0
  for (const field of EVENT_FIELDS) {
    const value = values[turn]
    if (value !== undefined && value !== DEFAULTS[turn] && !isEmpty(value)) ordered[field] = value
    turn += 1
  }
  return ordered as E
}

function lay(fields: Fields, values: unknown[]): void {
  for (const name in fields) {
    const turn = TURNS.get(name)
    if (turn !== undefined) values[turn] = fields[name as keyof Event]
  }
}

function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  for (const _ in value) return false
  return true
}

const part = <E>(event: Partial<Event>, fields: readonly (keyof Event)[]): E =>
  Object.fromEntries(fields.flatMap((field) => (event[field] === undefined ? [] : [[field, event[field]]]))) as E

/** The fields that clients write: a patch is merged into these. */
export const clientPart = (event: Partial<Event>): EventDraft => part(event, CLIENT_FIELDS)

/** The fields that are the same on every copy; `copyPart` has those that each copy has for itself. */
export const meetingPart = (event: Partial<Event>): EventDraft => part(event, MEETING_FIELDS)
export const isCopys = (field: string): boolean => COPY_FIELDS.some((own) => own === field)
export const isMeetings = (field: keyof Event): boolean => OWNER[field] === 'meeting'
export const copyPart = (event: Partial<Event>): EventDraft => part(event, COPY_FIELDS)

/** The fields that clients write in which two versions of an event differ: also those that only one of them has. */
export const changedFields = (before: Partial<Event>, after: Partial<Event>): (keyof Event)[] =>
  CLIENT_FIELDS.filter((field) => !same([before[field]], [after[field]]))

/** Some fields as an event has them, `undefined` where it has none. */
export const fieldsOf = (event: Partial<Event>, fields: readonly (keyof Event)[]): Partial<Event> =>
  Object.fromEntries(fields.map((field) => [field, event[field]]))

/** The service's own fields, which are set when an event is made; what a request says of them is ignored. */
export type Origin = Pick<Event, 'id' | 'iCalUID' | 'created' | 'creator' | 'organizer'> &
  Partial<Pick<Event, 'recurringEventId' | 'originalStartTime'>>
export const originOf = (event: Event): Origin => part(event, ORIGIN_FIELDS)

/** An event without the fields that each write sets anew. */
export const unstamped = (event: Event): Composed => without(event, 'kind', 'etag', 'updated')

/** A deleted event stays as a record with the status `cancelled`, and its id stays taken (behaviour 2.3). */
export const cancelled = (event: Event): Composed => ({ ...unstamped(event), status: 'cancelled' })

const LONG_AGO = { dateTime: '2000-01-01T00:00:00Z', timeZone: 'UTC' }
const A_DAY_LATER = { dateTime: '2000-01-02T00:00:00Z', timeZone: 'UTC' }

/**
 * What stays on a calendar when an event has moved to another, or its guest was removed: a cancelled record without the
 * event's content (behaviour 7.7, 7.16).
 */
export const stubOf = ({ id, htmlLink, iCalUID, recurringEventId, originalStartTime }: Event): Composed => ({
  id,
  status: 'cancelled',
  htmlLink,
  start: LONG_AGO,
  end: A_DAY_LATER,
  ...(recurringEventId && { recurringEventId, originalStartTime }), // an instance leaves its place in the series empty
  transparency: 'transparent',
  iCalUID,
})

/** A stub is known by having no organizer: every other event has one. */
export const isStub = ({ organizer }: Pick<Event, 'organizer'>): boolean => organizer === undefined

/** Details of a private event are kept from readers who do not attend, and from writers without private access. */
export const isPrivate = ({ visibility }: Event): boolean => visibility === 'private' || visibility === 'confidential'

/** How much each visibility hides. */
const HIDING = ['public', 'default', 'private', 'confidential']
const hiding = ({ visibility = 'default' }: Pick<Event, 'visibility'>) => HIDING.indexOf(visibility)

/** More restrictive visibility of one instance is that of all; less restrictive is not taken (behaviour 4.5). */
export const isStricter = (a: Pick<Event, 'visibility'>, b: Pick<Event, 'visibility'>): boolean => hiding(a) > hiding(b)
