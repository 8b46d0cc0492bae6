import { LazyValue, type Store } from '../db/store.ts'
import type { Revision } from '../db/version.ts'

export type EpochId = { readonly worldId: string; readonly resetCount: number }

/** The revisions of another epoch that an epoch continues: those up to `until`, or none if it is -1. */
export type ContinuedEpoch = EpochId & { readonly until: Revision }

/**
 * A period in which a world's tokens stay valid. A reset or a restore begins another. `continues` are the epochs whose
 * tokens stay valid in part: those of the snapshot or state that the world was made from, the latest first.
 */
export type Epoch = EpochId & { readonly continues: readonly ContinuedEpoch[] }

const MAX_CONTINUED_EPOCHS = 100
const MAX_RECOGNISED_RESETS = 100

export const firstEpoch = (worldId: string, resetCount = 0): Epoch => ({ worldId, resetCount, continues: [] })

const epochs = (store: Store) => new LazyValue<Epoch>(store, 'sync/epoch', firstEpoch('default'))

export const epochOf = (store: Store): Epoch => epochs(store).value

export function setEpoch(store: Store, epoch: Epoch): void {
  epochs(store).value = epoch
}

/** The world id without the suffix of `continueEpoch`. */
export const worldNameOf = ({ worldId }: EpochId): string => worldId.split(':')[0] ?? worldId

/** The epoch of a token for `revision`: the continued one that reaches it, else the present one. */
export function epochAt(epoch: Epoch, revision: Revision): Epoch {
  const [origin, ...continues] = epoch.continues
  return origin && revision <= origin.until
    ? { worldId: origin.worldId, resetCount: origin.resetCount, continues }
    : epoch
}

/** The epoch after a reset: all earlier tokens have expired. */
export const nextEpoch = ({ worldId, resetCount, continues }: Epoch): Epoch => ({
  worldId,
  resetCount: resetCount + 1,
  continues: continues.map((one) => ({ ...one, until: -1 })),
})

/** The epoch after a restore to a snapshot of this world, which `original` had at the revision `until`. */
export const restoreEpoch = (present: Epoch, original: Epoch, until: Revision): Epoch => ({
  worldId: present.worldId,
  resetCount: present.resetCount + 1,
  continues: continuedEpochs(original, until),
})

/**
 * The epoch of a world that is made from a state, or from a snapshot of another world. Two worlds that are made from
 * different moments reject each other's tokens, because a suffix of their ids derives from `original` and `until`.
 */
export function continueEpoch(present: Epoch, original: Epoch, until: Revision): Epoch {
  const suffix = hashText(JSON.stringify([original.worldId, original.resetCount, until])).toString(36)
  return { ...restoreEpoch(present, original, until), worldId: `${worldNameOf(present)}:${suffix}` }
}

const continuedEpochs = ({ worldId, resetCount, continues }: Epoch, until: Revision): ContinuedEpoch[] =>
  [{ worldId, resetCount, until }, ...continues].slice(0, MAX_CONTINUED_EPOCHS)

const isSameEpoch = (a: EpochId, b: EpochId): boolean => a.worldId === b.worldId && a.resetCount === b.resetCount

/** Tokens of the epoch are valid up to this revision. -1 if all have expired, undefined for an unknown epoch. */
export function validUntil(present: Epoch, token: EpochId): Revision | undefined {
  if (isSameEpoch(token, present)) return Number.POSITIVE_INFINITY
  const continued = present.continues.find((one) => isSameEpoch(one, token))
  if (continued) return continued.until
  const isEarlier = (one: EpochId) => worldNameOf(one) === worldNameOf(token) && token.resetCount < one.resetCount
  return [present, ...present.continues].some(isEarlier) ? -1 : undefined
}

/** The epochs that a token without the name of one may belong to, each with the resets before it, latest first. */
export function* recognisedEpochs(present: Epoch): Generator<EpochId> {
  const named = { worldId: worldNameOf(present), resetCount: present.resetCount }
  for (const { worldId, resetCount } of [present, ...present.continues, named]) {
    for (let back = 0; back < MAX_RECOGNISED_RESETS && back <= resetCount; back++)
      yield { worldId, resetCount: resetCount - back }
  }
}

/** An integer of 53 bits (cyrb53), which is not cryptographic. */
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
