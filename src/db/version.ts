/** The moment of a write, in microseconds, later than that of any write before it even where the clock stood still. */
export type Revision = number

/** One state of a record, and the revision that wrote it. `place` is its turn in the order of creation. */
export type Version<T> = {
  readonly id: string
  readonly place: number
  readonly value: T
  readonly revision: Revision
  /** The revision that wrote it first. */
  readonly born: Revision
  /** Where it lies in time; `NOWHERE` is the lane of what does not. */
  readonly lane: number
  readonly start: number
  readonly end: number
  /** The last write of those that it follows which it was written down with, where it was. */
  readonly followed?: Revision
}

/** A version that is being made, one object for every order that has it: its lane is known once its group has moved. */
export type Making<T> = { -readonly [Field in keyof Version<T>]: Version<T>[Field] }
