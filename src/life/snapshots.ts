import type { StoreSnapshot } from '../db/store.ts'
import type { Beginning } from './beginning.ts'
import { statesOf } from './parts.ts'

/** One moment of a world, to go back to or to begin other worlds with. It says which; what it holds is kept apart. */
export type Snapshot = {
  /** Without a name it lives as long as this handle. */
  readonly name?: string
  readonly id: string
  /** The moment, by the world's clock. */
  readonly at: string
  readonly revision: number
}

/** What a snapshot holds, and among which world's it is. */
export type Taken = Beginning & Required<Pick<Beginning, 'from'>> & { readonly of: Snapshots }

/** Under which a handle holds its moment: of one without a name nothing else does. A look-up beside it would outlive it. */
const HELD = Symbol('held')
type Held = { taken: Taken | undefined }

const heldBy = (handle: object): Held | undefined => (handle as { [HELD]?: Held })[HELD]

function handleOf(said: Snapshot, taken: Taken): Snapshot {
  const held: Held = { taken }
  return Object.freeze(Object.defineProperty(said, HELD, { value: held }))
}

export const isSnapshot = (value: unknown): value is Snapshot =>
  typeof value === 'object' && value !== null && heldBy(value)?.taken !== undefined

/** The snapshots of one world, those with a name by it. */
export class Snapshots {
  /** Most worlds have none. */
  #named: Map<string, Snapshot> | undefined
  #taken = 0

  /** Keeps a moment. One of the same name is replaced. */
  take(moment: Omit<Taken, 'of'>, name?: string): Snapshot {
    this.#taken += 1
    const { revision } = moment.picture.counters
    const said = { ...(name !== undefined && { name }), id: String(this.#taken), at: moment.clock.now, revision }
    const snapshot = handleOf(said, { ...moment, of: this })
    return name === undefined ? snapshot : this.#keep(name, snapshot)
  }

  /** A snapshot that has a name: one that has none is given one, for whoever cannot hold on to its handle. */
  named(snapshot: Snapshot): Snapshot {
    if (snapshot.name !== undefined) return snapshot
    let number = this.#taken
    while (this.#named?.has(`snapshot-${number}`)) number += 1
    const name = `snapshot-${number}`
    return this.#keep(name, handleOf({ name, ...snapshot }, this.get(snapshot)))
  }

  #keep(name: string, snapshot: Snapshot): Snapshot {
    this.#named ??= new Map()
    this.#named.delete(name)
    this.#named.set(name, snapshot)
    return snapshot
  }

  /** Those with a name, the latest last. */
  list(): Snapshot[] {
    return [...(this.#named?.values() ?? [])]
  }

  /** A snapshot of this world by its name, its handle, or what says one. One that there is not is a RangeError. */
  find(which: string | Snapshot): Snapshot {
    const own = typeof which === 'string' ? undefined : heldBy(which)?.taken
    if (own && own.of !== this) throw new RangeError('the snapshot is of another world, which can be forked')
    if (own) return which as Snapshot
    const name = typeof which === 'string' ? which : which.name
    const snapshot = name === undefined ? undefined : this.#named?.get(name)
    const said = name === undefined ? `with the id ${(which as Snapshot).id}` : JSON.stringify(name)
    if (!snapshot) throw new RangeError(`there is no snapshot ${said} of this world`)
    if (typeof which !== 'string' && which.id !== snapshot.id)
      throw new RangeError(`the snapshot ${said} was replaced by another of its name`)
    return snapshot
  }

  /** What a snapshot of this world holds, or of any world where its handle is given. */
  get(which: string | Snapshot): Taken {
    const any = typeof which === 'string' ? undefined : heldBy(which)?.taken
    return any ?? (heldBy(this.find(which))?.taken as Taken)
  }

  /** Lets go of a snapshot: its handle is none from here on. */
  delete(which: string | Snapshot): Snapshot {
    const snapshot = this.find(which)
    const held = heldBy(snapshot)
    if (held) held.taken = undefined
    if (snapshot.name !== undefined && this.#named?.get(snapshot.name) === snapshot) this.#named.delete(snapshot.name)
    return snapshot
  }
}

/** What a fork begins without. */
const LEFT_OUT = statesOf('fork', 'anew')

/** What a world begins with that is made from a moment of another. */
export const forked = ({ picture, clock, from, delivered }: Taken): Beginning => ({
  picture: withoutStates(picture, LEFT_OUT),
  clock,
  from,
  ...(delivered && { delivered }),
})

function withoutStates(picture: StoreSnapshot, names: readonly string[]): StoreSnapshot {
  if (!names.some((name) => picture.states.has(name))) return picture
  const states = picture.states.clone()
  for (const name of names) states.delete(name)
  return { ...picture, states }
}
