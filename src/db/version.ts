/** The time of a write in microseconds. Each is later than the one before, even if the clock is frozen. */
export type Revision = number

export type Version<T> = {
  readonly id: string
  readonly ordinal: number
  readonly value: T
  readonly revision: Revision
  /** Undefined where it is `revision`, as in most versions: each number of a record takes 16 bytes. */
  readonly updatedRevision: Revision | undefined
  /**
   * The oldest revision whose etag still matches: the last write by somebody else than the service. `If-Match` compares
   * with it, because nobody can have read a write that the service made by itself (behaviour 11.8).
   */
  readonly matchedSince: Revision | undefined
  readonly createdRevision: Revision | undefined
  readonly cancelledRevision: Revision
  readonly group: string | undefined
  readonly bucket: number
  readonly start: number
  readonly end: number
}

export type WriteOptions = {
  updatedRevision?: Revision | undefined
  createdRevision?: Revision | undefined
  cancelledRevision?: Revision | undefined
  /** True for a write that the service makes by itself: etags that matched before it still match. */
  isAutomatic?: boolean | undefined
}
