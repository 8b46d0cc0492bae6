import { offsetText } from '../recurrence/written.ts'
import { instantAt, offsetAt, wallTimeAt } from '../recurrence/zone.ts'
import type { Event } from '../wire/event.ts'

type Times = Pick<Event, 'start' | 'end'>
type Time = Event['start']

/** The day of a time, as the clock of its zone shows it. */
export const dayOf = (time: Time): string => wallOf(time).slice(0, 10)

/** What clocks show for the second time, in the night in which they go back, is told from the first by its offset. */
function wallOf({ date, dateTime = '', timeZone = 'UTC' }: Time): string {
  if (date !== undefined) return date
  const instant = Date.parse(dateTime)
  const wall = wallTimeAt(instant, timeZone)
  const offset = instantAt(wall, timeZone) < instant ? offsetText(offsetAt(instant, timeZone)) : ''
  return wall.slice(0, 16).replace('T', ' ') + offset
}

const DAY = 86_400_000

/** When an event is without its first day: `12:00–13:00`, and of days where there are several, up to the last. */
export function hoursOf({ start, end }: Times): string {
  const [from, to] = [wallOf(start), wallOf(end)]
  if (start.date !== undefined) {
    const last = new Date(Date.parse(to) - DAY).toISOString().slice(0, 10)
    return last > from ? `to ${last}` : ''
  }
  return `${from.slice(11)}–${to.slice(0, 10) === from.slice(0, 10) ? to.slice(11) : to}`
}

/** The whole of it: `2026-03-09 12:00–13:00`. */
export const whenOf = (times: Times): string => `${dayOf(times.start)} ${hoursOf(times)}`.trimEnd()

/** How a time has become another, where the day of the former has been said. */
export function movedTo(was: Times, is: Times): string {
  const sameDay = dayOf(was.start) === dayOf(is.start) && was.start.date === undefined && is.start.date === undefined
  if (sameDay && hoursOf(was) !== hoursOf(is)) return `${hoursOf(was)} → ${hoursOf(is)}`
  if (whenOf(was) !== whenOf(is)) return `${hoursOf(was) || dayOf(was.start)} → ${whenOf(is)}`
  return `${zoneOf(was)} → ${zoneOf(is)}`
}

const zoneOf = ({ start, end }: Times): string => {
  const [from = 'none', to = 'none'] = [start.timeZone, end.timeZone]
  return from === to ? from : `${from} to ${to}`
}
