import type { Write, WriteLog } from '../../db/changeLog.ts'
import type { Store } from '../../db/store.ts'
import type { Revision } from '../../db/version.ts'
import { waitFor } from '../../model/clock.ts'
import { isSameAccount, isSameCalendar } from '../request.ts'
import { type Change, type ChangeRecord, toChangeRecord } from './change.ts'
import { createRewindableView, createSnapshotView, findKind } from './kinds.ts'

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

type WrittenWorld = { readonly store: Store; readonly changes: { readonly writes: WriteLog } }

/** The oldest first. */
export function changesAfter(
  world: WrittenWorld,
  since: Revision,
  filter: ChangeFilter = {},
  all = false,
): HistoricChange[] {
  const found: HistoricChange[] = []
  for (const [write, record] of recordsAfter(world, since, filter, all)) {
    const change = toHistoricChange(write, record)
    if (matchesFilter(change, filter)) found.push(change)
  }
  return found.reverse()
}

/** Yields each write with its change, the latest first, so that each is compared in the world of its time. */
export function* recordsAfter(
  { store, changes: { writes } }: WrittenWorld,
  since: Revision,
  filter: ChangeFilter = {},
  all = false,
): Generator<[Write, ChangeRecord]> {
  const after = createRewindableView(createSnapshotView(store.snapshot()))
  const before = createRewindableView(createSnapshotView(store.snapshot()))
  for (const write of writes.after(since).reverse()) {
    before.undo(write)
    const record = isOfKindAndId(write, filter) ? toChangeRecord(write, before, after, { all }) : undefined
    after.undo(write)
    if (record) yield [write, record]
  }
}

function isOfKindAndId({ name, id }: Write, filter: ChangeFilter): boolean {
  const { kind } = findKind(name) ?? {}
  return kind !== undefined && (filter.kind ?? kind.kind) === kind.kind && (filter.id ?? id) === id
}

export const matchesFilter = (change: HistoricChange, { kind, id, account, calendarId, by }: ChangeFilter): boolean =>
  (kind ?? change.kind) === change.kind &&
  (id ?? change.id) === change.id &&
  (account === undefined || isSameAccount(change.account, account)) &&
  (calendarId === undefined || isSameCalendar(change.calendarId, calendarId, change.account)) &&
  (by === undefined || isSameAccount(change.by, by))

function toHistoricChange(
  { revision, by, call }: Write,
  { change: { copies: _, ...change } }: ChangeRecord,
): HistoricChange {
  return {
    revision,
    at: new Date(Math.floor(revision / 1000)).toISOString(),
    ...change,
    ...(by !== undefined && { by }),
    ...(call !== undefined && { call }),
  }
}

type Wait = {
  readonly since: Revision
  readonly filter: ChangeFilter
  readonly all: boolean
  readonly timeout: number
  readonly signal?: AbortSignal | undefined
}

/** Resolves to none after the timeout (real milliseconds) and when the client disconnects. */
export async function waitForChanges(world: WrittenWorld, wait: Wait): Promise<HistoricChange[]> {
  const { store } = world
  let seen = wait.since
  let latest = store.counters.revision
  const find = () => {
    const found = changesAfter(world, seen, wait.filter, wait.all)
    seen = Math.max(seen, store.counters.revision)
    return found.length > 0 ? found : undefined
  }
  if (wait.timeout === 0) return find() ?? []
  let isScheduled = false
  const listen = (check: () => void) =>
    world.changes.writes.subscribe((revision) => {
      // A reset lowers the counter.
      if (revision < latest) seen = Math.min(seen, revision - 1)
      latest = revision
      if (isScheduled) return
      isScheduled = true
      // The transaction that wrote ends before the next microtask.
      queueMicrotask(() => {
        isScheduled = false
        check()
      })
    })
  return (await waitFor(find, listen, wait)) ?? []
}
