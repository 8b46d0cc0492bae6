import { showEvent } from '../../../api/events/view.ts'
import { roleOf } from '../../../model/access.ts'
import { isBusy } from '../../../model/events/busy.ts'
import { formatSlot, isMaster, slotsIn, slotTimes } from '../../../model/events/series.ts'
import { instantOfTime, windowOf } from '../../../model/events/times.ts'
import type { StoredCalendar, WorldData } from '../../../model/worldData.ts'
import { DAY_MS } from '../../../recurrence/days.ts'
import type { Event } from '../../../schema/event.ts'
import { derivePrivateToken, findLiveCalendar } from '../addresses.ts'
import { formatICalUtc } from '../icalDateTime.ts'
import { createProperty, formatComponent, type JCalComponent, type JCalProperty } from '../jcal.ts'
import { createEvent, createTime } from './event.ts'
import { createZone } from './zone.ts'

/** The detail of a calendar file: everything, what the public can read, or busy times. */
export type FeedDetail = 'all' | 'public' | 'busy'

/**
 * Returns a calendar as an iCalendar file, as the service writes it (behaviour 16.1), in chunks of text. The content is
 * read at once, so later writes do not change it; only the formatting is lazy.
 */
export function writeCalendar(world: WorldData, calendar: StoredCalendar, detail: FeedDetail): Iterable<string> {
  const all = [...world.events.of(calendar.id).values()].filter(({ status }) => status !== 'cancelled')
  const events =
    detail === 'busy' ? createBusyEvents(world, calendar, all) : createVisibleEvents(world, calendar, all, detail)
  const now = world.clock.now()
  const zones = new Set(events.flatMap(([, properties]) => properties.flatMap(([, { tzid }]) => tzid ?? [])))
  const properties = [
    createProperty('prodid', '-//Google Inc//Google Calendar 70.9054//EN'),
    createProperty('version', '2.0'),
    createProperty('calscale', 'GREGORIAN'),
    createProperty('method', 'PUBLISH'),
    createProperty('x-wr-calname', calendar.summary),
    createProperty('x-wr-timezone', calendar.timeZone),
    ...(calendar.description ? [createProperty('x-wr-caldesc', calendar.description)] : []),
  ]
  return formatCalendar(properties, [...[...zones].sort().map((zone) => createZone(zone, now)), ...events])
}

/** Yields a calendar with its components, each as a chunk, so that no second copy of a long one is in memory. */
function* formatCalendar(properties: JCalProperty[], components: readonly JCalComponent[]): Generator<string> {
  const end = 'END:VCALENDAR\r\n'
  yield formatComponent(['vcalendar', properties, []]).slice(0, -end.length)
  for (const component of components) yield formatComponent(component)
  yield end
}

/**
 * Returns the iCalendar file at an address in chunks of text. `access` is the part of the path after the calendar id:
 * `public`, or `private-` and the token. Returns undefined if there is no such file, and for `public` if the public has no
 * role on the calendar. Readers of busy times only get events named "Busy".
 */
export function findFeed(world: WorldData, calendarId: string, access: string): Iterable<string> | undefined {
  const calendar = findLiveCalendar(world, calendarId)
  if (!calendar) return undefined
  if (access === `private-${derivePrivateToken(calendar.id)}`) return writeCalendar(world, calendar, 'all')
  const role = access === 'public' ? roleOf(world, calendar.id, { email: undefined }) : 'none'
  if (role === 'none') return undefined
  return writeCalendar(world, calendar, role === 'freeBusyReader' ? 'busy' : 'public')
}

/** Returns events: all for the owner, and without the details of private ones for the public (behaviour 7.6). */
function createVisibleEvents(
  world: WorldData,
  calendar: StoredCalendar,
  events: readonly Event[],
  detail: FeedDetail,
): JCalComponent[] {
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
    const context = {
      now: world.clock.now(),
      calendarId: calendar.id,
      seriesZone: series?.start.timeZone,
      cancelled: cancelled.get(event.id) ?? [],
      alarms: detail === 'all',
    }
    return [createEvent({ ...shown, ...hidden }, context)]
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

/** Returns the events that take time, each instance by itself (behaviour 16.4). */
function createBusyEvents(world: WorldData, calendar: StoredCalendar, events: readonly Event[]): JCalComponent[] {
  const { records } = world.events.of(calendar.id)
  const now = world.clock.now()
  const window = windowOf(now - BUSY_WINDOW_MS, now + BUSY_WINDOW_MS, calendar.timeZone)
  return events
    .filter((event) => isBusy(event, calendar.id))
    .flatMap((event) => {
      if (!isMaster(event)) return [createBusyEvent(event, event, event.originalStartTime, now)]
      const dated = event.start.date !== undefined
      const slots = slotsIn(event, window).filter((slot) => !records.has(`${event.id}_${formatSlot(slot, dated)}`))
      return slots.map((slot) => {
        const times = slotTimes(event, slot)
        return createBusyEvent(event, times, times.start, now)
      })
    })
}

function createBusyEvent(
  { iCalUID }: Event,
  { start, end }: Pick<Event, 'start' | 'end'>,
  original: Event['originalStartTime'],
  now: number,
): JCalComponent {
  const properties = [
    createTime('dtstart', start, false),
    createTime('dtend', end, false),
    createProperty('dtstamp', formatICalUtc(now)),
    createProperty('uid', iCalUID),
    ...(original ? [createTime('recurrence-id', original, false)] : []),
    createProperty('summary', 'Busy'),
  ]
  return ['vevent', properties, []]
}
