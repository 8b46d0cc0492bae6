import type { ShownEvent } from '../../../api/events/view.ts'
import { idFromUid, isMaster } from '../../../model/events/series.ts'
import { instantOfTime } from '../../../model/events/times.ts'
import { formatLine, isRule, parseLines } from '../../../recurrence/lines.ts'
import { instantOf, localMsAt } from '../../../recurrence/zone.ts'
import type { EventAttendee, EventDateTime } from '../../../schema/event.ts'
import { formatICalDate, formatICalLocal, formatICalUtc } from '../icalDateTime.ts'
import { escapeText, formatParameter, type OutputLine } from './text.ts'

export type EventContext = {
  /** The time of the file, in epoch milliseconds. */
  now: number
  calendarId: string
  seriesZone?: string | undefined
  /** The starts of cancelled instances of the series, in epoch milliseconds. */
  cancelled?: readonly number[]
  alarms: boolean
}

/** Returns the lines of an event, in the service's order (behaviour 16.2). */
export function createEventLines(event: ShownEvent, writing: EventContext): OutputLine[] {
  const { start, end, recurrence, recurringEventId, originalStartTime } = event
  const zoned = recurrence !== undefined || recurringEventId !== undefined
  return [
    'BEGIN:VEVENT',
    ...(start ? [formatTimeLine('DTSTART', start, zoned)] : []),
    ...(end ? [formatTimeLine('DTEND', end, zoned)] : []),
    ...createRecurrenceLines(event, writing.cancelled ?? []),
    `DTSTAMP:${formatICalUtc(writing.now)}`,
    ...createOrganizerLines(event, writing.calendarId),
    `UID:${escapeText(event.iCalUID ?? '')}`,
    ...(event.attendees ?? []).map(formatAttendeeLine),
    ...createTextLines('CLASS', event.visibility?.toUpperCase()),
    ...createTextLines('X-GOOGLE-CONFERENCE', findVideoUrl(event)),
    ...(originalStartTime
      ? [formatTimeLine('RECURRENCE-ID', { ...originalStartTime, ...toSeriesZone(originalStartTime, writing) }, true)]
      : createOrphanLines(event)),
    ...createStampLines('CREATED', event.created),
    ...(event.description ? [{ name: 'DESCRIPTION', text: event.description }] : []),
    ...createStampLines('LAST-MODIFIED', event.updated),
    ...(event.location ? [{ name: 'LOCATION', text: event.location }] : []),
    ...(event.sequence === undefined ? [] : [`SEQUENCE:${event.sequence}`]),
    `STATUS:${event.status.toUpperCase()}`,
    { name: 'SUMMARY', text: event.summary ?? '' },
    `TRANSP:${(event.transparency ?? 'opaque').toUpperCase()}`,
    ...(event.attachments ?? []).map(({ fileUrl, title, mimeType }) => {
      const parameters = [
        title && `;FILENAME=${formatParameter(title)}`,
        mimeType && `;FMTTYPE=${formatParameter(mimeType)}`,
      ]
      return `ATTACH${parameters.filter(Boolean).join('')}:${fileUrl}`
    }),
    ...(writing.alarms ? createAlarmLines(event, writing.calendarId) : []),
    'END:VEVENT',
  ]
}

const toSeriesZone = (time: EventDateTime, { seriesZone }: EventContext) =>
  time.date === undefined && seriesZone !== undefined ? { timeZone: seriesZone } : {}

const createTextLines = (name: string, text: string | undefined): string[] => (text ? [`${name}:${text}`] : [])
/** Returns the line of an RFC 3339 instant, in a list; an empty list without one. */
const createStampLines = (name: string, instant: string | undefined): string[] =>
  instant ? [`${name}:${formatICalUtc(Date.parse(instant))}`] : []

/**
 * Returns the RECURRENCE-ID of an exception whose series is not in the calendar; empty for other events. The id of such an
 * exception ends with the original start of its instance.
 */
function createOrphanLines({ id = '', recurrence, iCalUID = '' }: ShownEvent): string[] {
  const base = `${idFromUid(iCalUID)}_`
  const slot = id.startsWith(base) ? id.slice(base.length) : ''
  if (recurrence || !/^\d{8}(t\d{6}z)?$/i.test(slot)) return []
  return [slot.length === 8 ? `RECURRENCE-ID;VALUE=DATE:${slot}` : `RECURRENCE-ID:${slot.toUpperCase()}`]
}

