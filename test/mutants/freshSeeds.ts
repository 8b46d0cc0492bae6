import { beforeEach } from 'vitest'
import { createStartFromSeeds } from '../../src/seeds/worldStart.ts'

/** The number of cached seed states. */
const MAX_CACHED_STARTS = 8

/**
 * The records of seeds are cached for later worlds with the same seeds, so only the first test would apply them.
 * Here every test applies its seeds, so that it notices mutants in their application.
 */
beforeEach(() => {
  for (let now = 0; now < MAX_CACHED_STARTS; now++) createStartFromSeeds({ seeds: [], now, policy: undefined })
})
