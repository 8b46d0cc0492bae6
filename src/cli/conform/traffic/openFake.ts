import type { Seed } from '../../../seeds/schema/seed.ts'
import type { Fetch } from '../retryingFetch.ts'

/** Creates a fake for the replay of a recording. */
export type OpenFake = (seed: Seed, now: string | undefined) => { fetch: Fetch; close(): Promise<void> }
