import { formatInZone } from '../../model/times.ts'
import { DAY } from '../../recurrence/days.ts'
import { instantOf, readingAt } from '../../recurrence/zone.ts'
import type { EventDateTime } from '../../wire/event.ts'
import { type Component, findProperty } from './components.ts'
import type { Property } from './contentLines.ts'
import { type Duration, parseDateTime, parseDuration } from './icalDateTime.ts'
import { quote, type Report, UnsupportedEventError } from './report.ts'
import { dayOfMoment, type Moment, type Zones } from './zones.ts'

export type EventTimes = { start: Moment; end: Moment }

/** When an event is. One without a start, or that ends before it, is left out. */
export function readTimes(event: Component, zones: Zones, report: Report): EventTimes {
  const recurring = ['rrule', 'rdate'].some((name) => findProperty(event, name))
  const start = readStart(event, zones, report, recurring)
  const end = toKindOf(readEnd(event, start, zones, report), start, zones)
  if (end.at < start.at) throw new UnsupportedEventError(event.line, 'it ends before it starts')
  return { start, end: end.dated && end.at === start.at ? { ...end, at: start.at + DAY } : end }
}

function readStart(event: Component, zones: Zones, report: Report, recurring: boolean): Moment {
  const property = findProperty(event, 'dtstart')
  if (!property) throw new UnsupportedEventError(event.line, 'it has no DTSTART')
  const start = parseMoment(property, zones, { governing: undefined, recurring, report })
  if (!start) throw new UnsupportedEventError(property.line, `DTSTART is no date or time: ${quote(property.value)}`)
  // The service wants the zone that a series goes by.
  return !start.dated && recurring ? { zone: 'UTC', ...start } : start
}

/** Reported for a value such as `VALUE=DATE:20110804T120000`, which other programs read as a date-time too. */
export const DATE_WITH_TIME = 'VALUE=DATE with a time of day: read as a date-time'

/** Returns the moment of a property; undefined if it is no date or time. */
export function parseMoment(
  { value, type, parameters, line }: Property,
  zones: Zones,
  how: { governing: string | undefined; recurring: boolean; report: Report },
): Moment | undefined {
  const stamp = parseDateTime(value)
  if (type === 'date' && stamp && stamp.kind !== 'date') how.report(line, DATE_WITH_TIME)
  return stamp && zones.place(stamp, { zone: parameters.get('tzid'), line, ...how })
}

function readEnd(event: Component, start: Moment, zones: Zones, report: Report): Moment {
  const [said, lasts] = [findProperty(event, 'dtend'), findProperty(event, 'duration')]
  const governing = start.dated ? undefined : (start.zone ?? 'UTC')
  const end =
    said &&
    parseMoment(withZoneOf(said, findProperty(event, 'dtstart')), zones, { governing, recurring: false, report })
  if (end) return end
  if (said) report(said.line, `DTEND is no date or time, and was passed over: ${quote(said.value)}`)
  const duration = lasts && parseDuration(lasts.value)
  if (lasts && !duration) report(lasts.line, `DURATION is none, and was passed over: ${quote(lasts.value)}`)
  return duration ? addDuration(start, duration) : { ...start, at: start.dated ? start.at + DAY : start.at }
}

/** A property that names no zone, in the one that another names. */
const withZoneOf = (property: Property, other: Property | undefined): Property => {
  const zone = other?.parameters.get('tzid')
  if (zone === undefined || property.parameters.has('tzid')) return property
  return { ...property, parameters: new Map(property.parameters).set('tzid', zone) }
}

/** Days go by the clock of the zone, hours by any. */
function addDuration(start: Moment, { days, time }: Duration): Moment {
  if (start.dated) return { dated: true, at: start.at + days * DAY + Math.ceil(time / DAY) * DAY }
  const zone = start.zone ?? 'UTC'
  const day = days === 0 ? start.at : instantOf(readingAt(start.at, zone) + days * DAY, zone)
  return { ...start, at: day + time }
}

/** An end of the other kind than its start, as one of its kind: midnight of the day, or the end of the day. */
function toKindOf(end: Moment, start: Moment, zones: Zones): Moment {
  if (start.dated && !end.dated) {
    const day = dayOfMoment(end, zones)
    const isMidnight = instantOf(day, end.zone ?? zones.floating) === end.at || day === end.at
    return { dated: true, at: isMidnight ? day : day + DAY }
  }
  if (start.dated || !end.dated) return end
  const zone = start.zone ?? zones.floating
  return { ...start, at: instantOf(end.at, zone) }
}

/** A moment as a seed says it; an end in its own zone, or else that of the start. */
export const toSeedTime = (moment: Moment, zone?: string): EventDateTime => {
  if (moment.dated) return { date: new Date(moment.at).toISOString().slice(0, 10) }
  const timeZone = moment.zone ?? zone
  return { dateTime: formatInZone(moment.at, timeZone ?? 'UTC'), ...(timeZone && { timeZone }) }
}
