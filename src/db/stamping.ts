import type { StampGroup } from './byChange.ts'
import type { Kind } from './resource.ts'
import type { Version } from './version.ts'

/**
 * The last stamped version of each version, so that two reads return the same object. The group is compared, not its
 * revision, because two worlds may use the same revisions for different writes.
 */
const stamped = new WeakMap<Version<unknown>, { group: StampGroup; version: Version<unknown> }>()

/** Returns a version with the stamp of the latest write to its group. */
export function stampedBy<T extends object>(kind: Kind<T>, version: Version<T>, group: StampGroup): Version<T> {
  if (!kind.stamped || group.revision === version.revision) return version
  const known = stamped.get(version)
  if (known?.group === group) return known.version as Version<T>
  const { revision, touched } = group
  const value = Object.freeze(kind.stamped(version.value, revision, touched))
  const again = { ...version, value, revision, touched }
  stamped.set(version, { group, version: again })
  return again
}
