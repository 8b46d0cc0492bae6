/** The position of an entry in the order of its list: numbers and strings, compared part by part. */
export type SortKey = readonly (number | string)[]

/** Compares sort keys part by part. A key comes before the longer ones that begin with it. */
export function compareSortKeys(a: SortKey, b: SortKey): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const [one, other] = [a[i] ?? 0, b[i] ?? 0]
    if (one !== other) return one < other ? -1 : 1
  }
  return a.length - b.length
}

/**
 * An entry of a sorted stream. `opens` replaces it by a stream whose entries have the same sort key, one that begins with it,
 * or later ones.
 */
type Mergeable<E> = { readonly sortKey: SortKey; opens?: () => Iterable<E> }
type Stream<E> = { head: E; rest: Iterator<E> }

/** Merges sorted streams into one. It draws one entry ahead of each stream. */
export function* mergeSorted<E extends Mergeable<E>>(streams: Iterable<Iterable<E>>): Generator<E> {
  const queue = new StreamQueue<E>()
  for (const stream of streams) queue.add(stream)
  for (let next = queue.take(); next; next = queue.take()) {
    if (next.opens) queue.add(next.opens())
    else yield next
  }
}

/**
 * A priority queue of streams by their next entry. It is a binary heap; queues that snapshots share are trees of the
 * database instead.
 */
class StreamQueue<E extends Mergeable<E>> {
  readonly #streams: Stream<E>[] = []

  add(entries: Iterable<E>): void {
    const rest = entries[Symbol.iterator]()
    const { done, value } = rest.next()
    if (done) return
    this.#streams.push({ head: value, rest })
    this.#moveUp(this.#streams.length - 1)
  }

  /** Removes and returns the first entry of all streams. */
  take(): E | undefined {
    const [first] = this.#streams
    if (!first) return undefined
    const { head } = first
    const { done, value } = first.rest.next()
    if (!done) first.head = value
    else {
      const last = this.#streams.pop()
      if (this.#streams.length > 0 && last) this.#streams[0] = last
    }
    this.#moveDown(0)
    return head
  }

  #isBefore(a: number, b: number): boolean {
    const [one, other] = [this.#streams[a], this.#streams[b]]
    return one !== undefined && other !== undefined && compareSortKeys(one.head.sortKey, other.head.sortKey) < 0
  }

  #swap(a: number, b: number): void {
    const [one, other] = [this.#streams[a], this.#streams[b]]
    if (!one || !other) return
    this.#streams[a] = other
    this.#streams[b] = one
  }

  #moveUp(from: number): void {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1
      if (!this.#isBefore(at, parent)) return
      this.#swap(at, parent)
      at = parent
    }
  }

  #moveDown(from: number): void {
    for (let at = from; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      const least = this.#isBefore(right, left) ? right : left
      if (!this.#isBefore(least, at)) return
      this.#swap(least, at)
      at = least
    }
  }
}
