import { Store } from '../db/store.ts'
import { WorldClock } from '../model/clock.ts'
import { WorldData } from '../model/worldData.ts'
import { ApiError } from '../schema/apiErrors.ts'
import type { IssuePath } from '../schema/values/issues.ts'
import type { ApplyRecord } from './applySeed.ts'
import { SeedError } from './seedError.ts'

const TRIAL_TIME = '2026-01-01T00:00:00Z'

/** Returns an empty world in which seeds are tried. */
export function openTrialWorld(): WorldData {
  const store = new Store()
  const clock = new WorldClock(store)
  clock.freeze(TRIAL_TIME)
  return new WorldData(store, clock)
}

/** Applies each record of a seed by itself. A rejected one is skipped; `reject` gets its path and the reason. */
export const skipRejected =
  ({ store }: WorldData, reject: (path: IssuePath, reason: string) => void): ApplyRecord =>
  (path, act) => {
    try {
      return store.transaction(act)
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof SeedError)) throw error
      reject(path, error.message)
      return undefined
    }
  }
