import type { Seed } from '../../../wire/seeds/seed.ts'
import type { Fetch } from '../retryingFetch.ts'

/** Makes a fake for a recording to be played to. */
export type OpenFake = (seed: Seed, now: string | undefined) => { fetch: Fetch; close(): Promise<void> }
