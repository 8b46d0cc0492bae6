import { DAY_MS } from '../../recurrence/days.ts'
import { type ApiErrorName, apiError, throwInvalidValue } from '../../schema/apiErrors.ts'
import type { Calendar } from '../../schema/calendar.ts'
import type { Event, EventDraft } from '../../schema/event.ts'
import type { EventType } from '../../schema/eventTypeValues.ts'
import { isEqual } from '../../schema/values/json.ts'
import { type Composed, changedFields, eventInOrder, FIELD_RULES, fieldsWhere } from './fields.ts'
import { readOverrides } from './fieldValues.ts'
import { spanOfTimes } from './times.ts'

type Field = keyof Event
type Properties = Extract<Field, `${string}Properties`>
type Refusal = 'invalidValue' | Extract<ApiErrorName, `malformed${string}Event`>
type Rule = readonly [broken: (event: Composed) => boolean, problem: string]
type TypeRules = {
  properties?: Exclude<Properties, 'extendedProperties'>
  refusal: Refusal
  rules: readonly Rule[]
  summary?: (event: EventDraft) => string
  isRestricted?: true
}

const isDated = ({ start }: Composed): boolean => start.date !== undefined
const lengthInDays = (event: Composed): number => {
  const { start, end } = spanOfTimes(event)
  return (end - start) / DAY_MS
}
const REQUIRES_OPAQUE: Rule = [({ transparency }) => transparency === 'transparent', 'A status event must be opaque.']
const requiresTimes = (what: string): Rule => [isDated, `${what} cannot be all day long.`]

/** Behaviour 8.1. */
export const TYPES: Record<EventType, TypeRules> = {
  default: { refusal: 'invalidValue', rules: [] },
  focusTime: {
    properties: 'focusTimeProperties',
    refusal: 'malformedFocusTimeEvent',
    rules: [REQUIRES_OPAQUE, requiresTimes('A focus time event')],
    summary: () => 'Focus time',
  },
  outOfOffice: {
    properties: 'outOfOfficeProperties',
    refusal: 'malformedOutOfOfficeEvent',
    rules: [
      REQUIRES_OPAQUE,
      requiresTimes('An out of office event'),
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
        (event) => isDated(event) && lengthInDays(event) !== 1,
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
      [(event) => !isDated(event) || lengthInDays(event) !== 1, 'start: a birthday is one day long'],
      [({ visibility }) => visibility !== 'private', 'visibility: a birthday is private'],
      [({ transparency }) => transparency !== 'transparent', 'transparency: a birthday is transparent'],
      [(event) => !event.recurringEventId && !recursYearly(event), 'recurrence: a birthday recurs every year'],
    ],
    summary: () => 'Birthday',
    isRestricted: true,
  },
  fromGmail: {
    refusal: 'invalidValue',
    rules: [],
    isRestricted: true,
  },
}

const USES_DEFAULT_REMINDERS: readonly EventType[] = ['default', 'focusTime', 'outOfOffice']
const DEFAULT_REMINDERS = Object.freeze({ useDefault: true })
const NO_REMINDERS = Object.freeze({ useDefault: false })

/**
 * `useDefault` is true by default, or if the body has no reminders, for `USES_DEFAULT_REMINDERS` (behaviour 3.2.10, 8.6,
 * 14.8). Throws `remindersBothWays` for overrides beside the default, and the errors of `readOverrides`.
 */
export function readEventReminders(
  reminders: EventDraft['reminders'],
  type: EventType | null = 'default',
): Event['reminders'] {
  const overrides = reminders?.overrides ? readOverrides(reminders.overrides) : []
  const useDefault = reminders ? (reminders.useDefault ?? true) : USES_DEFAULT_REMINDERS.includes(type ?? 'default')
  if (useDefault && overrides.length > 0) throw apiError('remindersBothWays')
  if (overrides.length > 0) return { useDefault, overrides }
  return useDefault ? DEFAULT_REMINDERS : NO_REMINDERS
}

export const isPlainType = (type: EventType | null = 'default'): boolean => type === 'default'

/** A birthday on 29 February recurs on the last day of the month (behaviour 8.7). */
export const yearlyRule = ({ start }: Pick<Composed, 'start'>): string =>
  start.date?.endsWith('-02-29') ? 'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1' : 'RRULE:FREQ=YEARLY'

const splitRule = (rule: string): string[] =>
  rule
    .toUpperCase()
    .replace(/^RRULE:/, '')
    .split(';')
    .filter(Boolean)
    .sort()

const recursYearly = (event: Composed): boolean =>
  event.recurrence?.length === 1 && isEqual(splitRule(event.recurrence[0] ?? ''), splitRule(yearlyRule(event)))

const NOT_OF_BIRTHDAYS = fieldsWhere(({ birthday }) => birthday === false)

