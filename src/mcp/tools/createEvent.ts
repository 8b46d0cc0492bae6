import { yearlyRule } from '../../model/events/types.ts'
import type { Event } from '../../schema/event.ts'
import type { ToolArguments } from '../definitions/tools.ts'
import { toToolEvent } from '../eventView.ts'
import { ToolError, type ToolHost } from '../host.ts'
import { type GivenTime, parseTime, type RestTime, resolveZone, toEnd, toWrittenDate } from '../times.ts'
import {
  joinAttendees,
  toContentBody,
  toEventType,
  toWriteParams,
  withConference,
  withoutUndefined,
} from './eventBody.ts'

type CreateEventArguments = ToolArguments<'create_event'>

/** Creates an event by `events.insert` (behaviour 17.7). */
export async function runCreateEvent(host: ToolHost, args: CreateEventArguments): Promise<object> {
  const { attachments, allDay = args.eventType === 'BIRTHDAY' } = args
  const recurrence = args.recurrenceData?.length ? args.recurrenceData : undefined
  const times = toRestTimes(host, { ...args, allDay })
  const body = {
    ...toEventType(args.eventType),
    ...toContentBody(host, args),
    ...times,
    ...withoutUndefined({
      attendees: listAttendees(host, args),
      attachments: attachments?.length ? attachments : undefined,
      recurrence:
        recurrence ??
        (args.eventType === 'BIRTHDAY' ? [yearlyRule({ start: { date: times.start.date ?? '' } })] : undefined),
      workingLocationProperties: readWorkingLocation(args.workingLocationProperties),
    }),
  }
  const params = { calendarId: args.calendarId || 'primary' }
  const event = await host.callRest<Event>('events.insert', { ...params, ...toWriteParams(args) }, body)
  return toToolEvent(await withConference(host, params, event), args.timeZone || host.timeZone)
}

/**
 * A `timeZone` argument overrides the offset of the time; a time without an offset is in the zone of the user. A series needs a
 * zone.
 */
function toRestTimes(host: ToolHost, args: CreateEventArguments): { start: RestTime; end: RestTime } {
  const zone = resolveZone(args.timeZone, host.timeZone)
  const parse = (name: 'startTime' | 'endTime'): GivenTime => {
    const { wall, offset } = parseTime(args[name], name)
    return { wall, offset: args.timeZone ? undefined : offset }
  }
  const [start, end] = [parse('startTime'), parse('endTime')]
  if (args.allDay) return { start: { date: toWrittenDate(start) }, end: { date: toWrittenDate(end) } }
  const toTime = ({ wall, offset }: GivenTime): RestTime =>
    offset === undefined
      ? { dateTime: wall, timeZone: zone }
      : { dateTime: wall + offset, ...(args.recurrenceData?.length && { timeZone: zone }) }
  return { start: toTime(start), end: toTime(toEnd(start, end, zone)) }
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

function readWorkingLocation(given: CreateEventArguments['workingLocationProperties']): object | undefined {
  if (!given) return undefined
  const { type, customLocationLabel: label } = given
  if (type !== 'CUSTOM_LOCATION') return { type: 'homeOffice', homeOffice: {} }
  if (!label) throw new ToolError('Missing required field: workingLocationProperties.customLocationLabel')
  return { type: 'customLocation', customLocation: { label } }
}
