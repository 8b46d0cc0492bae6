import {
  endOf,
  type Group,
  groupWith,
  inOrder,
  inTurn,
  newOrder,
  type Order,
  type Place,
  type Placed,
  placedAfter,
} from './byChange.ts'
import { ById } from './byId.ts'
import type { Timeline, Window } from './byInterval.ts'
import { boundsIn, inLane, laneOf, lanesIn, longestIn, NOWHERE, newTimeline } from './byInterval.ts'
import { Keys } from './byKey.ts'
import { type Next, Upcoming } from './byNextOccurrence.ts'
import { brokenStep, followedStep, type Step } from './followed.ts'
import { followed, type Sayings, sayings, written } from './followers.ts'
import { Former } from './history.ts'
import { Appended } from './persistentList.ts'
import type { Kind } from './resource.ts'
import { follower, stampedBy, type Writing } from './stamping.ts'
import type { State } from './store.ts'
import { byText, Tree } from './tree.ts'
import type { Making, Revision, Version } from './version.ts'

/** The records of one collection at one moment: by id, in the order of creation, in that of last change, and in time. */
export class Records<T extends object> implements State {
  readonly kind: Kind<T>
  readonly #byId: ById<T>
  /** The ids by their places: nothing is removed. */
  readonly #places: Appended<string>
  readonly #there: Order<T>
  readonly #gone: Order<T>
  readonly #groups: Tree<string, Group>
  /** The groups that no copy shares: only the trees of these are written to. */
  #ownGroups: Set<string> | undefined
  readonly #timeline: Timeline<T>
  readonly #upcoming: Upcoming<T>
  readonly #keys: Keys
  readonly former: Former<T>
  #latest: Revision = 0
  #quiet = false

  constructor(kind: Kind<T>, from?: Records<T>) {
    this.kind = kind
    this.#byId = new ById(from ? from.#byId : undefined)
    this.#places = from ? from.#places.copy() : new Appended<string>()
    this.#there = from ? from.#there.clone() : newOrder<T>()
    this.#gone = from ? from.#gone.clone() : newOrder<T>()
    this.#groups = from ? from.#groups.clone() : new Tree<string, Group>(undefined, byText)
    this.#timeline = from ? from.#timeline.clone() : newTimeline<T>()
    this.#upcoming = from ? from.#upcoming.copy() : new Upcoming<T>(kind.nextOf ?? (() => undefined))
    this.#keys = from ? from.#keys.copy() : new Keys()
    this.former = new Former(from?.former)
    this.#latest = from ? from.#latest : 0
    this.#quiet = from ? from.#quiet : false
  }

  copy(): this {
    return new Records(this.kind, this) as this
  }

  /** The revision of the last write; 0 before there was one. */
  get latest(): Revision {
    return this.#latest
  }

  /** Whether a write ever left `updated` as it was: else the order of last change is that of `updated` too. */
  get hasQuietWrites(): boolean {
    return this.#quiet
  }

  get size(): number {
    return this.#byId.size
  }

  has = (id: string): boolean => this.#byId.get(id) !== undefined

  get(id: string): T | undefined {
    return this.version(id)?.value
  }

  /** A record with the stamp that it has now. */
  version(id: string): Version<T> | undefined {
    const version = this.#byId.get(id)
    return version && this.#stamped(version)
  }

  /** The revision that wrote a record itself, whatever its group was stamped with since; 0 where there is none. */
  writtenAt(id: string): Revision {
    return this.#byId.get(id)?.revision ?? 0
  }

  /** Every record, in the order of creation. */
  *values(): Generator<T> {
    for (const id of this.#places.values()) {
      const value = this.get(id)
      if (value) yield value
    }
  }

