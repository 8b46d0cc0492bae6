import { DAY_MS } from '../../recurrence/days.ts'
import { instantOf } from '../../recurrence/zone.ts'
import type { SeedEvent } from '../schema/seed.ts'
import { parseFileDateTime, parseICalDuration } from './icalDateTime.ts'
import { quoteForRemark } from './remarks.ts'
import { type Component, findProperty, findWord } from './syntax.ts'
import type { EventTimes } from './times.ts'
import type { ReadContext } from './zones.ts'

type Reminders = NonNullable<SeedEvent['reminders']>

const MINUTE_MS = 60_000
const MAX_REMINDER_MINUTES = 40_320
const MAX_REMINDERS = 5

/** Reads at most five reminders; undefined without alarms, so that the calendar's defaults apply. */
export function readAlarms(event: Component, times: EventTimes, context: ReadContext): Reminders | undefined {
  const alarms = event.components.filter(({ name }) => name === 'VALARM')
  if (alarms.length === 0) return undefined
  const found = new Map<string, { method: string; minutes: number }>()
  for (const alarm of alarms) {
    const minutes = readMinutesBefore(alarm, times, context)
    if (minutes === undefined) continue
    const method = findWord(alarm, 'action') === 'EMAIL' ? 'email' : 'popup'
    if (found.size < MAX_REMINDERS) found.set(`${method} ${minutes}`, { method, minutes })
    else if (!found.has(`${method} ${minutes}`))
      context.report(alarm.line, `the alarm was left out, because an event has at most ${MAX_REMINDERS} reminders`)
  }
  return { useDefault: false, ...(found.size > 0 && { overrides: [...found.values()] }) }
}

/** Undefined for an alarm that is left out. Apple writes a time in 1976 for "no alarm", which is not reported. */
function readMinutesBefore(alarm: Component, { start, end }: EventTimes, context: ReadContext): number | undefined {
  const { zones, report } = context
  if (findWord(alarm, 'action') === 'NONE') return undefined
  const trigger = findProperty(alarm, 'trigger')
  if (!trigger) {
    report(alarm.line, 'the alarm was left out, because it has no TRIGGER; add one such as TRIGGER:-PT10M')
    return undefined
  }
  const { value, line, parameters } = trigger
  const duration = parseICalDuration(value)
  const stamp = parseFileDateTime(value)
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
