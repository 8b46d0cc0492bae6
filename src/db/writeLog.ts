import type { Sayings } from './followers.ts'
import { Appended, TOGETHER } from './persistentList.ts'
import type { Author, State, Store } from './store.ts'
import type { Revision } from './version.ts'

/** One write of a record: what it was before, if there was one, and what it was made. `name` is the collection's. */
export type Write = Author & {
  readonly revision: Revision
  readonly name: string
  readonly id: string
  readonly was: object | undefined
  readonly is: object
  /** What those say that follow it in reading, before it and after. */
  readonly follow?: { readonly was: Sayings<object>; readonly is: Sayings<object> } | undefined
}

/** How many writes are remembered at least; the oldest go together. */
const REMEMBERED = 10_000
const MOST_PARTS = Math.ceil(REMEMBERED / TOGETHER)

type Dropped = { readonly count: number; readonly until: Revision }

class Log implements State {
  readonly #writes: Appended<Write>
  dropped: Dropped

  constructor(from?: Log) {
    this.#writes = from ? from.#writes.copy() : new Appended<Write>()
    this.dropped = from ? from.dropped : { count: 0, until: 0 }
  }

  copy(): this {
    return new Log(this) as this
  }

  add(write: Write): void {
    this.#writes.add(write)
    if (this.#writes.parts <= MOST_PARTS) return
    const oldest = this.#writes.drop()
    this.dropped = { count: this.dropped.count + oldest.length, until: oldest.at(-1)?.revision ?? 0 }
  }

  after(revision: Revision): Write[] {
    const found: Write[][] = []
    for (const part of this.#writes.fromEnd()) {
      found.unshift(part.filter((write) => write.revision > revision))
      if ((part[0]?.revision ?? Number.POSITIVE_INFINITY) <= revision) break
    }
    return found.flat()
  }
}

function* followers({ follow, ...write }: Write): Generator<Write> {
  const before = new Map(follow?.was())
  for (const [id, is] of follow?.is() ?? []) {
    const was = before.get(id)
    if (was !== is) yield { ...write, id, was, is }
  }
}

const NAME = 'writes'
const newLog = () => new Log()

/** The latest writes in their order. They lie with all other data: what is taken back takes its writes along. */
export class Writes {
  readonly #store: Store
  #listeners: Set<() => void> | undefined
  #silent = false

  constructor(store: Store) {
    this.#store = store
  }

  get #log(): Log | undefined {
    return this.#store.read(NAME) as Log | undefined
  }

  add({ revision, name, id, was, is, follow }: Omit<Write, 'by' | 'call'>): void {
    if (this.#silent) return
    const { by, call } = this.#store.author
    // Written out: a spread that is added to costs several times as much.
    this.#store.write(NAME, newLog).add({ revision, name, id, was, is, follow, by, call })
    if (this.#listeners) for (const told of this.#listeners) told()
  }

  /** Those after a revision, in order: each, and then what followed it. */
  after(revision: Revision): Write[] {
    return (this.#log?.after(revision) ?? []).flatMap((write) => (write.follow ? [write, ...followers(write)] : write))
  }

  /** How many are no longer remembered, and the revision of the last of them. */
  get dropped(): Dropped {
    return this.#log?.dropped ?? { count: 0, until: 0 }
  }

  /** Does something whose writes are no history: that with which a world begins. */
  untold<R>(act: () => R): R {
    const before = this.#silent
    this.#silent = true
    try {
      return act()
    } finally {
      this.#silent = before
    }
  }

  /** Is told of each write, which may still be taken back. Returns what ends it. */
  listen(told: () => void): () => void {
    const listeners = this.#listeners ?? new Set()
    this.#listeners = listeners.add(told)
    return () => listeners.delete(told)
  }
}
