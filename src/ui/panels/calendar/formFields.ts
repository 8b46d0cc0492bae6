import type { Attendee, EventTime, ServiceEvent } from '../../api/types.ts'
import {
  addDays,
  addMs,
  dateOf,
  eventWallTime,
  type FloatingTime,
  isDate,
  isKnownZone,
  timeOf,
  wallToMs,
} from '../../time/wallTime.ts'
import type { SendUpdatesOption } from './eventWrites.ts'
import { findPreset, type Repeat, toRecurrence } from './repeatPresets.ts'

export type Draft = { calendarId: string; event?: ServiceEvent; start: EventTime; end: EventTime }

export type FormFields = {
  calendarId: string
  summary: string
  allDay: boolean
  /** Empty if the user has removed it. */
  startDate: string
  startTime: string
  /** The last day of an all-day event, while the service's end is the day after. */
  endDate: string
  endTime: string
  timeZone: string
  repeat: Repeat
  /** If `repeat` is `custom`. */
  rules: string
  /** One per line: `bob@example.com` or `bob@example.com optional`. */
  guests: string
  useDefault: boolean
  /** One per line: `popup 10`. */
  reminders: string
  visibility: string
  transparency: string
  /** Empty for the color of the calendar. */
  colorId: string
  location: string
  description: string
  meet: boolean
  sendUpdates: SendUpdatesOption
}

export type FieldName = keyof FormFields
export type FieldErrors = Partial<Record<FieldName, string>>
export type FormPart = { fields: FormFields; errors: FieldErrors; set(changed: Partial<FormFields>): void }

export const LABELS: Record<FieldName, string> = {
  calendarId: 'Calendar',
  summary: 'Title',
  allDay: 'All day',
  startDate: 'Start date',
  startTime: 'Start time',
  endDate: 'End date',
  endTime: 'End time',
  timeZone: 'Time zone',
  repeat: 'Repeat',
  rules: 'Recurrence rules (RFC 5545)',
  guests: 'Guests',
  useDefault: "Calendar's reminders",
  reminders: 'Reminders',
  visibility: 'Visibility',
  transparency: 'Show as',
  colorId: 'Color',
  location: 'Location',
  description: 'Description',
  meet: 'Add a video call',
  sendUpdates: 'Send mail to',
}

/** `zone` applies to times that have no zone of their own. */
export function toFields({ calendarId, event, start, end }: Draft, zone: string): FormFields {
  const timeZone = start.timeZone ?? zone
  const allDay = isDate(start)
  const [from, to] = [eventWallTime(start, timeZone), eventWallTime(end, timeZone)]
  const rules = event?.recurrence
  return {
    ...{ calendarId, summary: event?.summary ?? '', allDay, timeZone },
    ...{ startDate: dateOf(from), startTime: allDay ? '09:00' : timeOf(from) },
    ...{ endDate: allDay ? addDays(dateOf(to), -1) : dateOf(to), endTime: allDay ? '10:00' : timeOf(to) },
    ...{ repeat: findPreset(rules, from), rules: rules?.join('\n') ?? '' },
    guests: (event?.attendees ?? []).map(({ email, optional }) => `${email}${optional ? ' optional' : ''}`).join('\n'),
    useDefault: event?.reminders?.useDefault ?? true,
    reminders: (event?.reminders?.overrides ?? []).map(({ method, minutes }) => `${method} ${minutes}`).join('\n'),
    ...{ visibility: event?.visibility ?? 'default', transparency: event?.transparency ?? 'opaque' },
    ...{ colorId: event?.colorId ?? '', location: event?.location ?? '', description: event?.description ?? '' },
    ...{ meet: false, sendUpdates: 'all' },
  }
}

/** Not a valid time if a field is empty. */
const startOf = ({ allDay, startDate, startTime }: FormFields): FloatingTime =>
  allDay ? startDate : `${startDate}T${startTime}:00`
/** The last day of an all-day event. Not a valid time if a field is empty. */
const endOf = ({ allDay, endDate, endTime }: FormFields): FloatingTime =>
  allDay ? endDate : `${endDate}T${endTime}:00`

/** The end moves as far as the start. It stays if one of the times is not valid. */
export function withMovedEnd(
  fields: FormFields,
  changed: Partial<Pick<FormFields, 'startDate' | 'startTime'>>,
): Partial<FormFields> {
  const next = { ...fields, ...changed }
  const shift = wallToMs(startOf(next)) - wallToMs(startOf(fields))
  if (!Number.isFinite(shift + wallToMs(endOf(fields)))) return changed
  const end = addMs(endOf(fields), shift)
  return { ...changed, endDate: dateOf(end), ...(!fields.allDay && { endTime: timeOf(end) }) }
}

const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** The service may still reject values without an error here. */
export function validate(fields: FormFields): FieldErrors {
  const errors: FieldErrors = {}
  if (!fields.allDay && !isKnownZone(fields.timeZone)) errors.timeZone = 'This is no time zone, such as Europe/Berlin.'
  if (fields.startDate === '') errors.startDate = 'Choose a date.'
  const hasTimes = !fields.allDay && fields.startTime !== '' && fields.endTime !== ''
  if (!fields.allDay && fields.startTime === '') errors.startTime = 'Choose a time.'
  if (!fields.allDay && fields.endTime === '') errors.endTime = 'Choose a time.'
  if (fields.endDate === '') errors.endDate = 'Choose a date.'
  else if (fields.endDate < fields.startDate) errors.endDate = 'The end is before the start.'
  else if (hasTimes && endOf(fields) < startOf(fields)) errors.endTime = 'The end is before the start.'
  const wrong = splitItems(fields.guests).find((line) => !ADDRESS.test(line.split(/\s+/)[0] ?? ''))
  if (wrong) errors.guests = `“${wrong}” is no e-mail address.`
  const reminder = splitItems(fields.reminders).find((line) => !/^(popup|email)\s+\d+$/.test(line))
  if (!fields.useDefault && reminder) errors.reminders = `Write “popup 10” or “email 60”, not “${reminder}”.`
  if (fields.repeat === 'custom' && fields.rules.trim() === '') errors.rules = 'Write a rule, such as RRULE:FREQ=DAILY.'
  return errors
}

