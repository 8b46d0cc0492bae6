import { showEvent } from '../../../api/events/view.ts'
import { roleOf } from '../../../model/access.ts'
import { isBusy } from '../../../model/events/busy.ts'
import { instanceId, isMaster, slotsIn, slotTimes } from '../../../model/events/series.ts'
import { instantOfTime, windowOf } from '../../../model/events/times.ts'
import type { StoredCalendar, WorldData } from '../../../model/worldData.ts'
import { DAY_MS } from '../../../recurrence/days.ts'
import type { Event } from '../../../schema/event.ts'
import { derivePrivateToken, findLiveCalendar } from '../addresses.ts'
import { formatICalUtc } from '../icalDateTime.ts'
import { createProperty, formatComponent, type JCalComponent, type JCalProperty } from '../jcal.ts'
import { createEvent, createTime } from './event.ts'
import { createZone } from './zone.ts'

export type FeedDetail = 'all' | 'public' | 'busy'

export const createHead = (method: 'PUBLISH' | 'REQUEST' | 'CANCEL' | 'REPLY'): JCalProperty[] => [
  createProperty('prodid', '-//Google Inc//Google Calendar 70.9054//EN'),
  createProperty('version', '2.0'),
  createProperty('calscale', 'GREGORIAN'),
  createProperty('method', method),
]

/** The service's form (behaviour 16.1), in chunks of text. Content is read at once, so later writes do not change it. */
export function writeCalendar(world: WorldData, calendar: StoredCalendar, detail: FeedDetail): Iterable<string> {
  const all = [...world.events.of(calendar.id).values()].filter(({ status }) => status !== 'cancelled')
  const events =
    detail === 'busy' ? createBusyEvents(world, calendar, all) : createVisibleEvents(world, calendar, all, detail)
  const now = world.clock.now()
  const properties = [
    ...createHead('PUBLISH'),
    createProperty('x-wr-calname', calendar.summary),
    createProperty('x-wr-timezone', calendar.timeZone),
    ...(calendar.description ? [createProperty('x-wr-caldesc', calendar.description)] : []),
  ]
  return formatCalendar(properties, events, now)
}

/** Adds the zones of the events. Each component is a chunk, so that no second copy of a long calendar is in memory. */
export function* formatCalendar(
  properties: JCalProperty[],
  events: readonly JCalComponent[],
  now: number,
): Generator<string> {
  const zones = new Set(events.flatMap(([, properties]) => properties.flatMap(([, { tzid }]) => tzid ?? [])))
  const end = 'END:VCALENDAR\r\n'
  yield formatComponent(['vcalendar', properties, []]).slice(0, -end.length)
  for (const zone of [...zones].sort()) yield formatComponent(createZone(zone, now))
  for (const component of events) yield formatComponent(component)
  yield end
}

/** `access` is the part of the path after the calendar id. Undefined without such a file, and if the public has no role. */
export function findFeed(world: WorldData, calendarId: string, access: string): Iterable<string> | undefined {
  const calendar = findLiveCalendar(world, calendarId)
  if (!calendar) return undefined
  if (access === `private-${derivePrivateToken(calendar.id)}`) return writeCalendar(world, calendar, 'all')
  const role = access === 'public' ? roleOf(world, calendar.id, { email: undefined }) : 'none'
  if (role === 'none') return undefined
  return writeCalendar(world, calendar, role === 'freeBusyReader' ? 'busy' : 'public')
}

/** The public gets no details of private events (behaviour 7.6). */
function createVisibleEvents(world: WorldData, calendar: StoredCalendar, events: Event[], detail: FeedDetail) {
  const records = world.events.of(calendar.id)
  const caller = { email: detail === 'all' ? (calendar.dataOwner ?? calendar.id) : undefined }
  const access = { world, calendar, caller, role: detail === 'all' ? ('owner' as const) : ('reader' as const) }
  const cancelled = listCancelledSlots(world, calendar)
  return events.flatMap((event) => {
    const series = event.recurringEventId === undefined ? undefined : records.get(event.recurringEventId)
    if (series?.status === 'cancelled') return []
    const shown = showEvent(access, event, { timeZone: 'UTC' })
    const isHidden = detail !== 'all' && shown.summary === undefined && shown.visibility === 'private'
    const context = {
      now: world.clock.now(),
      calendarId: calendar.id,
      seriesZone: series?.start.timeZone,
      cancelled: cancelled.get(event.id) ?? [],
      alarms: detail === 'all',
    }
    return [createEvent({ ...shown, ...(isHidden && { summary: 'Busy' }) }, context)]
  })
}

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

/** Each instance by itself (behaviour 16.4). */
function createBusyEvents(world: WorldData, calendar: StoredCalendar, events: readonly Event[]): JCalComponent[] {
  const { records } = world.events.of(calendar.id)
  const now = world.clock.now()
  const window = windowOf(now - BUSY_WINDOW_MS, now + BUSY_WINDOW_MS, calendar.timeZone)
  return events
    .filter((event) => isBusy(event, calendar.id))
    .flatMap((event) => {
      if (!isMaster(event)) return [createBusyEvent(event, event.originalStartTime, now)]
      const slots = slotsIn(event, window).filter((slot) => !records.has(instanceId(event, slot)))
      return slots.map((slot) => {
        const times = slotTimes(event, slot)
        return createBusyEvent({ ...event, ...times }, times.start, now)
      })
    })
}

function createBusyEvent(event: Event, original: Event['originalStartTime'], now: number): JCalComponent {
  const { iCalUID, start, end } = event
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
