import type { Event } from '../../schema/event.ts'
import type { ToolArguments } from '../definitions/tools.ts'
import { toToolEvent } from '../eventView.ts'
import { ToolError, type ToolHost } from '../host.ts'
import { parseTime, type RestTime, resolveZone, toWrittenDate } from '../times.ts'
import { joinAttendees, toContentBody, toEventType, toWriteParams } from './eventBody.ts'

type CreateEventArguments = ToolArguments<'create_event'>

/** Creates an event by `events.insert` (behaviour 17.7). */
export async function runCreateEvent(host: ToolHost, args: CreateEventArguments): Promise<object> {
  const { recurrenceData, attachments } = args
  const body = {
    ...toContentBody(host, args),
    start: toRestTime(host, args, 'startTime'),
    end: toRestTime(host, args, 'endTime'),
    ...toEventType(args.eventType),
    attendees: listAttendees(host, args),
    attachments: attachments?.length ? attachments : undefined,
    recurrence: recurrenceData?.length ? recurrenceData : undefined,
    workingLocationProperties: toWorkingLocation(args.workingLocationProperties),
  }
  const params = { calendarId: args.calendarId || 'primary', ...toWriteParams(args) }
  return toToolEvent(await host.callRest<Event>('events.insert', params, body))
}

/**
 * A `timeZone` argument overrides the offset of the time; a time without an offset is in the zone of the user. A series needs a
 * zone.
 */
function toRestTime(host: ToolHost, args: CreateEventArguments, name: 'startTime' | 'endTime'): RestTime {
  const time = parseTime(args[name], name)
  if (args.allDay) return { date: toWrittenDate(time) }
  const zone = resolveZone(args.timeZone, host.timeZone)
  if (args.timeZone || time.offset === undefined) return { dateTime: time.wall, timeZone: zone }
  return { dateTime: time.wall + time.offset, ...(args.recurrenceData?.length && { timeZone: zone }) }
}

/** Returns the guests. On the primary calendar an event with guests has the caller among them (behaviour 17.7.2). */
function listAttendees({ email }: ToolHost, args: CreateEventArguments): object[] | undefined {
  const guests = joinAttendees(args.attendees, args.attendeeEmails)
  if (guests.length === 0) return undefined
  const isCaller = (address: string) => address.toLowerCase() === email
  const isPrimary = !args.calendarId || args.calendarId === 'primary' || isCaller(args.calendarId)
  if (!isPrimary || guests.some((guest) => isCaller(guest.email))) return guests
  return [...guests, { email, responseStatus: 'accepted' }]
}

function toWorkingLocation(given: CreateEventArguments['workingLocationProperties']): object | undefined {
  if (!given) return undefined
  const { type, customLocationLabel: label } = given
  if (type !== 'CUSTOM_LOCATION') return { type: 'homeOffice', homeOffice: {} }
  if (!label) throw new ToolError('Missing required field: workingLocationProperties.customLocationLabel')
  return { type: 'customLocation', customLocation: { label } }
}
