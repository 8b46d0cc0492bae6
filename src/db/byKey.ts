import { byText, Tree } from './tree.ts'

/** Ids by what else a record is looked up by. */
export class Keys {
  /** A key and an id, with a line break between. */
  readonly #entries: Tree<string, undefined>

  constructor(from?: Keys) {
    this.#entries = from ? from.#entries.clone() : new Tree<string, undefined>(undefined, byText)
  }

  copy(): Keys {
    return new Keys(this)
  }

  /** Makes the keys of a record others than they were. */
  set(id: string, before: readonly string[], after: readonly string[]): void {
    for (const key of before) if (!after.includes(key)) this.#entries.delete(`${key}\n${id}`)
    for (const key of after) if (!before.includes(key)) this.#entries.set(`${key}\n${id}`, undefined)
  }

  idsOf(key: string): string[] {
    const ids: string[] = []
    for (const entry of this.#entries.keys(`${key}\n`)) {
      if (!entry.startsWith(`${key}\n`)) break
      ids.push(entry.slice(key.length + 1))
    }
    return ids
  }
}
