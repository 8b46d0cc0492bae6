import defaultSeed from '../../fixtures/default.json' with { type: 'json' }
import team from '../../fixtures/team.json' with { type: 'json' }
import type { Seed } from '../wire/seeds/seed.ts'
import { ownSeed } from './checkedSeed.ts'
import { SeedError } from './seed.ts'
import { clinic } from './worlds/clinic.ts'
import { heavy } from './worlds/heavy.ts'
import { school } from './worlds/school.ts'

/**
 * The worlds that the package brings, by the names under which a seed may be asked for. Those that are made are so when
 * they are first asked for.
 */
const FIXTURES: Readonly<Record<FixtureName, () => unknown>> = {
  default: () => defaultSeed,
  team: () => team,
  clinic,
  school,
  heavy,
}
export type FixtureName = 'default' | 'team' | 'clinic' | 'school' | 'heavy'

export const isFixture = (name: string): name is FixtureName => Object.hasOwn(FIXTURES, name)

/** The seed of a name. A name that is none is a SeedError which lists those that are. */
export function fixtureOf(name: string): Seed {
  if (!isFixture(name)) throw new SeedError(`there is no fixture ${JSON.stringify(name)}, only ${fixtureNames()}`)
  // The one that every start without a seed takes needs no check, and so no schemas.
  return name === 'default' ? defaultSeed : ownSeed(FIXTURES[name]())
}

/** Seeds as options and requests give them: one or several, as they are or by name. What is none is a SeedError. */
export const seedsOf = (given: unknown): Seed[] =>
  [given].flat().map((one) => (typeof one === 'string' ? fixtureOf(one) : ownSeed(one)))

export const fixtureNames = (): string => Object.keys(FIXTURES).join(', ')
