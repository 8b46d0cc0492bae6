import { NOWHERE } from './timeline.ts'
import { byText, Tree } from './tree.ts'
import type { Revision, Version } from './version.ts'

const REVISION_DIGITS = 17
const keyOf = (id: string, until: Revision): string => `${id} ${String(until).padStart(REVISION_DIGITS, '0')}`

/** What records were before they were redefined, by id and the revision that did it: lists of changes ask for them. */
export class Former<T> {
  readonly #versions: Tree<string, Version<T>>

  constructor(from?: Former<T>) {
    this.#versions = from ? from.#versions.clone() : new Tree<string, Version<T>>(undefined, byText)
  }

  set(version: Version<T>, until: Revision): void {
    this.#versions.set(keyOf(version.id, until), version)
  }

  /** Puts back what another world knew of a record. */
  restore({ id, value, born }: Pick<Version<T>, 'id' | 'value' | 'born'>, until: Revision): void {
    const nowhere = { place: -1, lane: NOWHERE, start: 0, end: 0 }
    this.set({ id, value: Object.freeze(value), born, revision: born, ...nowhere }, until)
  }

  /** What a record was just after a revision, where a later write has redefined it. */
  at(id: string, revision: Revision): Version<T> | undefined {
    const [key, version] = this.#versions.getPairOrNextHigher(keyOf(id, revision + 1)) ?? []
    // One that began after that moment was nothing then.
    return key?.startsWith(`${id} `) && version && version.born <= revision ? version : undefined
  }

  /** Those that were redefined after a revision, and by which. */
  *since(revision: Revision): Generator<{ until: Revision; version: Version<T> }> {
    for (const [key, version] of this.#versions.toArray()) {
      const until = Number(key.slice(-REVISION_DIGITS))
      if (until > revision) yield { until, version }
    }
  }
}