  /** The records that are others than in another moment of this collection, those that follow what was written among them. */
  *differences(before: Records<T>): Generator<{ id: string; was: T | undefined; is: T | undefined }> {
    const ids = new Set([...written(before.#byId.tree, this.#byId.tree), ...followed(before.#groups, this.#groups)])
    for (const id of ids) yield { id, was: before.get(id), is: this.get(id) }
  }

  /** What those that belong to a record say now, if there are any; worked out when it is asked for, whatever is written by then. */
  followers(id: string): Sayings<T> | undefined {
    return sayings(this.kind, this.#byId.tree, this.#groups.get(id))
  }

  /** The ids of the records that have a key. */
  keyed(key: string): string[] {
    return this.#keys.idsOf(key)
  }

  /** Whether there is a record whose id begins so. */
  hasBeginning(prefix: string): boolean {
    return this.#byId.tree.nextHigherKey(prefix)?.startsWith(prefix) ?? false
  }

  /** The ids of those that share the stamp of a record. */
  membersOf(id: string): string[] {
    return this.#groups.get(id)?.members.keysArray() ?? []
  }

  /** The records after a place in the order of last change: those that are there, and where asked those that are gone. */
  changed(after: Place, { gone }: { gone: boolean }): Generator<Placed<T>> {
    return placedAfter(after, inOrder(this.#there, gone ? this.#gone : undefined, after), this)
  }

  /** What was written after a revision, each record once, in the order of last change. */
  *since(revision: Revision): Generator<Version<T>> {
    for (const { version } of this.changed(endOf(revision), { gone: true })) yield version
  }

  /** A record with its place in the order of last change. */
  placed(version: Version<T>): Placed<T> {
    const id = this.kind.groupOf?.(version.value) ?? version.id
    const { revision } = this.#groups.get(id) ?? version
    return { version, place: { revision, id, member: version.id } }
  }

  /** What lies in a window, in no order: what is there, and where asked what is gone. */
  *inWindow(window: Window, { gone = false } = {}): Generator<Version<T>> {
    for (const lane of this.lanes({ gone }))
      for (const version of inLane(this.#timeline, lane, window)) yield this.#stamped(version)
    for (const lane of this.upcomingLanes({ gone })) {
      const [from, to] = boundsIn(window, lane)
      for (const { start, end, version } of this.#upcoming.from(lane, from)) {
        if (end - longestIn(lane) >= to) break
        if (start < to) yield this.#stamped(version)
      }
    }
  }

  /** The lanes in which something lies that is in one place; `of` a record, those of what shares its stamp. */
  lanes({ gone, of }: { gone: boolean; of?: string }): Iterable<number> {
    return lanesIn(this.#inTime(of), { gone })
  }

  /** What lies in a window of one lane, by start, from a moment on. */
  *lane(lane: number, window: Window, { from, of }: { from?: number; of?: string } = {}): Generator<Version<T>> {
    for (const version of inLane(this.#inTime(of), lane, window, from)) yield this.#stamped(version)
  }

  #inTime(of: string | undefined): Timeline<T> {
    const group = of === undefined ? { inTime: this.#timeline } : this.#groups.get(of)
    return (group?.inTime as Timeline<T> | undefined) ?? newTimeline()
  }

  /** The lanes in which something lies that is in many places. */
  upcomingLanes({ gone }: { gone: boolean }): number[] {
    return this.#upcoming.lanes({ gone })
  }

  /** What of a lane has a place that ends after a moment, by the end of the first of these. */
  *upcoming(lane: number, after: number): Generator<Next<T>> {
    for (const next of this.#upcoming.from(lane, after)) yield { ...next, version: this.#stamped(next.version) }
  }

  put(id: string, value: T, revision: Revision, how: Writing = {}): Version<T> {
    const { touched = revision, born = revision, follow } = how
    const before = this.#byId.get(id)
    const span = this.kind.spanOf?.(value)
    const after: Making<T> = {
      id,
      place: before?.place ?? this.#byId.size,
      value: Object.freeze(value),
      revision,
      born: before?.born ?? born,
      lane: NOWHERE,
      start: span?.start ?? 0,
      end: span?.end ?? 0,
    }
    const group = this.#order(before, after, touched)
    if (follow && before && group) {
      const left = this.kind.leaves?.(before.value, value) ?? []
      this.#take(followedStep(group, left, { revision, after: value }), revision)
    } else if (group?.id === id && group.followed.isOpen) this.#take(brokenStep(group, revision), revision)
    if (span) after.lane = laneOf(span, this.#isPast(after, group))
    this.#byId.set(after)
    if (!before) this.#places.add(id)
    else if (this.kind.redefines?.(before.value, value)) this.former.set(before, revision)
    this.#place(before, after)
    const { keysOf } = this.kind
    if (keysOf) this.#keys.set(id, before ? keysOf(before.value) : [], keysOf(value))
    if (group?.turned) for (const member of inTurn(group.id, this.membersOf(group.id))) this.#lay(member, group)
    this.#latest = Math.max(this.#latest, revision)
    this.#quiet ||= touched !== revision
    return after
  }

  /** Whether a record is looked for among what is gone: of a group that lives it says what the group lacks. */
  #isPast(version: Version<T>, group: Group | undefined): boolean {
    return !this.#isThere(version) && (this.kind.groupOf?.(version.value) === undefined || !group || group.there === 0)
  }

  /** Lays a member of a group where it belongs now that the group lives again, or no longer. */
  #lay(id: string, group: Group): void {
    const before = this.#byId.get(id)
    if (!before || before.lane === NOWHERE || this.kind.groupOf?.(before.value) === undefined) return
    const span = this.kind.spanOf?.(before.value)
    const lane = span ? laneOf(span, this.#isPast(before, group)) : NOWHERE
    if (lane !== before.lane) this.#replace(before, { lane })
  }

  /** Takes a record from where it was in time to where it is. */
  #place(before: Version<T> | undefined, after: Version<T>): void {
    const { groupOf, nextOf } = this.kind
    const groupId = groupOf?.(after.value)
    const inTime = groupId === undefined ? undefined : (this.#groups.get(groupId)?.inTime as Timeline<T> | undefined)
    for (const timeline of inTime ? [this.#timeline, inTime] : [this.#timeline]) {
      if (before && before.lane !== NOWHERE) timeline.delete(before)
      if (after.lane !== NOWHERE) timeline.set(after, undefined)
    }
    if (nextOf && before) this.#upcoming.remove(before, !this.#isThere(before))
    if (nextOf) this.#upcoming.add(after, !this.#isThere(after))
  }

  #isThere = (version: Version<T> | undefined): boolean =>
    version !== undefined && !(this.kind.isGone?.(version.value) ?? false)

  /** Moves a record, or the group that it belongs to, to its place in the order of last change. */
  #order(
    before: Version<T> | undefined,
    after: Version<T>,
    touched: Revision,
  ): (Group & { turned: boolean }) | undefined {
    const id = this.kind.groupOf?.(after.value) ?? after.id
    const group = this.#groups.get(id)
    if (!group && id === after.id) {
      if (before) (this.#isThere(before) ? this.#there : this.#gone).delete(before)
      ;(this.#isThere(after) ? this.#there : this.#gone).set(after, undefined)
      return undefined
    }
    const owner = group ? undefined : this.#byId.get(id)
    if (owner) (this.#isThere(owner) ? this.#there : this.#gone).delete(owner)
    if (group) (group.there > 0 ? this.#there : this.#gone).delete(group)
    const known = group?.there ?? (this.#isThere(owner) ? 1 : 0)
    const there = known + (this.#isThere(after) ? 1 : 0) - (this.#isThere(before) ? 1 : 0)
    // A state may restore the members of a group in any order: the last of their stamps is that of all.
    const revision = Math.max(after.revision, group?.revision ?? owner?.revision ?? 0)
    const latest = Math.max(touched, group?.touched ?? 0)
    const now = { id, revision, touched: latest, there, member: after.id, isOwn: this.#ownGroups?.has(id) ?? false }
    const moved = groupWith(group, now)
    this.#ownGroups ??= new Set()
    this.#ownGroups.add(id)
    this.#groups.set(id, moved)
    ;(there > 0 ? this.#there : this.#gone).set(moved, undefined)
    return { ...moved, turned: known > 0 !== there > 0 }
  }

  #stamped(version: Version<T>): Version<T> {
    const { stamped, groupOf } = this.kind
    if (!stamped || this.#groups.size === 0) return version
    const group = this.#groups.get(groupOf?.(version.value) ?? version.id)
    return group ? stampedBy(this.kind, version, group) : version
  }

  /** Writes those who follow as they are read. */
  #take({ group, due, after }: Step, followed: Revision): void {
    this.#groups.set(after.id, after)
    for (const member of due) {
      const before = this.#byId.get(member)
      if (before) this.#replace(before, { value: Object.freeze(follower(this.kind, before, group)), followed })
    }
  }

  #replace(before: Version<T>, change: Partial<Version<T>>): void {
    const after = { ...before, ...change }
    this.#byId.set(after)
    this.#place(before, after)
  }
}
