import { type Life, newLife } from './epoch.ts'
import { byText, Tree } from './tree.ts'
import type { Revision } from './version.ts'

/** A part of a world's data. A copy shares with its original what neither has written since. */
export interface State {
  copy(): this
}

export type ClockMode = 'real' | 'set' | 'frozen'

/** What of a world is told by single values. They are replaced, and never changed in place. */
export type Counters = {
  /** The revision of the last write, or of the last moment that was asked for. */
  revision: Revision
  /** The revision that a write last took, and the one of the last that was planted: where they differ, clients have written. */
  written: Revision
  planted: Revision
  /** The instant at which it was planted. */
  plantedAt: number
  /** Sync tokens of this revision and before have expired. */
  forgotten: Revision
  /** The latest revision that a token may ask from what records were then. */
  asked: Revision
  /** Where the source of ids stands. */
  ids: number
  /** How many things were put on the agenda. */
  scheduled: number
  life: Life
  /** How the clock runs, and what to add to the machine's clock, or while frozen the instant shown. */
  clock: { readonly mode: ClockMode; readonly base: number }
}

const FIRST: Counters = {
  revision: 0,
  written: 0,
  planted: 0,
  plantedAt: 0,
  forgotten: 0,
  ids: 0,
  asked: 0,
  scheduled: 0,
  life: newLife('default'),
  clock: { mode: 'real', base: 0 },
}

/** Who writes: an account, or `clock` or `control`; and with which call of the journal. */
export type Author = { readonly by?: string | undefined; readonly call?: number | undefined }

/**
 * Whoever is told of something, by a method of that name. Not a function: one that is written where it is assigned to a
 * field (`a.b = () => …`) is put into old memory by V8, and keeps the world that it belongs to until all of that is cleaned up.
 */
export type Hears<N extends string, T = void> = { readonly [name in N]: (what: T) => void }

/** All data of a world at one moment. */
export type Picture = { readonly states: Tree<string, State>; readonly counters: Readonly<Counters> }

/**
 * How many moments are kept for lists that are being paged through while their records change, and how many writes may come
 * after one, of records and of their log: with each a moment holds more that nobody else does.
 */
const PICTURES = 1000
const WRITES = 40_000

/** How many states are known by name without a look among all. */
const MOST_SEEN = 1000
const NOTHING_KEPT: readonly Revision[] = []
const NOBODY: Author = {}

/**
 * Everything of a world that a request can change, in states by name. One root holds them all, so that the whole can be
 * pictured, and gone back to, without looking at what is in it.
 */
export class Store {
  counters: Counters
  #states: Tree<string, State>
  /** The states that no picture shares: only these are written to. */
  #own: Map<string, State> | undefined
  /** The states that were read since the last of them was replaced: a request asks for a few of them many times. */
  #seen: Map<string, State | undefined> | undefined
  #epoch = 0
  /** How far revisions and ids ever came, those that were begun again included. */
  #reached: Pick<Counters, 'revision' | 'ids' | 'scheduled'> = FIRST
  /** How many writes there were, those that were taken back among them. */
  #writes = 0
  #pictures: Map<Revision, { picture: Picture; writes: number }> | undefined
  /** What the transaction that is under way has kept for pages. */
  #keptNow: readonly Revision[] = NOTHING_KEPT
  /** Who the writes of this moment are by. */
  author: Author = NOBODY
  /** Told when the data became what they were before. Who listens is an object: see `Hears`. */
  back: Hears<'wentBack'> | undefined
  /** Told, once a transaction has written, what all data were before it. */
  writing: Hears<'written', Picture> | undefined
  #depth = 0

  constructor(from?: Picture) {
    this.#states = from ? from.states.clone() : new Tree<string, State>(undefined, byText)
    this.counters = { ...(from?.counters ?? FIRST) }
  }

  /** Rises whenever a state may have been replaced by another: what was read before has to be read again. */
  get epoch(): number {
    return this.#epoch
  }

