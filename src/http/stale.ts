import { Store } from '../db/store.ts'
import type { Past } from '../rig/past.ts'
import { Clock } from '../time/clock.ts'
import { World } from '../world/world.ts'

/** A world as it was so many milliseconds ago, standing still: what is read of it is of then, its sync tokens included. */
export function worldAgo({ clock, changes }: World, past: Past, length: number): World {
  const instant = clock.now() - length
  const store = new Store(past.at(instant))
  store.counters.clock = { mode: 'frozen', base: instant }
  const then = new World(store, new Clock(store))
  then.changes.ahead = changes.latest
  return then
}
