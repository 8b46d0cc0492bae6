import type { Interval, Window } from '../../db/indexes.ts'
import { boundedCache, memoize } from '../../db/memo.ts'
import { flatString, formatDate, formatICalStart } from '../../recurrence/format.ts'
import { InvalidRecurrenceError, openSeries, type Series } from '../../recurrence/series.ts'
import { wallTimeAt } from '../../recurrence/zone.ts'
import { apiError, throwApiError } from '../../schema/apiErrors.ts'
import type { Event } from '../../schema/event.ts'
import { without } from '../../schema/values/json.ts'
import { digest, type Ids } from '../ids.ts'
import { eventInOrder } from './fields.ts'
import { formatInZone, instantOfTime, LATEST, spanOfTimes, type Times } from './times.ts'

/** Instances are computed; only changed ones are stored. */
export type Master = Event & Recurring
type Recurring = { recurrence: string[] }
/** The original start of an instance: an instant in milliseconds, or the UTC midnight of its date. */
export type Slot = number

export const isMaster = <E extends Pick<Event, 'recurrence'>>(event: E): event is E & Recurring =>
  event.recurrence !== undefined

const MAX_SHARED_SERIES = 1000
/** Series by start and lines, so that guests' copies and later versions share computed occurrences. */
const sharedSeries = boundedCache<Series>(MAX_SHARED_SERIES)

export const seriesOf = memoize((master: Pick<Event, 'start' | 'recurrence'>): Series => {
  const { date, dateTime, timeZone } = master.start
  return sharedSeries([date, dateTime, timeZone, ...(master.recurrence ?? [])].join('\n'), () => parseSeries(master))
})

function parseSeries({
  start: { date, dateTime = '', timeZone = 'UTC' },
  recurrence = [],
}: Pick<Event, 'start' | 'recurrence'>): Series {
  try {
    const zone = timeZone
    const instant = Date.parse(dateTime)
    return openSeries(date !== undefined ? { date } : { wall: wallTimeAt(instant, zone), zone, instant }, recurrence)
  } catch (error) {
    if (!(error instanceof InvalidRecurrenceError)) throw error
    throw apiError('invalidRecurrence')
  }
}

type Timing = { series: Series; dated: boolean; start: number; length: number; last: Slot }
const timingOf = memoize((master: Times & Recurring): Timing => {
  const { dated, start, end } = spanOfTimes(master)
  const length = end - start
  return { series: seriesOf(master), dated, start, length, last: LATEST - length }
})

/** The interval of a cancelled instance is its original one. */
export function spanOf(event: Event): Interval {
  const span = spanOfTimes(event)
  if (event.status !== 'cancelled' || !event.originalStartTime) return span
  const slot = instantOfTime(event.originalStartTime)
  return { dated: event.originalStartTime.date !== undefined, start: slot, end: slot + span.end - span.start }
}

export function nextSpan(event: Event, after: number): Interval | undefined {
  if (!isMaster(event)) return undefined
  const { series, dated, length } = timingOf(event)
  const [slot] = series.between(after - length + 1, Number.POSITIVE_INFINITY, 1)
  return slot === undefined ? undefined : { dated, start: slot, end: slot + length }
}

/** Lists the slots of instances that end after the window begins and start before it ends. */
export function slotsIn(master: Times & Recurring, window: Window, limit?: number): Slot[] {
  const [from, to] = slotBounds(master, window)
  return timingOf(master).series.between(from, to, limit)
}

export function slotsFrom(master: Times & Recurring, window: Window, from = Number.NEGATIVE_INFINITY): Iterable<Slot> {
  const [least, to] = slotBounds(master, window)
  return timingOf(master).series.starts(Math.max(least, from), to)
}

export function hasSlot(master: Times & Recurring, slot: Slot, window: Window): boolean {
  const [from, to] = slotBounds(master, window)
  return slot >= from && slot < to && timingOf(master).series.includes(slot)
}

export function hasInstance(master: Times & Recurring, slot: Slot): boolean {
  const { series, last } = timingOf(master)
  return slot <= last && series.includes(slot)
}

function slotBounds(master: Times & Recurring, window: Window): [from: Slot, to: Slot] {
  const { dated, length, last } = timingOf(master)
  const [from, to] = dated ? [window.wallFrom, window.wallTo] : [window.from, window.to]
  return [from - length + 1, Math.min(to, last + 1)]
}

const ENDLESS_SERIES_YEARS = 2

