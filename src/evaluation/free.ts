import { isChanged } from '../api/events/source.ts'
import { matches } from '../control/matching.ts'
import type { FreeFields, FreeTime } from '../control/types/task.ts'
import { parseDuration } from '../model/clock.ts'
import { busyTimes } from '../model/events/busy.ts'
import { instantInZone, spanOfTimes } from '../model/events/times.ts'
import type { WorldData } from '../model/worldData.ts'
import type { Event } from '../schema/event.ts'
import { isObject } from '../schema/values/json.ts'
import type { IsFree } from './compare.ts'
import type { ReadableRecord } from './records.ts'

/** The names in a bound of a time. */
export const BOUNDS = ['between', 'lasts', 'clear']

/** Returns the fields that may differ. `world` is the world after the attempt. */
export function toIsFree(free: FreeFields, world: WorldData): IsFree {
  const named = Array.isArray(free) ? free.map((name) => [name, true] as const) : Object.entries(free)
  return (path, expected, actual) => {
    const field = path.replace(/^\[[^\]]*\]\.?/, '')
    const isBelow = (name: string) => field === name || field.startsWith(`${name}.`) || field.startsWith(`${name}[`)
    const [, bound] = named.find(([name]) => isBelow(name)) ?? []
    if (bound !== undefined) return isWithin(bound, path, actual, world)
    // An event whose start is free ends later by its own length.
    const [, time] = (field === 'end' && named.find(([name]) => name === 'start')) || []
    return time !== undefined && hasLength(actual, isObject(time) && time.lasts !== undefined ? time.lasts : expected)
  }
}

function isWithin(bound: unknown, path: string, actual: ReadableRecord, world: WorldData): boolean {
  if (bound === true) return true
  if (isObject(bound) && BOUNDS.some((name) => name in bound)) {
    const { between, clear } = bound as FreeTime
    const times = actual.resource as Event
    if (times.start === undefined || times.end === undefined) return false
    const { start, end } = recordSpan(times, actual, world)
    const [from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY] =
      between?.map((text) => toMs(text, actual, world)) ?? []
    return start >= from && end <= to && (clear ?? []).every((email) => isClear(world, email, { start, end }, actual))
  }
  return matches(bound, actual.fields.get(path) ?? null)
}

const recordZone = ({ calendarId }: ReadableRecord, world: WorldData): string =>
  world.calendars.get(calendarId)?.timeZone ?? 'UTC'

function recordSpan(times: Event, record: ReadableRecord, world: WorldData): { start: number; end: number } {
  const { dated, start, end } = spanOfTimes(times)
  const zone = recordZone(record, world)
  return { start: instantInZone({ dated, start }, zone), end: instantInZone({ dated, start: end }, zone) }
}

/** A local time is one of the calendar. */
const toMs = (text: string, record: ReadableRecord, world: WorldData): number =>
  /(?:Z|[+-]\d\d:\d\d)$/.test(text)
    ? Date.parse(text)
    : instantInZone(
        { dated: true, start: Date.parse(text.includes('T') ? `${text}Z` : `${text}T00:00Z`) },
        recordZone(record, world),
      )

function hasLength(actual: ReadableRecord, length: unknown): boolean {
  const lengthOf = ({ resource }: ReadableRecord) => {
    const { start, end } = resource as Event
    if (start === undefined || end === undefined) return Number.NaN
    const span = spanOfTimes({ start, end })
    return span.end - span.start
  }
  const isRecord = (value: unknown): value is ReadableRecord => isObject(value) && 'resource' in value
  return lengthOf(actual) === (isRecord(length) ? lengthOf(length) : parseDuration(length as string | number))
}

/** Returns true if no other event of a calendar is busy at a time. */
function isClear(
  world: WorldData,
  email: string,
  { start, end }: { start: number; end: number },
  { ids }: ReadableRecord,
): boolean {
  const calendar = world.calendars.get(email)
  if (!calendar) return false
  const events = world.events.of(calendar.id)
  const others = [...events.inWindow(start, end, calendar.timeZone)].filter(({ event }) => !ids.includes(event.id))
  const query = { email, zone: calendar.timeZone, from: start, to: end }
  return (
    busyTimes(others, { ...query, isChanged: (series, slot) => isChanged(events.records, series, slot) }).length === 0
  )
}
