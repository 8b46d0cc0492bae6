import type { ShownEvent } from '../../../api/events/view.ts'
import { idBeforeSplit, isMaster } from '../../../model/events/series.ts'
import { instantOfTime } from '../../../model/events/times.ts'
import { formatICalDate, formatICalDateTime } from '../../../recurrence/format.ts'
import { formatLine, isRule, parseLines } from '../../../recurrence/lines.ts'
import { instantOf, localMsAt } from '../../../recurrence/zone.ts'
import type { EventAttendee, EventDateTime } from '../../../schema/event.ts'
import { seedIdFromUid } from '../../seedIds.ts'
import { formatICalUtc } from '../icalDateTime.ts'
import { createProperty, type JCalComponent, type JCalProperty } from '../jcal.ts'

export type EventContext = {
  /** Epoch milliseconds, as all times here. */
  now: number
  calendarId: string
  seriesZone?: string | undefined
  /** The starts of cancelled instances of the series. */
  cancelled?: readonly number[]
  alarms: boolean
}

/** The properties are in the service's order (behaviour 16.2). */
export function createEvent(event: ShownEvent, context: EventContext): JCalComponent {
  const { start, end, recurrence, recurringEventId, originalStartTime } = event
  const zoned = recurrence !== undefined || recurringEventId !== undefined
  const properties = [
    ...(start ? [createTime('dtstart', start, zoned)] : []),
    ...(end ? [createTime('dtend', end, zoned)] : []),
    ...createRecurrence(event, context.cancelled ?? []),
    createProperty('dtstamp', formatICalUtc(context.now)),
    ...createOrganizer(event, context.calendarId),
    createProperty('uid', event.iCalUID ?? ''),
    ...(event.attendees ?? []).map(createAttendee),
    ...createIfPresent('class', event.visibility?.toUpperCase()),
    ...createIfPresent('x-google-conference', findVideoUrl(event)),
    ...(originalStartTime
      ? [createTime('recurrence-id', { ...originalStartTime, ...toSeriesZone(originalStartTime, context) }, true)]
      : createOrphanId(event)),
    ...createIfPresent('created', event.created && formatICalUtc(Date.parse(event.created))),
    ...createIfPresent('description', event.description),
    ...createIfPresent('last-modified', event.updated && formatICalUtc(Date.parse(event.updated))),
    ...createIfPresent('location', event.location),
    ...createIfPresent('sequence', event.sequence?.toString()),
    createProperty('status', event.status.toUpperCase()),
    createProperty('summary', event.summary ?? ''),
    createProperty('transp', (event.transparency ?? 'opaque').toUpperCase()),
    ...(event.attachments ?? []).map(({ fileUrl, title, mimeType }) =>
      createProperty('attach', fileUrl ?? '', {
        ...(title && { filename: title }),
        ...(mimeType && { fmttype: mimeType }),
      }),
    ),
  ]
  return ['vevent', properties, context.alarms ? createAlarms(event, context.calendarId) : []]
}

const createIfPresent = (name: string, value: string | undefined): JCalProperty[] =>
  value ? [createProperty(name, value)] : []

const toSeriesZone = (time: EventDateTime, { seriesZone }: EventContext) =>
  time.date === undefined && seriesZone !== undefined ? { timeZone: seriesZone } : {}

/** The id of an exception without a series ends with the original start of its instance. */
function createOrphanId({ id = '', recurrence, iCalUID = '' }: ShownEvent): JCalProperty[] {
  const base = `${idBeforeSplit(seedIdFromUid(iCalUID))}_`
  const slot = id.startsWith(base) ? id.slice(base.length) : ''
  if (recurrence || !/^\d{8}(t\d{6}z)?$/i.test(slot)) return []
  return [slot.length === 8 ? createDate('recurrence-id', slot) : createProperty('recurrence-id', slot.toUpperCase())]
}

const createDate = (name: string, date: string): JCalProperty => [name, {}, 'date', date]

/** A date, an instant in UTC, or, if `zoned`, a local time with its zone. */
export function createTime(name: string, time: EventDateTime, zoned: boolean): JCalProperty {
  const instant = instantOfTime(time)
  if (time.date !== undefined) return createDate(name, formatICalDate(instant))
  return zoned ? createLocalTime(name, instant, time.timeZone) : createProperty(name, formatICalUtc(instant))
}

/** The second of two equal local times is in UTC, because TZID means the first. */
function createLocalTime(name: string, instant: number, zone = 'UTC'): JCalProperty {
  const localMs = localMsAt(instant, zone)
  return instantOf(localMs, zone) === instant
    ? createProperty(name, formatICalDateTime(localMs), { tzid: zone })
    : createProperty(name, formatICalUtc(instant))
}

function createRecurrence(event: ShownEvent, cancelled: readonly number[]): JCalProperty[] {
  const { recurrence = [], start } = event
  if (!isMaster(event) || !start) return []
  const allDay = start.date !== undefined
  const zone = start.timeZone ?? 'UTC'
  const { dates, exdates } = parseLines(recurrence, { zone: allDay ? 'UTC' : zone, allDay })
  const createDates = (name: string, starts: readonly number[]) =>
    [...new Set(starts)]
      .sort((a, b) => a - b)
      .map((at) => (allDay ? createDate(name, formatICalDate(at)) : createLocalTime(name, at, zone)))
  const rules = recurrence.filter(isRule).map((line) => formatLine(line).split(':', 2))
  return [
    ...rules.map(([name = '', value = '']) => createProperty(name.toLowerCase(), value)),
    ...createDates('rdate', dates),
    ...createDates('exdate', [...exdates, ...cancelled]),
  ]
}

function createOrganizer({ organizer, attendees }: ShownEvent, calendarId: string): JCalProperty[] {
  if (!organizer?.email || (!attendees && organizer.email === calendarId)) return []
  const { email, displayName } = organizer
  return [createProperty('organizer', `mailto:${email}`, { cn: displayName || email })]
}

const PARTSTAT = { needsAction: 'NEEDS-ACTION', accepted: 'ACCEPTED', declined: 'DECLINED', tentative: 'TENTATIVE' }

const createAttendee = ({ email, comment, ...attendee }: EventAttendee): JCalProperty =>
  createProperty('attendee', `mailto:${email}`, {
    cutype: attendee.resource ? 'RESOURCE' : 'INDIVIDUAL',
    role: attendee.optional ? 'OPT-PARTICIPANT' : 'REQ-PARTICIPANT',
    partstat: PARTSTAT[attendee.responseStatus ?? 'needsAction'],
    cn: attendee.displayName || `${email}`,
    'x-num-guests': String(attendee.additionalGuests ?? 0),
    ...(comment && { 'x-response-comment': comment }),
  })

const findVideoUrl = ({ hangoutLink, conferenceData }: ShownEvent): string | undefined =>
  hangoutLink ?? conferenceData?.entryPoints?.find(({ entryPointType }) => entryPointType === 'video')?.uri

const createAlarms = ({ reminders }: ShownEvent, calendarId: string): JCalComponent[] =>
  (reminders?.overrides ?? []).map(({ method, minutes = 0 }) => {
    const isMail = method === 'email'
    const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)]
    const properties = [
      createProperty('action', isMail ? 'EMAIL' : 'DISPLAY'),
      createProperty('description', 'This is an event reminder'),
      ...(isMail
        ? [createProperty('summary', 'Alarm notification'), createProperty('attendee', `mailto:${calendarId}`)]
        : []),
      createProperty('trigger', `-P${days}DT${hours}H${minutes % 60}M0S`),
    ]
    return ['valarm', properties, []]
  })
