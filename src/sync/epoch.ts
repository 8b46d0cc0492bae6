import type { Epoch, EpochId, FormerEpoch } from '../db/store.ts'
import type { Revision } from '../db/version.ts'

export type { Epoch, EpochId }

/** The number of ended epochs that a world remembers, to distinguish an expired token from an invalid one. */
const MAX_REMEMBERED_EPOCHS = 100

/** Returns an epoch without parent or former epochs. */
export const firstEpoch = (worldId: string, resetCount = 0): Epoch => ({ worldId, resetCount, former: [] })

/** Returns the name of the world that an epoch belongs to: its world id without the suffix of `deriveEpoch`. */
export const worldNameOf = ({ worldId }: EpochId): string => worldId.split(':')[0] ?? worldId

/**
 * Returns the epoch for a token of a world's present epoch that refers to `revision`: the parent if the revision is not
 * later than `parent.at`, otherwise the present epoch itself.
 */
export const epochAt = (epoch: Epoch, revision: Revision): Epoch =>
  epoch.parent && revision <= epoch.parent.at ? epoch.parent.epoch : epoch

/**
 * Returns the epoch after a reset, in which all earlier tokens have expired. Its resets are one more, its id the same.
 */
export const nextEpoch = (present: Epoch): Epoch => ({
  worldId: present.worldId,
  resetCount: present.resetCount + 1,
  former: endedEpochs(present, present.worldId),
})

/**
 * Returns the epoch of a world that is made from a snapshot or a state, or restored to one: `original` is the epoch of
 * that moment, `at` its revision, and `present` the epoch before. Tokens of `original` stay valid up to `at`, those of
 * its former epochs as before. Other tokens of `present` expire. The world id gets a suffix that is derived from
 * `original` and `at`, so that two worlds made from different moments reject each other's tokens.
 */
export function deriveEpoch(original: Epoch, at: Revision, present: Epoch): Epoch {
  const { parent, resetCount } = present
  // A repeated restore to the same moment keeps the suffix and the accepted epochs.
  if (parent?.epoch === original && parent.at === at) return { ...present, resetCount: resetCount + 1 }
  const suffix = hashText(JSON.stringify([original.worldId, original.resetCount, at])).toString(36)
  const worldId = `${worldNameOf(present)}:${suffix}`
  const accepted = [{ worldId: original.worldId, resetCount: original.resetCount, until: at }, ...original.former]
  const ended = endedEpochs(present, worldId).filter((one) => !accepted.some((other) => isSameEpoch(one, other)))
  return { worldId, resetCount: resetCount + 1, former: [...accepted, ...ended], parent: { at, epoch: original } }
}

const isSameEpoch = (a: EpochId, b: EpochId): boolean => a.worldId === b.worldId && a.resetCount === b.resetCount

/**
 * Returns the last epoch of each world id that a world has had, except for one id, as epochs whose tokens have expired.
 * At most `MAX_REMEMBERED_EPOCHS`, the present epoch's first.
 */
function endedEpochs(present: Epoch, except: string): FormerEpoch[] {
  const last = new Map<string, number>()
  for (const { worldId, resetCount } of [present, ...present.former])
    if (worldId !== except) last.set(worldId, Math.max(resetCount, last.get(worldId) ?? 0))
  const ended = [...last].slice(0, MAX_REMEMBERED_EPOCHS)
  return ended.map(([worldId, resetCount]) => ({ worldId, resetCount, until: -1 }))
}

/**
 * Returns the latest revision up to which tokens of an epoch are valid in the present one: Infinity for the present
 * epoch, -1 if all have expired, undefined for an unknown epoch.
 */
export function validUntil(present: Epoch, token: EpochId): Revision | undefined {
  if (isSameEpoch(token, present)) return Number.POSITIVE_INFINITY
  const former = present.former.find((one) => isSameEpoch(one, token))
  if (former) return former.until
  const isEarlier = (one: EpochId) => one.worldId === token.worldId && token.resetCount < one.resetCount
  return [present, ...present.former].some(isEarlier) ? -1 : undefined
}

/**
 * Yields the epochs that a token may belong to: the present and the former ones, each with up to
 * `MAX_REMEMBERED_EPOCHS - 1` resets before it, latest first.
 */
export function* knownEpochs(present: Epoch): Generator<EpochId> {
  for (const { worldId, resetCount } of [present, ...present.former]) {
    for (let back = 0; back < MAX_REMEMBERED_EPOCHS && resetCount - back >= 0; back++)
      yield { worldId, resetCount: resetCount - back }
  }
}

/**
 * Returns a hash as an integer of 53 bits (cyrb53). It makes accidental collisions unlikely and is not cryptographic.
 */
export function hashText(text: string): number {
  let [one, other] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < text.length; at++) {
    one = Math.imul(one ^ text.charCodeAt(at), 2654435761)
    other = Math.imul(other ^ text.charCodeAt(at), 1597334677)
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(other ^ (other >>> 13), 3266489909)
  other = Math.imul(other ^ (other >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909)
  return 2 ** 32 * (other & 0x1fffff) + (one >>> 0)
}
