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
import { linesOf, presetOf, type Repeat } from './repeatPresets.ts'

/** The event of the form: a new or an existing one. */
export type Draft = { calendarId: string; event?: ServiceEvent; start: EventTime; end: EventTime }

/** The values of the form. */
export type FormFields = {
  calendarId: string
  summary: string
  allDay: boolean
  startDate: string
  startTime: string
  /** Of an all-day event the last day, while the service's end is the day after. */
  endDate: string
  endTime: string
  timeZone: string
  repeat: Repeat
  rules: string
  guests: string
  useDefault: boolean
  reminders: string
  visibility: string
  transparency: string
  colorId: string
  location: string
  description: string
  meet: boolean
  sendUpdates: SendUpdatesOption
}

export type FieldName = keyof FormFields
export type FieldErrors = Partial<Record<FieldName, string>>
export type FormPart = { fields: FormFields; errors: FieldErrors; set(changed: Partial<FormFields>): void }

/** The labels of the fields, as the form prints them. */
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

export function toFields({ calendarId, event, start, end }: Draft, zone: string): FormFields {
  const timeZone = start.timeZone ?? zone
  const allDay = isDate(start)
  const [from, to] = [eventWallTime(start, timeZone), eventWallTime(end, timeZone)]
  const rules = event?.recurrence
  return {
    ...{ calendarId, summary: event?.summary ?? '', allDay, timeZone },
    ...{ startDate: dateOf(from), startTime: allDay ? '09:00' : timeOf(from) },
    ...{ endDate: allDay ? addDays(dateOf(to), -1) : dateOf(to), endTime: allDay ? '10:00' : timeOf(to) },
    ...{ repeat: presetOf(rules, from), rules: rules?.join('\n') ?? '' },
    guests: (event?.attendees ?? []).map(({ email, optional }) => `${email}${optional ? ' optional' : ''}`).join('\n'),
    useDefault: event?.reminders?.useDefault ?? true,
    reminders: (event?.reminders?.overrides ?? []).map(({ method, minutes }) => `${method} ${minutes}`).join('\n'),
    ...{ visibility: event?.visibility ?? 'default', transparency: event?.transparency ?? 'opaque' },
    ...{ colorId: event?.colorId ?? '', location: event?.location ?? '', description: event?.description ?? '' },
    ...{ meet: false, sendUpdates: 'all' },
  }
}

const startOf = ({ allDay, startDate, startTime }: FormFields): FloatingTime =>
  allDay ? startDate : `${startDate}T${startTime}:00`
const endOf = ({ allDay, endDate, endTime }: FormFields): FloatingTime =>
  allDay ? endDate : `${endDate}T${endTime}:00`

/** Returns a change of the start with the end moved as far, so that the length stays. */
export function withMovedEnd(
  fields: FormFields,
  changed: Partial<Pick<FormFields, 'startDate' | 'startTime'>>,
): Partial<FormFields> {
  const next = { ...fields, ...changed }
  const shift = wallToMs(startOf(next)) - wallToMs(startOf(fields))
  if (!Number.isFinite(shift)) return changed
  const end = addMs(endOf(fields), shift)
  return { ...changed, endDate: dateOf(end), ...(!fields.allDay && { endTime: timeOf(end) }) }
}

const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** Returns the errors of the values, by field. */
export function validate(fields: FormFields): FieldErrors {
  const errors: FieldErrors = {}
  if (!fields.allDay && !isKnownZone(fields.timeZone)) errors.timeZone = 'This is no time zone, such as Europe/Berlin.'
  if (fields.startDate === '') errors.startDate = 'Choose a date.'
  if (fields.endDate === '') errors.endDate = 'Choose a date.'
  else if (fields.endDate < fields.startDate) errors.endDate = 'The end is before the start.'
  else if (!fields.allDay && endOf(fields) < startOf(fields)) errors.endTime = 'The end is before the start.'
  const wrong = splitLines(fields.guests).find((line) => !ADDRESS.test(line.split(/\s+/)[0] ?? ''))
  if (wrong) errors.guests = `“${wrong}” is no e-mail address.`
  const reminder = splitLines(fields.reminders).find((line) => !/^(popup|email)\s+\d+$/.test(line))
  if (!fields.useDefault && reminder) errors.reminders = `Write “popup 10” or “email 60”, not “${reminder}”.`
  if (fields.repeat === 'custom' && fields.rules.trim() === '') errors.rules = 'Write a rule, such as RRULE:FREQ=DAILY.'
  return errors
}

