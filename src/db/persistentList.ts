/** The number of items in each part of a list. */
export const ITEMS_PER_PART = 256

/**
 * An append-only list in parts that copies share. The first copy to append to a shared last part extends it; every
 * other copy then appends to a copy of that part. So appending costs the same for any length.
 */
export class PersistentList<T> {
  #parts: readonly T[][]
  /** The number of items of the last part that belong to this copy. */
  #used: number

  constructor(from?: PersistentList<T>) {
    this.#parts = from ? from.#parts : []
    this.#used = from ? from.#used : ITEMS_PER_PART
  }

  copy(): PersistentList<T> {
    return new PersistentList(this)
  }

  add(item: T): void {
    this.#last().push(item)
    this.#used += 1
  }

  /** Removes the last item. */
  removeLast(): void {
    this.#used -= 1
    if (this.#used > 0) return
    this.#parts = this.#parts.slice(0, -1)
    this.#used = ITEMS_PER_PART
  }

  #last(): T[] {
    const last = this.#parts.at(-1)
    if (last && this.#used < ITEMS_PER_PART) {
      if (last.length === this.#used) return last
      const own = last.slice(0, this.#used)
      this.#parts = [...this.#parts.slice(0, -1), own]
      return own
    }
    const next: T[] = []
    this.#parts = [...this.#parts, next]
    this.#used = 0
    return next
  }

  get parts(): number {
    return this.#parts.length
  }

  /** Drops the first part, and returns it. */
  drop(): readonly T[] {
    const [first = [], ...others] = this.#parts
    const own = others.length > 0 ? first : first.slice(0, this.#used)
    if (others.length === 0) this.#used = ITEMS_PER_PART
    this.#parts = others
    return own
  }

  /** Yields the present items in order. Items that are added meanwhile are left out. */
  *values(): Generator<T> {
    const [parts, used] = [this.#parts, this.#used]
    for (let at = 0; at < parts.length; at++) {
      const part = parts[at] ?? []
      const end = at === parts.length - 1 ? used : part.length
      for (let place = 0; place < end; place++) yield part[place] as T
    }
  }

  /** Yields the parts, the last one first. */
  *fromEnd(): Generator<readonly T[]> {
    const [parts, used] = [this.#parts, this.#used]
    for (let at = parts.length - 1; at >= 0; at--) {
      const part = parts[at] ?? []
      yield at === parts.length - 1 ? part.slice(0, used) : part
    }
  }
}
