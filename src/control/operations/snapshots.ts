import { z } from 'zod'
import { isSnapshot, type Snapshot } from '../worlds/snapshots.ts'
import { returns, strictShape } from './inputs.ts'
import { defineOperation, withErrorField } from './operation.ts'

const snapshot = z.object({ name: z.string().optional(), id: z.string(), at: z.iso.datetime(), revision: z.int() })
/** A name that a path can contain, because paths name the snapshot that is restored or deleted. */
const name = z
  .string()
  .min(1, 'a name of 1 to 200 characters')
  .max(200, 'a name of 1 to 200 characters')
  .refine((text) => !/^\.\.?$|[\p{Cc}\p{Cs}]/u.test(text), 'a name other than . and .., without control characters')
type SnapshotReference = string | Snapshot

/** A snapshot by name, in process also by handle, or the snapshot of a response. */
export const snapshotReference = z.custom<SnapshotReference>(
  (value) => isSnapshot(value) || (typeof value === 'string' && value !== '') || snapshot.safeParse(value).success,
  'not a snapshot, or the name of one; the list of snapshots has the names',
)
const byName = { input: strictShape({ name: snapshotReference }), toInput: (name: SnapshotReference) => ({ name }) }

export const snapshots = {
  snapshots: defineOperation({
    route: 'GET /snapshots',
    summary: 'Lists the named snapshots of the world, the latest last.',
    ...returns({ snapshots: z.array(snapshot) }),
    run: ({ world }) => world.snapshots.list(),
  }),
  snapshot: defineOperation({
    route: 'POST /snapshots',
    summary: 'Takes a snapshot of the world. It replaces one of the same name; without a name the route generates one.',
    input: strictShape({ name: name.optional() }),
    example: { name: 'before' },
    toInput: (name?: string) => ({ name }),
    ...returns({ snapshot }),
    run: ({ world }, { name }) => world.snapshot(name),
    reply: (snapshot, _, { world }) => ({ snapshot: world.snapshots.ensureNamed(snapshot) }),
  }),
  restore: defineOperation({
    ...byName,
    route: 'POST /snapshots/{name}/restore',
    summary:
      'Restores the world to a snapshot; sync tokens from before it are valid again, later ones are answered with 410.',
    example: { name: 'before' },
    ...returns({ restored: snapshot }),
    run: ({ world }, { name }) => withErrorField('name', () => world.restore(name)),
  }),
  deleteSnapshot: defineOperation({
    ...byName,
    route: 'DELETE /snapshots/{name}',
    summary: 'Deletes a snapshot.',
    example: { name: 'before' },
    ...returns({ deleted: snapshot }),
    run: ({ world }, { name }) => withErrorField('name', () => world.snapshots.delete(name)),
  }),
}
