import type { Event, EventDraft } from '../../schema/event.ts'
import { isEqual, without } from '../../schema/values/json.ts'

type EventField = keyof Event
type RestrictedType = 'birthday' | 'fromGmail'

/** Everything that code or a page decides by field is decided here. */
type FieldRule = {
  /** `meeting`: the same on every copy. `copy`: each copy has its own value. `service`: no client writes it. */
  readonly owner: 'meeting' | 'copy' | 'service'
  /** The only writer, where not everybody who may write the event may write the field (behaviour 7.3, 7.14.1). */
  readonly writer?: 'organizer' | 'creator'
  /**
   * `gated`: a body sets the field only on a condition, which `readGatedFields` checks (behaviour 3.9.1). `ignored`:
   * no body sets it.
   */
  readonly body?: 'gated' | 'ignored'
  /** A guest's write changes the copy by a rule of its own (behaviour 7.3). */
  readonly guest?: false
  readonly privatePart?: 'private'
  /** The value depends on the calendar that a copy is on: its own link, and the person that `self` marks (behaviour 7.1). */
  readonly ofCalendar?: true
  /** Readers of the times alone get the field (behaviour 7.6). */
  readonly busy?: true
  /** Nobody changes the field of a locked copy (behaviour 7.13.1). */
  readonly locks?: true
  /** A reply leaves out this value, because an absent field means it (behaviour 3.2.3). */
  readonly omitted?: unknown
  /** An exception never takes the value of its master, or takes it by a rule of its own (behaviour 4.6.1). */
  readonly inherited?: false
  /** The instances of a series depend on the field, so that its history is kept for deltas (behaviour 5.11). */
  readonly shapesSeries?: true
  /** An import over a guest's copy leaves the organizer's value (behaviour 7.3). A first import carries it. */
  readonly imported?: false
  /** The insert of a birthday must not set it (behaviour 8.7). */
  readonly birthday?: false
  readonly editableIn?: readonly RestrictedType[]
  /** Characters, for requests (behaviour 14.23). */
  readonly maxLength?: number
}

const SERVICE = { owner: 'service' } as const
const OF_BUSY = { ...SERVICE, busy: true } as const
const MEETING = { owner: 'meeting' } as const
const COPY = { owner: 'copy' } as const
const NOT_OF_BIRTHDAYS = { ...MEETING, birthday: false } as const
const ORGANIZER_ONLY = { ...NOT_OF_BIRTHDAYS, writer: 'organizer', imported: false } as const
const GATED = { ...NOT_OF_BIRTHDAYS, body: 'gated' } as const
const BOTH = ['birthday', 'fromGmail'] as const
const SCHEDULE = {
  ...MEETING,
  busy: true,
  locks: true,
  inherited: false,
  shapesSeries: true,
  editableIn: ['birthday'],
} as const

/**
 * The fields in the order of a reply (behaviour 3.2.1). `NOT_OF_BIRTHDAYS`, or `MEETING` if birthdays have the field:
 * the same on every copy; with `writer: 'organizer', imported: false` the organizer alone writes it. `COPY`: its own
 * value on each copy. Exceptions inherit a field unless it has `inherited: false`.
 */
