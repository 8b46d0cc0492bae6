import { z } from 'zod'
import type { Realm } from '../life/realm.ts'
import { isSnapshot, type Snapshot } from '../life/snapshots.ts'
import { inField, noInput, operation } from './operation.ts'

/** A snapshot as a reply tells of it. */
const snapshot = z.object({ name: z.string().optional(), id: z.string(), at: z.iso.datetime(), revision: z.int() })
const name = z.string().min(1).max(200)
type Which = string | Snapshot

/** A snapshot by its name; in process by its handle too, or by what a route said of it. */
export const which = z.custom<Which>(
  (value) => isSnapshot(value) || name.safeParse(value).success || snapshot.safeParse(value).success,
  'not a snapshot, or the name of one',
)

/** Returns the snapshot with an id, because a path cannot contain every name. A name takes precedence. */
function findSnapshot({ snapshots }: Realm, nameOrId: Which): Which {
  const named = snapshots.list()
  if (typeof nameOrId !== 'string' || named.some(({ name }) => name === nameOrId)) return nameOrId
  return named.find(({ id }) => id === nameOrId) ?? nameOrId
}

/** Operations of snapshots: states of a world that can be restored or forked. */
export const snapshots = [
  operation({
    id: 'control.snapshots.list',
    verb: 'GET',
    path: '/_control/snapshots',
    summary: 'Lists the snapshots of the world that have a name, the latest last.',
    result: z.object({ snapshots: z.array(snapshot) }),
    inProcess: { snapshots: noInput },
    run: ({ realm }) => realm.snapshots.list(),
    reply: (snapshots) => ({ snapshots }),
  }),
  operation({
    id: 'control.snapshots.take',
    verb: 'POST',
    path: '/_control/snapshots',
    summary:
      'Keeps this moment of the world under a name, in place of one that has it; without one the route makes one.',
    input: z.strictObject({ name: name.optional() }),
    example: { name: 'before' },
    result: z.object({ snapshot }),
    inProcess: { snapshot: (name?: string) => ({ name }) },
    isKnown: ({ name }) => name === undefined,
    run: ({ realm }, { name }) => realm.snapshot(name),
    // A route has no handle to hold.
    reply: (snapshot, _, { realm }) => ({ snapshot: realm.snapshots.named(snapshot) }),
  }),
  operation({
    id: 'control.snapshots.restore',
    verb: 'POST',
    path: '/_control/snapshots/{name}/restore',
    summary:
      'Restores the world to a snapshot, by its name or id; sync tokens from before it are valid again, later ones answer 410.',
    input: z.strictObject({ name: which }),
    example: { name: 'before' },
    result: z.object({ restored: snapshot }),
    inProcess: { restore: (name: Which) => ({ name }) },
    isKnown: ({ name }) => isSnapshot(name),
    run: ({ realm }, { name }) => inField('name', () => realm.restore(findSnapshot(realm, name))),
    reply: (restored) => ({ restored }),
  }),
  operation({
    id: 'control.snapshots.delete',
    verb: 'DELETE',
    path: '/_control/snapshots/{name}',
    summary: 'Deletes a snapshot, by its name or id.',
    input: z.strictObject({ name: which }),
    example: { name: 'before' },
    result: z.object({ deleted: z.string() }),
    inProcess: { deleteSnapshot: (name: Which) => ({ name }) },
    isKnown: ({ name }) => isSnapshot(name),
    run: ({ realm }, { name }) => inField('name', () => realm.snapshots.delete(findSnapshot(realm, name))),
    reply: ({ name, id }) => ({ deleted: name ?? id }),
  }),
] as const
