import type { ShownEvent } from '../../api/events/view.ts'
import { isMaster } from '../../model/series.ts'
import { instantOfTime } from '../../model/times.ts'
import { isRule, readLines, writtenLine } from '../../recurrence/lines.ts'
import { instantOf, readingAt } from '../../recurrence/zone.ts'
import type { EventAttendee, EventDateTime } from '../../wire/event.ts'
import { dateStamp, utcStamp, wallStamp } from '../stamps.ts'
import { escaped, parameter } from './text.ts'

/** What a calendar file says of an event beside what the event says itself. */
export type Writing = {
  now: number
  calendarId: string
  /** The zone of its series, of an instance of one. */
  seriesZone?: string | undefined
  /** The instances of a series that are cancelled, which its file leaves out. */
  gone?: readonly number[]
  alarms: boolean
}

/** The lines of an event, in the service's order (behaviour 16.2). */
export function eventLines(event: ShownEvent, writing: Writing): string[] {
  const { start, end, recurrence, recurringEventId, originalStartTime } = event
  const zoned = recurrence !== undefined || recurringEventId !== undefined
  return [
    'BEGIN:VEVENT',
    ...(start ? [timeLine('DTSTART', start, zoned)] : []),
    ...(end ? [timeLine('DTEND', end, zoned)] : []),
    ...recurrenceLines(event, writing.gone ?? []),
    `DTSTAMP:${utcStamp(writing.now)}`,
    ...organizerLines(event, writing.calendarId),
    `UID:${escaped(event.iCalUID ?? '')}`,
    ...(event.attendees ?? []).map(attendeeLine),
    ...textLine('CLASS', event.visibility?.toUpperCase()),
    ...textLine('X-GOOGLE-CONFERENCE', videoOf(event)),
    ...(originalStartTime
      ? [timeLine('RECURRENCE-ID', { ...originalStartTime, ...zoneOf(originalStartTime, writing) }, true)]
      : []),
    ...stampLine('CREATED', event.created),
    ...textLine('DESCRIPTION', event.description && escaped(event.description)),
    ...stampLine('LAST-MODIFIED', event.updated),
    ...textLine('LOCATION', event.location && escaped(event.location)),
    ...(event.sequence === undefined ? [] : [`SEQUENCE:${event.sequence}`]),
    `STATUS:${event.status.toUpperCase()}`,
    `SUMMARY:${escaped(event.summary ?? '')}`,
    `TRANSP:${(event.transparency ?? 'opaque').toUpperCase()}`,
    ...(event.attachments ?? []).map(({ fileUrl, title, mimeType }) => {
      const said = [title && `;FILENAME=${parameter(title)}`, mimeType && `;FMTTYPE=${parameter(mimeType)}`]
      return `ATTACH${said.filter(Boolean).join('')}:${fileUrl}`
    }),
    ...(writing.alarms ? alarmLines(event, writing.calendarId) : []),
    'END:VEVENT',
  ]
}

const zoneOf = (time: EventDateTime, { seriesZone }: Writing) =>
  time.date === undefined && seriesZone !== undefined ? { timeZone: seriesZone } : {}

const textLine = (name: string, text: string | undefined): string[] => (text ? [`${name}:${text}`] : [])
const stampLine = (name: string, instant: string | undefined): string[] =>
  instant ? [`${name}:${utcStamp(Date.parse(instant))}`] : []

/** A time: a date, an instant of UTC, or for what recurs a reading on the clock of its zone. */
export function timeLine(name: string, time: EventDateTime, zoned: boolean): string {
  if (time.date !== undefined) return `${name};VALUE=DATE:${dateStamp(instantOfTime(time))}`
  return zoned ? instantLine(name, instantOfTime(time), time.timeZone) : `${name}:${utcStamp(instantOfTime(time))}`
}

/** The second of two equal readings can be said only in UTC. */
function instantLine(name: string, instant: number, zone = 'UTC'): string {
  const reading = readingAt(instant, zone)
  return instantOf(reading, zone) === instant
    ? `${name};TZID=${zone}:${wallStamp(reading)}`
    : `${name}:${utcStamp(instant)}`
}

function recurrenceLines(event: ShownEvent, gone: readonly number[]): string[] {
  const { recurrence = [], start } = event
  if (!isMaster(event) || !start) return []
  const allDay = start.date !== undefined
  const zone = start.timeZone ?? 'UTC'
  const { dates, exdates } = readLines(recurrence, { zone: allDay ? 'UTC' : zone, allDay })
  const line = (name: string) => (at: number) =>
    allDay ? `${name};VALUE=DATE:${dateStamp(at)}` : instantLine(name, at, zone)
  const inOrder = (starts: readonly number[]) => [...new Set(starts)].sort((a, b) => a - b)
  return [
    ...recurrence.filter(isRule).map(writtenLine),
    ...inOrder(dates).map(line('RDATE')),
    ...inOrder([...exdates, ...gone]).map(line('EXDATE')),
  ]
}

/** Who organizes is said where somebody comes, or where it is somebody else. */
function organizerLines({ organizer, attendees }: ShownEvent, calendarId: string): string[] {
  if (!organizer?.email || (!attendees && organizer.email === calendarId)) return []
  return [`ORGANIZER;CN=${parameter(organizer.displayName || organizer.email)}:mailto:${organizer.email}`]
}

const PARTSTAT = { needsAction: 'NEEDS-ACTION', accepted: 'ACCEPTED', declined: 'DECLINED', tentative: 'TENTATIVE' }

function attendeeLine({
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
    `CN=${parameter(displayName || email)}`,
    `X-NUM-GUESTS=${additionalGuests ?? 0}${comment ? `;X-RESPONSE-COMMENT=${parameter(comment)}` : ''}:mailto:${email}`,
  ].join(';')
}

const videoOf = ({ hangoutLink, conferenceData }: ShownEvent): string | undefined =>
  hangoutLink ?? conferenceData?.entryPoints?.find(({ entryPointType }) => entryPointType === 'video')?.uri

/** An event's own reminders; those of its calendar are not written. */
function alarmLines({ reminders }: ShownEvent, calendarId: string): string[] {
  return (reminders?.overrides ?? []).flatMap(({ method, minutes = 0 }) => [
    'BEGIN:VALARM',
    `ACTION:${method === 'email' ? 'EMAIL' : 'DISPLAY'}`,
    'DESCRIPTION:This is an event reminder',
    ...(method === 'email' ? ['SUMMARY:Alarm notification', `ATTENDEE:mailto:${calendarId}`] : []),
    `TRIGGER:-P${Math.floor(minutes / 1440)}DT${Math.floor((minutes % 1440) / 60)}H${minutes % 60}M0S`,
    'END:VALARM',
  ])
}
