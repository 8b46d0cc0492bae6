import { formatInZone } from '../../model/events/times.ts'
import { DAY_MS } from '../../recurrence/days.ts'
import { instantOf, localMsAt } from '../../recurrence/zone.ts'
import type { EventDateTime } from '../../schema/event.ts'
import { type ICalDuration, parseICalDateTime, parseICalDuration } from './icalDateTime.ts'
import { quoteForRemark, type Report, UnsupportedEventError } from './remarks.ts'
import { type Component, findProperties, findProperty, type Property } from './syntax.ts'
import { type Resolution, toDay, type ZonedDateTime, type Zones } from './zones.ts'

/** The start and the end of an event of a file. Both are dates or both are instants. */
export type EventTimes = { start: ZonedDateTime; end: ZonedDateTime }

/**
 * Returns the start and end of an event; the start of a series without a zone is in UTC. Reports an end that is ignored.
 * Throws an UnsupportedEventError without a valid start, or if the end precedes it.
 */
export function readEventTimes(event: Component, zones: Zones, report: Report): EventTimes {
  const property = findProperty(event, 'dtstart')
  if (!property) throw new UnsupportedEventError(event.line, 'it has no DTSTART; add one')
  const recurring = findProperties(event, 'rrule', 'rdate').length > 0
  const read = parseZonedDateTime(property, { recurring }, zones, report)
  if (!read) throw new UnsupportedEventError(property.line, describeInvalidTime('DTSTART', property.value))
  const start = !read.dated && recurring ? { zone: 'UTC', ...read } : read
  const end = matchKind(readEnd(event, start, property.parameters.tzid, zones, report), start, zones)
  if (end.at < start.at)
    throw new UnsupportedEventError(event.line, 'it ends before it starts; correct DTSTART, DTEND or DURATION')
  return { start, end: end.dated && end.at === start.at ? { ...end, at: start.at + DAY_MS } : end }
}

/** Returns the part of a remark about a value that is not a date or time. `name` is its property or rule part. */
export const describeInvalidTime = (name: string, value: string): string =>
  `${name} ${quoteForRemark(value)} is not a date or time; write it like 20260302 or 20260302T090000`

/** Reported for a value such as `VALUE=DATE:20110804T120000`, which other programs read as a date-time too. */
export const DATE_WITH_TIME =
  'the value has VALUE=DATE and a time of day, and was read as a date-time; remove VALUE=DATE or the time'

/** Returns the date or time of a property, or undefined if it is invalid. Reports a zone that is not known. */
export function parseZonedDateTime(
  { value, type, parameters, line }: Property,
  how: Omit<Resolution, 'zone'>,
  zones: Zones,
  report: Report,
): ZonedDateTime | undefined {
  const stamp = parseICalDateTime(value)
  if (type === 'date' && stamp && stamp.kind !== 'date') report(line, DATE_WITH_TIME)
  return stamp && zones.resolve(stamp, { zone: parameters.tzid, ...how }, line, report)
}

/**
 * Returns the end of an event: DTEND, else the start and DURATION, else one day after a date and the start itself for a
 * time. Reports invalid values. `tzid` is that of DTSTART.
 */
function readEnd(
  event: Component,
  start: ZonedDateTime,
  tzid: string | undefined,
  zones: Zones,
  report: Report,
): ZonedDateTime {
  const [property, lasts] = [findProperty(event, 'dtend'), findProperty(event, 'duration')]
  if (property) {
    const governing = start.dated ? undefined : (start.zone ?? 'UTC')
    const inZone = { ...property, parameters: { tzid, ...property.parameters } }
    const end = parseZonedDateTime(inZone, { governing, recurring: false }, zones, report)
    if (end) return end
    report(property.line, `DTEND was ignored, because ${describeInvalidTime('DTEND', property.value)}`)
  }
  const duration = lasts && parseICalDuration(lasts.value)
  if (duration) return addDuration(start, duration)
  if (lasts) {
    const reason = `DURATION ${quoteForRemark(lasts.value)} is not a duration and was ignored`
    report(lasts.line, `${reason}; write it like PT1H30M`)
  }
  return { ...start, at: start.dated ? start.at + DAY_MS : start.at }
}

/** Returns a date or time plus a duration: its days by the clock of the zone, and its time exactly. */
export function addDuration(start: ZonedDateTime, { days, time }: ICalDuration): ZonedDateTime {
  if (start.dated) return { dated: true, at: start.at + days * DAY_MS + Math.ceil(time / DAY_MS) * DAY_MS }
  const zone = start.zone ?? 'UTC'
  const day = days === 0 ? start.at : instantOf(localMsAt(start.at, zone) + days * DAY_MS, zone)
  return { ...start, at: day + time }
}

/**
 * Converts an end to the kind of its start. After a start with a time, a date becomes its midnight. After a date, a
 * date-time becomes the date of its midnight, or else the next date.
 */
function matchKind(end: ZonedDateTime, start: ZonedDateTime, zones: Zones): ZonedDateTime {
  if (end.dated === start.dated) return end
  if (end.dated) return { ...start, at: instantOf(end.at, (!start.dated && start.zone) || zones.floating) }
  const day = toDay(end, zones)
  const isMidnight = instantOf(day, end.zone ?? zones.floating) === end.at || day === end.at
  return { dated: true, at: isMidnight ? day : day + DAY_MS }
}

/** Formats a date or time for a seed. Without a zone of its own, an end gets the zone of the start. */
export const toSeedTime = (moment: ZonedDateTime, zone?: string): EventDateTime => {
  if (moment.dated) return { date: new Date(moment.at).toISOString().slice(0, 10) }
  const timeZone = moment.zone ?? zone
  return { dateTime: formatInZone(moment.at, timeZone ?? 'UTC'), ...(timeZone && { timeZone }) }
}
