import { showEvent } from '../../../api/events/view.ts'
import { isBusy } from '../../../model/events/busy.ts'
import { formatSlot, isMaster, slotsIn, slotTimes } from '../../../model/events/series.ts'
import { instantOfTime, windowOf } from '../../../model/events/times.ts'
import type { StoredCalendar, WorldData } from '../../../model/worldData.ts'
import { DAY_MS } from '../../../recurrence/days.ts'
import type { Event } from '../../../schema/event.ts'
import { formatICalUtc } from '../icalDateTime.ts'
import { createEventLines, formatTimeLine } from './event.ts'
import { escapeText, formatLines, type OutputLine } from './text.ts'
import { createZoneLines } from './zone.ts'

/** The detail of a calendar file: everything, what the public can read, or busy times. */
export type FeedDetail = 'all' | 'public' | 'busy'

/**
 * Returns a calendar as an iCalendar file, as the service writes it (behaviour 16.1), in chunks of text. The content is
 * read at once, so later writes do not change it; only the formatting is lazy.
 */
export function writeCalendar(world: WorldData, calendar: StoredCalendar, detail: FeedDetail): Iterable<string> {
  const events = [...world.events.of(calendar.id).values()].filter(({ status }) => status !== 'cancelled')
  const body =
    detail === 'busy' ? createBusyLines(world, calendar, events) : createVisibleLines(world, calendar, events, detail)
  const now = world.clock.now()
  const zones = new Set(
    body.flatMap((line) => (typeof line === 'string' && /^[A-Z-]+;TZID=([^:;]+):/.exec(line)?.[1]) || []),
  )
  const lines: OutputLine[] = [
    'BEGIN:VCALENDAR',
    'PRODID:-//Google Inc//Google Calendar 70.9054//EN',
    'VERSION:2.0',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    { name: 'X-WR-CALNAME', text: calendar.summary },
    `X-WR-TIMEZONE:${calendar.timeZone}`,
    ...(calendar.description ? [{ name: 'X-WR-CALDESC', text: calendar.description }] : []),
    ...[...zones].sort().flatMap((zone) => createZoneLines(zone, now)),
    ...body,
    'END:VCALENDAR',
  ]
  return formatLines(lines)
}

/** Returns the lines of events: all for the owner, and without the details of private ones for the public (behaviour 7.6). */
function createVisibleLines(
  world: WorldData,
  calendar: StoredCalendar,
  events: readonly Event[],
  detail: FeedDetail,
): OutputLine[] {
  const records = world.events.of(calendar.id)
  const caller = { email: detail === 'all' ? (calendar.dataOwner ?? calendar.id) : undefined }
  const access = { world, calendar, caller, role: detail === 'all' ? ('owner' as const) : ('reader' as const) }
  const cancelled = listCancelledSlots(world, calendar)
  return events.flatMap((event) => {
    const series = event.recurringEventId === undefined ? undefined : records.get(event.recurringEventId)
    if (series?.status === 'cancelled') return []
    const shown = showEvent(access, event, { timeZone: 'UTC' })
    const hidden =
      shown.summary === undefined && shown.visibility === 'private' && detail !== 'all' ? { summary: 'Busy' } : {}
    return createEventLines(
      { ...shown, ...hidden },
      {
        now: world.clock.now(),
        calendarId: calendar.id,
        seriesZone: series?.start.timeZone,
        cancelled: cancelled.get(event.id) ?? [],
        alarms: detail === 'all',
      },
    )
  })
}

/** Returns the original starts of cancelled instances (epoch milliseconds) by the id of their series. */
function listCancelledSlots(world: WorldData, calendar: StoredCalendar): Map<string, number[]> {
  const cancelled = new Map<string, number[]>()
  for (const { status, recurringEventId, originalStartTime } of world.events.of(calendar.id).values()) {
    if (status !== 'cancelled' || recurringEventId === undefined || !originalStartTime) continue
    const slots = cancelled.get(recurringEventId) ?? []
    slots.push(instantOfTime(originalStartTime))
    cancelled.set(recurringEventId, slots)
  }
  return cancelled
}

const BUSY_WINDOW_MS = 365 * DAY_MS

/** Returns the lines of events that take time, each instance by itself (behaviour 16.4). */
function createBusyLines(world: WorldData, calendar: StoredCalendar, events: readonly Event[]): string[] {
  const records = world.events.of(calendar.id)
  const now = world.clock.now()
  const window = windowOf(now - BUSY_WINDOW_MS, now + BUSY_WINDOW_MS, calendar.timeZone)
  return events
    .filter((event) => isBusy(event, calendar.id))
    .flatMap((event) => {
      if (!isMaster(event)) return [createBusyEvent(event, event, event.originalStartTime, now)]
      const dated = event.start.date !== undefined
      const slots = slotsIn(event, window).filter(
        (slot) => !records.records.has(`${event.id}_${formatSlot(slot, dated)}`),
      )
      return slots.map((slot) => {
        const times = slotTimes(event, slot)
        return createBusyEvent(event, times, times.start, now)
      })
    })
    .flat()
}

function createBusyEvent(
  { iCalUID }: Event,
  { start, end }: Pick<Event, 'start' | 'end'>,
  original: Event['originalStartTime'],
  now: number,
): string[] {
  return [
    'BEGIN:VEVENT',
    formatTimeLine('DTSTART', start, false),
    formatTimeLine('DTEND', end, false),
    `DTSTAMP:${formatICalUtc(now)}`,
    `UID:${escapeText(iCalUID)}`,
    ...(original ? [formatTimeLine('RECURRENCE-ID', original, false)] : []),
    'SUMMARY:Busy',
    'END:VEVENT',
  ]
}
