import { ownSeed } from '../life/checkedSeed.ts'
import { SeedError } from '../life/seed.ts'
import { machineTime, momentOf } from '../time/clock.ts'
import type { Seed } from '../wire/seeds/seed.ts'
import { clinic } from './fixtures/clinic.ts'
import { company } from './fixtures/company.ts'
import { defaultSeed } from './fixtures/default.ts'
import { heavy } from './fixtures/heavy.ts'
import { school } from './fixtures/school.ts'
import team from './fixtures/team.json' with { type: 'json' }

/** A moment as options have it. */
type Now = Date | string | number | undefined

/** The worlds that the package contains, by name. Each is built for an instant in milliseconds. */
const FIXTURES = {
  default: () => defaultSeed,
  company,
  team: (_: number): unknown => team,
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

/** Returns the seed of a name, for a moment or for now. Throws a SeedError with the list of names if there is none. */
export function fixtureOf(name: string, now?: Now): Seed {
  if (!isFixture(name)) throw new SeedError(`there is no fixture ${JSON.stringify(name)}, only ${fixtureNames()}`)
  // The default seed skips the check, because every start without a seed would load the schemas for it.
  return name === 'default' ? defaultSeed : ownSeed(FIXTURES[name](instantOf(now)))
}

/** Returns a moment in milliseconds. What is no moment is refused where the world's clock is set. */
function instantOf(now: Now): number {
  try {
    return now === undefined ? machineTime() : momentOf(now)
  } catch {
    return machineTime()
  }
}

/** Returns the seeds of an option or a request: one or several, as objects or by name. Throws a SeedError. */
export const seedsOf = (given: unknown, now?: Now): Seed[] =>
  [given].flat().map((one) => (typeof one === 'string' ? fixtureOf(one, now) : ownSeed(one)))

/** Returns the names of all fixtures as a list for messages. */
export const fixtureNames = (): string => FIXTURE_NAMES.join(', ')
