import { Store } from '../../db/store.ts'
import { WorldClock } from '../../model/clock.ts'
import { type StoredCalendar, WorldData } from '../../model/worldData.ts'
import { ApiError } from '../../schema/apiErrors.ts'
import { firstEpoch } from '../../sync/tokens.ts'
import { applyEvent } from '../applyEvent.ts'
import { applySeed } from '../applySeed.ts'
import type { Seed } from '../schema/seed.ts'
import type { ParsedEvent } from './assembly.ts'

/** The time of the world in which events are tried. */
const TRIAL_TIME = '2026-01-01T00:00:00Z'

/**
 * Returns the events that the service accepts. Each is applied to a temporary world with `seed`, so that one rejected
 * event does not reject the whole seed. Calls `refused` for each rejected event, with the error message.
 */
export function filterAccepted(
  seed: Seed,
  calendarId: string,
  parsed: readonly ParsedEvent[],
  refused: (one: ParsedEvent, why: string) => void,
) {
  const store = new Store()
  store.counters.epoch = firstEpoch('trial', 0)
  const clock = new WorldClock(store)
  clock.freeze(TRIAL_TIME)
  const world = new WorldData(store, clock)
  applySeed(world, seed)
  const calendar = world.calendars.get(calendarId) as StoredCalendar
  return parsed.filter((one) => {
    try {
      store.transaction(() => applyEvent(world, calendar, one.event))
      return true
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      refused(one, error.message)
      return false
    }
  })
}
