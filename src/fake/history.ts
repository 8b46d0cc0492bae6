import type { Change } from '../history/change.ts'
import type { HistoricChange, WhichChanges } from '../history/changes.ts'
import type { DiffOptions } from '../history/diff.ts'
import type { Diff, History } from '../history/lists.ts'

export type { Change, DiffOptions, HistoricChange, History, WhichChanges }

/**
 * A moment of a world: a revision (as `changes` tells them), an instant as a Date or as text with an offset, a snapshot by
 * its handle or its name; or a world, as it is now.
 */
export type Moment = number | string | Date | object

/** Which writes: those after a revision, or at an instant and later; `all` also those that changed nothing but etags. */
export type ChangesAsked = WhichChanges & { since?: number | string | undefined; all?: boolean | undefined }

/** What has changed in a world. A moment that there is not throws a RangeError. */
export interface FakeHistory {
  /**
   * What has changed from a moment to now, or from one to another; without any since the world began, or was last reset.
   * Each record is there once, with its fields as they were and as they are.
   */
  diff(options?: DiffOptions): Diff
  diff(before?: Moment, options?: DiffOptions): Diff
  diff(before: Moment, after: Moment, options?: DiffOptions): Diff
  /**
   * The writes, the oldest first: the last 10,000 are remembered, and `dropped` counts the others. To ask for those after
   * one that is no longer remembered throws a RangeError.
   */
  changes(which?: ChangesAsked & { wait?: undefined }): History
  /** Waits until there is at least one, in real time: milliseconds, or text such as `5s`, at most a minute. Then there may be none. */
  changes(which: ChangesAsked & { wait?: string | number | undefined }): Promise<History>
}