/**
 * Ends an endless series, if there is no `timeMax`, two years after the latest of now, its start and `timeMin`,
 * without the instant itself (behaviour 4.9, 14.21).
 */
export function boundSeriesWindow(master: Times & Recurring, window: Window, now: number): Window {
  if (window.to !== Number.POSITIVE_INFINITY) return window
  const { series, start } = timingOf(master)
  if (!series.endless) return window
  const end = new Date(Math.max(now, start, window.from))
  const to = end.setUTCFullYear(end.getUTCFullYear() + ENDLESS_SERIES_YEARS)
  return { ...window, to, wallTo: to }
}

/** The part of an id that "this and following" adds: `_R` and the start of the new series (behaviour 4.12.1). */
const SPLIT_MARK = '_R'
const SPLIT_SUFFIX = /_R\d{8}(?:T\d{6})?$/

/** Returns the id of a series without the part that a split added, as the ids of its instances contain it. */
export const idBeforeSplit = (id: string): string => (id.includes(SPLIT_MARK) ? id.replace(SPLIT_SUFFIX, '') : id)

/** The id of the series, `_`, and the start in UTC (behaviour 4.1.2, 4.12.1). */
export const instanceId = ({ id, start }: Pick<Event, 'id' | 'start'>, slot: Slot): string =>
  `${idBeforeSplit(id)}_${formatICalStart(slot, start.date !== undefined)}`

/** Shared by all instances, in the order of a reply; computed once for each version. */
const patternOf = memoize(
  (master: Master): Event =>
    eventInOrder<Event>({
      ...without(master, 'recurrence'),
      recurringEventId: master.id,
      originalStartTime: master.start,
    }),
)

/**
 * Instances by the version of the series, its calendar and the zone of the times. The cached JSON of an instance
 * belongs to its object, so the same object has to be returned again.
 */
let instances = new WeakMap<Master, Map<string, Map<Slot, Event>>>()
let cachedCount = 0
const MAX_CACHED_INSTANCES = 20_000
const MAX_CACHED_ZONES = 3

/**
 * The master's fields with its own id, link and times (behaviour 4.1.3). Times are formatted in a zone; in UTC they are as
 * stored.
 */
export function instancesAt(master: Master, calendarId: string, zone: string): (slot: Slot) => Event {
  const byView = instances.get(master) ?? new Map<string, Map<Slot, Event>>()
  const view = `${zone} ${calendarId}`
  const bySlot = byView.get(view) ?? new Map<Slot, Event>()
  if (byView.size >= MAX_CACHED_ZONES && !byView.has(view)) byView.clear()
  instances.set(master, byView.set(view, bySlot))
  return (slot) => {
    const known = bySlot.get(slot)
    if (known) return known
    const id = instanceId(master, slot)
    const { start, end } = slotTimes(master, slot, zone)
    const own = { id, htmlLink: htmlLink(id, calendarId), start, end, originalStartTime: start }
    const instance = Object.freeze({ ...patternOf(master), ...own })
    if (++cachedCount > MAX_CACHED_INSTANCES) {
      instances = new WeakMap()
      cachedCount = 0
    } else bySlot.set(slot, instance)
    return instance
  }
}

export const instanceOf = (master: Master, slot: Slot, calendarId: string): Event =>
  instancesAt(master, calendarId, 'UTC')(slot)

export function slotTimes(master: Times & Recurring, slot: Slot, zone = 'UTC'): Times {
  const { dated, length } = timingOf(master)
  const time = (instant: number, { timeZone }: Event['start']): Event['start'] =>
    dated ? { date: formatDate(instant) } : { dateTime: formatInZone(instant, zone), timeZone }
  return { start: time(slot, master.start), end: time(slot + length, master.end) }
}

/** The link of the first instance (behaviour 3.2.5). */
export const seriesLink = (master: Pick<Event, 'id' | 'start' | 'recurrence'>, calendarId: string): string =>
  htmlLink(instanceId(master, seriesOf(master).first ?? instantOfTime(master.start)), calendarId)

export const linkOf = (event: Pick<Event, 'id' | 'start' | 'recurrence'>, calendarId: string): string =>
  isMaster(event) ? seriesLink(event, calendarId) : htmlLink(event.id, calendarId)

const INSTANCE_ID = /^(.+)_(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z)?$/

/** The events of one calendar at one moment. */
export type EventLookup = {
  get(id: string): Event | undefined
  idsWithPrefix(prefix: string): string[]
}

