import type { Write, WriteLog } from '../../db/changeLog.ts'
import type { Store } from '../../db/store.ts'
import type { Revision } from '../../db/version.ts'
import { type Change, changeOf } from './change.ts'
import { kindOf } from './kinds.ts'
import type { MomentView } from './view.ts'

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

/** A filter of writes. All given fields must equal those of the change, with regard to case. */
export type ChangeFilter = {
  kind?: Change['kind'] | undefined
  account?: string | undefined
  calendarId?: string | undefined
  id?: string | undefined
  by?: string | undefined
}

/** Returns a view of the current data of a store. */
export const viewOfStore = (store: Store): MomentView => ({
  get: (name, id) => (store.read(name) as { get?(id: string): object | undefined } | undefined)?.get?.(id),
})

/**
 * Returns the remembered writes after a revision that match a filter, the oldest first, each as the change that it made
 * to its record. Leaves out writes that changed only etags and the like, unless `all` is true. It does not tell if
 * writes were dropped.
 */
export function changesAfter(
  writes: WriteLog,
  store: Store,
  since: Revision,
  filter: ChangeFilter = {},
  all = false,
): HistoricChange[] {
  const found: HistoricChange[] = []
  const after = rewindableView(viewOfStore(store))
  const before = rewindableView(viewOfStore(store))
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
  const { kind } = kindOf(name) ?? {}
  return kind !== undefined && (filter.kind ?? kind.kind) === kind.kind && (filter.id ?? id) === id
}

/** Returns true if a change has all given fields of a filter. */
export const matchesFilter = (change: HistoricChange, filter: ChangeFilter): boolean =>
  (filter.kind ?? change.kind) === change.kind &&
  (filter.id ?? change.id) === change.id &&
  (filter.account ?? change.account) === change.account &&
  (filter.calendarId ?? change.calendarId) === change.calendarId &&
  (filter.by ?? change.by) === change.by

/**
 * Converts a write to a change. Returns undefined if clients cannot see it; `before` and `after` are the world around
 * it.
 */
function toHistoricChange(
  write: Write,
  before: MomentView,
  after: MomentView,
  all: boolean,
): HistoricChange | undefined {
  const found = changeOf(write, before, after, { all })
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
function rewindableView(now: MomentView): MomentView & { undo(write: Write): void } {
  const former = new Map<string, object | undefined>()
  const keyOf = (name: string, id: string): string => `${name}\n${id}`
  return {
    get(name, id) {
      const key = keyOf(name, id)
      return former.has(key) ? former.get(key) : now.get(name, id)
    },
    undo: ({ name, id, was }) => void former.set(keyOf(name, id), was),
  }
}
