import { formatInZone } from '../model/times.ts'
import { DAY } from '../recurrence/days.ts'
import { instantOf, readingAt } from '../recurrence/zone.ts'
import type { EventDateTime } from '../wire/event.ts'
import { type Component, propertyOf } from './components.ts'
import type { Property } from './contentLines.ts'
import { LeftOut, quoted, type Say } from './report.ts'
import { type Duration, durationIn, stampIn } from './stamps.ts'
import { dayOf, type Moment, type Zones } from './zones.ts'

export type Times = { start: Moment; end: Moment }

/** When an event is. One without a start, or that ends before it, is left out. */
export function readTimes(event: Component, zones: Zones, say: Say): Times {
  const recurring = ['rrule', 'rdate'].some((name) => propertyOf(event, name))
  const start = startOf(event, zones, say, recurring)
  const end = ownKind(endOf(event, start, zones, say), start, zones)
  if (end.at < start.at) throw new LeftOut(event.line, 'it ends before it starts')
  return { start, end: end.dated && end.at === start.at ? { ...end, at: start.at + DAY } : end }
}

function startOf(event: Component, zones: Zones, say: Say, recurring: boolean): Moment {
  const property = propertyOf(event, 'dtstart')
  if (!property) throw new LeftOut(event.line, 'it has no DTSTART')
  const start = momentIn(property, zones, { governing: undefined, recurring, say })
  if (!start) throw new LeftOut(property.line, `DTSTART is no date or time: ${quoted(property.value)}`)
  // The service wants the zone that a series goes by.
  return !start.dated && recurring ? { zone: 'UTC', ...start } : start
}

/** The date or time that a property says; nothing where it is none. */
export function momentIn(
  { value, type, parameters, line }: Property,
  zones: Zones,
  how: { governing: string | undefined; recurring: boolean; say: Say },
): Moment | undefined {
  const stamp = stampIn(value, type)
  return stamp && zones.place(stamp, { zone: parameters.get('tzid'), line, ...how })
}

function endOf(event: Component, start: Moment, zones: Zones, say: Say): Moment {
  const [said, lasts] = [propertyOf(event, 'dtend'), propertyOf(event, 'duration')]
  const governing = start.dated ? undefined : (start.zone ?? 'UTC')
  const end =
    said && momentIn(inZoneOf(said, propertyOf(event, 'dtstart')), zones, { governing, recurring: false, say })
  if (end) return end
  if (said) say(said.line, `DTEND is no date or time, and was passed over: ${quoted(said.value)}`)
  const duration = lasts && durationIn(lasts.value)
  if (lasts && !duration) say(lasts.line, `DURATION is none, and was passed over: ${quoted(lasts.value)}`)
  return duration ? after(start, duration) : { ...start, at: start.dated ? start.at + DAY : start.at }
}

/** A property that names no zone, in the one that another names. */
const inZoneOf = (property: Property, other: Property | undefined): Property => {
  const zone = other?.parameters.get('tzid')
  if (zone === undefined || property.parameters.has('tzid')) return property
  return { ...property, parameters: new Map(property.parameters).set('tzid', zone) }
}

/** Days go by the clock of the zone, hours by any. */
function after(start: Moment, { days, time }: Duration): Moment {
  if (start.dated) return { dated: true, at: start.at + days * DAY + Math.ceil(time / DAY) * DAY }
  const zone = start.zone ?? 'UTC'
  const day = days === 0 ? start.at : instantOf(readingAt(start.at, zone) + days * DAY, zone)
  return { ...start, at: day + time }
}

/** An end of the other kind than its start, as one of its kind: midnight of the day, or the end of the day. */
function ownKind(end: Moment, start: Moment, zones: Zones): Moment {
  if (start.dated && !end.dated) {
    const day = dayOf(end, zones)
    const isMidnight = instantOf(day, end.zone ?? zones.floating) === end.at || day === end.at
    return { dated: true, at: isMidnight ? day : day + DAY }
  }
  if (start.dated || !end.dated) return end
  const zone = start.zone ?? zones.floating
  return { ...start, at: instantOf(end.at, zone) }
}

/** A moment as a seed says it; an end in its own zone, or else that of the start. */
export const seedTime = (moment: Moment, zone?: string): EventDateTime => {
  if (moment.dated) return { date: new Date(moment.at).toISOString().slice(0, 10) }
  const timeZone = moment.zone ?? zone
  return { dateTime: formatInZone(moment.at, timeZone ?? 'UTC'), ...(timeZone && { timeZone }) }
}
