import type { Store } from '../db/store.ts'
import type { Revision } from '../db/version.ts'
import type { Write, WriteLog } from '../db/writeLog.ts'
import { type Change, changeOf } from './change.ts'
import { kindOf } from './kinds.ts'
import type { View } from './view.ts'

/** One write, as the history of a world tells it. */
export type HistoricChange = Omit<Change, 'copies'> & {
  revision: number
  /** When, by the world's clock. */
  at: string
  /** The account that wrote; `clock` where it fell due, `control` where a test did it. */
  by?: string
  /** The number of the call in the journal. */
  call?: number
}

/** Which of the writes: all that is given has to be so. */
export type WhichChanges = {
  kind?: Change['kind'] | undefined
  account?: string | undefined
  calendarId?: string | undefined
  id?: string | undefined
  by?: string | undefined
}

/** The present of a store. */
export const viewOfStore = (store: Store): View => ({
  get: (name, id) => (store.read(name) as { get?(id: string): object | undefined } | undefined)?.get?.(id),
})

/** The writes after a revision, in their order, each as it changed what was there. */
export function changesAfter(
  writes: WriteLog,
  store: Store,
  since: Revision,
  which: WhichChanges = {},
  all = false,
): HistoricChange[] {
  const told: HistoricChange[] = []
  const after = rewinding(viewOfStore(store))
  const before = rewinding(viewOfStore(store))
  // From the last to the first, so that each is seen in the world as it was.
  for (const write of writes.after(since).reverse()) {
    before.takeBack(write)
    const change = isAsked(write, which) ? historic(write, before, after, all) : undefined
    after.takeBack(write)
    if (change && fits(change, which)) told.push(change)
  }
  return told.reverse()
}

/** What can be told of a write without looking into it. */
function isAsked({ name, id }: Write, which: WhichChanges): boolean {
  const { kind } = kindOf(name) ?? {}
  return kind !== undefined && (which.kind ?? kind.kind) === kind.kind && (which.id ?? id) === id
}

const fits = (change: HistoricChange, which: WhichChanges): boolean =>
  (which.account ?? change.account) === change.account &&
  (which.calendarId ?? change.calendarId) === change.calendarId &&
  (which.by ?? change.by) === change.by

function historic(write: Write, before: View, after: View, all: boolean): HistoricChange | undefined {
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

/** A view from which writes are taken back one by one. */
function rewinding(now: View): View & { takeBack(write: Write): void } {
  const former = new Map<string, object | undefined>()
  const keyOf = (name: string, id: string): string => `${name}\n${id}`
  return {
    get(name, id) {
      const key = keyOf(name, id)
      return former.has(key) ? former.get(key) : now.get(name, id)
    },
    takeBack: ({ name, id, was }) => void former.set(keyOf(name, id), was),
  }
}
