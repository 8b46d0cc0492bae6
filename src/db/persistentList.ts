/** How many lie together. */
export const TOGETHER = 256

/**
 * A list that is only added to, in parts. Copies share them: who comes first to the end of the last part writes on in it, and
 * the others, which know how far it is theirs, go on in one of their own. So to add costs the same however much there is.
 */
export class PersistentList<T> {
  #parts: readonly T[][]
  /** How much of the last part is ours. */
  #used: number

  constructor(from?: PersistentList<T>) {
    this.#parts = from ? from.#parts : []
    this.#used = from ? from.#used : TOGETHER
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
    this.#used = TOGETHER
  }

  #last(): T[] {
    const last = this.#parts.at(-1)
    if (last && this.#used < TOGETHER) {
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
    if (others.length === 0) this.#used = TOGETHER
    this.#parts = others
    return own
  }

  /** All that is there now, in order, whatever is added meanwhile. */
  *values(): Generator<T> {
    const [parts, used] = [this.#parts, this.#used]
    for (let at = 0; at < parts.length; at++) {
      const part = parts[at] ?? []
      const end = at === parts.length - 1 ? used : part.length
      for (let place = 0; place < end; place++) yield part[place] as T
    }
  }

  /** The parts, the last first. */
  *fromEnd(): Generator<readonly T[]> {
    const [parts, used] = [this.#parts, this.#used]
    for (let at = parts.length - 1; at >= 0; at--) {
      const part = parts[at] ?? []
      yield at === parts.length - 1 ? part.slice(0, used) : part
    }
  }
}
