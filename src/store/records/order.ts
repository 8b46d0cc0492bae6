import { byText, Tree } from '../tree.ts'
import type { Timeline } from './timeline.ts'
import type { Revision, Version } from './version.ts'

/** Records that are stamped together: the one that they belong to, if it is there, and its members. */
export type Group = {
  readonly id: string
  readonly revision: Revision
  readonly touched: Revision
  readonly members: Tree<string, undefined>
  /** The members, by when they are. */
  readonly inTime: Timeline<unknown>
  /** The latest writes to the one that members follow: a member written before them is read as they leave it. */
  readonly followed: readonly Followed[]
  /** How many of them all are not gone. */
  readonly there: number
}

/** A group that was moved, and whether it lives again by that, or no longer. */
export type Turned = Group & { readonly turned: boolean }

/** The members of a group to write to: those that copies share are copied. */
export function ownMembers(group: Group | undefined, own: boolean): Group['members'] {
  if (!group) return new Tree<string, undefined>(undefined, byText)
  return own ? group.members : group.members.clone()
}

/** A write that others follow. */
export type Followed = { readonly revision: Revision; readonly before: unknown; readonly after: unknown }

/** Where something stands in the order of last change: groups by their stamp, and the records of a group by their ids. */
export type Change = { readonly revision: Revision; readonly id: string }

/** The place of a record in the order of last change. */
export type Place = Change & { readonly member: string }
/** A record and its place. */
export type Placed<T> = { readonly version: Version<T>; readonly place: Place }

/** The place after everything that was written at a revision. */
export const endOf = (revision: Revision): Place => ({ revision, id: '\uffff', member: '' })

export const byPlace = (a: Place, b: Place): number => byChange(a, b) || byText(a.member, b.member)

export const byChange = (a: Change, b: Change): number => a.revision - b.revision || byText(a.id, b.id)

/** Two orders as one, from a change on. */
export function* inOrder(
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

/** All that share a stamp, in their order. */
export function inTurn(id: string, members: string[]): readonly string[] {
  const [first] = members
  return first === undefined || byText(id, first) < 0 ? [id, ...members] : [...members, id].sort(byText)
}
