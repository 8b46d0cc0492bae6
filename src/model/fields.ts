import type { Event, EventDraft } from '../wire/event.ts'
import { same, without } from '../wire/values/merge.ts'

/**
 * The rules of one event field. Everything that code or a page decides by field is decided here; a field without a row does
 * not compile.
 */
type FieldRule = {
  /** `meeting`: the same on every copy. `copy`: each copy has its own value. `service`: no client writes it. */
  readonly owner: 'meeting' | 'copy' | 'service'
  /** The only writer of the field, where not everybody who may write the event may write it (behaviour 7.3, 7.14.1). */
  readonly writer?: 'organizer' | 'creator'
  /** The value that a reply leaves out, because an absent field means it (behaviour 3.2.3). */
  readonly omitted?: unknown
  /** `false` if an exception never takes the value of its master, or takes it by a rule of its own (behaviour 4.6.1). */
  readonly inherited?: false
  /** `false` if an import over a guest's copy leaves the organizer's value (behaviour 7.3). */
  readonly imported?: false
  /** `false` if the insert of a birthday must not set it (behaviour 8.7). */
  readonly birthday?: false
}

const SERVICE: FieldRule = { owner: 'service' }
const MEETING: FieldRule = { owner: 'meeting' }
const COPY: FieldRule = { owner: 'copy' }
const GUEST_RIGHT: FieldRule = { owner: 'meeting', writer: 'organizer', imported: false, birthday: false }

/** Every field of an event, in the order of a reply (behaviour 3.2.1). */
const FIELDS: Record<keyof Event, FieldRule> = {
  kind: SERVICE,
  etag: SERVICE,
  id: { owner: 'service', birthday: false },
  status: { owner: 'meeting', inherited: false },
  htmlLink: SERVICE,
  created: SERVICE,
  updated: SERVICE,
  summary: { owner: 'meeting', omitted: '' },
  description: { owner: 'meeting', omitted: '', birthday: false },
  location: { owner: 'meeting', omitted: '', birthday: false },
  colorId: { owner: 'copy', omitted: '' },
  creator: SERVICE,
  organizer: SERVICE,
  start: { owner: 'meeting', inherited: false },
  end: { owner: 'meeting', inherited: false },
  endTimeUnspecified: { owner: 'meeting', omitted: false, birthday: false },
  recurrence: { owner: 'meeting', inherited: false },
  recurringEventId: SERVICE,
  originalStartTime: SERVICE,
  transparency: { owner: 'copy', omitted: 'opaque' },
  visibility: { owner: 'copy', omitted: 'default' },
  iCalUID: { owner: 'service', birthday: false },
  sequence: { owner: 'meeting', inherited: false, imported: false },
  attendees: { owner: 'meeting', inherited: false, imported: false, birthday: false },
  attendeesOmitted: { owner: 'meeting', omitted: false },
  // The private properties are each copy's own.
  extendedProperties: { owner: 'meeting', birthday: false },
  // Follows from the conference; no body sets it.
  hangoutLink: MEETING,
  conferenceData: { owner: 'meeting', birthday: false },
  gadget: { owner: 'meeting', birthday: false },
  anyoneCanAddSelf: { ...GUEST_RIGHT, omitted: false },
  guestsCanInviteOthers: { ...GUEST_RIGHT, omitted: true },
  guestsCanModify: { ...GUEST_RIGHT, omitted: false },
  guestsCanSeeOtherGuests: { ...GUEST_RIGHT, omitted: true },
  privateCopy: { owner: 'service', omitted: false },
  locked: { owner: 'service', omitted: false },
  reminders: COPY,
  source: { owner: 'meeting', writer: 'creator', birthday: false },
  workingLocationProperties: MEETING,
  outOfOfficeProperties: MEETING,
  focusTimeProperties: MEETING,
  attachments: { owner: 'meeting', birthday: false },
  birthdayProperties: MEETING,
  eventLabelId: { owner: 'copy', birthday: false },
  eventType: MEETING,
}

/** An event without the fields that each write sets anew. */
export type Composed = Omit<Event, 'kind' | 'etag' | 'updated'>

/** The fields that each write sets anew. */
const STAMPS = ['kind', 'etag', 'updated'] as const
export const EVENT_FIELDS = Object.keys(FIELDS) as (keyof Event)[]
const POSITIONS: ReadonlyMap<string, number> = new Map(EVENT_FIELDS.map((field, position) => [field, position]))
const NO_VALUES: readonly unknown[] = EVENT_FIELDS.map(() => undefined)
const OMITTED: readonly unknown[] = EVENT_FIELDS.map((field) => FIELDS[field].omitted)
const fieldsWhere = (test: (rule: FieldRule) => boolean) => EVENT_FIELDS.filter((field) => test(FIELDS[field]))

const MEETING_FIELDS = fieldsWhere(({ owner }) => owner === 'meeting')
const COPY_FIELDS = fieldsWhere(({ owner }) => owner === 'copy')
const CLIENT_FIELDS = [...MEETING_FIELDS, ...COPY_FIELDS]
const ORIGIN_FIELDS = fieldsWhere(({ owner }) => owner === 'service').filter(
  (field) => !(STAMPS as readonly string[]).includes(field),
)

/** The fields that the insert of a birthday must not set. */
export const NOT_OF_BIRTHDAYS = fieldsWhere(({ birthday }) => birthday === false)
/** The fields that an import over a guest's copy leaves as the organizer wrote them. */
export const NOT_IMPORTED = fieldsWhere(({ imported }) => imported === false)

