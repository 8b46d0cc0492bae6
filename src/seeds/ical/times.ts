import { formatInZone } from '../../model/events/times.ts'
import { DAY_MS } from '../../recurrence/days.ts'
import { formatDate } from '../../recurrence/format.ts'
import { instantOf, localMsAt } from '../../recurrence/zone.ts'
import type { EventDateTime } from '../../schema/event.ts'
import { type ICalDuration, parseFileDateTime, parseICalDuration } from './icalDateTime.ts'
import { quoteForRemark, UnsupportedEventError } from './remarks.ts'
import { type Component, findProperties, findProperty, type Property } from './syntax.ts'
import { type ReadContext, type Resolution, toDay, type ZonedDateTime, type Zones } from './zones.ts'

/** Both are dates or both are instants. */
export type EventTimes = { start: ZonedDateTime; end: ZonedDateTime }

/** The start of a series without a zone is in UTC. */
export function readEventTimes(event: Component, context: ReadContext): EventTimes {
  const property = findProperty(event, 'dtstart')
  if (!property) throw new UnsupportedEventError(event.line, 'it has no DTSTART; add one')
  const recurring = findProperties(event, 'rrule', 'rdate').length > 0
  const read = parseZonedDateTime(property, { recurring }, context)
  if (!read) throw new UnsupportedEventError(property.line, describeInvalidTime('DTSTART', property.value))
  const start = !read.dated && recurring ? { zone: 'UTC', ...read } : read
  const end = matchKind(readEnd(event, start, property.parameters.tzid, context), start, context.zones)
  if (end.at < start.at)
    throw new UnsupportedEventError(event.line, 'it ends before it starts; correct DTSTART, DTEND or DURATION')
  return { start, end: end.dated && end.at === start.at ? { ...end, at: start.at + DAY_MS } : end }
}

export const describeInvalidTime = (name: string, value: string): string =>
  `${name} ${quoteForRemark(value)} is not a date or time; write it like 20260302 or 20260302T090000`

/** Other programs read `VALUE=DATE:20110804T120000` as a date-time too. */
const DATE_WITH_TIME =
  'the value has VALUE=DATE and a time of day, and was read as a date-time; remove VALUE=DATE or the time'

/** Returns the date or time of a property, or undefined if it is invalid. Reports a zone that is not known. */
export function parseZonedDateTime(
  { value, type, parameters, line }: Property,
  how: Omit<Resolution, 'zone'>,
  { zones, report }: ReadContext,
): ZonedDateTime | undefined {
  const stamp = parseFileDateTime(value)
  if (type === 'date' && stamp && stamp.kind !== 'date') report(line, DATE_WITH_TIME)
  return stamp && zones.resolve(stamp, { zone: parameters.tzid, ...how }, line, report)
}

/** DTEND, else the start and DURATION, else one day after a date and the start itself for a time. */
function readEnd(event: Component, start: ZonedDateTime, tzid: string | undefined, context: ReadContext) {
  const [property, lasts] = [findProperty(event, 'dtend'), findProperty(event, 'duration')]
  if (property) {
    const governing = start.dated ? undefined : (start.zone ?? 'UTC')
    const inZone = { ...property, parameters: { tzid, ...property.parameters } }
    const end = parseZonedDateTime(inZone, { governing, recurring: false }, context)
    if (end) return end
    context.report(property.line, `DTEND was ignored, because ${describeInvalidTime('DTEND', property.value)}`)
  }
  const duration = lasts && parseICalDuration(lasts.value)
  if (duration) return addDuration(start, duration)
  if (lasts) {
    const reason = `DURATION ${quoteForRemark(lasts.value)} is not a duration and was ignored`
    context.report(lasts.line, `${reason}; write it like PT1H30M`)
  }
  return { ...start, at: start.dated ? start.at + DAY_MS : start.at }
}

/** Days count by the clock of the zone, and the time exactly. */
export function addDuration(start: ZonedDateTime, { days, time }: ICalDuration): ZonedDateTime {
  if (start.dated) return { dated: true, at: start.at + days * DAY_MS + Math.ceil(time / DAY_MS) * DAY_MS }
  const zone = start.zone ?? 'UTC'
  const day = days === 0 ? start.at : instantOf(localMsAt(start.at, zone) + days * DAY_MS, zone)
  return { ...start, at: day + time }
}

/** A date after a start with a time is its midnight. After a date, a time counts up to its midnight or the next one. */
function matchKind(end: ZonedDateTime, start: ZonedDateTime, zones: Zones): ZonedDateTime {
  if (end.dated === start.dated) return end
  if (end.dated) return { ...start, at: instantOf(end.at, (!start.dated && start.zone) || zones.floating) }
  const day = toDay(end, zones)
  const isMidnight = instantOf(day, end.zone ?? zones.floating) === end.at || day === end.at
  return { dated: true, at: isMidnight ? day : day + DAY_MS }
}

/** An end that has no zone of its own gets the zone of the start. */
export const toSeedTime = (moment: ZonedDateTime, zone?: string): EventDateTime => {
  if (moment.dated) return { date: formatDate(moment.at) }
  const timeZone = moment.zone ?? zone
  return { dateTime: formatInZone(moment.at, timeZone ?? 'UTC'), ...(timeZone && { timeZone }) }
}
