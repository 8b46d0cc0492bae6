import { seriesOf } from '../model/events/series.ts'
import { isRule } from '../recurrence/lines.ts'
import { isZone } from '../recurrence/zone.ts'
import type { Event } from '../schema/event.ts'
import { deepestIssue, type IssuePath, splitUnknownKeys } from '../schema/values/issues.ts'
import { MAX_LISTED } from '../schema/values/limitLines.ts'
import { firstEpoch } from '../sync/epochs.ts'
import { type ApplyRecord, applySeed } from './applySeed.ts'
import { isTooDeep } from './parseSeed.ts'
import { type Seed, seed as schema } from './schema/seed.ts'
import { SeedError } from './seedError.ts'
import { openTrialWorld, skipRejected } from './trialWorld.ts'
import { applyFirstSeed } from './worldStart.ts'

/** The path is such as `['calendars', 0, 'events', 3]`. */
export type SeedProblem = {
  path: IssuePath
  problem: string
  isWarning?: true
  /** The last step of the path is a key that the schema does not have. */
  isUnknownKey?: true
}

/** Problems of the schema, and of applying the seed, without its invalid parts, after those in `before`. */
export function findSeedProblems(data: unknown, before: readonly Seed[] = []): SeedProblem[] {
  if (isTooDeep(data)) return [{ path: [], problem: 'nested too deep' }]
  const read = schema.safeParse(data)
  if (read.success) return withoutDuplicates(listApplicationProblems(read.data, before))
  const problems = listSchemaProblems(read.error.issues)
  // Some are not in the list, and the rest of the seed could not be applied.
  if (read.error.issues.length > MAX_LISTED) return problems
  const rest = removeProblems(structuredClone(data), problems)
  const wrong = problems.filter(({ isUnknownKey }) => !isUnknownKey)
  const records = new Set(wrong.map(({ path }) => formatRecordPath(path)))
  const more = rest ? listApplicationProblems(rest.seed, before) : []
  const followed = more.filter(({ path, problem }) => {
    const record = formatRecordPath(path)
    return !records.has(record) && !(rest?.lacking && /^Invalid value for: .*(no such|there is no)/.test(problem))
  })
  return withoutDuplicates([...problems, ...followed])
}

const formatRecordPath = (path: IssuePath): string =>
  path.slice(0, path[2] === undefined || typeof path[3] !== 'number' ? 2 : 4).join('.')

const withoutDuplicates = (problems: readonly SeedProblem[]): SeedProblem[] => [
  ...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values(),
]

type Issues = Parameters<typeof deepestIssue>[0]

export function listSchemaProblems(issues: Issues): SeedProblem[] {
  return issues.flatMap((one): SeedProblem[] => {
    const issue = deepestIssue([one]) ?? one
    if (issue.code !== 'unrecognized_keys') return [{ path: issue.path, problem: issue.message }]
    const texts = splitUnknownKeys(issue)
    return issue.keys.map((key, at) => ({ path: [...issue.path, key], problem: texts[at] ?? '', isUnknownKey: true }))
  })
}

/**
 * Removes the invalid values from `data`. If the rest is still invalid, removes the list items around the remaining
 * problems too (`lacking`).
 */
function removeProblems(data: unknown, problems: readonly SeedProblem[]): { seed: Seed; lacking: boolean } | undefined {
  for (const { path } of problems) removeValue(data, path)
  const once = schema.safeParse(data)
  if (once.success) return { seed: once.data, lacking: false }
  for (const { path } of sortLastFirst(listSchemaProblems(once.error.issues))) removeValue(data, findRecordPath(path))
  const twice = schema.safeParse(data)
  return twice.success ? { seed: twice.data, lacking: true } : undefined
}

const sortLastFirst = (problems: readonly SeedProblem[]): SeedProblem[] =>
  problems.toSorted((a, b) => comparePaths(b.path, a.path))

