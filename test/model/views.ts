/** The reads of a caller: one event, and lists of events with their filters. */
import {
  access,
  find,
  isCancelled,
  isStub,
  ModelError,
  type Record_,
  type Role,
  remindersOf,
  type World,
} from './service.ts'
import { horizonAfter, instanceId, isAllDay, lengthOf, msOf, slotsOf, type Time, timeAt } from './times.ts'

/** An event as a reply shows it, without the fields that no model can compute: see `comparable` in compare.ts. */
export type Shown = { id: string; status: string; start?: Time; end?: Time; [field: string]: unknown }
export type Query = {
  singleEvents?: boolean
  showDeleted?: boolean
  timeMin?: string
  timeMax?: string
  orderBy?: 'startTime' | 'updated'
  q?: string
  iCalUID?: string
  updatedMin?: string
  privateExtendedProperty?: string
  sharedExtendedProperty?: string
  eventTypes?: string
}
/** An item of a list, and the version that its etag stands for. */
export type Item = { shown: Shown; version: number; startMs: number }

/** An event as a caller sees it (behaviour 7.6). */
export function show(world: World, who: string, role: Role, record: Record_): Shown {
  const { id, status, start, end, recurrence, recurringEventId, originalStartTime, iCalUID } = record
  const isPrivate = record.visibility === 'private' || record.visibility === 'confidential'
  const when = {
    start,
    end,
    ...(recurrence && { recurrence }),
    ...(recurringEventId && { recurringEventId, originalStartTime }),
  }
  const attends = record.attendees.some(({ email }) => email === who)
  if (role === 'freeBusyReader' || (role === 'reader' && isPrivate && !attends)) {
    return { id, status, ...when, visibility: 'private', iCalUID }
  }
  if (isStub(record)) return { id, status, ...when, transparency: 'transparent', iCalUID }
  const { calendarId, creator, organizer, attendees, reminders, version, alone, ...rest } = record
  const self = (email: string | undefined) => email === calendarId && { self: true }
  return {
    ...rest,
    creator: { email: creator, ...self(creator) },
    organizer: { ...organizer, ...self(organizer?.email) },
    ...(attendees.length > 0 && {
      attendees: attendees.map((one) => ({
        ...one,
        ...(one.email === organizer?.email && { organizer: true }),
        ...self(one.email),
      })),
    }),
    reminders: remindersOf(world, who, record),
    eventType: 'default',
  }
}

export function get(world: World, who: string, calendarId: string, id: string): Item {
  const { calendar, role } = access(world, who, calendarId)
  const record = find(world, calendar.id, id)
  if (!record) throw new ModelError(404, 'notFound')
  return { shown: show(world, who, role, record), version: record.version, startMs: msOf(record.start) }
}

/** Returns true for a cancelled instance of a live series. Clients that expand the series need it (behaviour 4.3). */
function isCancelledInstance(master: Record_ | undefined, { originalStartTime }: Record_): boolean {
  if (!master?.recurrence || !originalStartTime || isCancelled(master)) return false
  if (isAllDay(master.start) !== isAllDay(originalStartTime)) return false
  return slotsOf({ start: master.start, recurrence: master.recurrence }, msOf(originalStartTime) + 1).includes(
    msOf(originalStartTime),
  )
}

/**
 * The window of a query in milliseconds. It excludes events that end at `timeMin` or start at `timeMax` (behaviour
 * 1.15).
 */
const windowOf = ({ timeMin, timeMax }: Query) => ({
  from: Date.parse(timeMin ?? '0000-01-01T00:00:00Z'),
  to: Date.parse(timeMax ?? '9999-01-01T00:00:00Z'),
})
const liesIn = (start: number, length: number, { from, to }: { from: number; to: number }) =>
  start < to && (start + length > from || (length === 0 && start > from))

/** The instances of a series that a query reaches and that nobody changed. */
function instancesIn(world: World, master: Record_, query: Query, now: number): Record_[] {
  const { recurrence = [], ...body } = master
  const window = windowOf(query)
  const start = msOf(master.start)
  const limit = query.timeMax ? window.to : horizonAfter(Math.max(now, start, query.timeMin ? window.from : 0))
  const isEndless = !/COUNT|UNTIL/.test(recurrence.join())
  return slotsOf({ start: master.start, recurrence }, query.timeMax || isEndless ? limit : Number.POSITIVE_INFINITY)
    .filter((slot) => liesIn(slot, lengthOf(master), window))
    .map((slot) => ({
      ...body,
      id: instanceId(master.id, slot, master.start),
      start: timeAt(slot, master.start),
      end: timeAt(slot + lengthOf(master), master.end),
      recurringEventId: master.id,
      originalStartTime: timeAt(slot, master.start),
      reminders: {},
    }))
    .filter(({ id }) => !world.records.some((one) => one.calendarId === master.calendarId && one.id === id))
}

