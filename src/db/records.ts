import {
  ByChange,
  byPlace,
  type Entry,
  endOf,
  inTurn,
  isAlone,
  type OrderBy,
  type Place,
  type Placed,
  type StampGroup,
} from './byChange.ts'
import {
  boundsIn,
  inLane,
  laneOf,
  lanesIn,
  longestIn,
  NOWHERE,
  newGroupTimeline,
  newTimeline,
  type Timeline,
  type Window,
} from './byInterval.ts'
import { ByKey } from './byKey.ts'
import { type Next, Upcoming } from './byNextOccurrence.ts'
import { History } from './history.ts'
import { PersistentList } from './persistentList.ts'
import type { Kind } from './resource.ts'
import { stampedBy } from './stamping.ts'
import type { State } from './store.ts'
import { byText, differences, Tree, type Tuple } from './tree.ts'
import type { Revision, Version } from './version.ts'

/** What is known of a write beside its value. */
export type Writing = {
  /** The last write that changed what `updated` shows, if that is not this one. */
  touched?: Revision | undefined
  /** The revision of the first write, if that is not this one. */
  born?: Revision | undefined
}

type Replaced<V> = readonly [before: V | undefined, after: V | undefined]
/** What one write replaced. Applied in reverse order with the sides exchanged it is the write's inverse. */
type Step<T> = {
  readonly groups: readonly Replaced<StampGroup>[]
  readonly entries: readonly Replaced<Entry<T>>[]
  readonly versions: readonly Replaced<Version<T>>[]
  readonly latest: Revision
  readonly history: History<T> | undefined
}

const byMember = (a: Version<unknown>, b: Version<unknown>): number =>
  byText(a.group ?? '', b.group ?? '') || byText(a.id, b.id)

/**
 * The records of one collection and their indexes. Every index follows from the versions alone, so that replacing a
 * version by the one before it takes a write back.
 */
export class Records<T extends object> implements State {
  readonly kind: Kind<T>
  readonly #byId: Tree<string, Version<T>>
  /** The ids in the order of creation. No record is ever removed. */
  readonly #created: PersistentList<string>
  readonly #groups: Tree<string, StampGroup>
  readonly #members: Tree<Version<T>, undefined>
  readonly #byChange: ByChange<T>
  /** Begins with the first write that preserves `updated`: until then it is the same order as `#byChange`. */
  #byUpdated: ByChange<T> | undefined
  readonly #timeline: Timeline<T>
  readonly #memberTimeline: Timeline<T>
  readonly #upcoming: Upcoming<T> | undefined
  readonly #keys: ByKey<T> | undefined
  #history: History<T>
  #latest: Revision
  #writes = 0

  constructor(kind: Kind<T>, from?: Records<T>) {
    const isLive = (entry: Entry<T>): boolean =>
      isAlone(entry) ? !(kind.isGone?.(entry.value) ?? false) : entry.there > 0
    this.kind = kind
    this.#byId = from ? from.#byId.clone() : new Tree(undefined, byText)
    this.#created = from ? from.#created.copy() : new PersistentList<string>()
    this.#groups = from ? from.#groups.clone() : new Tree(undefined, byText)
    this.#members = from ? from.#members.clone() : new Tree<Version<T>, undefined>(undefined, byMember)
    this.#byChange = from ? from.#byChange.copy() : new ByChange('revision', isLive)
    this.#byUpdated = from ? from.#byUpdated?.copy() : undefined
    this.#timeline = from ? from.#timeline.clone() : newTimeline<T>()
    this.#memberTimeline = from ? from.#memberTimeline.clone() : newGroupTimeline<T>()
    this.#upcoming = from ? from.#upcoming?.copy() : kind.nextOf && new Upcoming<T>(kind.nextOf)
    this.#keys = from ? from.#keys?.copy() : kind.keysOf && new ByKey<T>(kind.keysOf)
    this.#history = new History(from ? from.#history : undefined)
    this.#latest = from ? from.#latest : 0
  }

  copy(): this {
    return new Records(this.kind, this) as this
  }

  /** The revision of the last write; 0 before there was one. */
  get latest(): Revision {
    return this.#latest
  }

