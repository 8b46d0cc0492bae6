import type { Span, Window } from '../db/byInterval.ts'
import { InvalidRecurrence, openSeries, type Series } from '../recurrence/series.ts'
import { dateStamp, dateText, momentStamp } from '../recurrence/written.ts'
import { wallTimeAt } from '../recurrence/zone.ts'
import type { Event } from '../wire/event.ts'
import { refuse } from '../wire/refusals.ts'
import { without } from '../wire/values/merge.ts'
import { eventInOrder } from './fields.ts'
import { htmlLink } from './ids.ts'
import { formatInZone, instantOfTime, LATEST, spanOfTimes, type Times } from './times.ts'

/** A recurring event: its instances are worked out, not stored, until one of them is changed. */
export type Master = Event & Recurring
type Recurring = { recurrence: string[] }
/** When an instance was to start by the rule: an instant, or the UTC midnight of its date. */
export type Slot = number

export const isMaster = <E extends Pick<Event, 'recurrence'>>(event: E): event is E & Recurring =>
  event.recurrence !== undefined

const opened = new WeakMap<Pick<Event, 'start' | 'recurrence'>, Series>()
/** Series by what they are made of: the copies of guests and later versions share what has been worked out of one. */
const alike = new Map<string, Series>()
const MOST_ALIKE = 1000

/** The series of a recurring event. Lines that the service refuses are refused. */
export function seriesOf(master: Pick<Event, 'start' | 'recurrence'>): Series {
  const known = opened.get(master)
  if (known) return known
  const { date, dateTime, timeZone } = master.start
  const key = [date, dateTime, timeZone, ...(master.recurrence ?? [])].join('\n')
  const found = alike.get(key) ?? open(master)
  opened.set(master, found)
  if (!alike.has(key)) makeRoom()
  alike.set(key, found)
  return found
}

function makeRoom(): void {
  const [oldest = ''] = alike.keys()
  if (alike.size >= MOST_ALIKE) alike.delete(oldest)
}

function open({
  start: { date, dateTime = '', timeZone = 'UTC' },
  recurrence = [],
}: Pick<Event, 'start' | 'recurrence'>): Series {
  try {
    const zone = timeZone
    const instant = Date.parse(dateTime)
    return openSeries(date !== undefined ? { date } : { wall: wallTimeAt(instant, zone), zone, instant }, recurrence)
  } catch (error) {
    if (!(error instanceof InvalidRecurrence)) throw error
    return refuse('invalidRecurrence')
  }
}

/** A series and its first instance, worked out once for each version of it. */
type Timing = { series: Series; dated: boolean; start: number; length: number; last: Slot }
const timings = new WeakMap<Times & Recurring, Timing>()

function timingOf(master: Times & Recurring): Timing {
  const known = timings.get(master)
  if (known) return known
  const { dated, start, end } = spanOfTimes(master)
  const length = end - start
  // No instance ends in a year that cannot be written.
  const timing = { series: seriesOf(master), dated, start, length, last: LATEST - length }
  timings.set(master, timing)
  return timing
}

/** Where an event lies in time that is no series: a cancelled instance where it would have been. */
export function spanOf(event: Event): Span {
  const span = spanOfTimes(event)
  if (event.status !== 'cancelled' || !event.originalStartTime) return span
  const slot = instantOfTime(event.originalStartTime)
  return { dated: event.originalStartTime.date !== undefined, start: slot, end: slot + span.end - span.start }
}

/** Where a series lies next: its first instance that ends after a moment. */
export function nextSpan(event: Event, after: number): Span | undefined {
  if (!isMaster(event)) return undefined
  const { series, dated, length } = timingOf(event)
  const [slot] = series.between(after - length + 1, Number.POSITIVE_INFINITY, 1)
  return slot === undefined ? undefined : { dated, start: slot, end: slot + length }
}

/** The slots of a series whose instances lie in a window: they end after it begins and start before it ends. */
export function slotsIn(master: Times & Recurring, window: Window, limit?: number): Slot[] {
  const [from, to] = slotBounds(master, window)
  return timingOf(master).series.between(from, to, limit)
}

/** The slots from one on, in order, each worked out when its turn comes. */
export function slotsFrom(master: Times & Recurring, window: Window, from = Number.NEGATIVE_INFINITY): Iterable<Slot> {
  const [least, to] = slotBounds(master, window)
  return timingOf(master).series.starts(Math.max(least, from), to)
}

/** Whether a series has an instance at a slot, and it lies in the window. */
export function hasSlot(master: Times & Recurring, slot: Slot, window: Window): boolean {
  const [from, to] = slotBounds(master, window)
  return slot >= from && slot < to && timingOf(master).series.includes(slot)
}

/** The instances that end after a window begins and start before it ends start within these bounds. */
function slotBounds(master: Times & Recurring, window: Window): [from: Slot, to: Slot] {
  const { dated, length, last } = timingOf(master)
  const [from, to] = dated ? [window.wallFrom, window.wallTo] : [window.from, window.to]
  return [from - length + 1, Math.min(to, last + 1)]
}

/** How many years of an endless series are shown without `timeMax`. */
const ENDLESS_SERIES_YEARS = 2

/**
 * Returns the window in which a list without `timeMax` shows a series: an endless one ends two years after the latest of
 * now, its start and `timeMin`, without the instant itself (behaviour 4.9, 14.21).
 */
