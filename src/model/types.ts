import { DAY } from '../recurrence/days.ts'
import type { Calendar } from '../wire/calendar.ts'
import type { Event, EventDraft } from '../wire/event.ts'
import { type RefusalName, refuse } from '../wire/refusals.ts'
import { same } from '../wire/values/merge.ts'
import { type Composed, changedFields, eventInOrder, NOT_OF_BIRTHDAYS } from './fields.ts'
import { spanOfTimes } from './times.ts'

type EventType = NonNullable<Event['eventType']>
type Field = keyof Event
type Properties = Extract<Field, `${string}Properties`>
type Rule = readonly [broken: (event: Composed) => boolean, problem: string]
type TypeRules = {
  /** The object that only events of this type have, and must have. */
  properties?: Exclude<Properties, 'extendedProperties'>
  /** What the service calls an event that breaks a rule of its type. */
  refusal: RefusalName
  rules: readonly Rule[]
  /** The summary of an event that was given none. */
  summary?: (event: EventDraft) => string
  /** The fields that an insert must not set; without a list it may set any. */
  insertOnlyRules?: readonly Field[]
  /** The fields that a later write may change; without a list it may change any. */
  editable?: readonly Field[]
}

const isDated = ({ start }: Composed): boolean => start.date !== undefined
const days = (event: Composed): number => {
  const { start, end } = spanOfTimes(event)
  return (end - start) / DAY
}
const opaque: Rule = [({ transparency }) => transparency === 'transparent', 'A status event must be opaque.']
const timed = (what: string): Rule => [isDated, `${what} cannot be all day long.`]

/** What each type of event must be like, may bring and may change (behaviour 8.1). */
export const TYPES: Record<EventType, TypeRules> = {
  default: { refusal: 'eventTypeRestriction', rules: [] },
  focusTime: {
    properties: 'focusTimeProperties',
    refusal: 'malformedFocusTimeEvent',
    rules: [opaque, timed('A focus time event')],
    summary: () => 'Focus time',
  },
  outOfOffice: {
    properties: 'outOfOfficeProperties',
    refusal: 'malformedOutOfOfficeEvent',
    rules: [
      opaque,
      timed('An out of office event'),
      [({ attendees = [] }) => attendees.length > 0, 'An out of office event cannot have attendees.'],
      [({ description }) => Boolean(description), 'An out of office event cannot have a description.'],
      [({ conferenceData }) => conferenceData !== undefined, 'An out of office event cannot have a conference.'],
    ],
    summary: () => 'Out of office',
  },
  workingLocation: {
    properties: 'workingLocationProperties',
    refusal: 'malformedWorkingLocationEvent',
    rules: [
      [({ visibility }) => visibility !== 'public', 'A working location event must have public visibility.'],
      [({ transparency }) => transparency !== 'transparent', 'A working location event must be transparent.'],
      [
        (event) => isDated(event) && days(event) !== 1,
        'An all-day working location event must be exactly one day long.',
      ],
      [
        ({ workingLocationProperties: place }) => !place?.type,
        'A working location event must have a type of location.',
      ],
    ],
    summary: ({ workingLocationProperties: place }) =>
      place?.type === 'homeOffice'
        ? 'Home'
        : (place?.type === 'customLocation' && place.customLocation?.label) || place?.officeLocation?.label || 'Office',
  },
  birthday: {
    properties: 'birthdayProperties',
    refusal: 'invalidValue',
    rules: [
      [(event) => !isDated(event) || days(event) !== 1, 'start: a birthday is one day long'],
      [({ visibility }) => visibility !== 'private', 'visibility: a birthday is private'],
      [({ transparency }) => transparency !== 'transparent', 'transparency: a birthday is transparent'],
      [(event) => !event.recurringEventId && !recursYearly(event), 'recurrence: a birthday recurs every year'],
    ],
    summary: () => 'Birthday',
    insertOnlyRules: NOT_OF_BIRTHDAYS,
    editable: ['colorId', 'summary', 'reminders', 'start', 'end', 'recurrence', 'sequence', 'status'],
  },
  fromGmail: {
    refusal: 'eventTypeRestriction',
    rules: [],
    editable: [
      'colorId', 'reminders', 'visibility', 'transparency', 'status', 'attendees', 'extendedProperties', 'sequence',
    ], // biome-ignore format: a list of fields
  },
}

/** The rule by which a birthday recurs: one on 29 February falls on the last of the month (behaviour 8.7). */
export const yearlyRule = ({ start }: Pick<Composed, 'start'>): string =>
  start.date?.endsWith('-02-29') ? 'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1' : 'RRULE:FREQ=YEARLY'

const parts = (rule: string): string[] =>
  rule
    .toUpperCase()
    .replace(/^RRULE:/, '')
    .split(';')
    .filter(Boolean)
    .sort()

const recursYearly = (event: Composed): boolean =>
  event.recurrence?.length === 1 && same(parts(event.recurrence[0] ?? ''), parts(yearlyRule(event)))

