import { formatOffset } from '../../recurrence/format.ts'
import { instantAt, offsetAt, wallTimeAt } from '../../recurrence/zone.ts'
import type { Event } from '../../schema/event.ts'

type EventTimes = Pick<Event, 'start' | 'end'>
type EventTime = Event['start']

/** Returns the date of a time in its own zone: `2026-03-09`. */
export const formatDay = (time: EventTime): string => wallTimeOf(time).slice(0, 10)

/**
 * Returns the wall time in the time's own zone (UTC without one): `2026-03-09 12:00`, or only the date of an all-day
 * event. The second of two equal wall times, when clocks go back, has its offset appended.
 */
function wallTimeOf({ date, dateTime = '', timeZone = 'UTC' }: EventTime): string {
  if (date !== undefined) return date
  const instant = Date.parse(dateTime)
  const wall = wallTimeAt(instant, timeZone)
  const offset = instantAt(wall, timeZone) < instant ? formatOffset(offsetAt(instant, timeZone)) : ''
  return wall.slice(0, 16).replace('T', ' ') + offset
}

const DAY_MS = 86_400_000

/**
 * Formats the times of an event without its first day: `12:00–13:00`. If it ends on a later day, the result contains
 * that day: `22:00–2026-03-10 01:00`, all-day `to 2026-03-10`. The result is empty for one whole day.
 */
export function formatHours({ start, end }: EventTimes): string {
  const [from, to] = [wallTimeOf(start), wallTimeOf(end)]
  if (start.date !== undefined) {
    const last = new Date(Date.parse(to) - DAY_MS).toISOString().slice(0, 10)
    return last > from ? `to ${last}` : ''
  }
  return `${from.slice(11)}–${to.slice(0, 10) === from.slice(0, 10) ? to.slice(11) : to}`
}

/** Formats the first day and the times of an event: `2026-03-09 12:00–13:00`. */
export const formatTime = (times: EventTimes): string => `${formatDay(times.start)} ${formatHours(times)}`.trimEnd()

/**
 * Formats a change of times, for a sentence that already contains the former day: `12:00–13:00 → 14:00–15:00`, with the
 * new day if it differs. If the wall times are equal, formats the change of zones.
 */
export function formatMove(was: EventTimes, is: EventTimes): string {
  const sameDay =
    formatDay(was.start) === formatDay(is.start) && was.start.date === undefined && is.start.date === undefined
  if (sameDay && formatHours(was) !== formatHours(is)) return `${formatHours(was)} → ${formatHours(is)}`
  if (formatTime(was) !== formatTime(is)) return `${formatHours(was) || formatDay(was.start)} → ${formatTime(is)}`
  return `${formatZones(was)} → ${formatZones(is)}`
}

/** Formats the zones of start and end, which are mostly one. */
const formatZones = ({ start, end }: EventTimes): string => {
  const [from = 'none', to = 'none'] = [start.timeZone, end.timeZone]
  return from === to ? from : `${from} to ${to}`
}
