import { newTimeline, type Timeline } from './byInterval.ts'
import { byText, Tree } from './tree.ts'
import type { Revision, Version } from './version.ts'

/**
 * Writes to a record that those who belong to it follow, with none between them that they do not. Whoever said what the
 * record said at some time says, at the end, what it says then: so the record's latest words are kept, and of each of
 * its former ones when it last took it back. To read a follower costs what it says, however many writes there were.
 */
export type Chain = {
  readonly names: readonly string[]
  readonly left: Tree<string, Revision>
  readonly latest: Revision
  readonly after: unknown
}

/** The writes to a record that are followed in reading, and how far they are being written down. */
export type Followed = {
  readonly chains: readonly Chain[]
  /** Whether the next write goes on in the last chain. */
  readonly isOpen: boolean
  /** Those who follow from this one on are still to be written as writes up to a revision leave them. */
  readonly settling: { readonly next: string; readonly until: Revision } | undefined
}

const NOTHING_FOLLOWED: Followed = { chains: [], isOpen: false, settling: undefined }

/** Records that are stamped together: the one that they belong to, if it is there, and its members. */
export type Group = {
  readonly id: string
  readonly revision: Revision
  readonly touched: Revision
  readonly members: Tree<string, undefined>
  /** The members, by when they are. */
  readonly inTime: Timeline<unknown>
  /** Writes to the one that members follow: a member written before them is read as they leave it. */
  readonly followed: Followed
  /** How many of them all are not gone. */
  readonly there: number
}

/** A group once one of those in it was written. What copies share of it is copied. */
export function groupWith(
  group: Group | undefined,
  { isOwn, member, ...now }: Pick<Group, 'id' | 'revision' | 'touched' | 'there'> & { isOwn: boolean; member: string },
): Group {
  const { members, inTime, followed } = group ?? {
    ...{ members: new Tree<string, undefined>(undefined, byText), inTime: newTimeline<unknown>() },
    followed: NOTHING_FOLLOWED,
  }
  const own = isOwn || !group ? { members, inTime } : { members: members.clone(), inTime: inTime.clone() }
  if (now.id !== member) own.members.set(member, undefined)
  return { ...now, ...own, followed }
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

export const byChange = (a: Change, b: Change): number => a.revision - b.revision || byText(a.id, b.id)

/** Records that are stamped alone, and groups of others, in the order of last change. */
export type Order<T> = Tree<Version<T> | Group, undefined>

export const newOrder = <T>(): Order<T> => new Tree<Version<T> | Group, undefined>(undefined, byChange)

/** Whether something in the order of last change is a record that is stamped alone: it is the record as it stands. */
const isAlone = <T>(change: Version<T> | Group): change is Version<T> => !('members' in change)

/** Two orders as one, from a change on. */
export function inOrder<T>(one: Order<T>, other: Order<T> | undefined, from: Change): Iterable<Version<T> | Group> {
  const least = from as Group
  return other ? together(one.keys(least), other.keys(least)) : one.keys(least)
}

function* together<C extends Change>(left: Iterator<C>, right: Iterator<C>): Generator<C> {
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

/** The records of such an order after a place, those that share a stamp each in its turn. */
export function* placedAfter<T>(
  after: Place,
  order: Iterable<Version<T> | Group>,
  records: { membersOf(id: string): string[]; version(id: string): Version<T> | undefined },
): Generator<Placed<T>> {
  for (const change of order) {
    const { id, revision } = change
    const begun = revision === after.revision && id === after.id
    if (isAlone(change)) {
      if (!begun || byText(id, after.member) > 0) yield { version: change, place: { revision, id, member: id } }
      continue
    }
    for (const member of inTurn(id, records.membersOf(id))) {
      if (begun && byText(member, after.member) <= 0) continue
      const version = records.version(member)
      if (version) yield { version, place: { revision, id, member } }
    }
  }
}
