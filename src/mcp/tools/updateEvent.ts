import { addDays } from '../../recurrence/format.ts'
import type { Event } from '../../schema/event.ts'
import type { ToolArguments } from '../definitions/tools.ts'
import { toToolEvent } from '../eventView.ts'
import { ToolError, type ToolHost } from '../host.ts'
import {
  daysBetween,
  formatTime,
  type GivenTime,
  parseTime,
  type RestTime,
  resolveTime,
  resolveZone,
  toEnd,
  toWrittenDate,
} from '../times.ts'
import { joinAttendees, toContentBody, toWriteParams, withConference } from './eventBody.ts'
import { patchByTool, toEventParams } from './reads.ts'

type UpdateEventArguments = ToolArguments<'update_event'>

/** Changes an event (behaviour 17.7). */
export async function runUpdateEvent(host: ToolHost, args: UpdateEventArguments): Promise<object> {
  const event = await patchByTool(host, args, toWriteParams(args), (before) => ({
    ...toContentBody(host, args, before),
    ...readNewTimes(host, args, before),
    ...toAttendees(args, before),
    ...toAttachments(args, before),
  }))
  return toToolEvent(await withConference(host, toEventParams(args), event), args.timeZone || host.timeZone)
}

type Times = { start?: RestTime; end?: RestTime }

/**
 * Returns the new times. A start alone keeps the duration, and `timeZone` alone the instants. `allDay` needs both times, and an
 * event of whole days takes no time of day without it (behaviour 17.7.4).
 */
function readNewTimes(host: ToolHost, args: UpdateEventArguments, event: Event): Times {
  const { startTime, endTime, allDay } = args
  if (allDay !== undefined && !(startTime && endTime)) throw new ToolError('allDay needs startTime and endTime.')
  const start = startTime ? parseTime(startTime, 'startTime') : undefined
  const end = endTime ? parseTime(endTime, 'endTime') : undefined
  const isDated = event.start.date !== undefined
  const lastsDays = allDay ?? isDated
  if (lastsDays) return toDates(args, event, { start, end })
  const zone = resolveZone(args.timeZone, host.timeZone)
  /** The event keeps its zone unless the arguments name one. */
  const toTime = (instant: number): RestTime => ({
    dateTime: formatTime(instant, zone),
    ...((args.timeZone !== undefined || isDated) && { timeZone: zone }),
    ...(isDated && { date: null }),
  })
  const [before, endBefore] = [event.start, event.end].map(({ dateTime = '' }) => Date.parse(dateTime)) as [
    number,
    number,
  ]
  if (!start && !end) return args.timeZone ? { start: toTime(before), end: toTime(endBefore) } : {}
  const from = start && resolveTime(start, zone)
  const to = end ? resolveTime(start ? toEnd(start, end, zone) : end, zone) : (from ?? before) + endBefore - before
  return { ...(from !== undefined && { start: toTime(from) }), end: toTime(to) }
}

function toDates(
  { allDay, timeZone }: UpdateEventArguments,
  event: Event,
  { start, end }: { start: GivenTime | undefined; end: GivenTime | undefined },
): Times {
  const isDated = event.start.date !== undefined
  if (allDay === undefined && [start, end].some((time) => time && !time.wall.endsWith('T00:00:00')))
    throw new ToolError('The event lasts whole days. For a time of day, set allDay to false and give both times.')
  if (timeZone && !start && !end) throw new ToolError('An event that lasts whole days has no time zone.')
  const clear: RestTime = isDated ? {} : { dateTime: null }
  const days = isDated ? daysBetween(event.start.date ?? '', event.end.date ?? '') : 1
  const last = end ? toWrittenDate(end) : start && addDays(toWrittenDate(start), days)
  return {
    ...(start && { start: { date: toWrittenDate(start), ...clear } }),
    ...(last && { end: { date: last, ...clear } }),
  }
}

function toAttendees(args: UpdateEventArguments, { attendees = [] }: Event): object {
  const added = joinAttendees(args.addedAttendees, args.addedAttendeeEmails)
  const removed = new Set((args.removedAttendeeEmails ?? []).map((email) => email.toLowerCase()))
  if (added.length === 0 && removed.size === 0) return {}
  const guests = new Map(attendees.map((guest) => [guest.email.toLowerCase(), guest]))
  for (const email of removed) guests.delete(email)
  for (const { email, ...fields } of added) {
    const key = email.toLowerCase()
    guests.set(key, { ...(guests.get(key) ?? { email }), ...fields })
  }
  return { attendees: [...guests.values()] }
}

function toAttachments(args: UpdateEventArguments, { attachments = [] }: Event): object {
  const { addedAttachments: added = [], removedAttachmentFileUrls: removed = [] } = args
  if (added.length === 0 && removed.length === 0) return {}
  return { attachments: [...attachments.filter(({ fileUrl }) => !removed.includes(fileUrl ?? '')), ...added] }
}