  /** A state to read, if there is one. */
  read(name: string): State | undefined {
    const seen = this.#seen?.get(name)
    if (seen || this.#seen?.has(name)) return seen
    const state = this.#states.get(name)
    if (!this.#seen || this.#seen.size >= MOST_SEEN) this.#seen = new Map()
    this.#seen.set(name, state)
    return state
  }

  /** A state to write to: the first write after a picture copies it, and one that there is not yet begins. */
  write<S extends State>(name: string, begin: () => S): S {
    this.#writes += 1
    const own = this.#own?.get(name)
    if (own) return own as S
    const written = (this.#states.get(name) as S | undefined)?.copy() ?? begin()
    this.#own ??= new Map()
    this.#own.set(name, written)
    this.#states.set(name, written)
    this.#seen?.set(name, written)
    this.#epoch += 1
    return written
  }

  /** All data as it is now, and stays whatever is written from here on. */
  picture(): Picture {
    this.#own = undefined
    return { states: this.#states.clone(), counters: { ...this.counters } }
  }

  /** Makes all data what it was in a picture. What was kept for pages is forgotten: its revisions will be those of other writes. */
  goBack(picture: Picture): void {
    this.#reach()
    this.#become(picture)
    this.#pictures = undefined
  }

  /**
   * Makes all data what it was in a picture but for the states named, which stay, and goes on counting: no revision and no
   * id that was given out since is given out again.
   */
  turnBack({ states, counters }: Picture, stay: readonly string[]): void {
    this.#reach()
    const before = this.#states
    this.#become({ states, counters })
    // The world is one that was written to: its stamps do not follow its clock back.
    Object.assign(this.counters, this.#reached, { planted: -1 })
    for (const name of stay) {
      const state = before.get(name)
      if (state === this.#states.get(name)) continue
      if (state) this.#states.set(name, state)
      else this.#states.delete(name)
    }
  }

  #reach(): void {
    const { revision, ids, scheduled } = this.counters
    this.#reached = {
      revision: Math.max(revision, this.#reached.revision),
      ids: Math.max(ids, this.#reached.ids),
      scheduled: Math.max(scheduled, this.#reached.scheduled),
    }
  }

  #become({ states, counters }: Picture): void {
    this.#own = undefined
    this.#seen = undefined
    this.#states = states.clone()
    this.counters = { ...counters }
    this.#epoch += 1
    this.back?.wentBack()
  }

  /** Empties everything but the counters. */
  clear(): void {
    this.#reach()
    this.#own = undefined
    this.#seen = undefined
    this.#states = new Tree<string, State>(undefined, byText)
    this.#epoch += 1
  }

  /** Runs `act` whole or not at all: when it throws, every write of it is taken back. */
  transaction<R>(act: () => R): R {
    const before = this.picture()
    const outer = this.#keptNow
    this.#keptNow = NOTHING_KEPT
    this.#depth += 1
    try {
      const result = act()
      if (this.#depth === 1 && this.#wentOn(before)) this.writing?.written(before)
      return result
    } catch (error) {
      this.#become(before)
      for (const revision of this.#keptNow) this.#pictures?.delete(revision)
      this.#keptNow = NOTHING_KEPT
      throw error
    } finally {
      this.#depth -= 1
      this.#keptNow = this.#keptNow.length > 0 && this.#depth > 0 ? [...outer, ...this.#keptNow] : outer
    }
  }

  /** Runs `act` with its writes signed. */
  signed<R>(author: Author, act: () => R): R {
    const before = this.author
    this.author = author
    try {
      return act()
    } finally {
      this.author = before
    }
  }

  /** Whether something has been written since a picture, in the life that it is of. */
  #wentOn({ counters: { written, life } }: Picture): boolean {
    return this.counters.written !== written && this.counters.life === life
  }

  /** Runs `act` to see what comes of it or whether it throws, and takes every write of it back. */
  rehearse<R>(act: () => R): R {
    const before = this.picture()
    try {
      return this.transaction(act)
    } finally {
      this.#become(before)
    }
  }

  /** Keeps the present for those who will ask for it by its revision, and no more of the oldest kept than there is room for. */
  keep(revision: Revision): void {
    const pictures = this.#pictures ?? new Map<Revision, { picture: Picture; writes: number }>()
    this.#pictures = pictures
    if (pictures.has(revision)) return
    pictures.set(revision, { picture: this.picture(), writes: this.#writes })
    if (this.#depth > 0) this.#keptNow = [...this.#keptNow, revision]
    for (const [oldest, { writes }] of pictures) {
      if (pictures.size <= PICTURES && this.#writes - writes <= WRITES) return
      pictures.delete(oldest)
    }
  }

  /** What was kept under a revision. */
  kept(revision: Revision): Picture | undefined {
    return this.#pictures?.get(revision)?.picture
  }
}
