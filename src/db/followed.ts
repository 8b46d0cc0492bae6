import type { Chain, Followed, Group } from './byChange.ts'
import type { Kind, Said } from './resource.ts'
import { byText, Tree } from './tree.ts'
import type { Revision } from './version.ts'

/** How many former words a chain keeps before those who follow are written, a few with every write. */
const MOST_LEFT = 256
const AT_ONCE = 16
/** How many chains there may be: what breaks one has gone through all who follow anyway. */
const MOST_CHAINS = 8

const keyOf = (name: string, text: string): string => `${name}\n${text}`

/** The same with one more write, by what its record no longer says. */
function followedOn(
  { chains, isOpen, settling }: Followed,
  left: readonly Said[],
  { revision, after }: { revision: Revision; after: unknown },
): Followed {
  const last = isOpen ? chains.at(-1) : undefined
  const tree = last ? last.left.clone() : new Tree<string, Revision>(undefined, byText)
  for (const [name, text] of left) tree.set(keyOf(name, text), revision)
  const names = [...new Set([...(last?.names ?? []), ...left.map(([name]) => name)])]
  const chain: Chain = { names, left: tree, latest: revision, after }
  const all = [...(last ? chains.slice(0, -1) : chains), chain]
  // What is to be written down begins no later than the next chain, so that it can be forgotten as a whole.
  const begins = settling === undefined && tree.size > MOST_LEFT
  return { chains: all, isOpen: !begins, settling: begins ? { next: '', until: revision } : settling }
}

/** The same without the chains that all have been written for. */
const settled = ({ chains, isOpen }: Followed, until: Revision): Followed => ({
  chains: chains.filter(({ latest }) => latest > until),
  isOpen,
  settling: undefined,
})

/** A group by which its members are read, those of them that are to be written so, and the group as it then is. */
export type Step = { readonly group: Group; readonly due: readonly string[]; readonly after: Group }

/** A write that the members of a group follow in reading; of those who follow much a few are written. */
export function followedStep(group: Group, left: readonly Said[], write: { revision: Revision; after: unknown }): Step {
  const following = { ...group, followed: followedOn(group.followed, left, write) }
  const { settling } = following.followed
  return settling ? settlingStep(following, settling, AT_ONCE) : { group: following, due: [], after: following }
}

/** A write that they do not follow. It has gone through them all: so may what they follow, where it is much. */
export function brokenStep(group: Group, revision: Revision): Step {
  const broken = { ...group, followed: { ...group.followed, isOpen: false } }
  const isMuch = group.followed.chains.length > MOST_CHAINS
  return isMuch
    ? settlingStep(broken, { next: '', until: revision }, group.members.size)
    : { group: broken, due: [], after: broken }
}

/** The next so many who follow; once all had their turn, what was kept for them is forgotten. */
function settlingStep(group: Group, { next, until }: { next: string; until: Revision }, most: number): Step {
  const due: string[] = []
  for (const member of group.members.keys(next)) {
    if (due.length === most)
      return { group, due, after: { ...group, followed: { ...group.followed, settling: { next: member, until } } } }
    due.push(member)
  }
  return { group, due, after: { ...group, followed: settled(group.followed, until) } }
}

/** A record as it is read that has followed all that was written since a revision. */
export function followedSince<T>({ follows }: Kind<T>, value: T, since: Revision, { chains }: Followed): T {
  if (!follows) return value
  return chains.reduce((said, { names, left, latest, after }) => {
    if (latest <= since) return said
    const isLeft = (name: string, text: string) => (left.get(keyOf(name, text)) ?? 0) > since
    return follows(said, names, isLeft, after as T)
  }, value)
}
