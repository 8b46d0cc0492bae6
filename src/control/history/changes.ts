import type { Write, WriteLog } from '../../db/changeLog.ts'
import { memoize } from '../../db/memo.ts'
import type { Store } from '../../db/store.ts'
import type { Revision } from '../../db/version.ts'
import { onAbort, startTimeout } from '../../model/clock.ts'
import { isSameAccount, isSameCalendar } from '../request.ts'
import { type Change, toChangeRecord } from './change.ts'
import { findKind, type MomentView, toRecordKey } from './kinds.ts'

// A MomentView reads the stored records of a world as they were at one moment. A revision is the time of a write in
// microseconds since 1970 by the world's clock; no two writes of a world have the same.

/** One write in the history of a world. */
export type HistoricChange = Omit<Change, 'copies'> & {
  /**
   * The revision of the write: microseconds since the epoch by the world's clock, later than those of all earlier
   * writes.
   */
  revision: number
  /** The time by the world's clock, as RFC 3339 text in UTC. */
  at: string
  /** The address of the account that wrote. `clock` for a due task, `control` for a control operation. */
  by?: string
  /** The number of the call in the journal. Undefined if no request wrote. */
  call?: number
}

/** A filter of writes. All given fields must equal those of the change. Addresses are compared as in the filter of calls. */
export type ChangeFilter = {
  kind?: Change['kind'] | undefined
  account?: string | undefined
  calendarId?: string | undefined
  id?: string | undefined
  by?: string | undefined
}

/** Returns a view of a store that always reads its current data. */
export const createStoreView = (store: Store): MomentView => ({
  get: (name, id) => (store.read(name) as { get?(id: string): object | undefined } | undefined)?.get?.(id),
})

/**
 * Returns the remembered writes after a revision that match a filter, the oldest first, each as the change that it made
 * to its record. Leaves out writes that changed only etags and the like, unless `all` is true. Writes that the log has
 * dropped are missing without a notice.
 */
export function changesAfter(
  writes: WriteLog,
  store: Store,
  since: Revision,
  filter: ChangeFilter = {},
  all = false,
): HistoricChange[] {
  const found: HistoricChange[] = []
  const after = createRewindableView(createStoreView(store))
  const before = createRewindableView(createStoreView(store))
  // The loop runs backwards, so that each write is compared in the world of its time.
  for (const write of writes.after(since).reverse()) {
    before.undo(write)
    const change = isOfKindAndId(write, filter) ? toHistoricChange(write, before, after, all) : undefined
    after.undo(write)
    if (change && matchesFilter(change, filter)) found.push(change)
  }
  return found.reverse()
}

/**
 * Returns true if a write has the kind and the id of a filter. It needs only the write. Internal collections have no
 * kind.
 */
function isOfKindAndId({ name, id }: Write, filter: ChangeFilter): boolean {
  const { kind } = findKind(name) ?? {}
  return kind !== undefined && (filter.kind ?? kind.kind) === kind.kind && (filter.id ?? id) === id
}

/** Returns true if a change has all given fields of a filter. */
export const matchesFilter = (change: HistoricChange, { kind, id, account, calendarId, by }: ChangeFilter): boolean =>
  (kind ?? change.kind) === change.kind &&
  (id ?? change.id) === change.id &&
  (account === undefined || isSameAccount(change.account, account)) &&
  (calendarId === undefined || isSameCalendar(change.calendarId, calendarId, change.account)) &&
  (by === undefined || isSameAccount(change.by, by))

/**
 * Converts a write to a change. `before` and `after` are the world just before and after it. Returns undefined if
 * clients cannot see the change.
 */
function toHistoricChange(
  write: Write,
  before: MomentView,
  after: MomentView,
  all: boolean,
): HistoricChange | undefined {
  const found = toChangeRecord(write, before, after, { all })
  if (!found) return undefined
  const { revision, by, call } = write
  const { change, kind, account, calendarId, id, title, fields } = found.change
  return {
    revision,
    at: new Date(Math.floor(revision / 1000)).toISOString(),
    change,
    kind,
    ...(account !== undefined && { account }),
    ...(calendarId !== undefined && { calendarId }),
    id,
    title,
    fields,
    ...(by !== undefined && { by }),
    ...(call !== undefined && { call }),
  }
}