const FIELDS = {
  kind: OF_BUSY,
  etag: OF_BUSY,
  id: { ...OF_BUSY, birthday: false },
  status: { ...MEETING, busy: true, guest: false, inherited: false, shapesSeries: true, editableIn: BOTH },
  htmlLink: { ...OF_BUSY, ofCalendar: true },
  created: SERVICE,
  updated: OF_BUSY,
  summary: { ...MEETING, locks: true, omitted: '', editableIn: ['birthday'], maxLength: 1024 },
  description: { ...NOT_OF_BIRTHDAYS, locks: true, omitted: '', maxLength: 8192 },
  location: { ...NOT_OF_BIRTHDAYS, locks: true, omitted: '', maxLength: 1024 },
  colorId: { ...COPY, omitted: '', editableIn: BOTH },
  eventLabelId: { ...GATED, owner: 'copy' },
  creator: { ...SERVICE, ofCalendar: true },
  organizer: { ...SERVICE, ofCalendar: true },
  start: SCHEDULE,
  end: SCHEDULE,
  endTimeUnspecified: { ...GATED, omitted: false }, // Only a seed sets it (behaviour 1.9.1).
  recurrence: SCHEDULE,
  recurringEventId: OF_BUSY,
  originalStartTime: OF_BUSY,
  transparency: { ...COPY, omitted: 'opaque', editableIn: ['fromGmail'] },
  visibility: { ...COPY, omitted: 'default', editableIn: ['fromGmail'] },
  iCalUID: { ...OF_BUSY, birthday: false },
  sequence: { ...MEETING, guest: false, inherited: false, imported: false, editableIn: BOTH },
  attendees: {
    ...NOT_OF_BIRTHDAYS,
    ofCalendar: true,
    guest: false,
    inherited: false,
    imported: false,
    editableIn: ['fromGmail'],
  },
  attendeesOmitted: { ...MEETING, body: 'ignored', guest: false, omitted: false },
  extendedProperties: { ...NOT_OF_BIRTHDAYS, privatePart: 'private', editableIn: ['fromGmail'] },
  hangoutLink: MEETING, // Derives from the conference; no body has it.
  conferenceData: GATED,
  gadget: NOT_OF_BIRTHDAYS,
  anyoneCanAddSelf: { ...ORGANIZER_ONLY, omitted: false },
  guestsCanInviteOthers: { ...ORGANIZER_ONLY, omitted: true },
  guestsCanModify: { ...ORGANIZER_ONLY, omitted: false },
  guestsCanSeeOtherGuests: { ...ORGANIZER_ONLY, omitted: true },
  privateCopy: { ...SERVICE, omitted: false },
  locked: { ...SERVICE, omitted: false },
  reminders: { ...COPY, editableIn: BOTH },
  source: { ...GATED, writer: 'creator' },
  workingLocationProperties: MEETING,
  outOfOfficeProperties: MEETING,
  focusTimeProperties: MEETING,
  attachments: GATED,
  birthdayProperties: MEETING,
  eventType: MEETING,
} as const satisfies Record<EventField, FieldRule>

type FieldsWith<Rule> = { [F in EventField]: (typeof FIELDS)[F] extends Rule ? F : never }[EventField]
export type GatedField = FieldsWith<{ readonly body: 'gated' }>
export type CalendarField = FieldsWith<{ readonly ofCalendar: true }>

/** An event without the fields that each write sets anew, which are its stamps. */
export type Composed = Omit<Event, 'kind' | 'etag' | 'updated'>

const STAMPS = ['kind', 'etag', 'updated'] as const
export const EVENT_FIELDS = Object.keys(FIELDS) as EventField[]
export const FIELD_RULES: Record<EventField, FieldRule> = FIELDS
const POSITIONS: ReadonlyMap<string, number> = new Map(EVENT_FIELDS.map((field, position) => [field, position]))
const NO_VALUES: readonly unknown[] = EVENT_FIELDS.map(() => undefined)
const OMITTED: readonly unknown[] = EVENT_FIELDS.map((field) => FIELD_RULES[field].omitted)

export const fieldsWhere = (test: (rule: FieldRule) => boolean): EventField[] =>
  EVENT_FIELDS.filter((field) => test(FIELD_RULES[field]))

const MEETING_FIELDS = fieldsWhere(({ owner }) => owner === 'meeting')
const COPY_FIELDS = fieldsWhere(({ owner }) => owner === 'copy')
const CLIENT_FIELDS = [...MEETING_FIELDS, ...COPY_FIELDS]
const ORIGIN_FIELDS = fieldsWhere(({ owner }) => owner === 'service').filter(
  (field) => !(STAMPS as readonly string[]).includes(field),
)
type PartedField = FieldsWith<{ readonly privatePart: 'private' }>
const PRIVATE_PARTS = fieldsWhere(({ privatePart }) => privatePart !== undefined).map(
  (field) => [field as PartedField, 'private' as const] as const,
)
/** Lengths in characters (behaviour 14.23). */
export const MAX_TEXT_LENGTHS = fieldsWhere(({ maxLength }) => maxLength !== undefined).map(
  (field) => [field as FieldsWith<{ readonly maxLength: number }>, FIELD_RULES[field].maxLength ?? 0] as const,
)
const BUSY_FIELDS = fieldsWhere(({ busy }) => busy === true)
const SERIES_FIELDS = fieldsWhere(({ shapesSeries }) => shapesSeries === true)

export const findFieldRule = (field: string): FieldRule | undefined =>
  Object.hasOwn(FIELD_RULES, field) ? FIELD_RULES[field as EventField] : undefined

