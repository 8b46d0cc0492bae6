import type { OrderBy, Place, Placed } from '../../db/byChange.ts'
import type { Version } from '../../db/version.ts'
import {
  boundSeriesWindow,
  hasSlot,
  instanceId,
  instanceOf,
  isMaster,
  type Master,
  type Slot,
} from '../../model/series.ts'
import { type Cursor, type Entry, placeOf, type Turn, turnOf } from '../../sync/paging.ts'
import type { Event } from '../../wire/event.ts'
import { liesWithin, reachableSlots, type Show, type Source, shownInstancesOf, withUid } from './source.ts'
import type { ShownEvent } from './view.ts'

/** The order of a list: a write that preserves `updated` moves a record in the order of last change alone. */
const orderOf = ({ order }: Cursor): OrderBy => (order === 'updated' ? 'touched' : 'revision')

/** Records, or with `singleEvents` instances, in the order of last change (behaviour 5.3). */
export function* listByUpdated(source: Source, cursor: Cursor, show: Show): Generator<Entry<ShownEvent>> {
  for (const placed of candidates(source, cursor)) {
    const { version, place } = placed
    if (version.revision > cursor.asOf) {
      // In the order of `updated` older records may follow.
      if (cursor.order === 'updated') continue
      return
    }
    if (!source.query.singleEvents) yield new Changed(place, version.value, show)
    else if (cursor.since < 0) yield* asInstances(source, placed, cursor, show)
    else yield* changedInstances(source, placed, cursor, show)
  }
}

/** A record at its place. A page asks for the turn of its last one alone. */
class Changed implements Entry<ShownEvent> {
  readonly #place: Place
  readonly #event: Event
  readonly #show: Show

  constructor(place: Place, event: Event, show: Show) {
    this.#place = place
    this.#event = event
    this.#show = show
  }

  get at(): Turn {
    return turnOf(this.#place)
  }

  show(): ShownEvent | undefined {
    return this.#show(this.#event)
  }
}

function candidates(source: Source, cursor: Cursor): Iterable<Placed<Event>> {
  const { records, window, query, withGone } = source
  const after = cursor.after ? { ...placeOf(cursor), member: beforeMember(cursor.after) } : placeOf(cursor)
  if (query.iCalUID !== undefined) {
    const found = [...withUid(records, query.iCalUID)].filter((version) => liesWithin(version, window))
    return records.placedAfter(found, after, orderOf(cursor))
  }
  const bounded = cursor.since < 0 && (query.timeMin !== undefined || query.timeMax !== undefined)
  return bounded
    ? inWindow(source, after, orderOf(cursor))
    : records.changed(after, { gone: withGone, by: orderOf(cursor) })
}

/** An entry of which not all instances were sent is taken up again. */
const beforeMember = ([, , member, ...slot]: Turn): string => {
  const id = String(member)
  return slot.length === 0 ? id : id.slice(0, -1)
}

/**
 * What lies in a window. For every record that the order of last change has outside it, one is looked up in time: where
 * few lie in the window they are soon together, and where many do the order is soon through with a page.
 */
function* inWindow({ records, window, withGone }: Source, after: Place, by: OrderBy): Generator<Placed<Event>> {
  const lookedUp = records.inWindow(window, { gone: withGone })
  const found: Version<Event>[] = []
  for (const placed of records.changed(after, { gone: withGone, by })) {
    if (liesWithin(placed.version, window)) {
      yield placed
      continue
    }
    const { done, value } = lookedUp.next()
    if (done) return yield* records.placedAfter(found, placed.place, by)
    found.push(value)
  }
}

/** A single event as it is, a series as the instances that nobody changed. A changed one is a record of its own. */
function asInstances(
  source: Source,
  { version, place }: Placed<Event>,
  { after }: Cursor,
  show: Show,
): Iterable<Entry<ShownEvent>> {
  const { value } = version
  const turn = turnOf(place)
  if (!isMaster(value)) return [{ at: [...turn, 0], show: () => show(value) }]
  return shownInstancesOf(source, value, show, {
    from: resumedAt(turn, after),
    turnOf: (slot) => [...turn, 1, slot],
  })
}

/** The slot to go on from, where a page ended within a series. */
const resumedAt = (turn: Turn, after: Turn | undefined): Slot | undefined =>
  after && after[4] !== undefined && turn.every((part, at) => part === after[at]) ? Number(after[4]) : undefined

/**
 * What changed where series are shown by their instances: a changed series yields all of its own, and says of those
 * that it no longer has that they are gone (behaviour 5.11).
 */
function* changedInstances(
  source: Source,
  placed: Placed<Event>,
  cursor: Cursor,
  show: Show,
): Generator<Entry<ShownEvent>> {
  const { records, window, calendarId } = source
  const { version, place } = placed
  const { value, id } = version
  const turn = turnOf(place)
  const before = records.former.at(id, cursor.since)?.value ?? value
  if (isMaster(value) && !isMaster(before)) {
    const gone = { ...value, recurrence: undefined, status: 'cancelled' } as Event
    yield { at: [...turn, 0], show: () => show(gone) }
  }
  yield* asInstances(source, placed, cursor, show)
  if (!isMaster(before) || before === value) return
  const kept = (slot: Slot) =>
    isMaster(value) &&
    instanceId(value, slot) === instanceId(before, slot) &&
    hasSlot(value, slot, boundSeriesWindow(value, window, source.access.world.clock.now()))
  for (const slot of reachableSlots(source, before)) {
    const instance = instanceId(before, slot)
    if (kept(slot) || records.has(instance)) continue
    yield { at: [...turn, 2, slot], show: () => show(goneInstance(before, slot, calendarId, value)) }
  }
}

/** An instance that its series no longer has, in the version that took it away. */
const goneInstance = (before: Master, slot: Slot, calendarId: string, { etag, updated }: Event): Event => ({
  ...instanceOf(before, slot, calendarId),
  etag,
  updated,
  status: 'cancelled',
})
