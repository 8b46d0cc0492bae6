import type { Picture } from '../store/store.ts'
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

/** What handles hold. Of one without a name nothing else holds it. */
const held = new WeakMap<object, Taken>()

export const isSnapshot = (value: unknown): value is Snapshot =>
  typeof value === 'object' && value !== null && held.has(value)

/** The snapshots of one world, those with a name by it. */
export class Snapshots {
  readonly #named = new Map<string, Snapshot>()
  #taken = 0

  /** Keeps a moment. One of the same name is replaced. */
  take(moment: Omit<Taken, 'of'>, name?: string): Snapshot {
    this.#taken += 1
    const { revision } = moment.picture.counters
    const snapshot = Object.freeze({
      ...(name !== undefined && { name }),
      id: String(this.#taken),
      at: moment.clock.now,
      revision,
    })
    held.set(snapshot, { ...moment, of: this })
    return name === undefined ? snapshot : this.#keep(name, snapshot)
  }

  /** A snapshot that has a name: one that has none is given one, for whoever cannot hold on to its handle. */
  named(snapshot: Snapshot): Snapshot {
    if (snapshot.name !== undefined) return snapshot
    let number = this.#taken
    while (this.#named.has(`snapshot-${number}`)) number += 1
    const named = Object.freeze({ name: `snapshot-${number}`, ...snapshot })
    held.set(named, this.get(snapshot))
    return this.#keep(named.name, named)
  }

  #keep(name: string, snapshot: Snapshot): Snapshot {
    this.#named.delete(name)
    this.#named.set(name, snapshot)
    return snapshot
  }

  /** Those with a name, the latest last. */
  list(): Snapshot[] {
    return [...this.#named.values()]
  }

  /** A snapshot of this world by its name, its handle, or what says one. One that there is not is a RangeError. */
  find(which: string | Snapshot): Snapshot {
    const own = typeof which === 'string' ? undefined : held.get(which)
    if (own && own.of !== this) throw new RangeError('the snapshot is of another world, which can be forked')
    if (own) return which as Snapshot
    const name = typeof which === 'string' ? which : which.name
    const snapshot = name === undefined ? undefined : this.#named.get(name)
    const said = name === undefined ? `with the id ${(which as Snapshot).id}` : JSON.stringify(name)
    if (!snapshot) throw new RangeError(`there is no snapshot ${said} of this world`)
    if (typeof which !== 'string' && which.id !== snapshot.id)
      throw new RangeError(`the snapshot ${said} was replaced by another of its name`)
    return snapshot
  }

  /** What a snapshot of this world holds, or of any world where its handle is given. */
  get(which: string | Snapshot): Taken {
    const any = typeof which === 'string' ? undefined : held.get(which)
    return any ?? (held.get(this.find(which)) as Taken)
  }

  /** Lets go of a snapshot: its handle is none from here on. */
  delete(which: string | Snapshot): Snapshot {
    const snapshot = this.find(which)
    held.delete(snapshot)
    if (snapshot.name !== undefined && this.#named.get(snapshot.name) === snapshot) this.#named.delete(snapshot.name)
    return snapshot
  }
}

/** What a world begins with that is made from a moment of another. */
export function forked({ of: _, picture, ...moment }: Taken): Beginning {
  return { ...moment, picture: withoutStates(picture, statesOf('fork', 'anew')) }
}

function withoutStates(picture: Picture, names: readonly string[]): Picture {
  if (!names.some((name) => picture.states.has(name))) return picture
  const states = picture.states.clone()
  for (const name of names) states.delete(name)
  return { ...picture, states }
}
