import type { Change } from '../history/change.ts'
import type { ChangeFilter, HistoricChange } from '../history/changes.ts'
import type { DiffOptions } from '../history/diff.ts'
import type { Diff, History } from '../history/lists.ts'

export type { Change, ChangeFilter, DiffOptions, HistoricChange, History }

/**
 * A moment of a world: a revision, an instant as a Date or as text with an offset, a snapshot by handle or name, or
 * another world in its present state.
 */
export type Moment = number | string | Date | object

/**
 * A filter of writes: after a revision, or at an instant and later. `all` includes writes that changed only etags and
 * the like.
 */
export type ChangesQuery = ChangeFilter & { since?: number | string | undefined; all?: boolean | undefined }

/** The changes of a world. An unknown moment throws a RangeError. */
export interface FakeHistory {
  /**
   * Returns the changes from one moment to another. The defaults are the initial state (or the last reset) and now.
   * Each record occurs once, with its old and new fields.
   */
  diff(options?: DiffOptions): Diff
  diff(before?: Moment, options?: DiffOptions): Diff
  diff(before: Moment, after: Moment, options?: DiffOptions): Diff
  /**
   * Returns the writes, the oldest first. The last 10,000 are kept; `dropped` counts the others. Throws a RangeError
   * if `since` is before a dropped write.
   */
  changes(which?: ChangesQuery & { wait?: undefined }): History
  /**
   * Waits for at least one write in real time: milliseconds, or text such as `5s`, at most a minute. On timeout the
   * list is empty.
   */
  changes(which: ChangesQuery & { wait?: string | number | undefined }): Promise<History>
}
