import type { PastStates } from '../control/faults/pastStates.ts'
import { Store } from '../db/store.ts'
import { WorldClock } from '../model/clock.ts'
import { WorldData } from '../model/worldData.ts'

/**
 * Returns a copy of a world as it was `age` milliseconds ago by its clock. The clock of the copy is frozen at that
 * time, so the copy issues sync tokens of that time. Writes to it do not change the world. `PastStates.stateAt` states
 * the precision.
 */
export function worldAgo({ clock, changes }: WorldData, past: PastStates, age: number): WorldData {
  const instant = clock.now() - age
  const store = new Store(past.stateAt(instant))
  store.counters.clock = { mode: 'frozen', base: instant }
  const then = new WorldData(store, new WorldClock(store))
  then.changes.originRevision = changes.latest
  return then
}