/** Returns a view of a world to which `undo` applies the inverse of a write. Undo the latest write first. */
function createRewindableView(now: MomentView): MomentView & { undo(write: Write): void } {
  const former = new Map<string, object | undefined>()
  return {
    get(name, id) {
      const key = toRecordKey(name, id)
      return former.has(key) ? former.get(key) : now.get(name, id)
    },
    undo: ({ name, id, was }) => void former.set(toRecordKey(name, id), was),
  }
}

/** The changes that a wait ends with, and its end without them: real time in milliseconds, or the disconnect of its client. */
type Wait = {
  readonly since: Revision
  readonly filter: ChangeFilter
  readonly all: boolean
  readonly timeout: number
  readonly signal?: AbortSignal | undefined
}
/** A wait that has not ended. `end` ends it with changes, or with none. */
type OpenWait = Wait & { end(found: HistoricChange[]): void }

/** The open waits of each change log. */
const waitsOf = memoize((writes: WriteLog) => new ChangeWaits(writes))

/**
 * Resolves to the changes that match: at once if there are some, else with the first transaction that makes some.
 * Resolves to none after the timeout (real milliseconds) or when the client disconnects. It never rejects.
 */
export async function waitForChanges(writes: WriteLog, store: Store, wait: Wait): Promise<HistoricChange[]> {
  const now = changesAfter(writes, store, wait.since, wait.filter, wait.all)
  if (now.length > 0 || wait.timeout === 0) return now
  return waitsOf(writes).add(store, wait)
}

/**
 * The open waits of one change log. It listens to the log while there are some, and compares each change once with all
 * of them.
 */
class ChangeWaits {
  readonly #writes: WriteLog
  readonly #open = new Set<OpenWait>()
  /** The revision up to which changes were compared with the waits. */
  #seen: Revision = 0
  #isScheduled = false
  #unsubscribe: (() => void) | undefined

  constructor(writes: WriteLog) {
    this.#writes = writes
  }

  /** Adds a wait, and resolves as `waitForChanges` does. `store` is that of the change log. */
  add(store: Store, wait: Wait): Promise<HistoricChange[]> {
    if (!this.#unsubscribe) {
      this.#seen = store.counters.revision
      this.#unsubscribe = this.#writes.subscribe(() => this.#schedule(store))
    }
    return new Promise((resolve) => {
      const open: OpenWait = {
        ...wait,
        end: (found) => {
          this.#remove(open)
          cancelTimer()
          removeAbortListener()
          resolve(found)
        },
      }
      this.#open.add(open)
      const cancelTimer = startTimeout(wait.timeout, () => open.end([]))
      let removeAbortListener = () => {}
      removeAbortListener = onAbort(wait.signal, () => open.end([]))
    })
  }

  /** Removes a wait. After the last one it no longer listens to the log. */
  #remove(wait: OpenWait): void {
    this.#open.delete(wait)
    if (this.#open.size > 0) return
    this.#unsubscribe?.()
    this.#unsubscribe = undefined
  }

  /** Schedules one `#check` for the next microtask, when the transaction that wrote is over. */
  #schedule(store: Store): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    queueMicrotask(() => {
      this.#isScheduled = false
      this.#check(store)
    })
  }

  /** Ends the waits that match a change since the last check. */
  #check(store: Store): void {
    const since = this.#seen
    this.#seen = store.counters.revision
    const changes = new Map<boolean, HistoricChange[]>()
    for (const wait of [...this.#open]) {
      const { all, filter } = wait
      const later = changes.get(all) ?? changesAfter(this.#writes, store, since, {}, all)
      changes.set(all, later)
      const found = later.filter((change) => change.revision > wait.since && matchesFilter(change, filter))
      if (found.length > 0) wait.end(found)
    }
  }
}