type Fields = Partial<Record<keyof Event, unknown>>

/**
 * Sets fields in the order of a reply, without those at their default. The value of `event` counts, else that of the
 * later object.
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

/** Returns those of the fields that the event has. */
function pickFields<E>(event: Partial<Event>, fields: readonly (keyof Event)[]): E {
  const picked: Fields = {}
  for (const field of fields) if (event[field] !== undefined) picked[field] = event[field]
  return picked as E
}

export const clientPart = (event: Partial<Event>): EventDraft => pickFields(event, CLIENT_FIELDS)
export const busyPart = (event: Event): Event => pickFields(event, BUSY_FIELDS)
/** The private parts of the organizer's are left out. */
export const meetingPart = (event: Partial<Event>): Partial<Event> => {
  const shared: Partial<Event> = pickFields(event, MEETING_FIELDS)
  for (const [field, name] of PRIVATE_PARTS) if (shared[field]) shared[field] = without(shared[field], name)
  return shared
}

/** `own` has the fields, and the parts of fields, that each copy has for itself. */
export function withCopyPart<E extends Partial<Event>>(event: E, own: Partial<Event>): E {
  const copy = { ...event, ...pickFields<Partial<Event>>(own, COPY_FIELDS) }
  for (const [field, name] of PRIVATE_PARTS) {
    const value = own[field]?.[name]
    if (value) copy[field] = { [name]: value, ...without(copy[field] ?? {}, name) }
  }
  return copy
}

export const hasSameInstances = (a: Event, b: Event): boolean =>
  SERIES_FIELDS.every((field) => a[field] === b[field] || JSON.stringify(a[field]) === JSON.stringify(b[field]))

export const changedFields = (before: Partial<Event>, after: Partial<Event>): (keyof Event)[] =>
  CLIENT_FIELDS.filter((field) => before[field] !== after[field] && !isEqual([before[field]], [after[field]]))

export function fieldsOf(event: Partial<Event>, fields: readonly (keyof Event)[]): Partial<Event> {
  const values: Fields = {}
  for (const field of fields) values[field] = event[field]
  return values as Partial<Event>
}

/** A request's values for them are ignored. */
export type Origin = Pick<Event, 'id' | 'iCalUID' | 'created' | 'creator' | 'organizer'> &
  Partial<Pick<Event, 'recurringEventId' | 'originalStartTime'>>
export const originOf = (event: Composed): Origin => pickFields(event, ORIGIN_FIELDS)

export const withoutStamps = (event: Composed | Event): Composed => without(event as Event, ...STAMPS)

/** The id of a deleted event cannot be used again (behaviour 2.3). */
export const toCancelled = (event: Composed): Composed => ({ ...withoutStamps(event), status: 'cancelled' })

const TOMBSTONE_START = { dateTime: '2000-01-01T00:00:00Z', timeZone: 'UTC' }
const TOMBSTONE_END = { dateTime: '2000-01-02T00:00:00Z', timeZone: 'UTC' }

/** Stays on a calendar when an event has moved to another, or its guest was removed (behaviour 7.7, 7.16). */
export const toTombstone = ({ id, htmlLink, iCalUID, recurringEventId, originalStartTime }: Composed): Composed => ({
  id,
  status: 'cancelled',
  htmlLink,
  start: TOMBSTONE_START,
  end: TOMBSTONE_END,
  ...(recurringEventId && { recurringEventId, originalStartTime }), // The instance still excludes its slot from the series.
  transparency: 'transparent',
  iCalUID,
})

export const isTombstone = ({ organizer }: Pick<Event, 'organizer'>): boolean => organizer === undefined

/** The details are hidden from readers who do not attend, and from writers without private access. */
export const isPrivate = ({ visibility }: Pick<Event, 'visibility'>): boolean =>
  visibility === 'private' || visibility === 'confidential'

const VISIBILITIES = ['public', 'default', 'private', 'confidential']
const rankOf = ({ visibility = 'default' }: Pick<Event, 'visibility'>) => VISIBILITIES.indexOf(visibility)

/** A stricter visibility of one instance is that of the series (behaviour 4.5). */
export const isStricter = (a: Pick<Event, 'visibility'>, b: Pick<Event, 'visibility'>): boolean => rankOf(a) > rankOf(b)
