import { deepestIssue, formatPath } from '../schema/values/issues.ts'
import { isLargeSeed } from './applySeed.ts'
import { type Seed, seed as schema } from './schema/seed.ts'
import { SeedError } from './seedError.ts'

const MAX_DEPTH = 100

/** Returns true for data with more than 100 nested levels of objects and lists. */
export function isTooDeep(data: unknown): boolean {
  let level = [data]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []))
  }
  return false
}

const parsedSeeds: { given: unknown; seed: Seed }[] = []
const MAX_CACHED_SEEDS = 8

/**
 * Returns a parsed copy of a seed, which later changes of the input do not affect. Equal input returns the same seed
 * without a second check, except for large seeds. Do not change the result, because it is cached. Throws a SeedError for
 * an invalid seed.
 */
export function parseSeedOnce(data: unknown): Seed {
  const again = parsedSeeds.find(({ given }) => isDeepEqual(given, data))
  if (again) return again.seed
  const seed = copyDeep(parseSeed(data))
  if (isLargeSeed(seed)) return seed
  parsedSeeds.push({ given: copyDeep(data), seed })
  if (parsedSeeds.length > MAX_CACHED_SEEDS) parsedSeeds.shift()
  return seed
}

const isObjectOrArray = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

function isDeepEqual(a: unknown, b: unknown): boolean {
  if (!isObjectOrArray(a) || !isObjectOrArray(b)) return Object.is(a, b)
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isDeepEqual(a[name], b[name]))
  )
}

function copyDeep<T>(data: T): T
function copyDeep(data: unknown): unknown {
  if (Array.isArray(data)) return data.map((item) => copyDeep(item))
  if (!isObjectOrArray(data)) return data
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, copyDeep(value)]))
}

/**
 * Parses a seed, or a state (a seed that a world wrote, with its counters), with its schema. Throws a SeedError with the
 * path and the reason of each problem, one per line.
 */
export function parseSeed(data: unknown): Seed {
  if (isTooDeep(data)) throw new SeedError(`seed: nested more than ${MAX_DEPTH} levels deep`)
  const result = schema.safeParse(data)
  if (result.success) return result.data
  const lines = result.error.issues.map((one) => {
    const issue = deepestIssue([one])
    return `${formatPath(issue?.path ?? []) || 'seed'}: ${issue?.message ?? 'invalid'}`
  })
  throw new SeedError(lines.join('\n'))
}
