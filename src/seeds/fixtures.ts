import { ownSeed } from '../life/checkedSeed.ts'
import { SeedError } from '../life/seed.ts'
import type { Seed } from '../wire/seeds/seed.ts'
import { clinic } from './fixtures/clinic.ts'
import { defaultSeed } from './fixtures/default.ts'
import { heavy } from './fixtures/heavy.ts'
import { school } from './fixtures/school.ts'
import team from './fixtures/team.json' with { type: 'json' }

/** The worlds that the package contains, by name. Each is built on first use. */
const FIXTURES = {
  default: () => defaultSeed,
  team: (): unknown => team,
  clinic,
  school,
  heavy,
}

/** The name of a world that the package contains. */
export type FixtureName = keyof typeof FIXTURES

/** The names of all worlds that the package contains. */
export const FIXTURE_NAMES = Object.keys(FIXTURES) as readonly FixtureName[]

/** Returns whether the package contains a world of this name. */
export const isFixture = (name: string): name is FixtureName => Object.hasOwn(FIXTURES, name)

/** Returns the seed of a name. Throws a SeedError with the list of names if there is none. */
export function fixtureOf(name: string): Seed {
  if (!isFixture(name)) throw new SeedError(`there is no fixture ${JSON.stringify(name)}, only ${fixtureNames()}`)
  // The default seed skips the check, because every start without a seed would load the schemas for it.
  return name === 'default' ? defaultSeed : ownSeed(FIXTURES[name]())
}

/** Returns the seeds of an option or a request: one or several, as objects or by name. Throws a SeedError. */
export const seedsOf = (given: unknown): Seed[] =>
  [given].flat().map((one) => (typeof one === 'string' ? fixtureOf(one) : ownSeed(one)))

/** Returns the names of all fixtures as a list for messages. */
export const fixtureNames = (): string => FIXTURE_NAMES.join(', ')
