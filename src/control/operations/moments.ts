import type { StoreSnapshot } from '../../db/store.ts'
import type { Revision } from '../../db/version.ts'
import { parseInstant } from '../../model/clock.ts'
import { findAttachedWorld } from '../worlds/handles.ts'
import { type ControlContext, InvalidInputError, inField } from './operation.ts'
import { snapshotReference } from './snapshots.ts'

/**
 * A moment of a world: a revision, an instant as text, or the name of a snapshot. In process also the handle of a
 * snapshot, and another world in its present state.
 */
export type MomentInput = number | string | { world: string } | object
/** A resolved moment: a snapshot of all data, or a revision after which the writes are known. */
export type ResolvedMoment = { readonly snapshot: StoreSnapshot } | { readonly since: Revision }

const INSTANT = /^\d{4}-\d\d-\d\dT/

/** Resolves a moment. Throws an InvalidInputError of the field if there is none. */
export function resolveMoment(context: ControlContext, field: string, moment: MomentInput): ResolvedMoment {
  // A name takes precedence, because a name may look like a revision or an instant.
  const isName = typeof moment === 'string' && context.world.snapshots.list().some(({ name }) => name === moment)
  const since = isName ? undefined : parseRevision(field, moment)
  if (since !== undefined) return { since }
  if (typeof moment === 'object' && 'world' in moment && typeof moment.world === 'string')
    return { snapshot: worldSnapshot(context, field, moment.world) }
  const world = typeof moment === 'object' ? findAttachedWorld(moment) : undefined
  return { snapshot: world ? world.data.store.snapshot() : findSnapshotData(context, field, moment as string | object) }
}

/** Returns a revision, or the revision before an instant, because writes at that very instant come after it. */
export function parseRevision(field: string, moment: MomentInput): Revision | undefined {
  if (typeof moment === 'number') return moment
  if (typeof moment !== 'string') return undefined
  if (/^\d+$/.test(moment)) return Number(moment)
  return INSTANT.test(moment) ? inField(field, () => parseInstant(moment)) * 1000 - 1 : undefined
}

function worldSnapshot({ worlds }: ControlContext, field: string, name: string): StoreSnapshot {
  if (!worlds.names().includes(name)) throw new InvalidInputError(field, `there is no world ${name}`)
  return worlds.world(name).data.store.snapshot()
}

function findSnapshotData({ world }: ControlContext, field: string, value: string | object): StoreSnapshot {
  const found = snapshotReference.safeParse(value)
  if (!found.success) throw new InvalidInputError(field, 'neither a snapshot nor a world')
  return inField(field, () => world.snapshots.get(found.data).snapshot)
}