/** Throws `eventTypeNotSupported`, `invalidValue` and `privatePropertiesOfBirthday`, all 400. */
export function checkInsert(draft: EventDraft): void {
  const { eventType = 'default', birthdayProperties } = draft
  if (eventType === 'fromGmail') throw apiError('eventTypeNotSupported', { what: 'Creating an event' })
  if (eventType === 'birthday' && (birthdayProperties?.type ?? 'birthday') !== 'birthday')
    throwInvalidValue('birthdayProperties.type', 'only birthday can be created')
  if (eventType !== 'birthday') return
  const given: Partial<Record<Field, unknown>> = eventInOrder(draft)
  if (draft.extendedProperties?.private) throw apiError('privatePropertiesOfBirthday')
  for (const field of NOT_OF_BIRTHDAYS) {
    if (given[field] !== undefined) throw apiError('eventTypeNotSupported', { what: `Setting ${field}` })
  }
}

const OWNED = Object.entries(TYPES).flatMap(([owner, { properties }]) => (properties ? [{ owner, properties }] : []))
export const PROPERTIES = OWNED.map(({ properties }) => properties)

type TypedWrite = { draft: EventDraft; event: Composed; current: Composed | undefined }

/**
 * Throws if an event breaks a rule of its type (`refusal` in `TYPES`), changed its type (`eventTypeChanged`), is on a calendar
 * that cannot have the type (`eventTypeNotSupported`), or changes a fixed field (`eventTypeRestriction`).
 */
export function checkType(calendar: Calendar, { draft, event, current }: TypedWrite): void {
  const { eventType: type = 'default' } = event
  const { rules, refusal, isRestricted } = TYPES[type]
  if (current && (current.eventType ?? 'default') !== type) throw apiError('eventTypeChanged')
  if (calendar.dataOwner && !isPlainType(type))
    throw apiError('eventTypeNotSupported', { what: 'A secondary calendar' })
  checkProperties(draft, type)
  if (type === 'birthday' && event.extendedProperties?.private) throw apiError('privatePropertiesOfBirthday')
  const isEditable = (field: Field) => FIELD_RULES[field].editableIn?.some((one) => one === type)
  if (isRestricted && current) {
    if (isContactDeletion(current, event) || !changedFields(current, event).every(isEditable))
      throw apiError('eventTypeRestriction', { type })
  }
  for (const [isBroken, problem] of rules) if (isBroken(event)) throwTypeError(refusal, problem)
}

/** Throws if an event has the object of another type, empty ones included, or lacks that of its own (behaviour 8.3). */
function checkProperties(draft: EventDraft, type: EventType): void {
  for (const { owner, properties } of OWNED) {
    if ((draft[properties] === undefined) === (owner !== type)) continue
    if (owner !== 'birthday') throw apiError('propertiesOfAnotherType', { properties, type: owner })
    throwInvalidValue(properties, `an event of type ${type} has none`)
  }
}

/** Only the contact can cause the deletion of a contact's birthday (behaviour 8.8). */
const isContactDeletion = ({ birthdayProperties, status }: Composed, after: Pick<Event, 'status'>): boolean =>
  birthdayProperties?.contact !== undefined && status !== 'cancelled' && after.status === 'cancelled'

export function checkDeletion(event: Event): void {
  if (isContactDeletion(event, { status: 'cancelled' }))
    throw apiError('eventTypeRestriction', { type: event.eventType ?? 'default' })
}

const throwTypeError = (refusal: Refusal, problem: string): never => {
  const [field = '', ...rest] = problem.split(': ')
  throw apiError(refusal, { field, problem: refusal === 'invalidValue' ? rest.join(': ') : problem })
}

/** Adds the properties, the summary and the yearly rule that derive from the type. */
export function applyTypeDefaults(draft: EventDraft, current: Composed | undefined): EventDraft {
  const eventType = draft.eventType ?? current?.eventType ?? 'default'
  const properties = readTypeProperties(draft, eventType, current)
  const { summary: defaultSummary } = TYPES[eventType]
  const own = draft.summary && draft.summary !== (current && defaultSummary?.(current)) ? draft.summary : undefined
  const keepsRule = eventType === 'birthday' && current && isEqual([draft.recurrence], [current.recurrence])
  const recurrence =
    keepsRule && draft.recurrence && draft.start ? [yearlyRule({ start: draft.start })] : draft.recurrence
  const summary = own ?? defaultSummary?.({ ...draft, ...properties }) ?? draft.summary
  return Object.assign({}, draft, properties, { eventType, recurrence, summary })
}

function readTypeProperties(
  draft: EventDraft,
  eventType: EventDraft['eventType'],
  current: Composed | undefined,
): Partial<EventDraft> {
  const { focusTimeProperties, outOfOfficeProperties, workingLocationProperties: place } = draft
  const defaults = { autoDeclineMode: 'declineNone' } as const
  if (eventType === 'focusTime' && focusTimeProperties) {
    return { focusTimeProperties: { ...defaults, ...focusTimeProperties } }
  }
  if (eventType === 'outOfOffice' && outOfOfficeProperties) {
    return { outOfOfficeProperties: { ...defaults, ...outOfOfficeProperties } }
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

/** Imports have no other type (behaviour 8.15). */
export function toDefaultType(draft: EventDraft): EventDraft {
  const plain: EventDraft = { ...draft, eventType: 'default' }
  for (const properties of PROPERTIES) delete plain[properties]
  return plain
}
