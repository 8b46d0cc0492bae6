import { conferencePolicy } from '../schema/conferencePolicy.ts'
import { deepestIssue, formatPath, unknownKeysFirst } from '../schema/values/issues.ts'
import { isEqual } from '../schema/values/json.ts'
import { isLargeSeed } from './applySeed.ts'
import { type Seed, seed as schema } from './schema/seed.ts'
import { SeedError } from './seedError.ts'

const MAX_DEPTH = 100

/** More than 100 levels of objects and lists. */
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

/** Returns a copy, which later changes of the input do not affect. Equal input has the same result, so do not change it. */
export function parseSeedOnce(data: unknown): Seed {
  const again = parsedSeeds.find(({ given }) => isEqual(given, data))
  if (again) return again.seed
  const seed = copyDeep(parseSeed(data))
  if (isLargeSeed(seed)) return seed
  parsedSeeds.push({ given: copyDeep(data), seed })
  if (parsedSeeds.length > MAX_CACHED_SEEDS) parsedSeeds.shift()
  return seed
}

function copyDeep<T>(data: T): T
function copyDeep(data: unknown): unknown {
  if (Array.isArray(data)) return data.map((item) => copyDeep(item))
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, copyDeep(value)]))
}

/** Throws a SeedError with the path and the reason of each problem, one per line. */
export function parseSeed(data: unknown): Seed {
  if (isTooDeep(data)) throw new SeedError(`seed: nested more than ${MAX_DEPTH} levels deep`)
  const result = schema.safeParse(data)
  if (result.success) return result.data
  const lines = unknownKeysFirst(result.error.issues).map((one) => {
    const issue = deepestIssue([one])
    return `${formatPath(issue?.path ?? []) || 'seed'}: ${issue?.message ?? 'invalid'}`
  })
  throw new SeedError(lines.join('\n'))
}

/** Also of the option `conferences`, which sets the policy of each world. */
export const isConferencePolicy = (data: unknown): boolean => conferencePolicy.safeParse(data).success
