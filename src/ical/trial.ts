import { newLife } from '../db/epoch.ts'
import { Store } from '../db/store.ts'
import { plantEvent } from '../life/eventSeed.ts'
import { plant } from '../life/seed.ts'
import { Clock } from '../time/clock.ts'
import { Refusal } from '../wire/refusals.ts'
import type { Seed } from '../wire/seeds/seed.ts'
import { type StoredCalendar, World } from '../world/world.ts'
import type { Said } from './assembly.ts'

/** A moment for a world that nobody sees. */
const THEN = '2026-01-01T00:00:00Z'

/**
 * The events that a calendar of the service takes, each tried in a world of its own: one that is refused is told of, so
 * that the seed as a whole is not.
 */
export function accepted(
  seed: Seed,
  calendarId: string,
  said: readonly Said[],
  refused: (one: Said, why: string) => void,
) {
  const store = new Store()
  store.counters.life = newLife('trial', 0)
  const clock = new Clock(store)
  clock.freeze(THEN)
  const world = new World(store, clock)
  plant(world, seed)
  const calendar = world.calendars.get(calendarId) as StoredCalendar
  return said.filter((one) => {
    try {
      store.transaction(() => plantEvent(world, calendar, one.event))
      return true
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refused(one, error.message)
      return false
    }
  })
}
