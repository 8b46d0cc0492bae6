import { newLife } from '../../db/epoch.ts'
import { Store } from '../../db/store.ts'
import { plantEvent } from '../../life/eventSeed.ts'
import { plant } from '../../life/seed.ts'
import { Clock } from '../../time/clock.ts'
import { Refusal } from '../../wire/refusals.ts'
import type { Seed } from '../../wire/seeds/seed.ts'
import { type StoredCalendar, World } from '../../world/world.ts'
import type { ParsedEvent } from './assembly.ts'

/** A moment for a world that nobody sees. */
const TRIAL_TIME = '2026-01-01T00:00:00Z'

/**
 * The events that a calendar of the service takes, each tried in a world of its own: one that is refused is told of, so
 * that the seed as a whole is not.
 */
export function filterAccepted(
  seed: Seed,
  calendarId: string,
  said: readonly ParsedEvent[],
  refused: (one: ParsedEvent, why: string) => void,
) {
  const store = new Store()
  store.counters.life = newLife('trial', 0)
  const clock = new Clock(store)
  clock.freeze(TRIAL_TIME)
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
