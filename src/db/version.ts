/** The time of a write in microseconds. Each is later than the one before, even if the clock is frozen. */
export type Revision = number

/** One state of a record, and the revision that wrote it. */
export type Version<T> = {
  readonly id: string
  /** The position in the order of creation. */
  readonly ordinal: number
  readonly value: T
  readonly revision: Revision
  /** The last write that changed what `updated` shows. */
  readonly updatedRevision: Revision
  /**
   * The oldest revision whose etag still matches: the last write by somebody else than the service. `If-Match` compares
   * with it, because nobody can have read a write that the service made by itself (behaviour 11.8).
   */
  readonly matchedSince: Revision
  readonly createdRevision: Revision
  /** The same for all records that one request cancelled, if the writer gives it; 0 for a live record. */
  readonly cancelledRevision: Revision
  /** The id of the record whose stamp this one shares, if it is a member of a group. */
  readonly group: string | undefined
  /** The bucket of its interval; `NO_INTERVAL` for a record without one. */
  readonly bucket: number
  readonly start: number
  readonly end: number
}

export type WriteOptions = {
  /** The last write that changed what `updated` shows, if that is not this one. */
  updatedRevision?: Revision | undefined
  /** The revision of the first write, if that is not this one. */
  createdRevision?: Revision | undefined
  /** The revision at which the record was cancelled, if that is not this write. */
  cancelledRevision?: Revision | undefined
  /** True for a write that the service makes by itself: etags that matched before it still match. */
  isAutomatic?: boolean | undefined
}
