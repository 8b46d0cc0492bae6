import { instanceOf, isMaster, type Master } from '../events/series.ts'
import { instantIn, instantOfTime } from '../events/times.ts'
import { DAY } from '../recurrence/days.ts'
import { type Cursor, compare, drawn, type Entry } from '../store/paging.ts'
import type { Window } from '../store/timeline.ts'
import type { Event } from '../wire/event.ts'
import { instantOfTimestamp, isDate } from '../wire/params.ts'
import type { Access } from '../world/access.ts'
import { storedEvent } from '../world/access.ts'
import { pageOf, shower } from './list.ts'
import { checkQuery, type EventQuery, windowAsked } from './query.ts'
import { instancesOf, isWithin, type Source } from './source.ts'
import type { ShownEvent } from './view.ts'

export type InstanceQuery = EventQuery & { originalStart?: string | undefined }

/** One page of a series' instances, by their start (behaviour 4.4). Of a single event, the event itself (behaviour 14.3). */
export function listInstances(access: Access, eventId: string, { originalStart, ...query }: InstanceQuery) {
  checkQuery(access, query)
  const event = storedEvent(access, eventId)
  const caller = access.caller.email ?? ''
  const list = `instances/${access.calendar.id}/${eventId}/${caller}`
  const slot = originalStart === undefined ? undefined : slotAsked(originalStart)
  const asked = { ...query, singleEvents: true }
  const window = inclusive(windowAsked(access, asked))
  const listing = { list, syncList: `events/${access.calendar.id}/${caller}`, order: 'instances', since: -1, window }
  return pageOf(access, asked, listing, (source, cursor) => wanted(entries(source, cursor, event), slot))
}

/** An instance that ends at the very `timeMin` is among those asked for, other than in events.list (behaviour 4.4.1). */
const inclusive = (window: Window): Window => ({ ...window, from: window.from - 1, wallFrom: window.wallFrom - 1 })

/** A timed instance is asked for by an instant, an all-day one by its date. */
const slotAsked = (originalStart: string): number =>
  isDate(originalStart) ? Date.parse(`${originalStart}T00:00:00Z`) : instantOfTimestamp(originalStart)

function* wanted(entries: Iterable<InstanceEntry>, slot: number | undefined): Generator<InstanceEntry> {
  for (const entry of entries) if (slot === undefined || entry.original === slot) yield entry
}

type InstanceEntry = Entry<ShownEvent> & { original: number }

/** Instances that nobody changed one by one, between the changed ones. */
function entries(source: Source, cursor: Cursor, event: Event): Iterable<InstanceEntry> {
  const { records, window, zone, calendarId } = source
  const show = shower(source, cursor)
  const entry = (one: Event): InstanceEntry => {
    const original = instantOfTime(one.originalStartTime ?? one.start)
    return { original, at: [instantIn(one.start, zone), original], show: () => show(one) }
  }
  const master = records.get(event.id)
  if (!master || !isMaster(master)) return [entry(master ?? event)]
  const exceptions = records
    .membersOf(event.id)
    .flatMap((id) => records.get(id) ?? [])
    .filter((exception) => isWithin(exception, window))
    .map(entry)
    .sort((a, b) => compare(a.at, b.at))
  return drawn([exceptions, unchanged(cursor.after && Number(cursor.after[0]) - DAY)])

  function* unchanged(from: number | undefined): Generator<InstanceEntry> {
    for (const slot of instancesOf(source, master as Master, from)) {
      yield entry(instanceOf(master as Master, slot, calendarId))
    }
  }
}
