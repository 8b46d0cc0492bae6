import type { Sayings } from './records/followers.ts'
import type { Revision } from './records/version.ts'
import type { Author, State, Store } from './store.ts'

/** One write of a record: what it was before, if there was one, and what it was made. `name` is the collection's. */
export type Write = Author & {
  readonly revision: Revision
  readonly name: string
  readonly id: string
  readonly was: object | undefined
  readonly is: object
  /** What those say that follow it in reading, before it and after. */
  readonly follow?: { readonly was: Sayings<object>; readonly is: Sayings<object> }
}

/** How many writes are remembered; a little more, so that the oldest go together. */
const REMEMBERED = 10_000
const AT_ONCE = 256

type Dropped = { readonly count: number; readonly until: Revision }

/**
 * Writes in lists of 256. Copies share them: who comes first to the end of the last writes on in it, and the others, which
 * know how far it is theirs, go on in one of their own.
 */
class Log implements State {
  #lists: readonly Write[][]
  /** How much of the last list is ours. */
  #used: number
  dropped: Dropped

  constructor(from?: Log) {
    this.#lists = from ? from.#lists : []
    this.#used = from ? from.#used : AT_ONCE
    this.dropped = from ? from.dropped : { count: 0, until: 0 }
  }

  copy(): this {
    return new Log(this) as this
  }

  add(write: Write): void {
    this.#list().push(write)
    this.#used += 1
  }

  #list(): Write[] {
    const last = this.#lists.at(-1)
    if (last && this.#used < AT_ONCE) {
      if (last.length === this.#used) return last
      const own = last.slice(0, this.#used)
      this.#lists = [...this.#lists.slice(0, -1), own]
      return own
    }
    const [oldest, ...others] = this.#lists
    const isFull = this.#lists.length * AT_ONCE > REMEMBERED
    if (isFull) this.dropped = { count: this.dropped.count + AT_ONCE, until: oldest?.at(-1)?.revision ?? 0 }
    const next: Write[] = []
    this.#lists = [...(isFull ? others : this.#lists), next]
    this.#used = 0
    return next
  }

  after(revision: Revision): Write[] {
    const found: Write[][] = []
    for (let at = this.#lists.length - 1; at >= 0; at--) {
      const list = this.#lists[at] ?? []
      const ours = at === this.#lists.length - 1 ? list.slice(0, this.#used) : list
      found.unshift(ours.filter((write) => write.revision > revision))
      if ((ours[0]?.revision ?? Number.POSITIVE_INFINITY) <= revision) break
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

  add(write: Omit<Write, 'by' | 'call'>): void {
    if (this.#silent) return
    const { by, call } = this.#store.author
    this.#store.write(NAME, () => new Log()).add({ ...write, by, call })
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
