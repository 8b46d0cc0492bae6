import { byText, Tree } from './tree.ts'
import type { Revision, Version } from './version.ts'

/** Records that share one stamp: the record that they belong to, and its members. It is stored once and read through. */
export type StampGroup = {
  readonly id: string
  readonly revision: Revision
  readonly touched: Revision
  /** The number of its records that are not cancelled. */
  readonly there: number
}

/** A position in the order of last change: groups by their stamp, the records of a group by their ids. */
export type Change = { readonly revision: Revision; readonly id: string }

/** The position of a record. In the order of `updated`, `revision` is the last write that changed what it shows. */
export type Place = Change & { readonly member: string }
export type Placed<T> = { readonly version: Version<T>; readonly place: Place }

/** The position after everything that was written at a revision. */
export const endOf = (revision: Revision): Place => ({ revision, id: '\uffff', member: '' })

export const byPlace = (a: Place, b: Place): number =>
  a.revision - b.revision || byText(a.id, b.id) || byText(a.member, b.member)

/** Records that are stamped alone, and groups. */
export type Entry<T> = Version<T> | StampGroup

/** The order by which entries are listed: by last change, or by the last change that `updated` shows. */
export type OrderBy = 'revision' | 'touched'
type Sorted<T> = Tree<Entry<T>, undefined>

const comparing =
  (by: OrderBy) =>
  (a: Entry<unknown>, b: Entry<unknown>): number =>
    a[by] - b[by] || byText(a.id, b.id)

const COMPARING = { revision: comparing('revision'), touched: comparing('touched') }

/** The index `byChange`: live entries and cancelled ones, each in one order. */
export class ByChange<T> {
  readonly #by: OrderBy
  readonly #isLive: (entry: Entry<T>) => boolean
  readonly #live: Sorted<T>
  readonly #cancelled: Sorted<T>

  constructor(by: OrderBy, isLive: (entry: Entry<T>) => boolean, from?: ByChange<T>) {
    this.#by = by
    this.#isLive = isLive
    this.#live = from ? from.#live.clone() : new Tree<Entry<T>, undefined>(undefined, COMPARING[by])
    this.#cancelled = from ? from.#cancelled.clone() : new Tree<Entry<T>, undefined>(undefined, COMPARING[by])
  }

  copy(): ByChange<T> {
    return new ByChange(this.#by, this.#isLive, this)
  }

  replace(before: Entry<T> | undefined, after: Entry<T> | undefined): void {
    if (before) this.#treeOf(before).delete(before)
    if (after) this.#treeOf(after).set(after, undefined)
  }

  #treeOf(entry: Entry<T>): Sorted<T> {
    return this.#isLive(entry) ? this.#live : this.#cancelled
  }

  /** The entries from a position on; cancelled ones only if asked for. */
  from({ revision, id }: Change, { gone }: { gone: boolean }): Iterable<Entry<T>> {
    const least = { revision, touched: revision, id } as Entry<T>
    const live = this.#live.keys(least)
    return gone ? merged(live, this.#cancelled.keys(least), COMPARING[this.#by]) : live
  }
}

function* merged<T>(
  left: Iterator<Entry<T>>,
  right: Iterator<Entry<T>>,
  compare: (a: Entry<T>, b: Entry<T>) => number,
): Generator<Entry<T>> {
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
export function inTurn(id: string, members: string[]): readonly string[] {
  const [first] = members
  return first === undefined || byText(id, first) < 0 ? [id, ...members] : [...members, id].sort(byText)
}

/** Whether an entry is a record that is stamped alone. */
export const isAlone = <T>(entry: Entry<T>): entry is Version<T> => 'value' in entry
