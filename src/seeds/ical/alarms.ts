import { instantOf } from '../../recurrence/zone.ts'
import type { SeedEvent } from '../../wire/seeds/seed.ts'
import { type Component, propertyOf } from './components.ts'
import { quoted, type Say } from './report.ts'
import { durationIn, stampIn } from './stamps.ts'
import type { Moment, Zones } from './zones.ts'

type Reminders = NonNullable<SeedEvent['reminders']>
type Times = { start: Moment; end: Moment }

const MINUTE = 60_000
const DAY = 1440 * MINUTE
const LONGEST = 40_320
const MOST = 5

/**
 * The alarms of an event as its own reminders; nothing where it has none, and then the calendar's defaults stand. An
 * alarm after the start, further off than the service reminds, or of the year 1976, with which Apple says that there is
 * none, is no reminder.
 */
export function readAlarms(event: Component, times: Times, zones: Zones, say: Say): Reminders | undefined {
  const alarms = event.components.filter(({ name }) => name === 'VALARM')
  if (alarms.length === 0) return undefined
  const found = new Map<string, { method: string; minutes: number }>()
  for (const alarm of alarms) {
    const minutes = minutesBefore(alarm, times, zones, say)
    if (minutes === undefined) continue
    const method = propertyOf(alarm, 'action')?.value.trim().toUpperCase() === 'EMAIL' ? 'email' : 'popup'
    if (found.size < MOST) found.set(`${method} ${minutes}`, { method, minutes })
    else if (!found.has(`${method} ${minutes}`)) say(alarm.line, `more than ${MOST} reminders: this alarm was left out`)
  }
  return found.size > 0 ? { useDefault: false, overrides: [...found.values()] } : { useDefault: false }
}

function minutesBefore(alarm: Component, { start, end }: Times, zones: Zones, say: Say): number | undefined {
  if (propertyOf(alarm, 'action')?.value.trim().toUpperCase() === 'NONE') return undefined
  const trigger = propertyOf(alarm, 'trigger')
  if (!trigger) {
    say(alarm.line, 'an alarm without a TRIGGER, which was left out')
    return undefined
  }
  const { value, line, parameters } = trigger
  const duration = durationIn(value)
  const stamp = duration ? undefined : stampIn(value)
  if (!duration && !stamp) {
    say(line, `no time of an alarm, which was left out: ${quoted(value)}`)
    return undefined
  }
  const related = parameters.get('related')?.toUpperCase() === 'END' ? end.at - start.at : 0
  const before = duration ? -(duration.days * DAY + duration.time) - related : fixed(stamp, { start, zones, line, say })
  const minutes = Math.round(before / MINUTE)
  if (stamp?.reading !== undefined && new Date(stamp.reading).getUTCFullYear() === 1976) return undefined
  if (before >= 0 && minutes <= LONGEST) return minutes
  say(line, `the service reminds 0 to ${LONGEST} minutes before the start: this alarm was left out`)
  return undefined
}

function fixed(
  stamp: ReturnType<typeof stampIn>,
  { start, zones, line, say }: { start: Moment; zones: Zones; line: number; say: Say },
): number {
  if (!stamp) return Number.NaN
  const governing = start.dated ? undefined : start.zone
  const begins = start.dated ? instantOf(start.at, zones.floating) : start.at
  return begins - zones.place(stamp, { zone: undefined, governing, recurring: false, line, say }).at
}
