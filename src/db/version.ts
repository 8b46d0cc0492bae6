/** The moment of a write in microseconds. Each is later than the one before it, even where the clock stood still. */
export type Revision = number

/** One state of a record, and the revision that wrote it. */
export type Version<T> = {
  readonly id: string
  /** The position in the order of creation. */
  readonly place: number
  readonly value: T
  readonly revision: Revision
  /** The last write that changed what `updated` shows. */
  readonly touched: Revision
  /** The revision of the first write. */
  readonly born: Revision
  /** The id of the record that this one is stamped together with, if it belongs to another. */
  readonly group: string | undefined
  /** The bucket of its interval; `NOWHERE` for a record without one. */
  readonly lane: number
  readonly start: number
  readonly end: number
}
