import type { StoreSnapshot } from '../db/store.ts'
import type { Revision } from '../db/version.ts'
import { realmBehind } from '../life/handles.ts'
import { momentOf } from '../time/clock.ts'
import { Misfit, of, type Scene } from './operation.ts'
import { which } from './snapshots.ts'

/**
 * A moment of a world: a revision, an instant as text, the name of a snapshot; in process also the handle of a snapshot,
 * and a world, which is meant as it is now.
 */
export type Moment = number | string | { world: string } | object
/** What is known of a moment: all data, or what was written since. */
export type Known = { readonly picture: StoreSnapshot } | { readonly since: Revision }

const INSTANT = /^\d{4}-\d\d-\d\dT/

/** The moment that was meant. One that there is not is a RangeError, which names the field that said it. */
export function knownMoment(scene: Scene, field: string, moment: Moment): Known {
  if (typeof moment === 'number') return { since: moment }
  if (typeof moment === 'string' && /^\d+$/.test(moment)) return { since: Number(moment) }
  // What was written at this very instant comes after it.
  if (typeof moment === 'string' && INSTANT.test(moment)) return { since: of(field, () => momentOf(moment)) * 1000 - 1 }
  if (typeof moment === 'object' && 'world' in moment && typeof moment.world === 'string')
    return { picture: pictureOf(scene, field, moment.world) }
  const realm = typeof moment === 'object' ? realmBehind(moment) : undefined
  return { picture: realm ? realm.world.store.snapshot() : snapshotOf(scene, field, moment) }
}

function pictureOf({ worlds }: Scene, field: string, name: string): StoreSnapshot {
  if (!worlds.names().includes(name)) throw new Misfit(field, `there is no world ${name}`)
  return worlds.realm(name).world.store.snapshot()
}

function snapshotOf({ realm }: Scene, field: string, said: string | object): StoreSnapshot {
  const found = which.safeParse(said)
  if (!found.success) throw new Misfit(field, 'neither a snapshot nor a world')
  return of(field, () => realm.snapshots.get(found.data).picture)
}
