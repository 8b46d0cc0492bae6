import type { Index, Version } from './changes.ts'

/** Where a record lies in time: instants in milliseconds, or for an all-day one the UTC midnights of its dates. */
export type Span = { readonly dated: boolean; readonly start: number; readonly end: number }
/** A stretch of time, as instants and as the wall clock of the zone that dates are read in shows it (as if it were UTC). */
export type Window = { from: number; to: number; wallFrom: number; wallTo: number }

type Mark<T> = { readonly start: number; readonly end: number; readonly version: Version<T> }

const DAY = 86_400_000
/** Records are kept apart by length, so that one long event does not make every look-up reach far back. */
const LONGEST = [DAY, 32 * DAY, Number.POSITIVE_INFINITY]

/** The records of a collection that lie in time, by start: a window costs what it holds, however many lie outside. */
export class Timeline<T> implements Index<T> {
  readonly #spanOf: (value: T) => Span | undefined
  readonly #lanes = [true, false].flatMap((dated) =>
    LONGEST.map((longest) => ({ dated, longest, marks: new Sorted<T>() })),
  )

  constructor(spanOf: (value: T) => Span | undefined) {
    this.#spanOf = spanOf
  }

  change(before: Version<T> | undefined, after: Version<T>): void {
    if (before) this.#each(before, (marks, mark) => marks.remove(mark))
    this.#each(after, (marks, mark) => marks.add(mark))
  }

  #each(version: Version<T>, act: (marks: Sorted<T>, mark: Mark<T>) => void): void {
    const span = this.#spanOf(version.value)
    if (!span) return
    const lane = this.#lanes.find(({ dated, longest }) => dated === span.dated && span.end - span.start <= longest)
    if (lane) act(lane.marks, { start: span.start, end: span.end, version })
  }

  /** What ends after the window begins and starts before it ends (behaviour 1.15), in no particular order. */
  *overlapping(window: Window): Generator<Version<T>> {
    for (const { dated, longest, marks } of this.#lanes) {
      const [from, to] = boundsOf(window, dated)
      for (const { start, end, version } of marks.from(from - longest)) {
        if (start >= to) break
        if (end > from) yield version
      }
    }
  }
}

export const overlaps = ({ dated, start, end }: Span, window: Window): boolean => {
  const [from, to] = boundsOf(window, dated)
  return end > from && start < to
}

const boundsOf = (window: Window, dated: boolean) =>
  dated ? ([window.wallFrom, window.wallTo] as const) : ([window.from, window.to] as const)

const BLOCK = 512

/** Marks by start, in blocks, so that adding one moves a few hundred and not a hundred thousand. */
class Sorted<T> {
  readonly #blocks: Mark<T>[][] = [[]]

  add(mark: Mark<T>): void {
    const at = this.#blockOf(mark)
    const block = this.#blocks[at] ?? []
    block.splice(position(block, mark), 0, mark)
    if (block.length > BLOCK) this.#blocks.splice(at + 1, 0, block.splice(BLOCK / 2))
  }

  remove(mark: Mark<T>): void {
    const at = this.#blockOf(mark)
    const block = this.#blocks[at] ?? []
    const found = position(block, mark)
    if (block[found]?.version.id === mark.version.id) block.splice(found, 1)
    if (block.length === 0 && this.#blocks.length > 1) this.#blocks.splice(at, 1)
  }

  *from(start: number): Generator<Mark<T>> {
    const first = { start, place: -1 }
    for (let at = this.#blockOf(first); at < this.#blocks.length; at++) {
      const block = this.#blocks[at] ?? []
      for (let next = position(block, first); next < block.length; next++) {
        const mark = block[next]
        if (mark) yield mark
      }
    }
  }

  /** The last block that begins at or before a mark. */
  #blockOf(mark: Mark<T> | Point): number {
    let [low, high] = [0, this.#blocks.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      const first = this.#blocks[middle]?.[0]
      if (first && before(mark, first)) high = middle - 1
      else low = middle
    }
    return low
  }
}

type Point = { start: number; place: number }
const placeOf = <T>(mark: Mark<T> | Point) => ('place' in mark ? mark.place : mark.version.place)

const before = <T>(a: Mark<T> | Point, b: Mark<T>): boolean =>
  a.start < b.start || (a.start === b.start && placeOf(a) < placeOf(b))

/** The first position in a block whose mark does not come before the one given. */
function position<T>(block: readonly Mark<T>[], mark: Mark<T> | Point): number {
  let [low, high] = [0, block.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const there = block[middle]
    if (there && (there.start < mark.start || (there.start === mark.start && placeOf(there) < placeOf(mark))))
      low = middle + 1
    else high = middle
  }
  return low
}
