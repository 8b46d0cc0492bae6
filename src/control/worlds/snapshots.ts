import type { StoreSnapshot } from '../../db/store.ts'
import type { WorldStart } from '../../seeds/worldStart.ts'
import { statesWithOutcome } from './lifecyclePolicy.ts'

/** A snapshot of a world, to restore it or to fork other worlds. The data is attached to the handle. */
export type Snapshot = {
  /** A snapshot without a name exists as long as this handle. */
  readonly name?: string
  readonly id: string
  /** The time by the world's clock. */
  readonly at: string
  readonly revision: number
}

/** The data of a snapshot, and the list that it belongs to. */
export type SnapshotData = WorldStart & Required<Pick<WorldStart, 'from'>> & { readonly of: Snapshots }

/**
 * The property of a handle that contains its data. Only the handle references an unnamed snapshot, because a lookup
 * table would outlive it.
 */
const DATA = Symbol('held')
type SnapshotSlot = { data: SnapshotData | undefined }

const slotOf = (handle: object): SnapshotSlot | undefined => (handle as { [DATA]?: SnapshotSlot })[DATA]

function handleOf(view: Snapshot, data: SnapshotData): Snapshot {
  const slot: SnapshotSlot = { data: data }
  return Object.freeze(Object.defineProperty(view, DATA, { value: slot }))
}

export const isSnapshot = (value: unknown): value is Snapshot =>
  typeof value === 'object' && value !== null && slotOf(value)?.data !== undefined

/** The snapshots of one world. Named snapshots are listed. */
export class Snapshots {
  #named: Map<string, Snapshot> | undefined
  #count = 0

  /** Adds a snapshot. It replaces one of the same name. */
  take(moment: Omit<SnapshotData, 'of'>, name?: string): Snapshot {
    this.#count += 1
    const { revision } = moment.snapshot.counters
    const view = { ...(name !== undefined && { name }), id: String(this.#count), at: moment.clock.now, revision }
    const snapshot = handleOf(view, { ...moment, of: this })
    return name === undefined ? snapshot : this.#store(name, snapshot)
  }

  /** Returns the snapshot with a name, which is generated if it has none. */
  named(snapshot: Snapshot): Snapshot {
    if (snapshot.name !== undefined) return snapshot
    let number = this.#count
    while (this.#named?.has(`snapshot-${number}`)) number += 1
    const name = `snapshot-${number}`
    return this.#store(name, handleOf({ name, ...snapshot }, this.get(snapshot)))
  }

  #store(name: string, snapshot: Snapshot): Snapshot {
    this.#named ??= new Map()
    this.#named.delete(name)
    this.#named.set(name, snapshot)
    return snapshot
  }

  /** Returns the snapshots with a name, the latest last. */
  list(): Snapshot[] {
    return [...(this.#named?.values() ?? [])]
  }

  /** Returns a snapshot of this world by name, handle or response. Throws a RangeError if there is none. */
  find(which: string | Snapshot): Snapshot {
    const own = typeof which === 'string' ? undefined : slotOf(which)?.data
    if (own && own.of !== this)
      throw new RangeError('the snapshot belongs to another world; fork it instead of restoring it')
    if (own) return which as Snapshot
    const name = typeof which === 'string' ? which : which.name
    const snapshot = name === undefined ? undefined : this.#named?.get(name)
    const view = name === undefined ? `with the id ${(which as Snapshot).id}` : JSON.stringify(name)
    if (!snapshot) throw new RangeError(`there is no snapshot ${view} of this world`)
    if (typeof which !== 'string' && which.id !== snapshot.id)
      throw new RangeError(`the snapshot ${view} was replaced by a later snapshot with the same name`)
    return snapshot
  }

  /** Returns the data of a snapshot: of this world by name, of any world by handle. */
  get(which: string | Snapshot): SnapshotData {
    const any = typeof which === 'string' ? undefined : slotOf(which)?.data
    return any ?? (slotOf(this.find(which))?.data as SnapshotData)
  }

  /** Deletes a snapshot. Its handle becomes invalid. */
  delete(which: string | Snapshot): Snapshot {
    const snapshot = this.find(which)
    const slot = slotOf(snapshot)
    if (slot) slot.data = undefined
    if (snapshot.name !== undefined && this.#named?.get(snapshot.name) === snapshot) this.#named.delete(snapshot.name)
    return snapshot
  }
}

/** The parts of the store that a fork does not copy. */
const STATES_NOT_FORKED = statesWithOutcome('fork', 'cleared')

/** Returns the initial state of a fork. Channels, mail and reminders are in the store, so a fork has copies of them. */
export const toWorldStart = ({ snapshot, clock, from, delivered }: SnapshotData): WorldStart => ({
  snapshot: withoutStates(snapshot, STATES_NOT_FORKED),
  clock,
  from,
  ...(delivered && { delivered }),
})

function withoutStates(snapshot: StoreSnapshot, names: readonly string[]): StoreSnapshot {
  if (!names.some((name) => snapshot.parts.has(name))) return snapshot
  const parts = snapshot.parts.clone()
  for (const name of names) parts.delete(name)
  return { ...snapshot, parts }
}
