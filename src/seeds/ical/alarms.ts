import { DAY_MS } from '../../recurrence/days.ts'
import { instantOf } from '../../recurrence/zone.ts'
import type { SeedEvent } from '../schema/seed.ts'
import { parseICalDateTime, parseICalDuration } from './icalDateTime.ts'
import { quoteForRemark, type Report } from './remarks.ts'
import { type Component, findProperty, findWord } from './syntax.ts'
import type { EventTimes } from './times.ts'
import type { Zones } from './zones.ts'

const MINUTE_MS = 60_000
const MAX_REMINDER_MINUTES = 40_320
const MAX_REMINDERS = 5

/**
 * Returns the alarms of an event as its own reminders, at most five, or undefined if it has none, so that the
 * calendar's defaults apply. Reports alarms after the start or too early for the service.
 */
export function readReminders(
  event: Component,
  times: EventTimes,
  zones: Zones,
  report: Report,
): NonNullable<SeedEvent['reminders']> | undefined {
  const alarms = event.components.filter(({ name }) => name === 'VALARM')
  if (alarms.length === 0) return undefined
  const found = new Map<string, { method: string; minutes: number }>()
  for (const alarm of alarms) {
    const minutes = readMinutesBefore(alarm, times, zones, report)
    if (minutes === undefined) continue
    const method = findWord(alarm, 'action') === 'EMAIL' ? 'email' : 'popup'
    if (found.size < MAX_REMINDERS) found.set(`${method} ${minutes}`, { method, minutes })
    else if (!found.has(`${method} ${minutes}`))
      report(alarm.line, `the alarm was left out, because an event has at most ${MAX_REMINDERS} reminders`)
  }
  return { useDefault: false, ...(found.size > 0 && { overrides: [...found.values()] }) }
}

/**
 * Returns how many minutes before the start an alarm is. Returns undefined for an alarm that is left out; it is reported
 * unless it means "no alarm", which Apple writes with a time in 1976.
 */
function readMinutesBefore(alarm: Component, times: EventTimes, zones: Zones, report: Report): number | undefined {
  if (findWord(alarm, 'action') === 'NONE') return undefined
  const trigger = findProperty(alarm, 'trigger')
  if (!trigger) {
    report(alarm.line, 'the alarm was left out, because it has no TRIGGER; add one such as TRIGGER:-PT10M')
    return undefined
  }
  const { value, line, parameters } = trigger
  const { start, end } = times
  const duration = parseICalDuration(value)
  const stamp = parseICalDateTime(value)
  let before = Number.NaN
  if (duration) {
    const base = parameters.related?.toUpperCase() === 'END' ? end.at - start.at : 0
    before = -(duration.days * DAY_MS + duration.time) - base
  } else if (stamp) {
    if (new Date(stamp.localMs).getUTCFullYear() === 1976) return undefined
    const governing = start.dated ? undefined : start.zone
    const begins = start.dated ? instantOf(start.at, zones.floating) : start.at
    before = begins - zones.resolve(stamp, { zone: undefined, governing, recurring: false }, line, report).at
  }
  const minutes = Math.round(before / MINUTE_MS)
  if (before >= 0 && minutes <= MAX_REMINDER_MINUTES) return minutes
  const reason = Number.isNaN(before)
    ? `TRIGGER ${quoteForRemark(value)} is not a duration or a time; write it like -PT10M`
    : `reminders are 0 to ${MAX_REMINDER_MINUTES} minutes before the start; change TRIGGER`
  report(line, `the alarm was left out, because ${reason}`)
  return undefined
}