type Fields = Partial<Record<keyof Event, unknown>>

/**
 * Returns the fields that have a value, in the order of a reply, without those at their default. The fields of the objects
 * in `more` are included; of two values the one of `event`, else of the later object, counts.
 */
export function eventInOrder<E extends Fields>(event: E, ...more: readonly Fields[]): E {
  // A copied array, because setting 42 properties by name in any order costs three times as much.
  const values: unknown[] = NO_VALUES.slice()
  for (const fields of more) setValues(fields, values)
  setValues(event, values)
  const ordered: Fields = {}
  let position = 0
  for (const field of EVENT_FIELDS) {
    const value = values[position]
    if (value !== undefined && value !== OMITTED[position] && !isEmpty(value)) ordered[field] = value
    position += 1
  }
  return ordered as E
}

function setValues(fields: Fields, values: unknown[]): void {
  for (const name in fields) {
    const position = POSITIONS.get(name)
    if (position !== undefined) values[position] = fields[name as keyof Event]
  }
}

function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  for (const _ in value) return false
  return true
}

const part = <E>(event: Partial<Event>, fields: readonly (keyof Event)[]): E =>
  Object.fromEntries(fields.flatMap((field) => (event[field] === undefined ? [] : [[field, event[field]]]))) as E

/** Returns the fields that clients write: a patch is merged into these. */
export const clientPart = (event: Partial<Event>): EventDraft => part(event, CLIENT_FIELDS)
/** Returns the fields that are the same on every copy. */
export const meetingPart = (event: Partial<Event>): EventDraft => part(event, MEETING_FIELDS)
/** Returns the fields that each copy has for itself. */
export const copyPart = (event: Partial<Event>): EventDraft => part(event, COPY_FIELDS)

export const isCopyField = (field: string): boolean => COPY_FIELDS.some((own) => own === field)
export const isMeetingField = (field: keyof Event): boolean => FIELDS[field].owner === 'meeting'
/** Returns true for the fields that only the organizer writes. */
export const isOrganizerField = (field: keyof Event): boolean => FIELDS[field].writer === 'organizer'
/** Returns true for the fields that an exception takes from its master unless it changed them. */
export const isInheritedField = (field: keyof Event): boolean => FIELDS[field].inherited !== false

/** Returns the fields that clients write in which two versions of an event differ. */
export const changedFields = (before: Partial<Event>, after: Partial<Event>): (keyof Event)[] =>
  CLIENT_FIELDS.filter((field) => before[field] !== after[field] && !same([before[field]], [after[field]]))

/** Returns some fields of an event, `undefined` where it has none. */
export const fieldsOf = (event: Partial<Event>, fields: readonly (keyof Event)[]): Partial<Event> =>
  Object.fromEntries(fields.map((field) => [field, event[field]]))

/** The service's own fields, which are set when an event is made. A request's values for them are ignored. */
export type Origin = Pick<Event, 'id' | 'iCalUID' | 'created' | 'creator' | 'organizer'> &
  Partial<Pick<Event, 'recurringEventId' | 'originalStartTime'>>
export const originOf = (event: Composed): Origin => part(event, ORIGIN_FIELDS)

/** Returns an event without the fields that each write sets anew. */
export const withoutStamps = (event: Composed | Event): Composed => without(event as Event, ...STAMPS)

/** Returns a deleted event: a record with the status `cancelled`, whose id stays taken (behaviour 2.3). */
export const toCancelled = (event: Composed): Composed => ({ ...withoutStamps(event), status: 'cancelled' })

/** Returns an event in its next sequence, which a deletion begins (behaviour 3.2.15). */
export const withNextSequence = (event: Composed): Composed => ({ ...event, sequence: (event.sequence ?? 0) + 1 })

const TOMBSTONE_START = { dateTime: '2000-01-01T00:00:00Z', timeZone: 'UTC' }
const TOMBSTONE_END = { dateTime: '2000-01-02T00:00:00Z', timeZone: 'UTC' }

/**
 * Returns what stays on a calendar when an event has moved to another, or its guest was removed: a cancelled record without
 * the event's content (behaviour 7.7, 7.16).
 */
export const toTombstone = ({ id, htmlLink, iCalUID, recurringEventId, originalStartTime }: Composed): Composed => ({
  id,
  status: 'cancelled',
  htmlLink,
  start: TOMBSTONE_START,
  end: TOMBSTONE_END,
  ...(recurringEventId && { recurringEventId, originalStartTime }), // the instance still excludes its slot from the series
  transparency: 'transparent',
  iCalUID,
})

/** Returns true for a tombstone, which is the only record without an organizer. */
export const isTombstone = ({ organizer }: Pick<Event, 'organizer'>): boolean => organizer === undefined

/** Returns true if the details are hidden from readers who do not attend, and from writers without private access. */
export const isPrivate = ({ visibility }: Pick<Event, 'visibility'>): boolean =>
  visibility === 'private' || visibility === 'confidential'

/** The values of `visibility`, the least restrictive first. */
const VISIBILITIES = ['public', 'default', 'private', 'confidential']
const rankOf = ({ visibility = 'default' }: Pick<Event, 'visibility'>) => VISIBILITIES.indexOf(visibility)

/** Returns true if `a` hides more than `b`: a stricter visibility of one instance is that of the series (behaviour 4.5). */
export const isStricter = (a: Pick<Event, 'visibility'>, b: Pick<Event, 'visibility'>): boolean => rankOf(a) > rankOf(b)
