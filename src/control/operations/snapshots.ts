import { z } from 'zod'
import { isSnapshot, type Snapshot } from '../worlds/snapshots.ts'
import type { World } from '../worlds/world.ts'
import { defineOperation, toNoInput, withErrorField } from './operation.ts'

/** A snapshot in a response. */
const snapshot = z.object({ name: z.string().optional(), id: z.string(), at: z.iso.datetime(), revision: z.int() })
const name = z.string().min(1).max(200)
type SnapshotReference = string | Snapshot

/** A snapshot by name, in process also by handle, or the snapshot of a response. */
export const snapshotReference = z.custom<SnapshotReference>(
  (value) => isSnapshot(value) || name.safeParse(value).success || snapshot.safeParse(value).success,
  'not a snapshot, or the name of one; the list of snapshots has the names',
)

/**
 * Returns the snapshot of an id, because a path cannot contain every name. Returns a name or a handle unchanged; a name
 * takes precedence.
 */
function resolveSnapshot({ snapshots }: World, nameOrId: SnapshotReference): SnapshotReference {
  const named = snapshots.list()
  if (typeof nameOrId !== 'string' || named.some(({ name }) => name === nameOrId)) return nameOrId
  return named.find(({ id }) => id === nameOrId) ?? nameOrId
}

/** Operations of snapshots: states of a world that can be restored or forked. */
export const snapshots = [
  defineOperation({
    id: 'control.snapshots.list',
    verb: 'GET',
    path: '/_control/snapshots',
    summary: 'Lists the named snapshots of the world, the latest last.',
    result: z.object({ snapshots: z.array(snapshot) }),
    inProcess: { snapshots: toNoInput },
    run: ({ world }) => world.snapshots.list(),
    reply: (snapshots) => ({ snapshots }),
  }),
  defineOperation({
    id: 'control.snapshots.take',
    verb: 'POST',
    path: '/_control/snapshots',
    summary: 'Takes a snapshot of the world. It replaces one of the same name; without a name the route generates one.',
    input: z.strictObject({ name: name.optional() }),
    example: { name: 'before' },
    result: z.object({ snapshot }),
    inProcess: { snapshot: (name?: string) => ({ name }) },
    isValid: ({ name }) => name === undefined,
    run: ({ world }, { name }) => world.snapshot(name),
    // A client of the route cannot hold a handle, so the snapshot gets a name.
    reply: (snapshot, _, { world }) => ({ snapshot: world.snapshots.ensureNamed(snapshot) }),
  }),
  defineOperation({
    id: 'control.snapshots.restore',
    verb: 'POST',
    path: '/_control/snapshots/{name}/restore',
    summary:
      'Restores the world to a snapshot, by its name or id; sync tokens from before it are valid again, later ones are answered with 410.',
    input: z.strictObject({ name: snapshotReference }),
    example: { name: 'before' },
    result: z.object({ restored: snapshot }),
    inProcess: { restore: (name: SnapshotReference) => ({ name }) },
    isValid: ({ name }) => isSnapshot(name),
    run: ({ world }, { name }) => withErrorField('name', () => world.restore(resolveSnapshot(world, name))),
    reply: (restored) => ({ restored }),
  }),
  defineOperation({
    id: 'control.snapshots.delete',
    verb: 'DELETE',
    path: '/_control/snapshots/{name}',
    summary: 'Deletes a snapshot, by its name or id.',
    input: z.strictObject({ name: snapshotReference }),
    example: { name: 'before' },
    result: z.object({ deleted: z.string() }),
    inProcess: { deleteSnapshot: (name: SnapshotReference) => ({ name }) },
    isValid: ({ name }) => isSnapshot(name),
    run: ({ world }, { name }) => withErrorField('name', () => world.snapshots.delete(resolveSnapshot(world, name))),
    reply: ({ name, id }) => ({ deleted: name ?? id }),
  }),
] as const
