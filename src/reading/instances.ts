import { instanceOf, isMaster } from '../events/series.ts'
import { instantIn, instantOfTime } from '../events/times.ts'
import type { Version } from '../store/changes.ts'
import { type Cursor, type Entry, inOrder } from '../store/paging.ts'
import type { Event } from '../wire/event.ts'
import { instantOfTimestamp, isDate } from '../wire/params.ts'
import { type Access, storedEvent } from '../world/access.ts'
import { instancesOf, isWithin, type Source } from './items.ts'
import { pageOf, shower } from './list.ts'
import { checkQuery, type EventQuery, windowAsked } from './query.ts'
import { type ShownEvent, zoneShown } from './view.ts'

export type InstanceQuery = EventQuery & { originalStart?: string | undefined }

/** One page of a series' instances, by their start (behaviour 4.4). Of a single event, the event itself (behaviour 14.3). */
export function listInstances(access: Access, eventId: string, { originalStart, ...query }: InstanceQuery) {
  checkQuery(access, query)
  const event = storedEvent(access, eventId)
  const caller = access.caller.email ?? ''
  const list = `instances/${access.calendar.id}/${eventId}/${caller}`
  const slot = originalStart === undefined ? undefined : slotAsked(originalStart)
  const asked = { ...query, singleEvents: true }
  const listing = { list, syncList: `events/${access.calendar.id}/${caller}`, order: 'instances', since: 0 }
  return pageOf(access, asked, listing, (source, cursor) =>
    inOrder(entries(source, cursor, event)).filter(({ original }) => slot === undefined || original === slot),
  )
}

/** A timed instance is asked for by an instant, an all-day one by its date. */
const slotAsked = (originalStart: string): number =>
  isDate(originalStart) ? Date.parse(`${originalStart}T00:00:00Z`) : instantOfTimestamp(originalStart)

type InstanceEntry = Entry<ShownEvent> & { original: number }

function* entries(source: Source, cursor: Cursor, event: Event): Generator<InstanceEntry> {
  const { access, events, snapshot, query } = source
  const show = shower(source, cursor)
  const zone = zoneShown(access, query)
  const entry = (one: Event): InstanceEntry => {
    const original = instantOfTime(one.originalStartTime ?? one.start)
    return { original, at: [instantIn(one.start, zone), original], show: () => show(one) }
  }
  const version = snapshot.get(event.id)
  if (!version || !isMaster(version.value)) {
    yield entry(version?.value ?? event)
    return
  }
  const window = windowAsked(access, query)
  for (const { master, slot } of instancesOf(version.value, source, window)) {
    yield entry(instanceOf(master, slot, access.calendar.id))
  }
  for (const id of events.exceptionsOf(event.id)) {
    const exception: Version<Event> | undefined = snapshot.get(id)
    if (exception && isWithin(exception.value, window)) yield entry(exception.value)
  }
}
