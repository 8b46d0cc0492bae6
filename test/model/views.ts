/** The reads of a caller: one event, and lists of events with their filters. */
import {
  access,
  exceptionsOf,
  find,
  instanceAt,
  isCancelled,
  isTombstone,
  labelsOf,
  PALETTE,
  pick,
  type Record_,
  type Role,
  recordsOn,
  reminderOwner,
  remindersOf,
  throwError,
  versionOf,
  type World,
} from './service.ts'
import { horizonAfter, isAllDay, lengthOf, msOf, slotsOf, type Time } from './times.ts'

/** An event as a reply shows it, without the fields that no model can compute: see `comparable` in compare.ts. */
export type EventView = { id: string; status: string; start?: Time; end?: Time; [field: string]: unknown }
/** An item of a list, and the version that its etag stands for. */
export type Item = { view: EventView; version: number }
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

/** Returns an event as a caller sees it (behaviour 7.6). */
export function viewOf(world: World, account: string, role: Role, record: Record_): EventView {
  const { calendarId, creator, organizer, attendees, reminders, isCancelledAlone, ...rest } = record
  const { id, status, start, end, recurrence, recurringEventId, originalStartTime, iCalUID, visibility } = rest
  const base = { id, status, start, end, recurrence, recurringEventId, originalStartTime, iCalUID }
  const isHidden = visibility === 'private' && !attendees.some(({ email }) => email === account)
  if (role === 'freeBusyReader' || (role === 'reader' && isHidden)) return { ...base, visibility: 'private' }
  if (isTombstone(record)) return { ...base, transparency: 'transparent' }
  const ofColor = labelsOf(world, calendarId).find(
    (one) => rest.colorId && PALETTE[one.backgroundColor] === rest.colorId,
  )
  const isOrganizer = (email: string) => email === organizer?.email && { organizer: true }
  const isSelf = (email: string | undefined) => email === calendarId && { self: true }
  return {
    ...rest,
    creator: { email: creator, ...isSelf(creator) },
    organizer: { ...organizer, ...isSelf(organizer?.email) },
    attendees: attendees.length
      ? attendees.map(({ written, email, ...one }) => ({
          ...{ ...one, email: written ?? email },
          ...isOrganizer(email),
          ...isSelf(email),
        }))
      : undefined,
    reminders: remindersOf(world, account, record),
    eventLabelId: rest.eventLabelId ?? ofColor?.id,
    eventType: 'default',
  }
}

/** Returns one event. Throws 404. */
export function get(world: World, account: string, calendarId: string, id: string): Item {
  const { calendar, role } = access(world, account, calendarId)
  const record = find(world, calendar.id, id) ?? throwError(404, 'notFound')
  return { view: viewOf(world, account, role, record), version: versionOf(world, record) }
}

/** Returns true if an event is a series that is live and has an instance at a start. */
function hasInstanceAt(master: Record_, start = master.start): boolean {
  if (!master.recurrence || isCancelled(master) || isAllDay(master.start) !== isAllDay(start)) return false
  return slotsOf(master, msOf(start) + 1).includes(msOf(start))
}

/** Returns true for an interval in the window of a query: it ends after `timeMin` and starts before `timeMax` (1.15). */
const isWithin = (start: number, length: number, { timeMin, timeMax }: Query): boolean =>
  !(timeMin && start + length <= Date.parse(timeMin)) && !(timeMax && start >= Date.parse(timeMax))

/** Returns the unchanged instances of a series in the window of a query. An endless one ends at its horizon. */
function instancesIn(world: World, master: Record_, query: Query): Record_[] {
  const first = Math.max(world.now, msOf(master.start), Date.parse(query.timeMin ?? '1970-01-01'))
  const isEndless = !/COUNT|UNTIL/.test(`${master.recurrence}`)
  const limit = query.timeMax ? Date.parse(query.timeMax) : isEndless ? horizonAfter(first) : Number.POSITIVE_INFINITY
  const exceptions = exceptionsOf(world, master)
  return slotsOf(master, limit)
    .filter((slot) => isWithin(slot, lengthOf(master), query))
    .map((slot) => instanceAt(master, slot))
    .filter((one) => !exceptions.some(({ id }) => id === one.id))
}

/**
 * Returns the instances in the window of a query that former versions of an event had and it does not have, as
 * cancelled, with the fields of the last version that had them (behaviour 4.11).
 */
function lostInstancesIn(world: World, event: Record_, query: Query): Record_[] {
  if (isTombstone(event) || event.recurringEventId) return []
  const isInstance = (start: Time) =>
    event.recurrence &&
    isAllDay(event.start) === isAllDay(start) &&
    slotsOf(event, msOf(start) + 1).includes(msOf(start))
  const owner = reminderOwner(world, event.calendarId, event.creator)
  const lost = new Map<string, Record_>()
  for (const former of world.former.filter(({ calendarId, id }) => calendarId === event.calendarId && id === event.id))
    for (const one of instancesIn(world, former, query).filter(({ start }) => !isInstance(start)))
      lost.set(one.id, {
        ...one,
        status: 'cancelled',
        reminders: pick(former.reminders, [owner]) as Record_['reminders'],
      })
  return [...lost.values()]
}