/** Refuses an insert of a type that clients cannot make, and of fields that its type may not have from the start. */
export function checkInsert(draft: EventDraft): void {
  const { eventType = 'default', birthdayProperties } = draft
  if (eventType === 'fromGmail') refuse('eventTypeNotSupported', { what: 'Creating an event' })
  if (eventType === 'birthday' && (birthdayProperties?.type ?? 'birthday') !== 'birthday') {
    refuse('invalidValue', { field: 'birthdayProperties.type', problem: 'only birthday can be created' })
  }
  const { insertOnlyRules } = TYPES[eventType]
  if (!insertOnlyRules) return
  const given: Partial<Record<Field, unknown>> = eventInOrder(draft)
  for (const field of insertOnlyRules) {
    if (given[field] !== undefined) refuse('eventTypeNotSupported', { what: `Setting ${field}` })
  }
}

/** The objects that only events of one type have, and that type. */
const OWNED = Object.entries(TYPES).flatMap(([owner, { properties }]) => (properties ? [{ owner, properties }] : []))
export const PROPERTIES = OWNED.map(({ properties }) => properties)

type Typed = { draft: EventDraft; event: Composed; current: Composed | undefined }

/** Refuses an event that breaks a rule of its type, or is on a calendar or has changed where its type forbids it. */
export function checkType(calendar: Calendar, { draft, event, current }: Typed): void {
  const { eventType: type = 'default' } = event
  const { rules, refusal, editable } = TYPES[type]
  if (current && (current.eventType ?? 'default') !== type) refuse('eventTypeChanged')
  // A calendar that has a data owner is a secondary one.
  if (type !== 'default' && calendar.dataOwner) refuse('eventTypeNotSupported', { what: 'A secondary calendar' })
  checkProperties(draft, type)
  if (current && isFixed(current, event)) refuse('eventTypeRestriction', { type })
  if (editable && current && changedFields(current, event).some((field) => !editable.includes(field))) {
    refuse('eventTypeRestriction', { type })
  }
  for (const [isBroken, problem] of rules) if (isBroken(event)) broken(refusal, problem)
}

/** The objects of the types go with their types, empty ones too, and status events never go without (behaviour 8.3). */
function checkProperties(draft: EventDraft, type: EventType): void {
  for (const { owner, properties } of OWNED) {
    if ((draft[properties] === undefined) === (owner !== type)) continue
    if (owner !== 'birthday') refuse('propertiesOfAnotherType', { properties, type: owner })
    refuse('invalidValue', { field: properties, problem: `an event of type ${type} has none` })
  }
}

/** A contact's birthday goes with the contact: nobody deletes it here (behaviour 8.8). */
const isFixed = ({ birthdayProperties, status }: Composed, after: Pick<Event, 'status'>): boolean =>
  birthdayProperties?.contact !== undefined && status !== 'cancelled' && after.status === 'cancelled'

/** Refuses to delete what its type keeps. */
export function checkDeletion(event: Event): void {
  if (isFixed(event, { status: 'cancelled' })) refuse('eventTypeRestriction', { type: event.eventType ?? 'default' })
}

const broken = (refusal: RefusalName, said: string): never => {
  const [field = '', ...rest] = said.split(': ')
  return refuse(refusal, { field, problem: refusal === 'invalidValue' ? rest.join(': ') : said })
}

/** A draft with what follows from its type: the type itself, the defaults of its properties, and its summary. */
export function applyTypeDefaults(draft: EventDraft, current: Composed | undefined): EventDraft {
  const eventType = draft.eventType ?? current?.eventType ?? 'default'
  const properties = readProperties(draft, eventType, current)
  const { summary: titled } = TYPES[eventType]
  const own = draft.summary && draft.summary !== (current && titled?.(current)) ? draft.summary : undefined
  const moves = eventType === 'birthday' && current && same([draft.recurrence], [current.recurrence])
  const recurrence = moves && draft.recurrence && draft.start ? [yearlyRule({ start: draft.start })] : draft.recurrence
  const summary = own ?? titled?.({ ...draft, ...properties }) ?? draft.summary
  return Object.assign({}, draft, properties, { eventType, recurrence, summary })
}

function readProperties(
  draft: EventDraft,
  eventType: EventDraft['eventType'],
  current: Composed | undefined,
): Partial<EventDraft> {
  const { focusTimeProperties, outOfOfficeProperties, workingLocationProperties: place } = draft
  const declining = { autoDeclineMode: 'declineNone' } as const
  if (eventType === 'focusTime' && focusTimeProperties) {
    return { focusTimeProperties: { ...declining, ...focusTimeProperties } }
  }
  if (eventType === 'outOfOffice' && outOfOfficeProperties) {
    return { outOfOfficeProperties: { ...declining, ...outOfOfficeProperties } }
  }
  if (eventType === 'workingLocation' && place?.type) {
    const detail = place.type === 'homeOffice' ? {} : (place[place.type] ?? {})
    return { workingLocationProperties: { type: place.type, [place.type]: detail } }
  }
  if (eventType === 'birthday') {
    const { type = 'birthday', contact, customTypeName } = current?.birthdayProperties ?? draft.birthdayProperties ?? {}
    return { birthdayProperties: { ...(contact && { contact }), type, ...(customTypeName && { customTypeName }) } }
  }
  return {}
}

/** A draft as an event of the default type, which is what an import makes of any (behaviour 8.15). */
export function toDefaultType(draft: EventDraft): EventDraft {
  const plain: EventDraft = { ...draft, eventType: 'default' }
  for (const properties of PROPERTIES) delete plain[properties]
  return plain
}