/** Maps errors of the service to fields, by the parameter that it names or by its message. */
const SERVICE_ERRORS: readonly [RegExp, FieldName][] = [
  [/time range|\bend\b/i, 'endTime'],
  [/recurrence/i, 'rules'],
  [/time ?zone/i, 'timeZone'],
  [/attendee|guest|email/i, 'guests'],
  [/reminder/i, 'reminders'],
  [/colou?r/i, 'colorId'],
  [/\bstart\b/i, 'startTime'],
]

export const fieldOfError = (location: string | undefined, message: string): FieldName | undefined =>
  SERVICE_ERRORS.find(([pattern]) => pattern.test(location ?? '') || pattern.test(message))?.[1]

const splitLines = (text: string): string[] =>
  text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Parses the guests. Keeps the other fields of earlier guests. */
const parseGuests = (text: string, before: readonly Attendee[] = []): Attendee[] =>
  splitLines(text).map((line) => {
    const [email = '', ...words] = line.split(/\s+/)
    const known = before.find((guest) => guest.email?.toLowerCase() === email.toLowerCase())
    const { optional: _, ...rest } = known ?? { email }
    return { ...rest, email, ...(words.includes('optional') && { optional: true }) } as Attendee
  })

const parseReminders = (text: string) =>
  splitLines(text).map((line) => {
    const [method = '', minutes = ''] = line.split(/\s+/)
    return { method, minutes: Number(minutes) }
  })

function timesOf(fields: FormFields): { start: EventTime; end: EventTime } {
  const { allDay, startDate, endDate, timeZone } = fields
  return allDay
    ? { start: { date: startDate }, end: { date: addDays(endDate, 1) } }
    : { start: { dateTime: startOf(fields), timeZone }, end: { dateTime: endOf(fields), timeZone } }
}

/** Returns the fields of an event. Empty values are included. */
function toEventFields(fields: FormFields, before: ServiceEvent | undefined): Record<string, unknown> {
  const { summary, location, description, visibility, transparency, colorId, useDefault, reminders } = fields
  return {
    ...timesOf(fields),
    ...{ summary, location, description, visibility, transparency },
    colorId: colorId || undefined,
    recurrence: linesOf(fields.repeat, fields.startDate, fields.rules),
    attendees: parseGuests(fields.guests, before?.attendees),
    reminders: useDefault ? { useDefault } : { useDefault, overrides: parseReminders(reminders) },
  }
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

const conferenceRequest = (requestId: string) => ({
  conferenceData: { createRequest: { requestId, conferenceSolutionKey: { type: 'hangoutsMeet' } } },
})

/** Returns the body of an insert. Empty values and defaults are left out. */
export function toInsertBody(fields: FormFields, requestId: string): Record<string, unknown> {
  const isDefault = (name: string, value: unknown) =>
    (name === 'visibility' && value === 'default') ||
    (name === 'transparency' && value === 'opaque') ||
    (name === 'reminders' && fields.useDefault)
  const entries = Object.entries(toEventFields(fields, undefined))
  const given = entries.filter(([name, value]) => !isEmpty(value) && !isDefault(name, value))
  return { ...Object.fromEntries(given), ...(fields.meet && conferenceRequest(requestId)) }
}

/** Returns the body of a patch with the fields that the form has changed. Removed values are null. */
export function toPatchBody(before: FormFields, fields: FormFields, event: ServiceEvent, requestId: string) {
  const [was, is] = [toEventFields(before, event), toEventFields(fields, event)]
  const changed = new Set(Object.keys(is).filter((name) => JSON.stringify(was[name]) !== JSON.stringify(is[name])))
  if (changed.has('start') || changed.has('end')) changed.add('start').add('end')
  const body = Object.fromEntries([...changed].map((name) => [name, toPatchValue(name, is[name], fields.allDay)]))
  return { ...body, ...(fields.meet && conferenceRequest(requestId)) }
}

function toPatchValue(name: string, value: unknown, allDay: boolean): unknown {
  if (isEmpty(value)) return name === 'attendees' || name === 'recurrence' ? [] : null
  if (name !== 'start' && name !== 'end') return value
  return { ...Object(value), ...(allDay ? { dateTime: null, timeZone: null } : { date: null }) }
}

/** A field that another account has changed while the form was open. */
export type Conflict = { field: FieldName; from: string; to: string; isEdited: boolean }

/** Merges the current version of an event into the form. Values that the user has edited stay. */
export function rebase(
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