export function boundSeriesWindow(master: Times & Recurring, window: Window, now: number): Window {
  if (window.to !== Number.POSITIVE_INFINITY) return window
  const { series, start } = timingOf(master)
  if (!series.endless) return window
  const end = new Date(Math.max(now, start, window.from))
  const to = end.setUTCFullYear(end.getUTCFullYear() + ENDLESS_SERIES_YEARS)
  return { ...window, to, wallTo: to }
}

/** `20260309T130000Z`, or of a date `20260309`: always the original start, in UTC (behaviour 4.1.2). */
export const formatSlot = (slot: Slot, dated: boolean): string => (dated ? dateStamp(slot) : `${momentStamp(slot)}Z`)

export const instanceId = ({ id, start }: Pick<Event, 'id' | 'start'>, slot: Slot): string =>
  `${id}_${formatSlot(slot, start.date !== undefined)}`

/** The fields that all instances of a series share, in the order of a reply; worked out once for each version of it. */
const patterns = new WeakMap<Master, Event>()

function patternOf(master: Master): Event {
  const { id: recurringEventId, start: originalStartTime } = master
  const pattern =
    patterns.get(master) ??
    eventInOrder<Event>({ ...without(master, 'recurrence'), recurringEventId, originalStartTime })
  patterns.set(master, pattern)
  return pattern
}

/**
 * Instances that were asked for, by the version of their series and the zone by whose clock their times are said; what is
 * shown of them is kept by the object.
 */
let instances = new WeakMap<Master, Instances>()
type Instances = { calendarId: string; byZone: Map<string, Map<Slot, Event>> }
let remembered = 0
/** How many instances are remembered before all is begun anew. */
const MOST_REMEMBERED = 20_000
/** By so many zones: as they are stored, and as few readers see them. */
const MOST_ZONES = 3

/**
 * The instances of a series that nobody has changed: the master's fields, each with its own id, link and times (behaviour
 * 4.1.3). Times are said by the clock of a zone; by that of UTC they are as they are stored.
 */
export function instancesAt(master: Master, calendarId: string, zone: string): (slot: Slot) => Event {
  const bySlot = rememberedOf(master, calendarId, zone)
  return (slot) => {
    const found = bySlot.get(slot)
    if (found) return found
    const instance = Object.freeze(newInstance(master, slot, { calendarId, zone }))
    if (++remembered > MOST_REMEMBERED) {
      instances = new WeakMap()
      remembered = 0
    } else bySlot.set(slot, instance)
    return instance
  }
}

function rememberedOf(master: Master, calendarId: string, zone: string): Map<Slot, Event> {
  let kept = instances.get(master)
  if (kept?.calendarId !== calendarId) {
    kept = { calendarId, byZone: new Map() }
    instances.set(master, kept)
  }
  const { byZone } = kept
  const known = byZone.get(zone)
  if (known) return known
  if (byZone.size >= MOST_ZONES) byZone.clear()
  const bySlot = new Map<Slot, Event>()
  byZone.set(zone, bySlot)
  return bySlot
}

/** One of them, as it is stored. */
export const instanceOf = (master: Master, slot: Slot, calendarId: string): Event =>
  instancesAt(master, calendarId, 'UTC')(slot)

function newInstance(master: Master, slot: Slot, { calendarId, zone }: { calendarId: string; zone: string }): Event {
  const id = instanceId(master, slot)
  const { start, end } = slotTimes(master, slot, zone)
  return {
    ...patternOf(master),
    id,
    htmlLink: htmlLink(id, calendarId),
    start,
    end,
    originalStartTime: start,
  }
}

/** When the instance of a slot starts and ends, as it is stored or by the clock of a zone. */
export function slotTimes(master: Times & Recurring, slot: Slot, zone = 'UTC'): Times {
  const { dated, length } = timingOf(master)
  const time = (instant: number, { timeZone }: Event['start']): Event['start'] =>
    dated ? { date: dateText(instant) } : { dateTime: formatInZone(instant, zone), timeZone }
  return { start: time(slot, master.start), end: time(slot + length, master.end) }
}

/** The event link of a series is that of its first instance (behaviour 3.2.5). */
export const seriesLink = (master: Pick<Event, 'id' | 'start' | 'recurrence'>, calendarId: string): string =>
  htmlLink(instanceId(master, seriesOf(master).first ?? instantOfTime(master.start)), calendarId)

/** The link to an event, single or a series. */
export const linkOf = (event: Pick<Event, 'id' | 'start' | 'recurrence'>, calendarId: string): string =>
  isMaster(event) ? seriesLink(event, calendarId) : htmlLink(event.id, calendarId)

const INSTANCE_ID = /^(.+)_(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z)?$/

/** The series and the slot that an instance's id names; matched with its case. */
export function parseInstanceId(id: string): { masterId: string; slot: Slot } | undefined {
  const [, masterId, year, month, day, hour = '00', minute = '00', second = '00'] = INSTANCE_ID.exec(id) ?? []
  if (!masterId) return undefined
  return { masterId, slot: Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) }
}

/** The instance that an id names, if the series has it. */
export function instanceNamed(
  id: string,
  masterOf: (id: string) => Event | undefined,
  calendarId: string,
): Event | undefined {
  const { masterId = '', slot = Number.NaN } = parseInstanceId(id) ?? {}
  const master = masterOf(masterId)
  if (!master || !isMaster(master) || instanceId(master, slot || 0) !== id) return undefined
  const { series, last } = timingOf(master)
  if (slot > last || !series.includes(slot)) return undefined
  return instanceOf(master, slot, calendarId)
}