/** Returns a line with a date, an instant in UTC, or, if `zoned`, a local time with its zone. */
export function formatTimeLine(name: string, time: EventDateTime, zoned: boolean): string {
  if (time.date !== undefined) return `${name};VALUE=DATE:${formatICalDate(instantOfTime(time))}`
  return zoned
    ? formatInstantLine(name, instantOfTime(time), time.timeZone)
    : `${name}:${formatICalUtc(instantOfTime(time))}`
}

/** Returns a line with a local time. The second of two equal local times is written in UTC, because TZID means the first. */
function formatInstantLine(name: string, instant: number, zone = 'UTC'): string {
  const localMs = localMsAt(instant, zone)
  return instantOf(localMs, zone) === instant
    ? `${name};TZID=${zone}:${formatICalLocal(localMs)}`
    : `${name}:${formatICalUtc(instant)}`
}

function createRecurrenceLines(event: ShownEvent, cancelled: readonly number[]): string[] {
  const { recurrence = [], start } = event
  if (!isMaster(event) || !start) return []
  const allDay = start.date !== undefined
  const zone = start.timeZone ?? 'UTC'
  const { dates, exdates } = parseLines(recurrence, { zone: allDay ? 'UTC' : zone, allDay })
  const createDateFormatter = (name: string) => (at: number) =>
    allDay ? `${name};VALUE=DATE:${formatICalDate(at)}` : formatInstantLine(name, at, zone)
  const sortUnique = (starts: readonly number[]) => [...new Set(starts)].sort((a, b) => a - b)
  return [
    ...recurrence.filter(isRule).map(formatLine),
    ...sortUnique(dates).map(createDateFormatter('RDATE')),
    ...sortUnique([...exdates, ...cancelled]).map(createDateFormatter('EXDATE')),
  ]
}

function createOrganizerLines({ organizer, attendees }: ShownEvent, calendarId: string): string[] {
  if (!organizer?.email || (!attendees && organizer.email === calendarId)) return []
  return [`ORGANIZER;CN=${formatParameter(organizer.displayName || organizer.email)}:mailto:${organizer.email}`]
}

const PARTSTAT = { needsAction: 'NEEDS-ACTION', accepted: 'ACCEPTED', declined: 'DECLINED', tentative: 'TENTATIVE' }

function formatAttendeeLine({
  email,
  displayName,
  resource,
  optional,
  responseStatus,
  additionalGuests,
  comment,
}: EventAttendee) {
  return [
    'ATTENDEE',
    `CUTYPE=${resource ? 'RESOURCE' : 'INDIVIDUAL'}`,
    `ROLE=${optional ? 'OPT' : 'REQ'}-PARTICIPANT`,
    `PARTSTAT=${PARTSTAT[responseStatus ?? 'needsAction']}`,
    `CN=${formatParameter(displayName || email)}`,
    `X-NUM-GUESTS=${additionalGuests ?? 0}${comment ? `;X-RESPONSE-COMMENT=${formatParameter(comment)}` : ''}:mailto:${email}`,
  ].join(';')
}

const findVideoUrl = ({ hangoutLink, conferenceData }: ShownEvent): string | undefined =>
  hangoutLink ?? conferenceData?.entryPoints?.find(({ entryPointType }) => entryPointType === 'video')?.uri

function createAlarmLines({ reminders }: ShownEvent, calendarId: string): string[] {
  return (reminders?.overrides ?? []).flatMap(({ method, minutes = 0 }) => [
    'BEGIN:VALARM',
    `ACTION:${method === 'email' ? 'EMAIL' : 'DISPLAY'}`,
    'DESCRIPTION:This is an event reminder',
    ...(method === 'email' ? ['SUMMARY:Alarm notification', `ATTENDEE:mailto:${calendarId}`] : []),
    `TRIGGER:-P${Math.floor(minutes / 1440)}DT${Math.floor((minutes % 1440) / 60)}H${minutes % 60}M0S`,
    'END:VALARM',
  ])
}
