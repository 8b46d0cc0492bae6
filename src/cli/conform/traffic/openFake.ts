import type { Seed } from '../../../seeds/schema/seed.ts'
import type { Fetch } from '../retryingFetch.ts'

/**
 * Creates a fake without a port for the replay of a recording. Its clock is frozen at `now`, an ISO instant, or runs
 * with the machine's. Throws a SeedError if the seed cannot be applied.
 */
export type OpenFake = (seed: Seed, now: string | undefined) => { fetch: Fetch; close(): Promise<void> }
