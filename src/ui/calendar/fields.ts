import type { Draft } from './acts.ts'
import { linesOf, presetOf, type Repeats } from './recurrence.ts'
import type { Guest, Instant, Shown } from './service.ts'
import { dayOf, daysLater, instantAt, isDay, wallIn } from './times.ts'
import type { Send } from './writes.ts'

/** What the form holds, as its fields have it. */
export type Fields = {
  calendarId: string
  summary: string
  allDay: boolean
  startDay: string
  startTime: string
  /** Of days the last one, which the service does not count any more. */
  endDay: string
  endTime: string
  timeZone: string
  repeats: Repeats
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
  sendUpdates: Send
}

/** What a part of the form is given. */
export type Part = { fields: Fields; set(changed: Partial<Fields>): void }

/** The form of a draft. */
export function fieldsOf({ calendarId, event, start, end }: Draft, zone: string): Fields {
  const timeZone = start.timeZone ?? zone
  const [from, to] = [start, end].map((at) => wallOf(at, timeZone)) as [string, string]
  const day = isDay(start)
  const rules = event?.recurrence
  return {
    ...{ calendarId, summary: event?.summary ?? '', allDay: day, timeZone },
    ...{ startDay: dayOf(from), startTime: day ? '09:00' : from.slice(11, 16) },
    ...{ endDay: day ? daysLater(dayOf(to), -1) : dayOf(to), endTime: day ? '10:00' : to.slice(11, 16) },
    ...{ repeats: presetOf(rules, from), rules: rules?.join('\n') ?? '' },
    guests: (event?.attendees ?? []).map(({ email, optional }) => `${email}${optional ? ' optional' : ''}`).join('\n'),
    useDefault: event?.reminders?.useDefault ?? true,
    reminders: (event?.reminders?.overrides ?? []).map(({ method, minutes }) => `${method} ${minutes}`).join('\n'),
    ...{ visibility: event?.visibility ?? 'default', transparency: event?.transparency ?? 'opaque' },
    ...{ colorId: event?.colorId ?? '', location: event?.location ?? '', description: event?.description ?? '' },
    ...{ meet: false, sendUpdates: 'all' },
  }
}

/** A draft may say a time by the clock of its zone, as a form does, or as an instant, as the service does. */
function wallOf(at: Instant, timeZone: string): string {
  return isDay(at) ? at.date : wallIn(timeZone, instantAt(at, timeZone))
}

/** Lines of a field that holds one thing a line. */
const linesIn = (text: string): string[] =>
  text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** The guests of the field: what was known of those who were there stays. */
const guestsIn = (text: string, before: readonly Guest[] = []): Guest[] =>
  linesIn(text).map((line) => {
    const [email = '', ...words] = line.split(/\s+/)
    const { optional: _, ...known } = before.find((guest) => guest.email?.toLowerCase() === email.toLowerCase()) ?? {
      email,
    }
    return { ...known, email, ...(words.includes('optional') && { optional: true }) } as Guest
  })

const overridesIn = (text: string) =>
  linesIn(text).map((line) => {
    const [method = '', minutes = ''] = line.split(/\s+/)
    return { method, minutes: Number(minutes) }
  })

const times = ({ allDay, startDay, startTime, endDay, endTime, timeZone }: Fields): { start: Instant; end: Instant } =>
  allDay
    ? { start: { date: startDay }, end: { date: daysLater(endDay, 1) } }
    : {
        start: { dateTime: `${startDay}T${startTime}:00`, timeZone },
        end: { dateTime: `${endDay}T${endTime}:00`, timeZone },
      }

/** What the fields say of an event, each part by itself: what they do not say is not there. */
function partsOf(fields: Fields, before: Shown | undefined): Record<string, unknown> {
  const { summary, location, description, visibility, transparency, colorId, useDefault, reminders } = fields
  return {
    ...times(fields),
    ...{ summary, location, description, visibility, transparency },
    colorId: colorId || undefined,
    recurrence: linesOf(fields.repeats, fields.startDay, fields.rules),
    attendees: guestsIn(fields.guests, before?.attendees),
    reminders: useDefault ? { useDefault } : { useDefault, overrides: overridesIn(reminders) },
  }
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** A body to insert: what is as it would be anyway is left out. */
export function newBody(fields: Fields, requestId: string): Record<string, unknown> {
  const usual = new Map<string, unknown>([
    ['visibility', 'default'],
    ['transparency', 'opaque'],
  ])
  const parts = Object.entries(partsOf(fields, undefined)).filter(
    ([name, value]) => !isEmpty(value) && usual.get(name) !== value && !(name === 'reminders' && fields.useDefault),
  )
  return { ...Object.fromEntries(parts), ...(fields.meet && meeting(requestId)) }
}

const meeting = (requestId: string) => ({
  conferenceData: { createRequest: { requestId, conferenceSolutionKey: { type: 'hangoutsMeet' } } },
})

/** A body to patch with: what was changed in the form, and `null` for what is to be there no more. */
export function changedBody(before: Fields, fields: Fields, event: Shown, requestId: string): Record<string, unknown> {
  const [was, is] = [partsOf(before, event), partsOf(fields, event)]
  const changed = Object.keys(is).filter((name) => JSON.stringify(was[name]) !== JSON.stringify(is[name]))
  const names =
    changed.includes('start') || changed.includes('end') ? [...new Set([...changed, 'start', 'end'])] : changed
  const body = Object.fromEntries(names.map((name) => [name, said(name, is[name], fields.allDay)]))
  return { ...body, ...(fields.meet && meeting(requestId)) }
}

function said(name: string, value: unknown, allDay: boolean): unknown {
  if (isEmpty(value)) return name === 'attendees' || name === 'recurrence' ? [] : null
  if (name !== 'start' && name !== 'end') return value
  return { ...Object(value), ...(allDay ? { dateTime: null, timeZone: null } : { date: null }) }
}