/**
 * Returns true if a record is in the window of a query. A series is if one of its instances is, changed or not
 * (behaviour 4.10). A cancelled instance is where its series has it: the service's rule is unknown.
 */
function isRecordWithin(record: Record_, query: Query): boolean {
  const start = (isCancelled(record) && record.originalStartTime) || record.start
  const far = Date.parse(query.timeMax ?? '2050-01-01') // later than every query
  const starts = record.recurrence ? slotsOf(record, far) : [msOf(start)]
  return starts.some((one) => isWithin(one, lengthOf(record), query))
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
/** Returns true if the texts and people of an event have every word of a search. */
function matchesText({ summary, description, location, organizer, attendees = [] }: EventView, q: string): boolean {
  const people = [organizer, ...(attendees as object[])] as { email?: string; displayName?: string }[]
  const texts = [summary, description, location, ...people.flatMap((one) => [one?.email, one?.displayName])]
  const words = wordsOf(texts.filter(Boolean).join(' '))
  return wordsOf(q).every((word) => words.includes(word))
}

/** Returns true if an event has a property, which is undefined or has the form `name=value`. */
function hasProperty({ extendedProperties }: EventView, kind: 'private' | 'shared', property?: string): boolean {
  const [name = '', value] = property?.split('=') ?? []
  const properties = extendedProperties as Record<string, Record<string, string>> | undefined
  return property === undefined || properties?.[kind]?.[name] === value
}

/**
 * Returns all items of a list (behaviour 4.3). `updatedOf` returns `updated` of the record with an id, because the model
 * counts versions and has no time for them. Throws 400, 403, 404.
 */
export function list(
  world: World,
  account: string,
  calendarId: string,
  query: Query,
  updatedOf: (id: string) => string,
): Item[] {
  const { calendar, role } = access(world, account, calendarId)
  const { singleEvents, timeMin, timeMax, orderBy, updatedMin } = query
  if (timeMin && timeMax && Date.parse(timeMax) <= Date.parse(timeMin)) throwError(400, 'timeRangeEmpty')
  if (orderBy === 'startTime' && !singleEvents) throwError(400, 'invalid')
  const records = recordsOn(world, calendar.id)
  const events = records.flatMap((one) => {
    const lost = singleEvents && (query.showDeleted || updatedMin) ? lostInstancesIn(world, one, query) : []
    if (singleEvents && one.recurrence) return [...instancesIn(world, one, query), ...lost]
    return isRecordWithin(one, query) ? [one, ...lost] : lost
  })
  const isChanged = (one: Record_) => {
    const { id } = records.find(({ id }) => id === one.id) ?? { id: one.recurringEventId ?? '' }
    return !updatedMin || Date.parse(updatedOf(id)) >= Date.parse(updatedMin)
  }
  const matches = (view: EventView) =>
    (query.q === undefined || matchesText(view, query.q)) &&
    hasProperty(view, 'private', query.privateExtendedProperty) &&
    hasProperty(view, 'shared', query.sharedExtendedProperty)
  return events.flatMap((record): Item[] => {
    const { id, status, recurringEventId, originalStartTime, iCalUID } = record
    if ((query.iCalUID ?? iCalUID) !== iCalUID || !isChanged(record)) return []
    const version = versionOf(world, record)
    const master = records.find((one) => one.id === recurringEventId)
    // Clients that expand a live series need its cancelled instances.
    const isExclusion = !singleEvents && isCancelled(record) && master && hasInstanceAt(master, originalStartTime)
    if (isExclusion && !query.showDeleted)
      return matches(viewOf(world, account, role, master))
        ? [{ view: { id, status, recurringEventId, originalStartTime }, version }]
        : []
    if (isCancelled(record) && !query.showDeleted && !updatedMin) return []
    const view = viewOf(world, account, role, record)
    return matches(view) ? [{ view, version }] : []
  })
}

/** Returns all instances of a series, or the event itself if it is single (behaviour 4.4). Throws 404. */
export function instances(world: World, account: string, calendarId: string, id: string, showDeleted: boolean): Item[] {
  const { calendar, role } = access(world, account, calendarId)
  const event = find(world, calendar.id, id) ?? throwError(404, 'notFound')
  return (event.recurrence ? [...instancesIn(world, event, {}), ...exceptionsOf(world, event)] : [event])
    .filter((one) => showDeleted || !isCancelled(one))
    .map((one) => ({ view: viewOf(world, account, role, one), version: versionOf(world, one) }))
}
