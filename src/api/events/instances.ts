import type { Window } from '../../db/byInterval.ts'
import { isMaster, type Master, type Slot } from '../../model/series.ts'
import { instantIn, instantOfTime, toInstant } from '../../model/times.ts'
import { DAY } from '../../recurrence/days.ts'
import { type Cursor, cursorOf, drawn, type Entry, type Turn } from '../../sync/paging.ts'
import { listName } from '../../sync/tokens.ts'
import type { Event } from '../../wire/event.ts'
import { instantOfTimestamp, isDate } from '../../wire/params.ts'
import type { Access } from '../../world/access.ts'
import { requireEvent } from '../../world/access.ts'
import { pageOf, shower } from './list.ts'
import { startOf } from './listByStart.ts'
import { type EventQuery, windowAsked } from './query.ts'
import { type Source, shownInstancesOf } from './source.ts'
import type { ShownEvent } from './view.ts'

export type InstanceQuery = EventQuery & { originalStart?: string | undefined }

/** One page of a series' instances, by their start (behaviour 4.4). Of a single event, the event itself (behaviour 14.3). */
export function listInstances(access: Access, eventId: string, asked: InstanceQuery) {
  const event = requireEvent(access, eventId)
  const caller = access.caller.email ?? ''
  const list = listName('instances', access.calendar.id, eventId, caller)
  const cursor = cursorOf(access.world, list, ['instances'], asked)
  const query: InstanceQuery = { ...asked, ...cursor?.query, singleEvents: true }
  const slot = query.originalStart === undefined ? undefined : slotAsked(query.originalStart)
  const syncList = listName('events', access.calendar.id, caller)
  const window = inclusive(windowAsked(access, query))
  return pageOf(access, query, { list, syncList, order: 'instances', since: -1, cursor, window }, (source, cursor) =>
    wanted(entries(source, cursor, event, slot), slot),
  )
}

/** An instance that ends at the very `timeMin` is among those asked for, other than in events.list (behaviour 4.4.1). */
const inclusive = (window: Window): Window => ({ ...window, from: window.from - 1, wallFrom: window.wallFrom - 1 })

/** A timed instance is asked for by an instant, an all-day one by its date. */
const slotAsked = (originalStart: string): Slot =>
  isDate(originalStart) ? Date.parse(`${originalStart}T00:00:00Z`) : instantOfTimestamp(originalStart)

function* wanted(entries: Iterable<InstanceEntry>, slot: Slot | undefined): Generator<InstanceEntry> {
  for (const entry of entries) if (slot === undefined || entry.slot === slot) yield entry
}

type InstanceEntry = Entry<ShownEvent> & { slot: Slot }

/** Instances that nobody changed one by one, between the changed ones; none after a slot that is asked for. */
function entries(source: Source, cursor: Cursor, event: Event, asked: Slot | undefined): Iterable<InstanceEntry> {
  const { records, window, zone, withGone } = source
  const show = shower(source, cursor)
  const entry = (one: Event): InstanceEntry => {
    const slot = instantOfTime(one.originalStartTime ?? one.start)
    return { slot, at: [instantIn(startOf(one), zone), slot], show: () => show(one) }
  }
  const master = records.get(event.id)
  if (!master || !isMaster(master)) return [entry(master ?? event)]
  const resumed = cursor.after ? Number(cursor.after[0]) - DAY : Number.NEGATIVE_INFINITY
  const lanes = [...records.lanes({ gone: withGone, of: event.id })]
  return drawn([...lanes.map(changed), unchanged()])

  function* changed(lane: number): Generator<InstanceEntry> {
    for (const { value } of records.lane(lane, window, { from: resumed, of: event.id })) yield entry(value)
  }

  function* unchanged(): Generator<InstanceEntry> {
    const from = Math.max(resumed, asked ?? resumed)
    const dated = event.start.date !== undefined
    const turnOf = (slot: Slot): Turn => [toInstant({ dated, start: slot }, zone), slot]
    for (const instance of shownInstancesOf(source, master as Master, show, { from, turnOf })) {
      if (asked !== undefined && instance.slot > asked) return
      yield instance
    }
  }
}
