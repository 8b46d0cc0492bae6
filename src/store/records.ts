import type { State } from './store.ts'
import { inLane, laneOf, lanesOf, NOWHERE, newTimeline, type Span, type Timeline, type Window } from './timeline.ts'
import { byNumber, byText, Tree } from './tree.ts'
import type { Revision, Version } from './version.ts'

/** What the store has to know of a kind of record. */
export type Kind<T> = {
  /** Whether the record says that what it was is gone: lists of what is there pass it by. */
  isGone?(value: T): boolean
  /** Where it lies in time. */
  spanOf?(value: T): Span | undefined
  /** The record that this one is stamped together with: a write to one is a write to all. */
  groupOf?(value: T): string | undefined
  /** A record as stamped by a later write to its group; `touched` is when any of them last changed what `updated` tells. */
  stamped?(value: T, revision: Revision, touched: Revision): T
  /** Whether lists of changes have to know what the record was before this write. */
  redefines?(before: T, after: T): boolean
}

/** Records that are stamped together: the one that they belong to, if it is there, and its members. */
type Group = {
  readonly id: string
  readonly revision: Revision
  readonly touched: Revision
  readonly members: Tree<string, undefined>
  /** How many of them all are not gone. */
  readonly there: number
}

/** Where something stands in the order of last change: groups by their stamp, and the records of a group by their ids. */
export type Change = { readonly revision: Revision; readonly id: string }

/** The place of a record in the order of last change. */
export type Place = Change & { readonly member: string }
/** A record and its place. */
export type Placed<T> = { readonly version: Version<T>; readonly place: Place }

/** The place after everything that was written at a revision. */
export const endOf = (revision: Revision): Place => ({ revision, id: '\uffff', member: '' })

export const byPlace = (a: Place, b: Place): number => byChange(a, b) || byText(a.member, b.member)

const byChange = (a: Change, b: Change): number => a.revision - b.revision || byText(a.id, b.id)

/** The records of one collection at one moment: by id, in the order of creation, in that of last change, and in time. */
export class Records<T extends object> implements State {
  readonly kind: Kind<T>
  readonly #byId: Tree<string, Version<T>>
  readonly #places: Tree<number, string>
  readonly #there: Tree<Change, undefined>
  readonly #gone: Tree<Change, undefined>
  readonly #groups: Tree<string, Group>
  readonly #timeline: Timeline<T>
  /** Former versions that lists of changes ask for, by id and the revision that replaced them. */
  readonly #former: Tree<string, Version<T>>
  #latest: Revision = 0
  #quiet = false

  constructor(kind: Kind<T>, from?: Records<T>) {
    this.kind = kind
    this.#byId = from ? from.#byId.clone() : new Tree<string, Version<T>>(undefined, byText)
    this.#places = from ? from.#places.clone() : new Tree<number, string>(undefined, byNumber)
    this.#there = from ? from.#there.clone() : new Tree<Change, undefined>(undefined, byChange)
    this.#gone = from ? from.#gone.clone() : new Tree<Change, undefined>(undefined, byChange)
    this.#groups = from ? from.#groups.clone() : new Tree<string, Group>(undefined, byText)
    this.#timeline = from ? from.#timeline.clone() : newTimeline<T>()
    this.#former = from ? from.#former.clone() : new Tree<string, Version<T>>(undefined, byText)
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
    for (const id of this.#places.clone().values()) {
      const value = this.get(id)
      if (value) yield value
    }
  }

  /** The ids of those that share the stamp of a record. */
  membersOf(id: string): string[] {
    return this.#groups.get(id)?.members.keysArray() ?? []
  }

  /** The records after a place in the order of last change: those that are there, and where asked those that are gone. */
  *changed(after: Place, { gone }: { gone: boolean }): Generator<Placed<T>> {
    for (const { id, revision } of merged(this.#there, gone ? this.#gone : undefined, after)) {
      const begun = revision === after.revision && id === after.id
      for (const member of this.#stampedWith(id)) {
        if (begun && byText(member, after.member) <= 0) continue
        const version = this.version(member)
        if (version) yield { version, place: { revision, id, member } }
      }
    }
  }

  /** What was written after a revision, each record once, in the order of last change. */
  *since(revision: Revision): Generator<Version<T>> {
    for (const { version } of this.changed(endOf(revision), { gone: true })) yield version
  }

  /** The ids of all that share a stamp, in their order. */
  #stampedWith(id: string): readonly string[] {
    const members = this.membersOf(id)
    const [first] = members
    return first === undefined || byText(id, first) < 0 ? [id, ...members] : [...members, id].sort(byText)
  }

  /** A record with its place in the order of last change. */
  placed(version: Version<T>): Placed<T> {
    const id = this.kind.groupOf?.(version.value) ?? version.id
    const { revision } = this.#groups.get(id) ?? version
    return { version, place: { revision, id, member: version.id } }
  }

  /** What lies in a window, in no order: what is there, and where asked what is gone. */
  *inWindow(window: Window, { gone = false } = {}): Generator<Version<T>> {
    for (const lane of lanesOf(gone)) yield* this.lane(lane, window)
  }

