import { deepest, pathOf } from '../wire/issues.ts'
import { type Seed, seed as schema } from '../wire/seed.ts'
import { SeedError } from './seed.ts'

/** A seed as its schema has it. Anything else is a SeedError that says where and why. */
export function checkedSeed(data: unknown): Seed {
  const result = schema.safeParse(data)
  if (result.success) return result.data
  const issue = deepest(result.error.issues)
  throw new SeedError(`${pathOf(issue?.path ?? []) || 'seed'}: ${issue?.message ?? 'invalid'}`)
}
