import type { StoreSnapshot } from '../../db/store.ts'
import type { WorldStart } from '../../seeds/worldStart.ts'

/** A snapshot of a world, to restore it or to fork other worlds. The data is attached to the handle. */
export type Snapshot = {
  readonly name?: string
  readonly id: string
  /** The time by the world's clock: an RFC 3339 instant in UTC. */
  readonly at: string
  readonly revision: number
}

export type SnapshotData = WorldStart & Required<Pick<WorldStart, 'from'>> & { readonly owner: Snapshots }

/** Only the handle references an unnamed snapshot, because a lookup table would outlive it. */
const DATA = Symbol('held')
type SnapshotSlot = { data: SnapshotData | undefined }

const findSlot = (handle: object): SnapshotSlot | undefined => (handle as { [DATA]?: SnapshotSlot })[DATA]

function createHandle(view: Snapshot, data: SnapshotData): Snapshot {
  const slot: SnapshotSlot = { data }
  return Object.freeze(Object.defineProperty(view, DATA, { value: slot }))
}

/** True for a handle that is not deleted. A snapshot from a response is not a handle. */
export const isSnapshot = (value: unknown): value is Snapshot =>
  typeof value === 'object' && value !== null && findSlot(value)?.data !== undefined

export class Snapshots {
  #named: Map<string, Snapshot> | undefined
  #count = 0

  /** Replaces a snapshot of the same name. Without a name it exists as long as the handle. */
  add(moment: Omit<SnapshotData, 'owner'>, name?: string): Snapshot {
    this.#count += 1
    const { revision } = moment.snapshot.counters
    const view = { ...(name !== undefined && { name }), id: String(this.#count), at: moment.clock.now, revision }
    const snapshot = createHandle(view, { ...moment, owner: this })
    return name === undefined ? snapshot : this.#store(name, snapshot)
  }

  ensureNamed(snapshot: Snapshot): Snapshot {
    if (snapshot.name !== undefined) return snapshot
    let number = this.#count
    while (this.#named?.has(`snapshot-${number}`)) number += 1
    const name = `snapshot-${number}`
    return this.#store(name, createHandle({ name, ...snapshot }, this.requireData(snapshot)))
  }

  #store(name: string, snapshot: Snapshot): Snapshot {
    this.#named ??= new Map()
    this.#named.delete(name)
    this.#named.set(name, snapshot)
    return snapshot
  }

  list(): Snapshot[] {
    return [...(this.#named?.values() ?? [])]
  }

  /** Throws a RangeError for one that is unknown, of another world, or replaced under the same name. */
  require(which: string | Snapshot): Snapshot {
    const own = typeof which === 'string' ? undefined : findSlot(which)?.data
    if (own && own.owner !== this)
      throw new RangeError('the snapshot belongs to another world; fork it instead of restoring it')
    if (own) return which as Snapshot
    const name = typeof which === 'string' ? which : which.name
    const snapshot = name === undefined ? undefined : this.#named?.get(name)
    const view = name === undefined ? `with the id ${(which as Snapshot).id}` : JSON.stringify(name)
    if (!snapshot)
      throw new RangeError(`there is no snapshot ${view} of this world; the list of snapshots has the names`)
    if (typeof which !== 'string' && which.id !== snapshot.id)
      throw new RangeError(`the snapshot ${view} was replaced by a later snapshot with the same name`)
    return snapshot
  }

  /** A name or response is of this world, a handle of any. Throws the RangeErrors of `require`. */
  requireData(which: string | Snapshot): SnapshotData {
    const any = typeof which === 'string' ? undefined : findSlot(which)?.data
    return any ?? (findSlot(this.require(which))?.data as SnapshotData)
  }

  delete(which: string | Snapshot): Snapshot {
    const snapshot = this.require(which)
    const slot = findSlot(snapshot)
    if (slot) slot.data = undefined
    if (snapshot.name !== undefined && this.#named?.get(snapshot.name) === snapshot) this.#named.delete(snapshot.name)
    return snapshot
  }
}

const STATES_NOT_FORKED = ['oauth/failures']

/** Channels, mail and reminders are in the store, so a fork has copies of them. */
export const toWorldStart = ({ snapshot, clock, from, delivered }: WorldStart): WorldStart => ({
  snapshot: withoutStates(snapshot, STATES_NOT_FORKED),
  clock,
  ...(from && { from }),
  ...(delivered && { delivered }),
})

function withoutStates(snapshot: StoreSnapshot, names: readonly string[]): StoreSnapshot {
  if (!names.some((name) => snapshot.parts.has(name))) return snapshot
  const parts = snapshot.parts.clone()
  for (const name of names) parts.delete(name)
  return { ...snapshot, parts }
}
