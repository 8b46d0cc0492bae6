import differing from 'sorted-btree/extended/diffAgainst.js'
import {
  ByChange,
  ByKey,
  boundsIn,
  bucketOf,
  bucketsIn,
  byGroup,
  byMark,
  byMember,
  type ChangeEntry,
  type ChangePosition,
  type CollectionDefinition,
  comparePositions,
  endOfRevision,
  type GroupWrite,
  idsInOrder,
  isUngrouped,
  type Mark,
  maxLengthIn,
  type NextOccurrence,
  NextOccurrenceIndex,
  NO_INTERVAL,
  type OrderBy,
  type Positioned,
  type StampGroup,
  type Timeline,
  VersionHistory,
  type Window,
} from './indexes.ts'
import { byNumber, byText, type StorePart, Tree, type Tuple } from './store.ts'
import type { Revision, Version, WriteOptions } from './version.ts'

// Loaders differ in whether the default import of a CommonJS module is its exports or its `default`.
const diffAgainst = (differing.default ?? differing) as typeof differing.default

/**
 * Returns the keys that only one of two trees has, and those with different values. Shared nodes are skipped, so the
 * cost for a tree and its copy grows with the writes since.
 */
export function differences<K, V>(
  before: Tree<K, V>,
  after: Tree<K, V>,
): [key: K, was: V | undefined, is: V | undefined][] {
  const found: [K, V | undefined, V | undefined][] = []
  diffAgainst(
    before,
    after,
    (key, was) => void found.push([key, was, undefined]),
    (key, is) => void found.push([key, undefined, is]),
    (key, was, is) => void found.push([key, was, is]),
  )
  return found.reverse() // trees are walked from their ends
}

type Replacement<T> = readonly [before: Version<T>, after: Version<T>]

/** The records of one collection and their indexes, which all derive from the versions. */
export class Records<T extends object> implements StorePart {
  readonly kind: CollectionDefinition<T>
  readonly #byId: Tree<string, Version<T>>
  readonly #created: Tree<number, string>
  readonly #groups: Tree<string, StampGroup>
  readonly #members: Tree<Version<T>, undefined>
  readonly #byChange: ByChange<T>
  #byUpdated: ByChange<T> | undefined
  readonly #timeline: Timeline<T>
  readonly #memberTimeline: Timeline<T>
  readonly #upcoming: NextOccurrenceIndex<T> | undefined
  readonly #keys: ByKey<T> | undefined
  readonly #history: VersionHistory<T>
  #latest: Revision
  #writes = 0

