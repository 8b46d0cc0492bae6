import { machineTime, parseInstant } from '../model/clock.ts'
import { clinic } from './fixtures/clinic.ts'
import { company } from './fixtures/company.ts'
import { defaultSeed } from './fixtures/default.ts'
import { heavy } from './fixtures/heavy.ts'
import { school } from './fixtures/school.ts'
import { team } from './fixtures/team.ts'
import { parseSeedOnce } from './parseSeed.ts'
import type { Seed } from './schema/seed.ts'
import { SeedError } from './seedError.ts'

/** An instant as options contain it: a Date, epoch milliseconds, or RFC 3339 text. Undefined means now. */
type FixtureTime = Date | string | number | undefined

/** The fixtures by name. Each function gets an instant in epoch milliseconds and returns a seed. */
const FIXTURES = {
  default: () => defaultSeed,
  company,
  team,
  clinic,
  school,
  heavy,
}

export type FixtureName = keyof typeof FIXTURES

export const FIXTURE_NAMES = Object.keys(FIXTURES) as readonly FixtureName[]

export const isFixtureName = (name: string): name is FixtureName => Object.hasOwn(FIXTURES, name)

/**
 * Returns the seed of a fixture for an instant, by default the machine's time. Throws a SeedError with the list of names
 * for an unknown name.
 */
export function requireFixture(name: string, now?: FixtureTime): Seed {
  if (!isFixtureName(name))
    throw new SeedError(`there is no fixture ${JSON.stringify(name)} (expected one of ${formatFixtureNames()})`)
  // The default seed skips the check, because every start without a seed would load the schemas for it.
  return name === 'default' ? defaultSeed : parseSeedOnce(FIXTURES[name](parseFixtureTime(now)))
}

/**
 * Returns an instant in epoch milliseconds. For an invalid one it returns now, because setting the world's clock
 * reports the error.
 */
function parseFixtureTime(now: FixtureTime): number {
  try {
    return now === undefined ? machineTime() : parseInstant(now)
  } catch {
    return machineTime()
  }
}

/**
 * Returns the seeds of an option or a request: one or several, as objects or by name. Throws a SeedError for an invalid
 * seed or an unknown name.
 */
export const resolveSeeds = (given: unknown, now?: FixtureTime): Seed[] =>
  [given].flat().map((one) => (typeof one === 'string' ? requireFixture(one, now) : parseSeedOnce(one)))

export const formatFixtureNames = (): string => FIXTURE_NAMES.join(', ')
