import { byTuple, startsWith, Tree, type Tuple } from './tree.ts'
import type { Version } from './version.ts'

/** The index `byKey`: ids by declared keys. A key and an id form one tuple. */
export class ByKey<T> {
  readonly #keysOf: (value: T) => readonly Tuple[]
  readonly #entries: Tree<Tuple, undefined>

  constructor(keysOf: (value: T) => readonly Tuple[], from?: ByKey<T>) {
    this.#keysOf = keysOf
    this.#entries = from ? from.#entries.clone() : new Tree<Tuple, undefined>(undefined, byTuple)
  }

  clone(): ByKey<T> {
    return new ByKey(this.#keysOf, this)
  }

  replace(before: Version<T> | undefined, after: Version<T> | undefined): void {
    const [old, now] = [before ? this.#keysOf(before.value) : [], after ? this.#keysOf(after.value) : []]
    if (old.length === 0 && now.length === 0) return
    for (const key of old) this.#entries.delete([...key, before?.id ?? ''])
    for (const key of now) this.#entries.set([...key, after?.id ?? ''], undefined)
  }

  /** Returns the ids with a key, in their order. */
  idsOf(key: Tuple): string[] {
    const ids: string[] = []
    for (const entry of this.#entries.keys(key)) {
      if (!startsWith(entry, key)) break
      if (entry.length === key.length + 1) ids.push(String(entry.at(-1)))
    }
    return ids
  }
}
