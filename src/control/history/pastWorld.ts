import { Store, type StoreSnapshot } from '../../db/store.ts'
import type { Revision } from '../../db/version.ts'
import { WorldClock } from '../../model/clock.ts'
import { WorldData } from '../../model/worldData.ts'
import { throwInvalidValue } from '../../schema/apiErrors.ts'

/**
 * Returns a copy of a world as it was after its writes up to a revision: its initial state, to which these writes are applied
 * again. Throws `invalidValue` (400) if the change log has dropped some of them.
 */
export function createPastWorld(initial: StoreSnapshot, { changes, clock }: WorldData, until: Revision): WorldData {
  const store = new Store(initial)
  store.counters.clock = { mode: 'frozen', base: clock.now() }
  const past = new WorldData(store, new WorldClock(store))
  const first = past.changes.writes.after(0).at(-1)?.revision ?? 0
  const { dropped } = changes.writes
  if (dropped.until > first) throwInvalidValue('until', `the writes up to revision ${dropped.until} were dropped`)
  for (const { name, id, is, revision } of changes.writes.after(first)) {
    if (revision > until) break
    findCollection(past, name)?.restore(id, is as never, revision)
    past.changes.reserve(revision)
  }
  return past
}

/** Returns undefined for a collection that no list of calendars or events reads. */
function findCollection(world: WorldData, name: string) {
  const [kind = '', ...rest] = name.split('/')
  const owner = rest.join('/')
  const { accounts, calendars, groups } = world
  const plain = { accounts, calendars, groups }
  const owned = { events: world.events, calendarList: world.lists, acl: world.acl, settings: world.settings }
  if (Object.hasOwn(plain, kind)) return plain[kind as keyof typeof plain]
  return Object.hasOwn(owned, kind) ? owned[kind as keyof typeof owned].of(owner) : undefined
}
