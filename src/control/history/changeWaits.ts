import type { WriteLog } from '../../db/changeLog.ts'
import { memoize } from '../../db/memo.ts'
import type { Store } from '../../db/store.ts'
import type { Revision } from '../../db/version.ts'
import { onAbort, startTimeout } from '../../model/clock.ts'
import { type ChangeFilter, changesAfter, type HistoricChange, matchesFilter } from './changes.ts'

/** The changes that a wait ends with, and its end without them: real time in milliseconds, or the disconnect of its client. */
type Wait = {
  readonly since: Revision
  readonly filter: ChangeFilter
  readonly all: boolean
  readonly timeout: number
  readonly signal?: AbortSignal | undefined
}
type OpenWait = Wait & { end(found: HistoricChange[]): void }

/** The open waits of each change log. */
const waitsOf = memoize((writes: WriteLog) => new ChangeWaits(writes))

/** Resolves to the first changes that match, or to none at the end of the wait. */
export async function waitForChanges(writes: WriteLog, store: Store, wait: Wait): Promise<HistoricChange[]> {
  const now = changesAfter(writes, store, wait.since, wait.filter, wait.all)
  if (now.length > 0 || wait.timeout === 0) return now
  return waitsOf(writes).add(store, wait)
}

/** Compares each change once with all waits, however many transactions wrote it and however many waits are open. */
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

  #remove(wait: OpenWait): void {
    this.#open.delete(wait)
    if (this.#open.size > 0) return
    this.#unsubscribe?.()
    this.#unsubscribe = undefined
  }

  #schedule(store: Store): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    // The transaction is over in the next microtask.
    queueMicrotask(() => {
      this.#isScheduled = false
      this.#check(store)
    })
  }

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
