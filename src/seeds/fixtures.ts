import { createHeavySeed } from '../../fixtures/heavy.js'
import { describeUnknownName } from '../schema/values/nearest.ts'
import { readFixtureFile } from './fixtureFiles.ts'
import { parseSeed, parseSeedOnce } from './parseSeed.ts'
import type { Seed } from './schema/seed.ts'
import { SeedError } from './seedError.ts'

export const FIXTURE_NAMES = ['default', 'company', 'team', 'clinic', 'school', 'heavy'] as const

export type FixtureName = (typeof FIXTURE_NAMES)[number]

export const isFixtureName = (name: string): name is FixtureName => FIXTURE_NAMES.some((one) => one === name)

const loaded = new Map<FixtureName, Seed>()

/** Returns the seed of a fixture. Do not change it, because it is cached. Throws a SeedError for an unknown name. */
export function requireFixture(name: string): Seed {
  if (!isFixtureName(name)) throw new SeedError(describeUnknownFixture(name))
  const seed = loaded.get(name) ?? loadFixture(name)
  if (name !== 'heavy') loaded.set(name, seed)
  return seed
}

function loadFixture(name: FixtureName): Seed {
  if (name === 'heavy') return parseSeed(createHeavySeed())
  const data = readFixtureFile(name)
  // The default seed skips the check, because every start without a seed would load the schemas for it.
  return name === 'default' ? (data as Seed) : parseSeed(data)
}

/**
 * Returns the seeds of an option or a request: one or several, as objects or by name. Throws a SeedError for an invalid
 * seed or an unknown name.
 */
export const resolveSeeds = (given: unknown): Seed[] =>
  [given].flat().map((one) => (typeof one === 'string' ? requireFixture(one) : parseSeedOnce(one)))

/** Users know a fixture as a demo world. */
export const describeUnknownFixture = (name: string): string =>
  `${describeUnknownName(name, FIXTURE_NAMES, 'demo world')} There are ${formatFixtureNames()}`

export const formatFixtureNames = (): string => FIXTURE_NAMES.join(', ')
