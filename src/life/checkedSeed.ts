import { deepest, pathOf } from '../wire/issues.ts'
import { type Seed, seed as schema } from '../wire/seeds/seed.ts'
import { SeedError } from './seed.ts'

/** No seed is nested deeper than some twelve levels; what is must not be followed down, by a schema or a copy. */
const DEEPEST = 100

function isDeep(data: unknown): boolean {
  let level = [data]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) return true
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []))
  }
  return false
}

/** A seed as its schema has it. Anything else is a SeedError that says where and why. */
export function checkedSeed(data: unknown): Seed {
  if (isDeep(data)) throw new SeedError(`seed: nested more than ${DEEPEST} deep`)
  const result = schema.safeParse(data)
  if (result.success) return result.data
  const issue = deepest(result.error.issues)
  throw new SeedError(`${pathOf(issue?.path ?? []) || 'seed'}: ${issue?.message ?? 'invalid'}`)
}
