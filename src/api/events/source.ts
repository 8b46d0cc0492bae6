import { isDated, NOWHERE, overlaps, type Window } from '../../db/byInterval.ts'
import type { Records } from '../../db/records.ts'
import type { Version } from '../../db/version.ts'
import { idFromDefaultUid } from '../../model/ids.ts'
import {
  boundSeriesWindow,
  instanceId,
  instancesAt,
  isMaster,
  type Master,
  type Slot,
  slotsFrom,
  spanOf,
} from '../../model/series.ts'
import type { Entry, Turn } from '../../sync/paging.ts'
import type { Event } from '../../wire/event.ts'
import type { Access } from '../../world/access.ts'
import { idsWithUid } from '../../world/eventCollection.ts'
import type { EventQuery } from './query.ts'
import type { ShownEvent, View } from './view.ts'

/**
 * Shows an event as a list does, or undefined where it does not belong to it. Of all instances of a series that nobody
 * changed any tells how they are shown.
 */
export type Show = ((event: Event) => ShownEvent | undefined) & { alike(instance: Event): View | undefined }

/** What a list is drawn from: the events as they stood at the moment that all of its pages show, and what is asked of them. */
export type Source = {
  access: Access
  calendarId: string
  records: Records<Event>
  query: EventQuery
  window: Window
  /** The zone by whose clock times are shown. */
  zone: string
  /** Whether what is gone belongs to the list. */
  withGone: boolean
}

/** A series lies in a window with any of its instances (behaviour 4.10). */
export const isWithin = (event: Event, window: Window): boolean =>
  isMaster(event) ? !isNone(slotsFrom(event, window)) : overlaps(spanOf(event), window)

function isNone(items: Iterable<unknown>): boolean {
  for (const _ of items) return false
  return true
}

/** The same of a record, which knows where it lies. */
export const liesWithin = ({ value, lane, start, end }: Version<Event>, window: Window): boolean =>
  lane === NOWHERE ? isWithin(value, window) : overlaps({ dated: isDated(lane), start, end }, window)

/** The slots of a series that a list reaches, from one on. */
export const reachableSlots = ({ access, window }: Source, master: Master, from?: Slot): Iterable<Slot> =>
  slotsFrom(master, boundSeriesWindow(master, window, access.world.clock.now()), from)

/** Whether any instance of a series has a record of its own: found without the names of all. */
const hasChanged = (records: Records<Event>, { id }: Pick<Event, 'id'>): boolean => records.hasBeginning(`${id}_`)

/** Whether an instance has. */
export const isChanged = (records: Records<Event>, master: Pick<Event, 'id' | 'start'>, slot: Slot): boolean =>
  hasChanged(records, master) && records.has(instanceId(master, slot))

/** Those of them whose instances nobody changed. */
export function instancesOf(source: Source, master: Master, from?: Slot): Iterable<Slot> {
  const slots = reachableSlots(source, master, from)
  return hasChanged(source.records, master) ? unchanged(slots, source.records, master) : slots
}

function* unchanged(slots: Iterable<Slot>, records: Records<Event>, master: Master): Generator<Slot> {
  for (const slot of slots) if (!records.has(instanceId(master, slot))) yield slot
}

/**
 * The same, as far as a list shows them: it asks of instances only what is alike in all of a series that nobody changed, so
 * that the first decides for all.
 */
export function* shownInstancesOf(
  source: Source,
  master: Master,
  show: Show,
  { from, turnOf }: { from?: Slot | undefined; turnOf: (slot: Slot) => Turn },
): Generator<Instance> {
  const instanceAt = instancesAt(master, source.calendarId, source.zone)
  let view: View | undefined
  for (const slot of instancesOf(source, master, from)) {
    view ??= show.alike(instanceAt(slot))
    if (!view) return
    yield new Instance(slot, turnOf, instanceAt, view)
  }
}

/** An instance at its turn: both are worked out when they are asked for. */
class Instance implements Entry<ShownEvent> {
  readonly slot: Slot
  readonly #turnOf: (slot: Slot) => Turn
  readonly #instanceAt: (slot: Slot) => Event
  readonly #view: View
  #at: Turn | undefined

  constructor(slot: Slot, turnOf: (slot: Slot) => Turn, instanceAt: (slot: Slot) => Event, view: View) {
    this.slot = slot
    this.#turnOf = turnOf
    this.#instanceAt = instanceAt
    this.#view = view
  }

  get at(): Turn {
    this.#at ??= this.#turnOf(this.slot)
    return this.#at
  }

  show(): ShownEvent {
    return this.#view(this.#instanceAt(this.slot))
  }
}

/** The events with a UID, and the changed instances of those: found by it, without a look at any other. */
export function* withUid(records: Records<Event>, iCalUID: string): Generator<Version<Event>> {
  const said = idFromDefaultUid(iCalUID)
  const ids = [...(said === undefined ? [] : [said]), ...idsWithUid(records, iCalUID)]
  for (const id of new Set(ids.flatMap((one) => [one, ...records.membersOf(one)]))) {
    const version = records.version(id)
    if (version) yield version
  }
}
