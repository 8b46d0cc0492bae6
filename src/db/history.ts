import { NOWHERE } from './byInterval.ts'
import { byText, Tree } from './tree.ts'
import type { Revision, Version } from './version.ts'

const REVISION_DIGITS = 17
const keyOf = (id: string, until: Revision): string => `${id} ${String(until).padStart(REVISION_DIGITS, '0')}`

const endOf = (id: string, until: Revision): string => `${String(until).padStart(REVISION_DIGITS, '0')} ${id}`

/** What records were before they were redefined, by id and the revision that did it: lists of changes ask for them. */
export class Former<T> {
  readonly #versions: Tree<string, Version<T>>
  /** The same in the order in which they were redefined. */
  readonly #ends: Tree<string, string>

  constructor(from?: Former<T>) {
    this.#versions = from ? from.#versions.clone() : new Tree<string, Version<T>>(undefined, byText)
    this.#ends = from ? from.#ends.clone() : new Tree<string, string>(undefined, byText)
  }

  get size(): number {
    return this.#ends.size
  }

  /** The revision that redefined the one which is longest past. */
  get oldest(): Revision | undefined {
    const end = this.#ends.minKey()
    return end === undefined ? undefined : Number(end.slice(0, REVISION_DIGITS))
  }

  set(version: Version<T>, until: Revision): void {
    const key = keyOf(version.id, until)
    this.#versions.set(key, version)
    this.#ends.set(endOf(version.id, until), key)
  }

  /** Drops the latest, where it was defined after all that anybody may ask about. */
  dropUnasked(asked: Revision): void {
    const end = this.#ends.maxKey() ?? ''
    const key = this.#ends.get(end) ?? ''
    const version = this.#versions.get(key)
    if (!version) return
    // A write that redefines nothing may have come between: the definition is as old as the one before it is past.
    const [before = ''] = this.#versions.nextLowerPair(key) ?? []
    const since = before.startsWith(`${version.id} `) ? Number(before.slice(-REVISION_DIGITS)) : version.born
    if (since > asked) this.#drop(end, key)
  }

  /** Drops what was redefined by a revision or before it. */
  dropUntil(revision: Revision): void {
    for (let oldest = this.oldest; oldest !== undefined && oldest <= revision; oldest = this.oldest) {
      const end = this.#ends.minKey() ?? ''
      this.#drop(end, this.#ends.get(end) ?? '')
    }
  }

  #drop(end: string, key: string): void {
    this.#ends.delete(end)
    this.#versions.delete(key)
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

  /** Those that were redefined after a revision, and by which, in the order of their ids. */
  *since(revision: Revision): Generator<{ until: Revision; version: Version<T> }> {
    for (const [key, version] of this.#versions.toArray()) {
      const until = Number(key.slice(-REVISION_DIGITS))
      if (until > revision) yield { until, version }
    }
  }
}
