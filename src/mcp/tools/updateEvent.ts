import type { Event } from '../../schema/event.ts'
import type { ToolArguments } from '../definitions/tools.ts'
import { ToolError, type ToolHost } from '../host.ts'
import {
  addDays,
  daysBetween,
  formatTime,
  parseTime,
  type RestTime,
  resolveTime,
  resolveZone,
  toWrittenDate,
} from '../times.ts'
import { joinAttendees, toContentBody, toWriteParams } from './eventBody.ts'
import { patchEvent } from './reads.ts'

type UpdateEventArguments = ToolArguments<'update_event'>

/** Changes an event (behaviour 17.7). */
export const runUpdateEvent = (host: ToolHost, args: UpdateEventArguments): Promise<object> =>
  patchEvent(host, args, toWriteParams(args), (event) => ({
    ...toContentBody(host, args),
    ...toTimes(host, args, event),
    ...toAttendees(args, event),
    ...toAttachments(args, event),
  }))

type Times = { start?: RestTime; end?: RestTime }

/** Returns the new times. A start alone keeps the duration; `allDay` needs both times (behaviour 17.7.4). */
function toTimes(host: ToolHost, args: UpdateEventArguments, event: Event): Times {
  const { startTime, endTime, allDay } = args
  if (allDay !== undefined && !(startTime && endTime)) throw new ToolError('allDay needs startTime and endTime.')
  const start = startTime ? parseTime(startTime, 'startTime') : undefined
  const end = endTime ? parseTime(endTime, 'endTime') : undefined
  const wasAllDay = event.start.date !== undefined
  const isAllDay = allDay ?? wasAllDay
  if (isAllDay) {
    const clear: RestTime = wasAllDay ? {} : { dateTime: null }
    const days = wasAllDay ? daysBetween(event.start.date ?? '', event.end.date ?? '') : 1
    const last = end ? toWrittenDate(end) : start && addDays(toWrittenDate(start), days)
    return {
      ...(start && { start: { date: toWrittenDate(start), ...clear } }),
      ...(last && { end: { date: last, ...clear } }),
    }
  }
  const zone = resolveZone(args.timeZone, host.timeZone)
  /** The event keeps its zone unless the arguments name one. */
  const toTime = (instant: number): RestTime => ({
    dateTime: formatTime(instant, zone),
    ...((args.timeZone || wasAllDay) && { timeZone: zone }),
    ...(wasAllDay && { date: null }),
  })
  const from = start && resolveTime(start, zone)
  const length = Date.parse(event.end.dateTime ?? '') - Date.parse(event.start.dateTime ?? '')
  const to = end ? resolveTime(end, zone) : from === undefined ? undefined : from + length
  return { ...(from !== undefined && { start: toTime(from) }), ...(to !== undefined && { end: toTime(to) }) }
}

function toAttendees(args: UpdateEventArguments, { attendees = [] }: Event): object {
  const added = joinAttendees(args.addedAttendees, args.addedAttendeeEmails)
  const removed = new Set((args.removedAttendeeEmails ?? []).map((email) => email.toLowerCase()))
  if (added.length === 0 && removed.size === 0) return {}
  const remaining = attendees.filter(({ email }) => !removed.has(email.toLowerCase()))
  const known = new Set(remaining.map(({ email }) => email.toLowerCase()))
  return { attendees: [...remaining, ...added.filter(({ email }) => !known.has(email.toLowerCase()))] }
}

function toAttachments(args: UpdateEventArguments, { attachments = [] }: Event): object {
  const { addedAttachments: added = [], removedAttachmentFileUrls: removed = [] } = args
  if (added.length === 0 && removed.length === 0) return {}
  return { attachments: [...attachments.filter(({ fileUrl }) => !removed.includes(fileUrl ?? '')), ...added] }
}