function comparePaths(a: IssuePath, b: IssuePath): number {
  for (const [at, key] of a.entries()) {
    const other = b[at]
    if (key === other) continue
    return typeof key === 'number' && typeof other === 'number' ? key - other : 0
  }
  return a.length - b.length
}

const findRecordPath = (path: IssuePath): IssuePath =>
  path.slice(0, path.findLastIndex((key) => typeof key === 'number') + 1)

/** Later list items move up. */
function removeValue(data: unknown, path: IssuePath): void {
  const key = path.at(-1)
  let at = data
  for (const step of path.slice(0, -1)) at = at instanceof Object ? Reflect.get(at, step) : undefined
  if (key === undefined || !(at instanceof Object)) return
  if (Array.isArray(at)) at.splice(Number(key), 1)
  else Reflect.deleteProperty(at, key)
}

/** Lists the problems of records and the warnings about series. States in `before` are skipped. */
function listApplicationProblems(seed: Seed, before: readonly Seed[]): SeedProblem[] {
  const problems: SeedProblem[] = []
  const world = openTrialWorld()
  const applyRecord = skipRejected(world, (path, problem) => problems.push({ path, problem }))
  const collectProblems: ApplyRecord = (path, act) => {
    const made = applyRecord(path, act)
    const event = path[2] === 'events' ? (made as Event | undefined) : undefined
    const warnings = event?.recurrence ? listRecurrenceProblems(event) : []
    problems.push(...warnings.map((problem) => ({ ...problem, path: [...path, ...problem.path] })))
    return made
  }
  try {
    const skipInvalid = skipRejected(world, () => undefined)
    // As at the start of a server, which makes the list entries of unwritten accounts on demand.
    world.changes.writes.withoutLogging(() => {
      for (const one of before) if (!one.counters) applySeed(world, one, skipInvalid)
      if (seed.counters) applyFirstSeed(world, seed, firstEpoch('check', 0), undefined)
      else applySeed(world, removeUnknownZones(seed, problems), collectProblems)
    })
  } catch (error) {
    if (!(error instanceof SeedError)) throw error
    problems.push(parseProblem(error.message))
  } finally {
    world.clock.close()
  }
  return problems
}

function parseProblem(message: string): SeedProblem {
  const [, path, problem] = /^([a-zA-Z]\w*(?:\[\d+\]|\.\w+)*): (.*)$/s.exec(message) ?? []
  if (path === undefined || problem === undefined) return { path: [], problem: message }
  const keys = path.split(/[.[\]]+/).filter(Boolean)
  return { path: keys.map((key) => (/^\d+$/.test(key) ? Number(key) : key)), problem }
}

/** Rejecting the account would also reject its calendar and events. */
function removeUnknownZones(seed: Seed, problems: SeedProblem[]): Seed {
  const accounts = seed.accounts?.map((account, at) => {
    if (account.timeZone === undefined || isZone(account.timeZone)) return account
    problems.push({ path: ['accounts', at, 'timeZone'], problem: `there is no time zone ${account.timeZone}` })
    const { timeZone: _, ...rest } = account
    return rest
  })
  return accounts ? { ...seed, accounts } : seed
}

function listRecurrenceProblems(event: Pick<Event, 'start' | 'recurrence'>): SeedProblem[] {
  const series = seriesOf(event)
  if (series.first === undefined)
    return [{ path: ['recurrence'], problem: 'no instance is left of the series', isWarning: true }]
  return (event.recurrence ?? []).flatMap((line, at) =>
    isRule(line) && !hasOccurrences(event, line)
      ? [{ path: ['recurrence', at], problem: `the rule never fires: ${line}`, isWarning: true as const }]
      : [],
  )
}

function hasOccurrences({ start }: Pick<Event, 'start'>, line: string): boolean {
  const rule = line.slice(line.indexOf(':') + 1)
  const asRule = seriesOf({ start, recurrence: [`RRULE:${rule}`] })
  if (asRule.endless || asRule.last !== asRule.first) return true
  return seriesOf({ start, recurrence: [`EXRULE:${rule}`] }).first === undefined
}
