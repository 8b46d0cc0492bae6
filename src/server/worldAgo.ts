import { Store } from '../db/store.ts'
import type { PastStates } from '../testing/faults/pastStates.ts'
import { Clock } from '../time/clock.ts'
import { World } from '../world/world.ts'

/** Returns a world as it was so many milliseconds ago, with a frozen clock. Its sync tokens are those of that time. */
export function worldAgo({ clock, changes }: World, past: PastStates, length: number): World {
  const instant = clock.now() - length
  const store = new Store(past.at(instant))
  store.counters.clock = { mode: 'frozen', base: instant }
  const then = new World(store, new Clock(store))
  then.changes.ahead = changes.latest
  return then
}
