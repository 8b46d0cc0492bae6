import type { Group } from './byChange.ts'
import type { Kind } from './resource.ts'
import { stampedBy } from './stamping.ts'
import { differences, type Tree } from './tree.ts'
import type { Version } from './version.ts'

/** Records by their ids, as they were at some moment. */
export type Sayings<T> = () => Iterable<readonly [id: string, value: T]>

/** What the members of a group say; nothing where it has none. Both may be written to before it is asked for. */
export function sayings<T extends object>(
  kind: Kind<T>,
  versions: Tree<string, Version<T>>,
  group: Group | undefined,
): Sayings<T> | undefined {
  if (!group || group.members.size === 0) return undefined
  const [kept, members] = [versions.clone(), group.members.clone()]
  return function* () {
    for (const member of members.keys()) {
      const version = kept.get(member)
      if (version) yield [member, stampedBy(kind, version, group).value]
    }
  }
}

type Versions = Tree<string, Version<unknown>>

/** The ids of the records that were written between two moments. */
export function* written(before: Versions, after: Versions): Generator<string> {
  for (const [id, was, is] of differences(before, after)) if (was?.value !== is?.value) yield id
}

/** The ids of those that may have followed a write between two moments. */
export function* followed(before: Tree<string, Group>, after: Tree<string, Group>): Generator<string> {
  for (const [, was, is] of differences(before, after))
    if (was?.followed !== is?.followed) yield* (is ?? was)?.members.keys() ?? []
}
