import type { Write, WriteLog } from '../../db/changeLog.ts'
import type { Store } from '../../db/store.ts'
import type { Revision } from '../../db/version.ts'
import { type Change, changeOf } from './change.ts'
import { kindOf } from './kinds.ts'
import type { MomentView } from './view.ts'

/** One write in the history of a world. */
export type HistoricChange = Omit<Change, 'copies'> & {
  revision: number
  /** The time by the world's clock. */
  at: string
  /** The account that wrote. `clock` for a due task, `control` for a control operation. */
  by?: string
  /** The number of the call in the journal. */
  call?: number
}

/** A filter of writes. All given fields must match. */
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

/** Returns the writes after a revision, the oldest first, each as a change of the record before it. */
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
    const change = mayMatch(write, filter) ? toHistoricChange(write, before, after, all) : undefined
    after.undo(write)
    if (change && matchesFilter(change, filter)) found.push(change)
  }
  return found.reverse()
}

/** Returns false if a write cannot match the filter, without reading the record. */
function mayMatch({ name, id }: Write, filter: ChangeFilter): boolean {
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

/** Returns a view that undoes writes one by one. */
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
