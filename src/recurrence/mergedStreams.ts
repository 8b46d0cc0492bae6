type Stream<T> = { head: T; rest: Iterator<T> }

/**
 * A binary heap of streams by their next item. Equal items are all returned. After the first item, a stream is drawn only when
 * its last item was taken and another is needed, because an item can be expensive to compute.
 */
export class MergedStreams<T> {
  readonly #compare: (a: T, b: T) => number
  readonly #streams: Stream<T>[] = []
  #isTaken = false

  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare
  }

  add(items: Iterable<T>): void {
    this.#advance() // The new stream may begin before the item that was taken.
    const rest = items[Symbol.iterator]()
    const { done, value } = rest.next()
    if (done) return
    this.#streams.push({ head: value, rest })
    this.#moveUp(this.#streams.length - 1)
  }

  take(): T | undefined {
    this.#advance()
    const [first] = this.#streams
    this.#isTaken = first !== undefined
    return first?.head
  }

  #advance(): void {
    if (!this.#isTaken) return
    this.#isTaken = false
    const [first] = this.#streams
    const { done, value } = first?.rest.next() ?? { done: true }
    if (first && !done) first.head = value as T
    else {
      const last = this.#streams.pop()
      if (this.#streams.length > 0 && last) this.#streams[0] = last
    }
    this.#moveDown()
  }

  #isBefore(a: number, b: number): boolean {
    const [one, other] = [this.#streams[a], this.#streams[b]]
    return one !== undefined && other !== undefined && this.#compare(one.head, other.head) < 0
  }

  #swap(a: number, b: number): void {
    const [one, other] = [this.#streams[a], this.#streams[b]]
    if (!one || !other) return
    this.#streams[a] = other
    this.#streams[b] = one
  }

  #moveUp(from: number): void {
    for (let at = from, parent = (at - 1) >> 1; at > 0 && this.#isBefore(at, parent); parent = (at - 1) >> 1) {
      this.#swap(at, parent)
      at = parent
    }
  }

  #moveDown(): void {
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      const least = this.#isBefore(right, left) ? right : left
      if (!this.#isBefore(least, at)) return
      this.#swap(least, at)
      at = least
    }
  }
}
