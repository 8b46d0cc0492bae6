import { addDays } from '../../api/shared.ts'
import type { Attendee, EventTime, ServiceEvent } from '../../api/types.ts'
import { addMs, eventWallTime, isWholeDay, timesFrom, wallToMs } from '../../time/wallTime.ts'
import { createId } from './eventWrites.ts'
import { isRuleLine } from './repeat.ts'

/** `recurrence` of an instance is that of its series. */
export type Draft = {
  calendarId: string
  event?: ServiceEvent
  start: EventTime
  end: EventTime
  recurrence?: readonly string[] | undefined
}

export type FormFields = {
  calendarId: string
  summary: string
  allDay: boolean
  /** `2026-03-02T09:00`, also of an all-day event. Empty if the user has removed it. */
  start: string
  /** The end like `start`, on the last day of an all-day event, while the service's end is the day after. */
  end: string
  timeZone: string
  /** Such as `RRULE:FREQ=DAILY`. Empty if the event does not repeat. */
  rule: string
  guests: readonly Attendee[]
  /** Typed addresses, separated by commas. */
  newGuests: string
  useDefault: boolean
  /** `popup 10, email 60` */
  reminders: string
  visibility: string
  transparency: string
  /** Empty for the color of the calendar. */
  colorId: string
  location: string
  description: string
  meet: boolean
  /** The event has a conference, so none can be added. */
  hasConference: boolean
  sendUpdates: 'all' | 'externalOnly' | 'none'
}

export type FormPart = { fields: FormFields; set(changed: Partial<FormFields>): void }

/** `zone` applies to times that have no zone of their own. */
export function toFields({ calendarId, event, start, end, recurrence = [] }: Draft, zone: string): FormFields {
  const timeZone = start.timeZone ?? zone
  const allDay = isWholeDay(start)
  const [from, to] = [eventWallTime(start, timeZone), eventWallTime(end, timeZone)]
  return {
    ...{ calendarId, summary: event?.summary ?? '', allDay, timeZone },
    start: allDay ? `${from}T09:00` : from.slice(0, 16),
    end: allDay ? `${addDays(to, -1)}T10:00` : to.slice(0, 16),
    rule: recurrence.find(isRuleLine) ?? '',
    ...{ guests: event?.attendees ?? [], newGuests: '' },
    useDefault: event?.reminders?.useDefault ?? true,
    reminders: (event?.reminders?.overrides ?? []).map(({ method, minutes }) => `${method} ${minutes}`).join(', '),
    ...{ visibility: event?.visibility ?? 'default', transparency: event?.transparency ?? 'opaque' },
    ...{ colorId: event?.colorId ?? '', location: event?.location ?? '', description: event?.description ?? '' },
    ...{ meet: false, hasConference: event?.conferenceData !== undefined, sendUpdates: 'all' },
  }
}

/** The end moves as far as the start. It stays if one of the times is empty. */
export function withMovedEnd({ start, end }: FormFields, newStart: string): Partial<FormFields> {
  const shift = wallToMs(newStart) - wallToMs(start)
  if (!Number.isFinite(shift + wallToMs(end))) return { start: newStart }
  return { start: newStart, end: addMs(end, shift).slice(0, 16) }
}

const splitItems = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

const ROOM = /@resource\.calendar\.google\.com$/i

/** Each address is one guest. */
export function withGuests({ guests, newGuests }: FormFields): Pick<FormFields, 'guests' | 'newGuests'> {
  const known = new Set(guests.map(({ email }) => email?.toLowerCase()))
  const added = new Set(splitItems(newGuests).filter((email) => !known.has(email.toLowerCase())))
  const toGuest = (email: string) => ({ email, ...(ROOM.test(email) && { resource: true }) }) as Attendee
  return { guests: [...guests, ...[...added].map(toGuest)], newGuests: '' }
}

export function toTimes({ allDay, start, end, timeZone }: FormFields) {
  const [from, to] = allDay ? [start.slice(0, 10), addDays(end.slice(0, 10), 1)] : [`${start}:00`, `${end}:00`]
  return timesFrom(from, wallToMs(to) - wallToMs(from), timeZone)
}

const parseReminders = (text: string) =>
  splitItems(text).map((item) => {
    const [method, minutes] = item.split(/\s+/)
    return { method, minutes: Number(minutes) }
  })

function toEventFields(fields: FormFields, { event, recurrence = [] }: Draft): Record<string, unknown> {
  const { summary, location, description, visibility, transparency, colorId, rule, useDefault } = fields
  return {
    ...toTimes(fields),
    ...{ summary: summary || null, location: location || null, description: description || null },
    ...{ visibility, transparency, colorId: colorId || null },
    recurrence: rule === '' ? [] : [rule, ...recurrence.filter((line) => !isRuleLine(line))],
    attendees: withGuests(fields).guests.map(({ optional, ...guest }) => ({
      ...(event?.attendees?.find(({ email }) => email === guest.email) ?? guest),
      optional,
    })),
    reminders: { useDefault, ...(!useDefault && { overrides: parseReminders(fields.reminders) }) },
  }
}

/** The fields that the user has changed, and the times of a new event. Removed values are null, or an empty list. */
export function toEventBody(before: FormFields, fields: FormFields, draft: Draft): Record<string, unknown> {
  const [was, is] = [toEventFields(before, draft), toEventFields(fields, draft)]
  const changed = new Set(Object.keys(is).filter((name) => JSON.stringify(was[name]) !== JSON.stringify(is[name])))
  if (!draft.event || changed.has('start') || changed.has('end')) changed.add('start').add('end')
  return {
    ...Object.fromEntries([...changed].map((name) => [name, is[name]])),
    ...(fields.meet && {
      // The API requires clients to choose the id of a conference request.
      conferenceData: {
        createRequest: { requestId: createId(), conferenceSolutionKey: { type: 'hangoutsMeet' } },
      },
    }),
  }
}
