import type { PastStates } from '../control/faults/pastStates.ts'
import { Store } from '../db/store.ts'
import { WorldClock } from '../model/clock.ts'
import { WorldData } from '../model/worldData.ts'

/** Returns a world as it was so many milliseconds ago, with a frozen clock. Its sync tokens are those of that time. */
export function worldAgo({ clock, changes }: WorldData, past: PastStates, length: number): WorldData {
  const instant = clock.now() - length
  const store = new Store(past.at(instant))
  store.counters.clock = { mode: 'frozen', base: instant }
  const then = new WorldData(store, new WorldClock(store))
  then.changes.originRevision = changes.latest
  return then
}
