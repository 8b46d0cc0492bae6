import { showEvent } from '../../api/events/view.ts'
import { takesTime } from '../../model/busy.ts'
import { formatSlot, isMaster, slotsIn, slotTimes } from '../../model/series.ts'
import { instantOfTime, windowOf } from '../../model/times.ts'
import { DAY } from '../../recurrence/days.ts'
import type { Event } from '../../wire/event.ts'
import type { StoredCalendar, World } from '../../world/world.ts'
import { utcStamp } from '../stamps.ts'
import { eventLines, timeLine } from './event.ts'
import { escaped, written } from './text.ts'
import { zoneLines } from './zone.ts'

/** What a file tells of a calendar: all of it, what the public reads, or when it is busy. */
export type Sight = 'all' | 'public' | 'busy'

/** A calendar as a file of iCalendar, as the service writes it (behaviour 16.1). */
export function calendarText(world: World, calendar: StoredCalendar, sight: Sight): string {
  const events = [...world.events.of(calendar.id).values()].filter(({ status }) => status !== 'cancelled')
  const body = sight === 'busy' ? busyLines(world, calendar, events) : toldLines(world, calendar, events, sight)
  const now = world.clock.now()
  const zones = new Set(body.flatMap((line) => /^[A-Z-]+;TZID=([^:;]+):/.exec(line)?.[1] ?? []))
  return written([
    'BEGIN:VCALENDAR',
    'PRODID:-//Google Inc//Google Calendar 70.9054//EN',
    'VERSION:2.0',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escaped(calendar.summary)}`,
    `X-WR-TIMEZONE:${calendar.timeZone}`,
    ...(calendar.description ? [`X-WR-CALDESC:${escaped(calendar.description)}`] : []),
    ...[...zones].sort().flatMap((zone) => zoneLines(zone, now)),
    ...body,
    'END:VCALENDAR',
  ])
}

/** Events as whoever reads the file may see them: the owner all, the public no private ones (behaviour 7.6). */
function toldLines(world: World, calendar: StoredCalendar, events: readonly Event[], sight: Sight): string[] {
  const records = world.events.of(calendar.id)
  const caller = { email: sight === 'all' ? (calendar.dataOwner ?? calendar.id) : undefined }
  const access = { world, calendar, caller, role: sight === 'all' ? ('owner' as const) : ('reader' as const) }
  const gone = goneInstances(world, calendar)
  return events.flatMap((event) => {
    const series = event.recurringEventId === undefined ? undefined : records.get(event.recurringEventId)
    if (series?.status === 'cancelled') return []
    const shown = showEvent(access, event, { timeZone: 'UTC' })
    const told =
      shown.summary === undefined && shown.visibility === 'private' && sight !== 'all' ? { summary: 'Busy' } : {}
    return eventLines(
      { ...shown, ...told },
      {
        now: world.clock.now(),
        calendarId: calendar.id,
        seriesZone: series?.start.timeZone,
        gone: gone.get(event.id) ?? [],
        alarms: sight === 'all',
      },
    )
  })
}

/** The cancelled instances of each series, by their slots. */
function goneInstances(world: World, calendar: StoredCalendar): Map<string, number[]> {
  const gone = new Map<string, number[]>()
  for (const { status, recurringEventId, originalStartTime } of world.events.of(calendar.id).values()) {
    if (status !== 'cancelled' || recurringEventId === undefined || !originalStartTime) continue
    const slots = gone.get(recurringEventId) ?? []
    slots.push(instantOfTime(originalStartTime))
    gone.set(recurringEventId, slots)
  }
  return gone
}

/** How far before and after now the instances of series are told. */
const REACH = 365 * DAY

/** What takes time, each instance by itself (behaviour 16.4). */
function busyLines(world: World, calendar: StoredCalendar, events: readonly Event[]): string[] {
  const records = world.events.of(calendar.id)
  const now = world.clock.now()
  const window = windowOf(now - REACH, now + REACH, calendar.timeZone)
  return events
    .filter((event) => takesTime(event, calendar.id))
    .flatMap((event) => {
      if (!isMaster(event)) return [busyEvent(event, event, event.originalStartTime, now)]
      const dated = event.start.date !== undefined
      const slots = slotsIn(event, window).filter(
        (slot) => !records.records.has(`${event.id}_${formatSlot(slot, dated)}`),
      )
      return slots.map((slot) => {
        const times = slotTimes(event, slot)
        return busyEvent(event, times, times.start, now)
      })
    })
    .flat()
}

function busyEvent(
  { iCalUID }: Event,
  { start, end }: Pick<Event, 'start' | 'end'>,
  original: Event['originalStartTime'],
  now: number,
): string[] {
  return [
    'BEGIN:VEVENT',
    timeLine('DTSTART', start, false),
    timeLine('DTEND', end, false),
    `DTSTAMP:${utcStamp(now)}`,
    `UID:${escaped(iCalUID)}`,
    ...(original ? [timeLine('RECURRENCE-ID', original, false)] : []),
    'SUMMARY:Busy',
    'END:VEVENT',
  ]
}
