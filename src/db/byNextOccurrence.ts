import { isGone, laneOf, type Span } from './byInterval.ts'
import { byNumber, Tree } from './tree.ts'
import type { Version } from './version.ts'

/** A record that lies in several places, and the next of them. */
export type Next<T> = { readonly start: number; readonly end: number; readonly version: Version<T> }
/** The next place of a record: the first that ends after a moment. */
export type NextOf<T> = (value: T, after: number) => Span | undefined

type Rows<T> = Tree<Next<T>, undefined>
/** Next places as they stand at a moment. */
type Stand<T> = { readonly after: number; readonly rows: Rows<T> }

const byEnd = (a: Next<unknown>, b: Next<unknown>): number => a.end - b.end || a.version.place - b.version.place

/** How many moments of a lane are remembered. */
const MOST_STANDS = 8

/**
 * Records that lie in many places, by the next of them: a window costs those that lie in it, however many there are and
 * however long ago they began. What was worked out for one moment is taken on to a later one by those whose place has
 * passed in between, so that page after page each place is worked out once.
 */
export class Upcoming<T> {
  readonly #nextOf: NextOf<T>
  /** By lane; the first stand of each is that before all time. */
  readonly #stands = new Map<number, Stand<T>[]>()

  constructor(nextOf: NextOf<T>, from?: Upcoming<T>) {
    this.#nextOf = nextOf
    for (const [lane, stands] of from ? from.#stands : []) {
      this.#stands.set(
        lane,
        stands.map(({ after, rows }) => ({ after, rows: rows.clone() })),
      )
    }
  }

  copy(): Upcoming<T> {
    return new Upcoming(this.#nextOf, this)
  }

  /** The lanes in which there are records, apart by the length of their places. */
  lanes({ gone }: { gone: boolean }): number[] {
    return [...this.#stands.keys()].filter((lane) => gone || !isGone(lane)).sort(byNumber)
  }

  add(version: Version<T>, gone: boolean): void {
    const first = this.#nextOf(version.value, Number.NEGATIVE_INFINITY)
    if (!first) return
    for (const { after, rows } of this.#standsOf(laneOf(first, gone))) {
      const next = this.#nextOf(version.value, after)
      if (next) rows.set({ start: next.start, end: next.end, version }, undefined)
    }
  }

  remove(version: Version<T>, gone: boolean): void {
    const first = this.#nextOf(version.value, Number.NEGATIVE_INFINITY)
    if (!first) return
    for (const { after, rows } of this.#standsOf(laneOf(first, gone))) {
      const next = this.#nextOf(version.value, after)
      if (next) rows.delete({ start: next.start, end: next.end, version })
    }
  }

  /** The records of a lane that have a place which ends after a moment, by the end of the first of these. */
  from(lane: number, after: number): Iterable<Next<T>> {
    const stands = this.#standsOf(lane)
    let nearest = stands[0]
    for (const stand of stands) if (stand.after <= after && stand.after >= (nearest?.after ?? after)) nearest = stand
    if (!nearest || nearest.after === after) return nearest?.rows.keys() ?? []
    const rows = nearest.rows.clone()
    for (let first = rows.minKey(); first && first.end <= after; first = rows.minKey()) {
      rows.delete(first)
      const next = this.#nextOf(first.version.value, after)
      if (next) rows.set({ start: next.start, end: next.end, version: first.version }, undefined)
    }
    stands.push({ after, rows })
    if (stands.length > MOST_STANDS) stands.splice(1, 1)
    return rows.keys()
  }

  #standsOf(lane: number): Stand<T>[] {
    const stands = this.#stands.get(lane) ?? [
      { after: Number.NEGATIVE_INFINITY, rows: new Tree<Next<T>, undefined>(undefined, byEnd) },
    ]
    this.#stands.set(lane, stands)
    return stands
  }
}
