import type { Group } from './byChange.ts'
import { followedSince } from './followed.ts'
import type { Kind } from './resource.ts'
import type { Revision, Version } from './version.ts'

/** What a write says of itself, where it is no plain one. */
export type Writing = {
  /** What the group of the record tells as `updated`, where that is not this write. */
  touched?: Revision | undefined
  /** The write that was the first. */
  born?: Revision | undefined
  /** Whether those that belong to the record follow it in reading. */
  follow?: boolean
}

/**
 * The last stamping of a version by its group, so that what is read twice is the same object. Revisions of two worlds may
 * be the same and their writes not: so it is the group that is compared.
 */
const restamped = new WeakMap<Version<unknown>, { group: Group; version: Version<unknown> }>()

/** A record as the latest write to its group has left it. */
export function stampedBy<T extends object>(kind: Kind<T>, version: Version<T>, group: Group): Version<T> {
  if (!kind.stamped || group.revision === version.revision) return version
  const known = restamped.get(version)
  if (known?.group === group) return known.version as Version<T>
  const { revision, touched } = group
  const value = Object.freeze(kind.stamped(follower(kind, version, group), revision, touched))
  const again = { ...version, value, revision }
  restamped.set(version, { group, version: again })
  return again
}

/** What a record says once it has followed all that was written since to the one it belongs to. */
export function follower<T extends object>(kind: Kind<T>, version: Version<T>, group: Group): T {
  const { id, value, revision, followed = revision } = version
  return id === group.id ? value : followedSince(kind, value, followed, group.followed)
}
