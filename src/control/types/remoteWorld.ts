import type { FaultView } from '../faults/faults.ts'
import type { ExpectedChange } from '../history/verify.ts'
import type { Snapshot } from '../worlds/snapshots.ts'
import type { Change, Control, DiffOptions, FakeWorld, Moment } from './world.ts'

/** A function, or a group of functions, of which each returns a promise. */
type Remote<T> = (T extends (...given: infer A) => infer R ? (...given: A) => Promise<Awaited<R>> : unknown) & {
  readonly [N in keyof T]: Remote<T[N]>
}
/** Controls that differ from those in process in more than the promise. */
type Overridden = 'clock' | 'faults' | 'diff' | 'changes' | 'fork'

/** The changes between two moments, as a list. */
export type RemoteDiff = Change[] & {
  /** A sentence for each change, one per line. */
  readonly text: string
  /** Rejects with a VerificationError unless these are the changes, all of them and no other. Resolves to the changes. */
  verify(expected: readonly ExpectedChange[]): Promise<Change[]>
}

/** The controls of a world of a running server. They are those of `FakeWorld`, and each returns a promise. */
export interface RemoteWorld extends Remote<Omit<Control, Overridden>> {
  /** The name of the world. */
  readonly name: string
  /** The base URL of the Calendar API for this world, without a slash at its end. */
  readonly baseUrl: string
  readonly clock: Remote<Omit<Control['clock'], 'mode'>>
  /** The faults as in process, but `add` resolves to the fault as `list` shows it. Remove it with `remove(id)`. */
  readonly faults: Remote<Omit<Control['faults'], 'add'>> & {
    add(...given: Parameters<Control['faults']['add']>): Promise<FaultView>
  }
  /** The changes between two moments: by default, since the world started, and up to now. */
  diff(options?: DiffOptions): Promise<RemoteDiff>
  diff(before?: Moment, options?: DiffOptions): Promise<RemoteDiff>
  diff(before: Moment, after: Moment, options?: DiffOptions): Promise<RemoteDiff>
  /** The changes since a moment. With `wait`, waits until there is at least one, in real time, at most a minute. */
  changes(which?: Parameters<Control['changes']>[0]): Promise<Awaited<ReturnType<Control['changes']>>>
  /** Creates a world from a snapshot of this one. */
  fork(from: string | Snapshot, world: string): Promise<RemoteWorld>
  /** Returns another world of the server. The server creates it when it is first used. */
  world(name: string): RemoteWorld
  /** Sends a request to this world. The host of the address is replaced by the server's. */
  fetch: FakeWorld['fetch']
  /** The same by path: `request('/calendar/v3/users/me/calendarList', { headers })`. */
  request: FakeWorld['request']
  /** The address of the inspector of this world. */
  ui(): Promise<string>
}
