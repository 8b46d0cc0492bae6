import { DAY_MS } from '../../recurrence/days.ts'
import { shorten } from '../../schema/values/shownText.ts'
import type { Hint } from '../journal/recordedCall.ts'
import { type RejectedRequest, resolveCalendarId } from './rejectedRequest.ts'
import { createHint } from './table.ts'

type EventBody = { id?: unknown; iCalUID?: unknown; recurrence?: unknown; [name: string]: unknown } | undefined

export function explainDuplicate({ body }: RejectedRequest): Hint {
  const { id, iCalUID } = (body as EventBody) ?? {}
  if (id === undefined && iCalUID !== undefined)
    return createHint(
      'FC308',
      'The iCalUID is in use by an event of the calendar',
      'Change that event, import the UID with events.import, or choose another',
    )
  return id === undefined
    ? createHint('FC308', 'The destination has had another event with this id', 'Insert a new event there')
    : createHint('FC308', 'The id is in use, possibly by a deleted event', 'Remove id, or choose another')
}

/** The event of a body that has no time is a stub that a move or the removal of a guest left (behaviour 7.7, 7.16). */
const DATE_AND_TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d/

export function explainUnreadableTime(body: unknown): Hint | undefined {
  for (const which of ['start', 'end'] as const) {
    const { dateTime, timeZone }: { dateTime?: unknown; timeZone?: unknown } = (body as EventBody)?.[which] ?? {}
    if (typeof dateTime !== 'string') continue
    if (!DATE_AND_TIME.test(dateTime))
      return createHint(
        'FC206',
        `${which}.dateTime=${shorten(dateTime)} is not a date and a time`,
        `Write ${which}.dateTime as 2026-03-02T09:00:00+01:00`,
      )
    if (!timeZone && !/([Zz]|[+-]\d\d:?\d\d)$/.test(dateTime))
      return createHint(
        'FC205',
        `${which}.dateTime=${shorten(dateTime)} has no offset and no zone`,
        `Write ${which}.dateTime=${shorten(dateTime)}Z, or add ${which}.timeZone, such as Europe/Berlin`,
      )
  }
  return undefined
}

export function explainInvalidTime({ body, details: { which } }: RejectedRequest): Hint {
  if ((body as EventBody)?.[String(which)] === undefined)
    return createHint(
      'FC206',
      'The event has no content, because it moved to another calendar or its guest was removed',
      'Send the request to the calendar that organizes the event',
    )
  return createHint(
    'FC206',
    `${which} is not one valid time, either a date or a dateTime`,
    `Write ${which}.dateTime as 2026-03-02T09:00:00+01:00, or ${which}.date as 2026-03-02; in a PATCH null removes the other`,
  )
}

export function explainInvalidRecurrence({ world, caller, params, body }: RejectedRequest): Hint {
  const { eventId } = params
  const calendarId = resolveCalendarId(params, caller)
  const event = calendarId === undefined ? undefined : world.events.get(calendarId)?.named(String(eventId))
  if (event?.recurringEventId)
    return createHint(
      'FC208',
      'An instance of a series has no recurrence of its own',
      `Write it to the series ${shorten(event.recurringEventId)}`,
    )
  const lines = (body as EventBody)?.recurrence
  const lineText = Array.isArray(lines) ? lines.map(String).join(' ') : ''
  return createHint(
    'FC208',
    `recurrence cannot be ${shorten(lineText)}`,
    'Write lines such as RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=10',
  )
}

const MIN_ID_LENGTH = 5

/** `details` are those of an id of an event, or of an iCalUID that contradicts it. */
export function explainEventId({ details: { field, value } }: RejectedRequest): Hint {
  const id = String(value)
  if (field === 'iCalUID')
    return createHint(
      'FC214',
      'iCalUID is not that of the id',
      `Write iCalUID=${shorten(id)}@google.com, or remove one of them`,
    )
  const others = [...new Set(id.match(/[^a-v0-9]/g))].join('')
  const proposal = id.toLowerCase().replace(/[^a-z0-9]/g, '')
  const isValid = proposal !== id && proposal.length >= MIN_ID_LENGTH && !/[w-z]/.test(proposal)
  const problem = others === '' ? `has ${id.length} characters` : `has characters that ids lack: ${shorten(others)}`
  return createHint(
    'FC214',
    `id=${shorten(id)} ${problem}`,
    `Write ${isValid ? `id=${shorten(proposal)}` : '5 to 1024 characters of a to v and 0 to 9'}, or remove id`,
  )
}

/** `start` and `end` are those of the event, with the stored time if the request sends one of them. */
export function explainEmptyRange({ details: { start, end } }: RejectedRequest): Hint {
  if (start === undefined) return createHint('FC110', 'timeMax is not after timeMin', 'Exchange them')
  if (start !== end) return createHint('FC206', `The end ${end} is before the start ${start}`, 'Exchange them')
  return createHint(
    'FC206',
    `end.date=${end} is the start, but the end of an all-day event is the day after its last`,
    `Write end.date=${dayAfter(String(end))}`,
  )
}

const dayAfter = (date: string): string => new Date(Date.parse(date) + DAY_MS).toISOString().slice(0, 10)

/** `value` is missing if the attendee has no email; `type` is that of the scope of an access rule. */
export function explainAddress({ details: { field, value, type } }: RejectedRequest): Hint | undefined {
  if (field === undefined) return undefined
  const place = String(field)
  if (value === undefined) return createHint('FC213', `${place} is missing`, 'Add it, or remove the attendee')
  const text = String(value)
  if (type === 'domain')
    return createHint('FC213', `${place}=${shorten(text)} is not a domain`, `Write ${place} as example.com`)
  const what = `${place}=${shorten(text)} is not one address`
  const [, name = '', address] = /^\s*"?([^"<>]*?)"?\s*<\s*([^<>\s]+@[^<>\s]+)\s*>\s*$/.exec(text) ?? []
  if (address !== undefined)
    return createHint('FC213', what, `Write ${place}=${shorten(address)}${nameField(place, name)}`)
  const [only, second] = text.match(/[^\s,;@]+@[^\s,;@]+/g) ?? []
  if (second !== undefined) return createHint('FC213', what, 'Write an entry for each address')
  return createHint('FC213', what, `Write ${place}=${only ?? 'bob@example.com'}`)
}

const nameField = (place: string, name: string): string =>
  name === '' || !place.startsWith('attendees') ? '' : ` and displayName=${shorten(name)}`
