import { deepest, pathOf } from './http/body.ts'
import { SeedError } from './life/seed.ts'
import { type Seed, seed as schema } from './wire/seed.ts'

/** A seed as its schema has it. Anything else is a SeedError that says where and why. */
export function checkedSeed(data: unknown): Seed {
  const result = schema.safeParse(data)
  if (result.success) return result.data
  const issue = deepest(result.error.issues)
  throw new SeedError(`${pathOf(issue?.path ?? []) || 'seed'}: ${issue?.message ?? 'invalid'}`)
}