  /** The versions that later writes redefined, as far as deltas refer to them. */
  get former(): History<T> {
    return this.#history
  }

  get size(): number {
    return this.#byId.size
  }

  has = (id: string): boolean => this.#byId.has(id)

  get(id: string): T | undefined {
    return this.version(id)?.value
  }

  /** Returns a record with the stamp of the last write to its group. */
  version(id: string): Version<T> | undefined {
    const version = this.#byId.get(id)
    return version && this.#stamped(version)
  }

  /** The revision that wrote a record itself, whatever stamped its group since; 0 for none. */
  writtenAt(id: string): Revision {
    return this.#byId.get(id)?.revision ?? 0
  }

  /** The last write to a record or its group that changed what `updated` shows; 0 for none. */
  touchedAt(id: string): Revision {
    return this.version(id)?.touched ?? 0
  }

  /** The records that exist when the iteration starts, each in its state when its turn comes, in the order of creation. */
  *values(): Generator<T> {
    for (const id of this.#created.values()) {
      const value = this.get(id)
      if (value) yield value
    }
  }

  /** The records that differ from those of another moment of this collection. */
  *differences(before: Records<T>): Generator<{ id: string; was: T | undefined; is: T | undefined }> {
    for (const [id, was, is] of differences(before.#byId, this.#byId))
      if (was?.value !== is?.value) yield { id, was: before.get(id), is: this.get(id) }
  }

  /** Returns the ids of the records with a key. */
  keyed(key: Tuple): string[] {
    return this.#keys?.idsOf(key) ?? []
  }

  /** Whether a record's id begins with a text. */
  hasBeginning(prefix: string): boolean {
    return this.#byId.nextHigherKey(prefix)?.startsWith(prefix) ?? false
  }

  /** Returns the ids of the records that belong to a record and share its stamp. */
  membersOf(id: string): string[] {
    const members: string[] = []
    if (!this.#groups.has(id)) return members
    for (const version of this.#members.keys({ group: id, id: '' } as Version<T>)) {
      if (version.group !== id) break
      members.push(version.id)
    }
    return members
  }

  /** The records after a position in the order of last change, or of `updated`; cancelled ones only if asked for. */
  *changed(after: Place, { gone, by = 'revision' }: { gone: boolean; by?: OrderBy }): Generator<Placed<T>> {
    const writes = this.#writes
    const order = (by === 'touched' ? this.#byUpdated : undefined) ?? this.#byChange
    for (const entry of order.from(after, { gone })) {
      const { id, [by]: revision } = entry
      const isBegun = revision === after.revision && id === after.id
      for (const member of isAlone(entry) ? [id] : inTurn(id, this.membersOf(id))) {
        if (isBegun && byText(member, after.member) <= 0) continue
        this.#requireUnchanged(writes)
        const version = isAlone(entry) ? entry : this.version(member)
        if (version) yield { version, place: { revision, id, member } }
      }
    }
  }

  /** What was written after a revision, each record once, in the order of last change. */
  *since(revision: Revision): Generator<Version<T>> {
    for (const { version } of this.changed(endOf(revision), { gone: true })) yield version
  }

  /** Returns a record with its position in the order of last change, or of `updated`. */
  placed(version: Version<T>, by: OrderBy = 'revision'): Placed<T> {
    const id = version.group ?? version.id
    const { [by]: revision } = this.#groups.get(id) ?? version
    return { version, place: { revision, id, member: version.id } }
  }

  /** Of some records those after a position, in the order of last change or of `updated`. */
  placedAfter(versions: Iterable<Version<T>>, after: Place, by: OrderBy = 'revision'): Placed<T>[] {
    const placed = Array.from(versions, (version) => this.placed(version, by))
    return placed.filter(({ place }) => byPlace(place, after) > 0).sort((a, b) => byPlace(a.place, b.place))
  }

  /** What lies in a window, in no order; cancelled records only if asked for. */
  *inWindow(window: Window, { gone = false } = {}): Generator<Version<T>> {
    for (const lane of this.lanes({ gone })) yield* this.lane(lane, window)
    for (const lane of this.upcomingLanes({ gone })) {
      const [from, to] = boundsIn(window, lane)
      for (const { start, end, version } of this.upcoming(lane, from)) {
        if (end - longestIn(lane) >= to) break
        if (start < to) yield version
      }
    }
  }

  /** The buckets of records with one interval; `of` a record, those of its members. */
  lanes({ gone, of }: { gone: boolean; of?: string }): Iterable<number> {
    return lanesIn(of === undefined ? this.#timeline : this.#memberTimeline, { gone, group: of })
  }

  /** What lies in a window of one bucket, by start, from a moment on. */
  *lane(lane: number, window: Window, which: { from?: number; of?: string } = {}): Generator<Version<T>> {
    const writes = this.#writes
    const timeline = which.of === undefined ? this.#timeline : this.#memberTimeline
    for (const version of inLane(timeline, lane, window, which)) {
      this.#requireUnchanged(writes)
      yield this.#stamped(version)
    }
  }

  /** The buckets of recurring records. */
  upcomingLanes({ gone }: { gone: boolean }): number[] {
    return this.#upcoming?.lanes({ gone }) ?? []
  }

  /** The recurring records of a bucket with an interval that ends after a moment, by the end of the first of these. */
  *upcoming(lane: number, after: number): Generator<Next<T>> {
    const writes = this.#writes
    for (const next of this.#upcoming?.from(lane, after) ?? []) {
      this.#requireUnchanged(writes)
      yield { ...next, version: this.#stamped(next.version) }
    }
  }

  #requireUnchanged(writes: number): void {
    if (writes !== this.#writes) throw new Error('a collection was written to while an index of it was read')
  }

  /** Writes a record. Returns its version, and a function that takes the write back from these records or a copy. */
  put(
    id: string,
    value: T,
    revision: Revision,
    { touched = revision, born = revision }: Writing = {},
  ): { version: Version<T>; isRedefined: boolean; undo: (records: Records<T>) => void } {
    const before = this.#byId.get(id)
    const span = this.kind.spanOf?.(value)
    const made: { -readonly [Field in keyof Version<T>]: Version<T>[Field] } = {
      id,
      place: before?.place ?? this.#byId.size,
      value: Object.freeze(value),
      revision,
      touched,
      born: before?.born ?? born,
      group: this.kind.groupOf?.(value),
      lane: NOWHERE,
      start: span?.start ?? 0,
      end: span?.end ?? 0,
    }
    const group = this.#groupAfter(before, made)
    // The same object is in every index, so its bucket is set before it is added to any.
    if (span) made.lane = laneOf(span, this.#isPast(made, group?.after))
    const version: Version<T> = made
    const isRedefined = before !== undefined && (this.kind.redefines?.(before.value, value) ?? false)
    const step: Step<T> = {
      groups: group ? [[group.before, group.after]] : [],
      entries: [group ? [group.before ?? group.owner, group.after] : [before, version]],
      versions: [[before, version], ...(group ? this.#moved(version, group) : [])],
      latest: this.#latest,
      history: isRedefined ? this.#history : undefined,
    }
    if (touched !== revision) this.#byUpdated ??= this.#sortedByUpdated()
    this.#apply(step)
    if (isRedefined) {
      this.#history = new History(this.#history)
      this.#history.set(before, revision)
    }
    this.#latest = Math.max(this.#latest, revision)
    return { version, isRedefined, undo: (records) => records.#revert(step) }
  }

  #apply({ groups, entries, versions }: Step<T>): void {
    this.#writes += 1
    for (const [before, after] of groups) this.#replaceGroup(before, after)
    for (const [before, after] of entries) this.#replaceEntry(before, after)
    for (const [before, after] of versions) this.#replaceVersion(before, after)
  }

  #revert({ groups, entries, versions, latest, history }: Step<T>): void {
    this.#writes += 1
    for (const [before, after] of versions.toReversed()) this.#replaceVersion(after, before)
    for (const [before, after] of entries.toReversed()) this.#replaceEntry(after, before)
    for (const [before, after] of groups.toReversed()) this.#replaceGroup(after, before)
    this.#latest = latest
    if (history) this.#history = history
  }

  #replaceGroup(before: StampGroup | undefined, after: StampGroup | undefined): void {
    if (after) this.#groups.set(after.id, after)
    else if (before) this.#groups.delete(before.id)
  }

  #replaceEntry(before: Entry<T> | undefined, after: Entry<T> | undefined): void {
    this.#byChange.replace(before, after)
    this.#byUpdated?.replace(before, after)
  }

  #replaceVersion(before: Version<T> | undefined, after: Version<T> | undefined): void {
    if (after) this.#byId.set(after.id, after)
    else if (before) this.#byId.delete(before.id)
    if (!before && after) this.#created.add(after.id)
    if (before && !after) this.#created.removeLast()
    if (before?.group !== undefined) this.#members.delete(before)
    if (after?.group !== undefined) this.#members.set(after, undefined)
    if (before && before.lane !== NOWHERE) this.#timeline.delete(before)
    if (after && after.lane !== NOWHERE) this.#timeline.set(after, undefined)
    if (before?.group !== undefined && before.lane !== NOWHERE) this.#memberTimeline.delete(before)
    if (after?.group !== undefined && after.lane !== NOWHERE) this.#memberTimeline.set(after, undefined)
    if (this.#upcoming && before) this.#upcoming.remove(before, !this.#isThere(before))
    if (this.#upcoming && after) this.#upcoming.add(after, !this.#isThere(after))
    this.#keys?.replace(before, after)
  }

  /** A cancelled record lies in a bucket of cancelled ones, unless its group is live: then it says what the group lacks. */
  #isPast(version: Version<T>, group: StampGroup | undefined): boolean {
    return !this.#isThere(version) && (version.group === undefined || !group || group.there === 0)
  }

  #isThere = (version: Version<T> | undefined): boolean =>
    version !== undefined && !(this.kind.isGone?.(version.value) ?? false)

  /** The group of a record before and after a write, and its owner if the group is new. Nothing for a record that is stamped alone. */
  #groupAfter(before: Version<T> | undefined, version: Version<T>): GroupWrite<T> | undefined {
    const id = version.group ?? version.id
    const group = this.#groups.get(id)
    if (!group && version.group === undefined) return undefined
    const owner = group ? undefined : this.#byId.get(id)
    const known = group?.there ?? (this.#isThere(owner) ? 1 : 0)
    const there = known + Number(this.#isThere(version)) - Number(this.#isThere(before))
    // The members of a group may be restored in any order, so the latest of their stamps is that of all.
    const revision = Math.max(version.revision, group?.revision ?? owner?.revision ?? 0)
    const touched = Math.max(version.touched, group?.touched ?? owner?.touched ?? 0)
    return { before: group, owner, after: { id, revision, touched, there }, isTurned: known > 0 !== there > 0 }
  }

  /** The records of a group that change their buckets because the group was cancelled or became live. */
  #moved(written: Version<T>, { after, isTurned }: GroupWrite<T>): Replaced<Version<T>>[] {
    if (!isTurned) return []
    return this.membersOf(after.id).flatMap((id): Replaced<Version<T>>[] => {
      const before = id === written.id ? undefined : this.#byId.get(id)
      const span = before && this.kind.spanOf?.(before.value)
      if (!before || !span) return []
      const lane = laneOf(span, this.#isPast(before, after))
      return lane === before.lane ? [] : [[before, { ...before, lane }]]
    })
  }

  #sortedByUpdated(): ByChange<T> {
    const order = new ByChange<T>('touched', (entry) => (isAlone(entry) ? this.#isThere(entry) : entry.there > 0))
    for (const entry of this.#byChange.from(endOf(-1), { gone: true })) order.replace(undefined, entry)
    return order
  }

  #stamped(version: Version<T>): Version<T> {
    const { kind } = this
    if (!kind.stamped || this.#groups.size === 0) return version
    const group = this.#groups.get(version.group ?? version.id)
    return group ? stampedBy(kind, version, group) : version
  }
}

type GroupWrite<T> = {
  readonly before: StampGroup | undefined
  readonly owner: Version<T> | undefined
  readonly after: StampGroup
  readonly isTurned: boolean
}
