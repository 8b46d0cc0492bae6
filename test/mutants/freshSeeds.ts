import { beforeEach } from 'vitest'
import { startFromSeeds } from '../../src/seeds/worldStart.ts'

/** As many as are kept of what worlds began with. */
const KEPT = 8

/**
 * What seeds make is kept for the next world that begins with the same, and so of many tests the first alone would plant it.
 * Here each does, and may notice what is planted wrongly.
 */
beforeEach(() => {
  for (let now = 0; now < KEPT; now++) startFromSeeds({ seeds: [], now, policy: undefined })
})
