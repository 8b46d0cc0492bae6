import { byText, Tree } from './tree.ts'
import type { Version } from './version.ts'

/** Versions by their ids. What was last looked up or written is at hand: a request asks for the same one again and again. */
export class ById<T> {
  readonly tree: Tree<string, Version<T>>
  #lastId: string | undefined
  #last: Version<T> | undefined

  constructor(from?: ById<T>) {
    this.tree = from ? from.tree.clone() : new Tree<string, Version<T>>(undefined, byText)
    this.#lastId = from ? from.#lastId : undefined
    this.#last = from ? from.#last : undefined
  }

  get size(): number {
    return this.tree.size
  }

  get(id: string): Version<T> | undefined {
    if (this.#lastId !== id) {
      this.#last = this.tree.get(id)
      this.#lastId = id
    }
    return this.#last
  }

  set(version: Version<T>): void {
    this.tree.set(version.id, version)
    this.#lastId = version.id
    this.#last = version
  }
}
