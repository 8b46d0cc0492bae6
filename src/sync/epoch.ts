import type { Epoch, EpochId, FormerEpoch } from '../db/store.ts'
import type { Revision } from '../db/version.ts'

export type { Epoch, EpochId }

/** The number of ended epochs that a world remembers, to distinguish an expired token from an invalid one. */
const MAX_REMEMBERED_EPOCHS = 100

export const firstEpoch = (worldId: string, resetCount = 0): Epoch => ({ worldId, resetCount, former: [] })

/** Returns the name of the world that an epoch belongs to. */
export const worldNameOf = ({ worldId }: EpochId): string => worldId.split(':')[0] ?? worldId

/** Returns the epoch that a revision of a world belongs to. */
export const epochAt = (epoch: Epoch, revision: Revision): Epoch =>
  epoch.parent && revision <= epoch.parent.at ? epoch.parent.epoch : epoch

/** Returns the epoch after a reset, in which all earlier tokens have expired. */
export const nextEpoch = (present: Epoch): Epoch => ({
  worldId: present.worldId,
  resetCount: present.resetCount + 1,
  former: endedEpochs(present, present.worldId),
})

/**
 * Returns the epoch of a world that is made from a snapshot or a state, or restored to one. It accepts the tokens that the
 * original accepted at that revision. The world id gets a suffix that is derived from the original, so that two worlds made
 * from different moments reject each other's tokens.
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

/** Returns the last epoch of each world id that a world has had, except for one. All their tokens have expired. */
function endedEpochs(present: Epoch, except: string): FormerEpoch[] {
  const last = new Map<string, number>()
  for (const { worldId, resetCount } of [present, ...present.former])
    if (worldId !== except) last.set(worldId, Math.max(resetCount, last.get(worldId) ?? 0))
  const ended = [...last].slice(0, MAX_REMEMBERED_EPOCHS)
  return ended.map(([worldId, resetCount]) => ({ worldId, resetCount, until: -1 }))
}

/** Returns the revision up to which tokens of an epoch are valid in the present one; `undefined` for an unknown epoch. */
export function validUntil(present: Epoch, token: EpochId): Revision | undefined {
  if (isSameEpoch(token, present)) return Number.POSITIVE_INFINITY
  const former = present.former.find((one) => isSameEpoch(one, token))
  if (former) return former.until
  const isEarlier = (one: EpochId) => one.worldId === token.worldId && token.resetCount < one.resetCount
  return [present, ...present.former].some(isEarlier) ? -1 : undefined
}

/** The epochs that a token may belong to: the present one, those before it, and the latest ones that have ended. */
export function* knownEpochs(present: Epoch): Generator<EpochId> {
  for (const { worldId, resetCount } of [present, ...present.former]) {
    for (let back = 0; back < MAX_REMEMBERED_EPOCHS && resetCount - back >= 0; back++)
      yield { worldId, resetCount: resetCount - back }
  }
}

/** Returns a hash of 53 bits (cyrb53). It is not cryptographic: it makes accidental collisions unlikely and protects nothing. */
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