  constructor(kind: CollectionDefinition<T>, from?: Records<T>) {
    this.kind = kind
    this.#byId = from ? from.#byId.clone() : new Tree(undefined, byText)
    this.#created = from ? from.#created.clone() : new Tree<number, string>(undefined, byNumber)
    this.#groups = from ? from.#groups.clone() : new Tree(undefined, byText)
    this.#members = from ? from.#members.clone() : new Tree<Version<T>, undefined>(undefined, byMember)
    this.#byChange = new ByChange('revision', this.#isLiveEntry, from ? from.#byChange : undefined)
    this.#byUpdated = from
      ? from.#byUpdated && new ByChange('updatedRevision', this.#isLiveEntry, from.#byUpdated)
      : undefined
    this.#timeline = from ? from.#timeline.clone() : new Tree<Version<T>, undefined>(undefined, byMark)
    this.#memberTimeline = from ? from.#memberTimeline.clone() : new Tree<Version<T>, undefined>(undefined, byGroup)
    this.#upcoming =
      kind.nextIntervalOf && new NextOccurrenceIndex<T>(kind.nextIntervalOf, from ? from.#upcoming : undefined)
    this.#keys = kind.keysOf && new ByKey<T>(kind.keysOf, from ? from.#keys : undefined)
    this.#history = new VersionHistory(from ? from.#history : undefined)
    this.#latest = from ? from.#latest : 0
  }

  clone(): this {
    return new Records(this.kind, this) as this
  }

  get latest(): Revision {
    return this.#latest
  }

  get history(): VersionHistory<T> {
    return this.#history
  }

  get size(): number {
    return this.#byId.size
  }

  has = (id: string): boolean => this.#byId.has(id)

  get(id: string): T | undefined {
    return this.version(id)?.value
  }

  version(id: string): Version<T> | undefined {
    const version = this.#byId.get(id)
    return version && this.#stamped(version)
  }

  ownRevision(id: string): Revision {
    return this.#byId.get(id)?.revision ?? 0
  }

  *values(): Generator<T> {
    for (const id of this.#created.clone().values()) {
      const value = this.get(id)
      if (value) yield value
    }
  }

  *differences(before: Records<T>): Generator<{ id: string; was: T | undefined; is: T | undefined }> {
    for (const [id, was, is] of differences(before.#byId, this.#byId))
      if (was?.value !== is?.value) yield { id, was: before.get(id), is: this.get(id) }
  }

  idsWithKey(key: Tuple): string[] {
    return this.#keys?.idsOf(key) ?? []
  }

  hasIdPrefix(prefix: string): boolean {
    return this.#byId.nextHigherKey(prefix)?.startsWith(prefix) ?? false
  }

  idsWithPrefix(prefix: string): string[] {
    const ids: string[] = []
    for (const id of this.#byId.keys(prefix)) {
      if (!id.startsWith(prefix)) break
      ids.push(id)
    }
    return ids
  }

  membersOf(id: string): string[] {
    const members: string[] = []
    if (!this.#groups.has(id)) return members
    for (const version of this.#members.keys({ group: id, id: '' } as Version<T>)) {
      if (version.group !== id) break
      members.push(version.id)
    }
    return members
  }

  /** Yields the records after a position in an order. Throws if the collection is written during the iteration. */
  *listChanges(
    after: ChangePosition,
    { includeCancelled, by = 'revision' }: { includeCancelled: boolean; by?: OrderBy },
  ): Generator<Positioned<T>> {
    const writes = this.#writes
    const order = (by === 'updatedRevision' ? this.#byUpdated : undefined) ?? this.#byChange
    for (const entry of order.from(after, { includeCancelled })) {
      const { id, revision: latest, [by]: revision = latest } = entry
      const isBegun = revision === after.revision && id === after.id
      for (const member of isUngrouped(entry) ? [id] : idsInOrder(id, this.membersOf(id))) {
        if (isBegun && byText(member, after.member) <= 0) continue
        this.#requireUnchanged(writes)
        const version = isUngrouped(entry) ? entry : this.version(member)
        if (version) yield { version, position: { revision, id, member } }
      }
    }
  }

  *since(revision: Revision): Generator<Version<T>> {
    for (const { version } of this.listChanges(endOfRevision(revision), { includeCancelled: true })) yield version
  }

  positioned(version: Version<T>, by: OrderBy = 'revision'): Positioned<T> {
    const id = version.group ?? version.id
    const { revision: latest, [by]: revision = latest } = this.#groups.get(id) ?? version
    return { version, position: { revision, id, member: version.id } }
  }

  positionedAfter(versions: Iterable<Version<T>>, after: ChangePosition, by: OrderBy = 'revision'): Positioned<T>[] {
    const placed: Positioned<T>[] = []
    for (const version of versions) {
      const one = this.positioned(version, by)
      if (comparePositions(one.position, after) > 0) placed.push(one)
    }
    return placed.sort((a, b) => comparePositions(a.position, b.position))
  }

  *inWindow(window: Window, { includeCancelled = false } = {}): Generator<Version<T>> {
    for (const bucket of this.buckets({ includeCancelled })) yield* this.inBucket(bucket, window)
    for (const bucket of this.recurringBuckets({ includeCancelled })) {
      const [, to] = boundsIn(window, bucket)
      for (const { start, version } of this.recurringInBucket(bucket, window)) if (start < to) yield version
    }
  }

  buckets({ includeCancelled, of }: { includeCancelled: boolean; of?: string }): Iterable<number> {
    return bucketsIn(of === undefined ? this.#timeline : this.#memberTimeline, { includeCancelled, group: of })
  }

  /**
   * Yields the records of a bucket, or of the group `of` in it, that end after a window begins and start before it ends
   * (behaviour 1.15), by start. `from` leaves out those that start earlier.
   */
  *inBucket(
    bucket: number,
    window: Window,
    { from: earliest = Number.NEGATIVE_INFINITY, of }: { from?: number; of?: string } = {},
  ): Generator<Version<T>> {
    const writes = this.#writes
    const [from, to] = boundsIn(window, bucket)
    const first: Mark = { group: of, bucket, start: Math.max(from - maxLengthIn(bucket), earliest), ordinal: -1 }
    const timeline = of === undefined ? this.#timeline : this.#memberTimeline
    for (const version of timeline.keys(first as Version<T>)) {
      this.#requireUnchanged(writes)
      if (version.bucket !== bucket || version.start >= to || (of !== undefined && version.group !== of)) return
      if (version.end > from) yield this.#stamped(version)
    }
  }

  recurringBuckets({ includeCancelled }: { includeCancelled: boolean }): number[] {
    return this.#upcoming?.buckets({ includeCancelled }) ?? []
  }

  /** Occurrences by `earliest`: none in the window starts before it. `after` leaves out those that have ended by then. */
  *recurringInBucket(
    bucket: number,
    window: Window,
    after = Number.NEGATIVE_INFINITY,
  ): Generator<NextOccurrence<T> & { earliest: number }> {
    const writes = this.#writes
    const [from, to] = boundsIn(window, bucket)
    for (const next of this.#upcoming?.from(bucket, Math.max(from, after)) ?? []) {
      const earliest = next.end - maxLengthIn(bucket)
      if (earliest >= to) return
      this.#requireUnchanged(writes)
      yield { ...next, version: this.#stamped(next.version), earliest }
    }
  }

  /** Throws if these records were written to since `writes`, because an iteration would skip or repeat records. */
  #requireUnchanged(writes: number): void {
    if (writes !== this.#writes) throw new Error('a collection was written to while an index of it was read')
  }

  put(
    id: string,
    value: T,
    revision: Revision,
    {
      updatedRevision = revision,
      createdRevision = revision,
      cancelledRevision = revision,
      isAutomatic,
    }: WriteOptions = {},
  ): { was: T | undefined; is: T; isRedefined: boolean } {
    const before = this.#byId.get(id)
    const was = before && this.#stamped(before).value
    const span = this.kind.intervalOf?.(value)
    const matchedSince = isAutomatic && before ? (before.matchedSince ?? before.revision) : revision
    const created = before ? (before.createdRevision ?? before.revision) : createdRevision
    const made: { -readonly [Field in keyof Version<T>]: Version<T>[Field] } = {
      id,
      ordinal: before?.ordinal ?? this.#byId.size,
      value: Object.freeze(value),
      revision,
      updatedRevision: updatedRevision === revision ? undefined : updatedRevision,
      matchedSince: matchedSince === revision ? undefined : matchedSince,
      createdRevision: created === revision ? undefined : created,
      cancelledRevision: this.kind.isCancelled?.(value) ? cancelledRevision : 0,
      group: this.kind.stampGroupOf?.(value),
      bucket: NO_INTERVAL,
      start: span?.start ?? 0,
      end: span?.end ?? 0,
    }
    const group = this.#groupAfter(before, made, isAutomatic === true)
    if (span) made.bucket = bucketOf(span, this.#isInCancelledBucket(made, group?.after))
    const isRedefined = before !== undefined && (this.kind.isRedefinition?.(before.value, value) ?? false)
    if (updatedRevision !== revision) this.#byUpdated ??= this.#sortedByUpdated()
    this.#writes += 1
    const rebucketed = group?.changesLiveness ? this.#rebucketed(made, group.after) : []
    if (group) this.#groups.set(group.after.id, group.after)
    const [oldEntry, newEntry] = group ? [group.before ?? group.owner, group.after] : [before, made]
    this.#byChange.replace(oldEntry, newEntry)
    this.#byUpdated?.replace(oldEntry, newEntry)
    for (const [old, now] of [[before, made] as const, ...rebucketed]) this.#replaceVersion(old, now)
    if (isRedefined) this.#history.set(before, revision)
    this.#latest = Math.max(this.#latest, revision)
    return { was, is: made.value, isRedefined }
  }

  #replaceVersion(before: Version<T> | undefined, after: Version<T>): void {
    this.#byId.set(after.id, after)
    if (before) {
      if (before.group !== undefined) this.#members.delete(before)
      if (before.bucket === NO_INTERVAL) this.#upcoming?.remove(before, !this.#isLive(before))
      else this.#timeline.delete(before)
      if (before.bucket !== NO_INTERVAL && before.group !== undefined) this.#memberTimeline.delete(before)
    } else this.#created.set(after.ordinal, after.id)
    if (after.group !== undefined) this.#members.set(after, undefined)
    if (after.bucket === NO_INTERVAL) this.#upcoming?.add(after, !this.#isLive(after))
    else this.#timeline.set(after, undefined)
    if (after.bucket !== NO_INTERVAL && after.group !== undefined) this.#memberTimeline.set(after, undefined)
    this.#keys?.replace(before, after)
  }

  #isInCancelledBucket(version: Version<T>, group: StampGroup | undefined): boolean {
    return !this.#isLive(version) && (version.group === undefined || !group || group.liveCount === 0)
  }

  #isLive = (version: Version<T> | undefined): boolean =>
    version !== undefined && !(this.kind.isCancelled?.(version.value) ?? false)

  #isLiveEntry = (entry: ChangeEntry<T>): boolean => (isUngrouped(entry) ? this.#isLive(entry) : entry.liveCount > 0)

  #groupAfter(replaced: Version<T> | undefined, version: Version<T>, isAutomatic: boolean): GroupWrite<T> | undefined {
    const id = version.group ?? version.id
    const group = this.#groups.get(id)
    if (!group && version.group === undefined) return undefined
    const owner = group ? undefined : this.#byId.get(id)
    const known = group?.liveCount ?? (this.#isLive(owner) ? 1 : 0)
    const liveCount = known + Number(this.#isLive(version)) - Number(this.#isLive(replaced))
    const revision = Math.max(version.revision, group?.revision ?? owner?.revision ?? 0)
    const before = group ?? owner
    const updatedRevision = Math.max(
      version.updatedRevision ?? version.revision,
      before?.updatedRevision ?? before?.revision ?? 0,
    )
    const former = before ?? version
    const matchedSince = isAutomatic ? (former.matchedSince ?? former.revision) : revision
    return {
      before: group,
      owner,
      after: { id, revision, updatedRevision, matchedSince, liveCount },
      changesLiveness: known > 0 !== liveCount > 0,
    }
  }

  /** The records of a group that change their buckets because the group was cancelled or became live. */
  #rebucketed(changed: Version<T>, group: StampGroup): Replacement<T>[] {
    return this.membersOf(group.id).flatMap((id): Replacement<T>[] => {
      const before = id === changed.id ? undefined : this.#byId.get(id)
      const span = before && this.kind.intervalOf?.(before.value)
      if (!before || !span) return []
      const bucket = bucketOf(span, this.#isInCancelledBucket(before, group))
      return bucket === before.bucket ? [] : [[before, { ...before, bucket }]]
    })
  }

  #sortedByUpdated(): ByChange<T> {
    const order = new ByChange<T>('updatedRevision', this.#isLiveEntry)
    for (const entry of this.#byChange.from(endOfRevision(-1), { includeCancelled: true }))
      order.replace(undefined, entry)
    return order
  }

  #stamped(version: Version<T>): Version<T> {
    const { kind } = this
    if (!kind.withStamp || this.#groups.size === 0) return version
    const group = this.#groups.get(version.group ?? version.id)
    if (!group || group.revision === version.revision) return version
    const known = stamped.get(version)
    if (known?.group === group) return known.version as Version<T>
    const { revision, updatedRevision, matchedSince } = group
    const value = Object.freeze(kind.withStamp(version.value, revision, updatedRevision))
    const again = { ...version, value, revision, updatedRevision, matchedSince }
    stamped.set(version, { group, version: again })
    return again
  }
}

/**
 * The last stamped version of each version, so that two reads return the same object. The group is compared, not its
 * revision, because two worlds may use the same revisions for different writes.
 */
const stamped = new WeakMap<Version<unknown>, { group: StampGroup; version: Version<unknown> }>()