/** Returns true if an instance of a series lies in the window, changed or not (behaviour 4.10). */
function seriesLiesIn(master: Record_, query: Query): boolean {
  const window = windowOf(query)
  return slotsOf({ start: master.start, recurrence: master.recurrence ?? [] }, window.to).some((slot) =>
    liesIn(slot, lengthOf(master), window),
  )
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
function isFound(shown: Shown, q: string): boolean {
  const people = [shown.organizer, ...((shown.attendees ?? []) as object[])] as {
    email?: string
    displayName?: string
  }[]
  const texts = [
    shown.summary,
    shown.description,
    shown.location,
    ...people.flatMap((one) => [one?.email, one?.displayName]),
  ]
  const words = wordsOf(texts.filter(Boolean).join(' '))
  return wordsOf(q).every((word) => words.includes(word))
}

/** Checks a query before anything is read. */
function checkQuery({ timeMin, timeMax, orderBy, singleEvents }: Query): void {
  if (timeMin && timeMax && Date.parse(timeMax) <= Date.parse(timeMin)) throw new ModelError(400, 'timeRangeEmpty')
  if (orderBy === 'startTime' && !singleEvents) throw new ModelError(400, 'invalid')
}

/**
 * All items of a list (behaviour 4.3). `updatedOf` returns what the service shows as the time of the last change of an
 * event: the model counts versions and has no time for them.
 */
export function list(
  world: World,
  who: string,
  calendarId: string,
  query: Query,
  updatedOf: (id: string) => string,
): Item[] {
  const { calendar, role } = access(world, who, calendarId)
  checkQuery(query)
  const { singleEvents, q, iCalUID, updatedMin, privateExtendedProperty: own, sharedExtendedProperty: shared } = query
  const records = world.records.filter((one) => one.calendarId === calendar.id)
  const masterOf = ({ recurringEventId }: Record_) => records.find(({ id }) => id === recurringEventId)
  const showsDeleted = query.showDeleted || updatedMin !== undefined
  const hasProperty = (shown: Shown, kind: 'private' | 'shared', text: string) => {
    const [name = '', value] = text.split('=')
    const properties = shown.extendedProperties as Record<string, Record<string, string>> | undefined
    return properties?.[kind]?.[name] === value
  }
  const matches = (shown: Shown) =>
    (q === undefined || isFound(shown, q)) &&
    (own === undefined || hasProperty(shown, 'private', own)) &&
    (shared === undefined || hasProperty(shown, 'shared', shared))
  const isInWindow = (record: Record_) => {
    if (record.recurrence) return seriesLiesIn(record, query)
    // A cancelled instance lies where its series would have it. The service's rule is unknown.
    const place = isCancelled(record) && record.originalStartTime ? record.originalStartTime : record.start
    return liesIn(msOf(place), lengthOf(record), windowOf(query))
  }
  const events = singleEvents
    ? records.flatMap((one) =>
        one.recurrence ? instancesIn(world, one, query, world.now) : isInWindow(one) ? [one] : [],
      )
    : records.filter(isInWindow)
  return events.flatMap((record) => {
    const hole = isCancelled(record) && !singleEvents && isCancelledInstance(masterOf(record), record)
    if (isCancelled(record) && !showsDeleted && !hole) return []
    if (iCalUID !== undefined && record.iCalUID !== iCalUID) return []
    if (
      updatedMin !== undefined &&
      Date.parse(
        updatedOf(record.recurringEventId && !records.includes(record) ? record.recurringEventId : record.id),
      ) < Date.parse(updatedMin)
    )
      return []
    const item = { version: record.version, startMs: msOf(record.start) }
    const { id, status, recurringEventId, originalStartTime } = record
    if (hole && !query.showDeleted) {
      const master = masterOf(record) as Record_
      if (!matches(show(world, who, role, master))) return []
      return [{ ...item, shown: { id, status, recurringEventId, originalStartTime } }]
    }
    const shown = show(world, who, role, record)
    return matches(shown) ? [{ ...item, shown }] : []
  })
}

/** All instances of a series, or the event itself if it is single (behaviour 4.4). */
export function instances(world: World, who: string, calendarId: string, id: string, showDeleted: boolean): Item[] {
  const { calendar, role } = access(world, who, calendarId)
  const event = find(world, calendar.id, id)
  if (!event) throw new ModelError(404, 'notFound')
  const changed = world.records.filter((one) => one.calendarId === calendar.id && one.recurringEventId === id)
  const all = event.recurrence ? [...instancesIn(world, event, {}, world.now), ...changed] : [event]
  return all
    .filter((one) => showDeleted || !isCancelled(one))
    .map((one) => ({ shown: show(world, who, role, one), version: one.version, startMs: msOf(one.start) }))
}