  /** What lies in a window of one lane, by start, from a moment on. */
  *lane(lane: number, window: Window, from?: number): Generator<Version<T>> {
    for (const version of inLane(this.#timeline, lane, window, from)) yield this.#stamped(version)
  }

  /** What a record was just after a revision, where a later write has redefined it. */
  formerly(id: string, revision: Revision): Version<T> | undefined {
    const [key, version] = this.#former.getPairOrNextHigher(formerKey(id, revision + 1)) ?? []
    // One that began after that moment was nothing then.
    return key?.startsWith(`${id} `) && version && version.born <= revision ? version : undefined
  }

  /** What records were before they were redefined after a revision, and which revision did it. */
  *formers(after: Revision): Generator<{ until: Revision; version: Version<T> }> {
    for (const [key, version] of this.#former.toArray()) {
      const until = Number(key.slice(-REVISION_DIGITS))
      if (until > after) yield { until, version }
    }
  }

  /** Puts back what a record was before a revision redefined it. */
  restoreFormer(version: Pick<Version<T>, 'id' | 'value' | 'born'>, until: Revision): void {
    const { id, value, born } = version
    const nowhere = { place: -1, lane: NOWHERE, start: 0, end: 0 }
    this.#former.set(formerKey(id, until), { id, value: Object.freeze(value), born, revision: born, ...nowhere })
  }

  /** Writes a record. `touched` is what its group tells as `updated`, where that is not this write. */
  put(id: string, value: T, revision: Revision, touched = revision, born = revision): Version<T> {
    const before = this.#byId.get(id)
    const { isGone, spanOf } = this.kind
    const span = spanOf?.(value)
    // What is gone of a group that may live is looked for among what is there: it says what the group lacks.
    const gone = isGone?.(value) === true && this.kind.groupOf?.(value) === undefined
    const after: Version<T> = {
      id,
      place: before?.place ?? this.#byId.size,
      value: Object.freeze(value),
      revision,
      born: before?.born ?? born,
      lane: span ? laneOf(span, gone) : NOWHERE,
      start: span?.start ?? 0,
      end: span?.end ?? 0,
    }
    this.#byId.set(id, after)
    if (before) {
      if (before.lane !== NOWHERE) this.#timeline.delete(before)
      if (this.kind.redefines?.(before.value, value)) this.#former.set(formerKey(id, revision), before)
    } else this.#places.set(after.place, id)
    if (after.lane !== NOWHERE) this.#timeline.set(after, undefined)
    this.#order(before, after, touched)
    this.#latest = Math.max(this.#latest, revision)
    this.#quiet ||= touched !== revision
    return after
  }

  #isThere = (version: Version<T> | undefined): boolean =>
    version !== undefined && !(this.kind.isGone?.(version.value) ?? false)

  /** Moves a record, or the group that it belongs to, to its place in the order of last change. */
  #order(before: Version<T> | undefined, after: Version<T>, touched: Revision): void {
    const id = this.kind.groupOf?.(after.value) ?? after.id
    const group = this.#groups.get(id)
    if (!group && id === after.id) {
      if (before) (this.#isThere(before) ? this.#there : this.#gone).delete(before)
      ;(this.#isThere(after) ? this.#there : this.#gone).set(after, undefined)
      return
    }
    const owner = group ? undefined : this.#byId.get(id)
    if (owner) (this.#isThere(owner) ? this.#there : this.#gone).delete(owner)
    if (group) (group.there > 0 ? this.#there : this.#gone).delete(group)
    const members = group ? group.members.clone() : new Tree<string, undefined>(undefined, byText)
    if (id !== after.id) members.set(after.id, undefined)
    const known = group?.there ?? (this.#isThere(owner) ? 1 : 0)
    const there = known + (this.#isThere(after) ? 1 : 0) - (this.#isThere(before) ? 1 : 0)
    // A state may restore the members of a group in any order: the last of their stamps is that of all.
    const revision = Math.max(after.revision, group?.revision ?? owner?.revision ?? 0)
    const moved: Group = { id, revision, touched: Math.max(touched, group?.touched ?? 0), members, there }
    this.#groups.set(id, moved)
    ;(there > 0 ? this.#there : this.#gone).set(moved, undefined)
  }

  #stamped(version: Version<T>): Version<T> {
    const { stamped, groupOf } = this.kind
    if (!stamped || this.#groups.size === 0) return version
    const group = this.#groups.get(groupOf?.(version.value) ?? version.id)
    if (!group || group.revision === version.revision) return version
    const known = restamped.get(version)
    if (known?.revision === group.revision) return known as Version<T>
    const { revision, touched } = group
    const again = { ...version, value: Object.freeze(stamped(version.value, revision, touched)), revision }
    restamped.set(version, again)
    return again
  }
}

/** The last stamping of a version by its group, so that what is read twice is the same object. */
const restamped = new WeakMap<Version<unknown>, Version<unknown>>()

const REVISION_DIGITS = 17
const formerKey = (id: string, revision: Revision): string => `${id} ${String(revision).padStart(REVISION_DIGITS, '0')}`

/** Two orders as one, from a change on. */
function* merged(
  one: Tree<Change, undefined>,
  other: Tree<Change, undefined> | undefined,
  from: Change,
): Generator<Change> {
  if (!other) return yield* one.keys(from)
  const [left, right] = [one.keys(from), other.keys(from)]
  let [a, b] = [left.next(), right.next()]
  while (!a.done || !b.done) {
    if (b.done || (!a.done && byChange(a.value, b.value) < 0)) {
      yield a.value
      a = left.next()
    } else {
      yield b.value
      b = right.next()
    }
  }
}
