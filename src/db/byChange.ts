import type { CollectionDefinition } from './resource.ts'
import { byText, Tree } from './tree.ts'
import type { Revision, Version } from './version.ts'

/**
 * Records that share one stamp: an owner and its members. The stamp is stored once and applied when a record is read.
 */
export type StampGroup = {
  readonly id: string
  readonly revision: Revision
  readonly updatedRevision: Revision
  readonly matchedSince: Revision
  /** The number of its records that are not cancelled. */
  readonly liveCount: number
}

/** A position in the order of last change: groups by their stamp, the records of a group by their ids. */
export type ChangeKey = { readonly revision: Revision; readonly id: string }

/** The position of a record. In the order of `updated`, `revision` is the last write that changed what it shows. */
export type ChangePosition = ChangeKey & { readonly member: string }
export type Positioned<T> = { readonly version: Version<T>; readonly position: ChangePosition }

/** The position after everything that was written at a revision. */
export const endOfRevision = (revision: Revision): ChangePosition => ({ revision, id: '\uffff', member: '' })

export const comparePositions = (a: ChangePosition, b: ChangePosition): number =>
  a.revision - b.revision || byText(a.id, b.id) || byText(a.member, b.member)

/** A record without a group, or a group. */
export type ChangeEntry<T> = Version<T> | StampGroup

/** The order by which entries are listed: by last change, or by the last change that `updated` shows. */
export type OrderBy = 'revision' | 'updatedRevision'
type Sorted<T> = Tree<ChangeEntry<T>, undefined>

const comparing =
  (by: OrderBy) =>
  (a: ChangeEntry<unknown>, b: ChangeEntry<unknown>): number =>
    a[by] - b[by] || byText(a.id, b.id)

const COMPARING = { revision: comparing('revision'), updatedRevision: comparing('updatedRevision') }

/** The index `byChange`: live entries and cancelled ones, each in one order. */
export class ByChange<T> {
  readonly #by: OrderBy
  readonly #isLive: (entry: ChangeEntry<T>) => boolean
  readonly #live: Sorted<T>
  readonly #cancelled: Sorted<T>

  constructor(by: OrderBy, isLive: (entry: ChangeEntry<T>) => boolean, from?: ByChange<T>) {
    this.#by = by
    this.#isLive = isLive
    this.#live = from ? from.#live.clone() : new Tree<ChangeEntry<T>, undefined>(undefined, COMPARING[by])
    this.#cancelled = from ? from.#cancelled.clone() : new Tree<ChangeEntry<T>, undefined>(undefined, COMPARING[by])
  }

  clone(): ByChange<T> {
    return new ByChange(this.#by, this.#isLive, this)
  }

  replace(before: ChangeEntry<T> | undefined, after: ChangeEntry<T> | undefined): void {
    if (before) this.#treeOf(before).delete(before)
    if (after) this.#treeOf(after).set(after, undefined)
  }

  #treeOf(entry: ChangeEntry<T>): Sorted<T> {
    return this.#isLive(entry) ? this.#live : this.#cancelled
  }

  /** Yields the entries from a position on; cancelled ones only with `includeCancelled`. */
  from({ revision, id }: ChangeKey, { includeCancelled }: { includeCancelled: boolean }): Iterable<ChangeEntry<T>> {
    const least = { revision, updatedRevision: revision, id } as ChangeEntry<T>
    const live = this.#live.keys(least)
    return includeCancelled ? merged(live, this.#cancelled.keys(least), COMPARING[this.#by]) : live
  }
}

function* merged<T>(
  left: Iterator<ChangeEntry<T>>,
  right: Iterator<ChangeEntry<T>>,
  compare: (a: ChangeEntry<T>, b: ChangeEntry<T>) => number,
): Generator<ChangeEntry<T>> {
  let [a, b] = [left.next(), right.next()]
  while (!a.done || !b.done) {
    if (b.done || (!a.done && compare(a.value, b.value) < 0)) {
      yield a.value
      a = left.next()
    } else {
      yield b.value
      b = right.next()
    }
  }
}

/** Returns the ids of a group in their order. */
export function idsInOrder(id: string, members: string[]): readonly string[] {
  const [first] = members
  return first === undefined || byText(id, first) < 0 ? [id, ...members] : [...members, id].sort(byText)
}

/** Returns true if an entry is a record without a group. */
export const isUngrouped = <T>(entry: ChangeEntry<T>): entry is Version<T> => 'value' in entry

/**
 * The last stamped version of each version, so that two reads return the same object. The group is compared, not its
 * revision, because two worlds may use the same revisions for different writes.
 */
const stamped = new WeakMap<Version<unknown>, { group: StampGroup; version: Version<unknown> }>()

/** Returns a version with the stamp of the latest write to its group. */
export function stampedBy<T extends object>(
  kind: CollectionDefinition<T>,
  version: Version<T>,
  group: StampGroup,
): Version<T> {
  if (!kind.withStamp || group.revision === version.revision) return version
  const known = stamped.get(version)
  if (known?.group === group) return known.version as Version<T>
  const { revision, updatedRevision, matchedSince } = group
  const value = Object.freeze(kind.withStamp(version.value, revision, updatedRevision))
  const again = { ...version, value, revision, updatedRevision, matchedSince }
  stamped.set(version, { group, version: again })
  return again
}
