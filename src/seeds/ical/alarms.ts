import { instantOf } from '../../recurrence/zone.ts'
import type { SeedEvent } from '../schema/seed.ts'
import { type Component, findProperty } from './components.ts'
import { parseDateTime, parseICalDuration } from './icalDateTime.ts'
import { quote, type Report } from './report.ts'
import type { ZonedDateTime, Zones } from './zones.ts'

type Reminders = NonNullable<SeedEvent['reminders']>
/** The start and the end of the event. */
type EventTimes = { start: ZonedDateTime; end: ZonedDateTime }

const MINUTE = 60_000
const DAY = 1440 * MINUTE
const MAX_REMINDER_MINUTES = 40_320
const MAX_REMINDERS = 5

/**
 * Returns the alarms of an event as its own reminders, at most five, or undefined if it has none, so that the
 * calendar's defaults apply. Reports alarms after the start or too early for the service. Ignores those of the year
 * 1976, which Apple writes for "no alarm".
 */
export function readAlarms(event: Component, times: EventTimes, zones: Zones, report: Report): Reminders | undefined {
  const alarms = event.components.filter(({ name }) => name === 'VALARM')
  if (alarms.length === 0) return undefined
  const found = new Map<string, { method: string; minutes: number }>()
  for (const alarm of alarms) {
    const minutes = minutesBefore(alarm, times, zones, report)
    if (minutes === undefined) continue
    const method = findProperty(alarm, 'action')?.value.trim().toUpperCase() === 'EMAIL' ? 'email' : 'popup'
    if (found.size < MAX_REMINDERS) found.set(`${method} ${minutes}`, { method, minutes })
    else if (!found.has(`${method} ${minutes}`))
      report(alarm.line, `more than ${MAX_REMINDERS} reminders: this alarm was left out`)
  }
  return found.size > 0 ? { useDefault: false, overrides: [...found.values()] } : { useDefault: false }
}

/**
 * Returns how many minutes before the start an alarm is. Returns undefined for an alarm that is ignored; unless it
 * stands for "no alarm", it is reported.
 */
function minutesBefore(alarm: Component, { start, end }: EventTimes, zones: Zones, report: Report): number | undefined {
  if (findProperty(alarm, 'action')?.value.trim().toUpperCase() === 'NONE') return undefined
  const trigger = findProperty(alarm, 'trigger')
  if (!trigger) {
    report(alarm.line, 'an alarm without a TRIGGER, which was left out')
    return undefined
  }
  const { value, line, parameters } = trigger
  const duration = parseICalDuration(value)
  const stamp = duration ? undefined : parseDateTime(value)
  if (!duration && !stamp) {
    report(line, `no time of an alarm, which was left out: ${quote(value)}`)
    return undefined
  }
  const related = parameters.get('related')?.toUpperCase() === 'END' ? end.at - start.at : 0
  const before = duration
    ? -(duration.days * DAY + duration.time) - related
    : minutesMs(stamp, { start, zones, line, report })
  const minutes = Math.round(before / MINUTE)
  if (stamp?.localMs !== undefined && new Date(stamp.localMs).getUTCFullYear() === 1976) return undefined
  if (before >= 0 && minutes <= MAX_REMINDER_MINUTES) return minutes
  report(line, `the service reminds 0 to ${MAX_REMINDER_MINUTES} minutes before the start: this alarm was left out`)
  return undefined
}

/** Returns how many milliseconds an absolute trigger lies before the start. */
function minutesMs(
  stamp: ReturnType<typeof parseDateTime>,
  { start, zones, line, report }: { start: ZonedDateTime; zones: Zones; line: number; report: Report },
): number {
  if (!stamp) return Number.NaN
  const governing = start.dated ? undefined : start.zone
  const begins = start.dated ? instantOf(start.at, zones.floating) : start.at
  return begins - zones.place(stamp, { zone: undefined, governing, recurring: false, line, report }).at
}