/** By words of the parameter that the error names, or of its message. The first match counts. */
const SERVICE_ERRORS: readonly [RegExp, FieldName][] = [
  [/time range|\bend\b/i, 'endTime'],
  [/recurrence/i, 'rules'],
  [/time ?zone/i, 'timeZone'],
  [/attendee|guest|email/i, 'guests'],
  [/reminder/i, 'reminders'],
  [/colou?r/i, 'colorId'],
  [/\bstart\b/i, 'startTime'],
]

export const findFieldOfError = (location: string | undefined, message: string): FieldName | undefined =>
  SERVICE_ERRORS.find(([pattern]) => pattern.test(location ?? '') || pattern.test(message))?.[1]

/** At line ends and commas, without empty items. */
const splitItems = (text: string): string[] =>
  text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** A guest of `before` with the same address keeps its other fields, such as its response. */
const parseGuests = (text: string, before: readonly Attendee[] = []): Attendee[] =>
  splitItems(text).map((line) => {
    const [email = '', ...words] = line.split(/\s+/)
    const known = before.find((guest) => guest.email?.toLowerCase() === email.toLowerCase())
    const { optional: _, ...rest } = known ?? { email }
    return { ...rest, email, ...(words.includes('optional') && { optional: true }) } as Attendee
  })

const parseReminders = (text: string) =>
  splitItems(text).map((line) => {
    const [method = '', minutes = ''] = line.split(/\s+/)
    return { method, minutes: Number(minutes) }
  })

/** The end of an all-day event is the day after its last day. */
function toEventTimes(fields: FormFields): { start: EventTime; end: EventTime } {
  const { allDay, startDate, endDate, timeZone } = fields
  return allDay
    ? { start: { date: startDate }, end: { date: addDays(endDate, 1) } }
    : { start: { dateTime: startOf(fields), timeZone }, end: { dateTime: endOf(fields), timeZone } }
}

/** Empty values are included. */
function toEventFields(fields: FormFields, before: ServiceEvent | undefined): Record<string, unknown> {
  const { summary, location, description, visibility, transparency, colorId, useDefault, reminders } = fields
  return {
    ...toEventTimes(fields),
    ...{ summary, location, description, visibility, transparency },
    colorId: colorId || undefined,
    recurrence: toRecurrence(fields.repeat, fields.startDate, fields.rules),
    attendees: parseGuests(fields.guests, before?.attendees),
    reminders: useDefault ? { useDefault } : { useDefault, overrides: parseReminders(reminders) },
  }
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

const createConferenceRequest = (requestId: string) => ({
  conferenceData: { createRequest: { requestId, conferenceSolutionKey: { type: 'hangoutsMeet' } } },
})

export function toInsertBody(fields: FormFields, requestId: string): Record<string, unknown> {
  const isDefault = (name: string, value: unknown) =>
    (name === 'visibility' && value === 'default') ||
    (name === 'transparency' && value === 'opaque') ||
    (name === 'reminders' && fields.useDefault)
  const entries = Object.entries(toEventFields(fields, undefined))
  const given = entries.filter(([name, value]) => !isEmpty(value) && !isDefault(name, value))
  return { ...Object.fromEntries(given), ...(fields.meet && createConferenceRequest(requestId)) }
}

/** The fields that differ between `before` and `fields`. Removed values are null, or an empty list. */
export function toPatchBody(before: FormFields, fields: FormFields, event: ServiceEvent, requestId: string) {
  const [was, is] = [toEventFields(before, event), toEventFields(fields, event)]
  const changed = new Set(Object.keys(is).filter((name) => JSON.stringify(was[name]) !== JSON.stringify(is[name])))
  if (changed.has('start') || changed.has('end')) changed.add('start').add('end')
  const body = Object.fromEntries([...changed].map((name) => [name, toPatchValue(name, is[name], fields.allDay)]))
  return { ...body, ...(fields.meet && createConferenceRequest(requestId)) }
}

/** A start or end removes the parts of the other kind (date, or date and time). */
function toPatchValue(name: string, value: unknown, allDay: boolean): unknown {
  if (isEmpty(value)) return name === 'attendees' || name === 'recurrence' ? [] : null
  if (name !== 'start' && name !== 'end') return value
  return { ...Object(value), ...(allDay ? { dateTime: null, timeZone: null } : { date: null }) }
}

/** `isEdited` is true if the user has changed the field too. */
export type Conflict = { field: FieldName; from: string; to: string; isEdited: boolean }

/** `before` are the values before the user's edits, `fields` with them. Edited fields stay. */
export function mergeVersions(
  before: FormFields,
  fields: FormFields,
  current: FormFields,
): { fields: FormFields; conflicts: Conflict[] } {
  const names = (Object.keys(current) as FieldName[]).filter((name) => current[name] !== before[name])
  const conflicts = names.map((field) => ({
    ...{ field, from: String(before[field]), to: String(current[field]) },
    isEdited: fields[field] !== before[field],
  }))
  const merged = conflicts.filter(({ isEdited }) => !isEdited).map(({ field }) => [field, current[field]])
  return { fields: { ...fields, ...Object.fromEntries(merged) }, conflicts }
}