/**
 * Returns the unchanged instance that an id names, case-sensitive. Ids of a series and of those that were split from
 * it have the same form, so the first of them with a start at that time has the instance; live ones precede deleted
 * ones.
 */
export function instanceNamed(id: string, events: EventLookup, calendarId: string): Event | undefined {
  const [, stem, year, month, day, hour = '00', minute = '00', second = '00'] = INSTANCE_ID.exec(id) ?? []
  if (stem === undefined) return undefined
  const slot = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  const found = [stem, ...events.idsWithPrefix(stem + SPLIT_MARK)].flatMap((masterId): Master[] => {
    const master = events.get(masterId)
    if (!master || !isMaster(master) || instanceId(master, slot || 0) !== id) return []
    return hasInstance(master, slot) ? [master] : []
  })
  const master = found.find(({ status }) => status !== 'cancelled') ?? found[0]
  return master && instanceOf(master, slot, calendarId)
}

const ID = /^[a-v0-9]{5,1024}$/
const GOOGLE = '@google.com'

export type EventIdentity = { id: string; iCalUID: string }

/**
 * A client may give one of them (behaviour 3.2.4, 14.2). Throws `invalidId` (400) for an invalid id, or one that contradicts the
 * UID, and `invalidUid`.
 */
export function identify(
  ids: Ids,
  { id, iCalUID }: { id?: string | undefined; iCalUID?: string | undefined },
): EventIdentity {
  if (id !== undefined) {
    if (!ID.test(id)) throw apiError('invalidId', { field: 'id', value: id })
    if (iCalUID && iCalUID !== id + GOOGLE) throw apiError('invalidId', { field: 'iCalUID', value: id })
    return { id, iCalUID: id + GOOGLE }
  }
  if (iCalUID) return { id: idFromUid(requireUid(iCalUID)), iCalUID }
  const newId = ids.eventId()
  return { id: newId, iCalUID: newId + GOOGLE }
}

const MAX_UID_LENGTH = 1024

/** Throws `invalidUid` (400) for a blank or long UID and for one with control characters (behaviour 14.56). */
export const requireUid = (iCalUID: string): string =>
  iCalUID.trim() === '' || iCalUID.length > MAX_UID_LENGTH || /\p{Cc}/u.test(iCalUID)
    ? throwApiError('invalidUid')
    : iCalUID

/** The id of an event, or of its series, from which the UID derives. */
export const idFromDefaultUid = (iCalUID: string): string | undefined =>
  iCalUID.endsWith(GOOGLE) ? iCalUID.slice(0, -GOOGLE.length) : undefined

const MAX_ID_LENGTH = 1024

/**
 * Returns the part before `@google.com` if it is an id, else the UID in base32hex. Of a long UID it is the beginning with a digest
 * of the whole.
 */
export function idFromUid(iCalUID: string): string {
  const local = idFromDefaultUid(iCalUID) ?? ''
  if (ID.test(local)) return local
  const id = `_${base32hex(iCalUID)}`
  if (id.length <= MAX_ID_LENGTH) return id
  const mark = base32hex(digest(iCalUID, 'sha256'))
  return id.slice(0, MAX_ID_LENGTH - mark.length) + mark
}

/** Base32hex without padding, in lower case (RFC 4648). */
function base32hex(text: string): string {
  const bits = [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const digits = bits.match(/.{1,5}/g) ?? []
  return digits.map((digit) => Number.parseInt(digit.padEnd(5, '0'), 2).toString(32)).join('')
}

/** Short domains in event links (behaviour 3.2.5). */
const SHORT_DOMAINS: readonly (readonly [string, string])[] = [
  ['@gmail.com', '@m'],
  ['@group.calendar.google.com', '@g'],
  ['@group.v.calendar.google.com', '@v'],
  ['@import.calendar.google.com', '@i'],
]

/** Both ids in base64 (behaviour 3.2.5). */
export function htmlLink(eventId: string, calendarId: string): string {
  const [domain, short] = SHORT_DOMAINS.find(([long]) => calendarId.endsWith(long)) ?? ['', '']
  const calendar = domain ? calendarId.slice(0, -domain.length) + short : calendarId
  const eid = Buffer.from(`${eventId} ${calendar}`).toString('base64').replace(/=+$/, '')
  return flatString('https://www.google.com/calendar/event?eid=', eid)
}
