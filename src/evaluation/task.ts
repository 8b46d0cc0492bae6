import { z } from 'zod'
import { checkExpected } from '../control/matching.ts'
import { checkFault, fault, quotaLimits } from '../control/operations/faults.ts'
import { durationText, strictShape } from '../control/operations/inputs.ts'
import { InvalidInputError } from '../control/operations/operation.ts'
import type { AgentTask } from '../control/types/task.ts'
import { isToolName } from '../mcp/definitions/toolNames.ts'
import { parseInstant } from '../model/clock.ts'
import { formatPath, type IssuePath, parseData, unknownKeysFirst } from '../schema/values/issues.ts'
import { findLongPart } from '../schema/values/json.ts'
import { describeUnknownName } from '../schema/values/nearest.ts'
import { isFixtureName, requireFixture } from '../seeds/fixtures.ts'
import { findSeedProblems, listSchemaProblems, type SeedProblem } from '../seeds/problems.ts'
import type { Seed } from '../seeds/schema/seed.ts'
import { findFixedDates } from './fixedDates.ts'
import { checkGoal, goal } from './goal.ts'
import { fillPlaceholders } from './placeholders.ts'

const oneSeed = z.union([z.string().min(1), z.record(z.string(), z.unknown())])
const instant = z.string().refine(isClockInstant, 'not an instant (expected a form such as 2030-03-04T08:00:00Z)')

const text = z.string().min(1)
const cannedTool = strictShape({
  name: z
    .string()
    .regex(/^\w{1,64}$/, 'give a name of letters, digits and _')
    .refine((name) => !isToolName(name), 'a tool of the service has this name'),
  description: text.optional(),
  inputSchema: z.looseObject({ type: z.literal('object').optional() }).optional(),
  replies: z.array(strictShape({ when: z.record(z.string(), z.unknown()).optional(), gives: z.unknown() })).min(1),
})

const schema = strictShape({
  $schema: z.string().optional(),
  name: z.string().min(1).max(200),
  level: z.int().min(1).max(9).optional(),
  seed: z.union([oneSeed, z.array(oneSeed).min(1)]),
  now: instant,
  account: z.email(),
  prompt: z.string().min(1),
  variables: z.record(z.string().regex(/^(?!\d)\w+$/), z.array(z.unknown()).min(1)).optional(),
  faults: z.array(fault).optional(),
  quota: quotaLimits.optional(),
  approval: z.literal('declined').optional(),
  user: z
    .array(strictShape({ when: strictShape({ has: z.union([text, z.array(text).min(1)]) }).optional(), says: text }))
    .min(1)
    .optional(),
  tools: z.array(cannedTool).min(1).optional(),
  goal,
  budget: z.int().min(1).optional(),
  timeout: durationText.optional(),
})

function isClockInstant(text: string): boolean {
  try {
    parseInstant(text)
    return true
  } catch {
    return false
  }
}

/** The most entries of a list or an object in a task. Those inside a seed have other bounds. */
const MAX_TASK_ENTRIES = 1000

/** Finds a list or an object with more entries than any task needs. To check each entry would take too long. */
export function findExcess(data: unknown): SeedProblem[] {
  const { seed, ...task } = Object(data) as { seed?: unknown }
  const seeds = Array.isArray(seed) ? seed.map(() => null) : null
  return [findLongPart({ ...task, seed: seeds }, { ofList: MAX_TASK_ENTRIES, ofObject: MAX_TASK_ENTRIES }) ?? []].flat()
}

/** Lists the problems of a task, each with its path. A file as seed must have been replaced by its data. */
export function findTaskProblems(data: unknown, { isVaried }: { isVaried: boolean }): SeedProblem[] {
  const problems: SeedProblem[] = findExcess(data)
  if (problems.length > 0) return problems
  const { name } = Object(data) as { name?: unknown }
  const hasPlaceholder = typeof name === 'string' && name.includes('{{')
  if (hasPlaceholder)
    problems.push({ path: ['name'], problem: 'a name cannot contain {{, because a report finds its attempts by it' })
  const checked = hasPlaceholder ? { ...Object(data), name: 'task' } : data
  const filled = fillPlaceholders(checked, (path, problem) => problems.push({ path, problem }))
  const read = parseData(schema, filled)
  if (!read.success) return [...listSchemaProblems(unknownKeysFirst(read.error.issues)), ...problems]
  const task = filled as AgentTask
  const tools = task.tools ?? []
  const repeated = tools.findIndex(({ name }, at) => tools.findIndex((one) => one.name === name) < at)
  if (repeated >= 0) problems.push({ path: ['tools', repeated, 'name'], problem: 'another tool has this name' })
  collectErrors(problems, ['goal'], () =>
    checkGoal(
      task.goal,
      tools.map(({ name }) => name),
    ),
  )
  for (const [at, { replies }] of tools.entries())
    collectErrors(problems, ['tools', at], () => {
      for (const [nth, { when }] of replies.entries()) if (when) checkExpected(when, `replies[${nth}].when`)
    })
  for (const [at, one] of (task.faults ?? []).entries())
    collectErrors(problems, ['faults', at], () => {
      checkFault(one)
      if (one.where) checkExpected(one.where, 'where')
    })
  if (isVaried) problems.push(...findFixedDates(data as AgentTask))
  const wrongSeeds = findProblemsOfSeeds(task)
  return [...problems, ...wrongSeeds, ...(wrongSeeds.length > 0 ? [] : findAccountProblems(task))]
}

/** The messages of RangeErrors begin with a path below `path`. */
function collectErrors(problems: SeedProblem[], path: IssuePath, check: () => void): void {
  try {
    check()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const [, place = '', rest = error.message] =
      /^((?:\w+|\[\d+\])(?:\.\w+|\[\d+\])*): (.*)$/s.exec(error.message) ?? []
    const [field, problem] = error instanceof InvalidInputError ? [error.field, error.problem] : [place, rest]
    const steps = field.split(/[.[\]]+/).filter((step) => step !== '')
    problems.push({ path: [...path, ...steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step))], problem })
  }
}

function findProblemsOfSeeds({ seed }: AgentTask): SeedProblem[] {
  const before: Seed[] = []
  return [seed].flat().flatMap((one, at) => {
    const path = Array.isArray(seed) ? ['seed', at] : ['seed']
    if (typeof one === 'string' && !isFixtureName(one))
      return [{ path, problem: `there is no demo world ${JSON.stringify(one)}` }]
    const found = typeof one === 'string' ? [] : findSeedProblems(one, before)
    if (found.length === 0) before.push(typeof one === 'string' ? requireFixture(one) : (one as Seed))
    return found
      .filter(({ isWarning }) => !isWarning)
      .map((problem) => ({ ...problem, path: [...path, ...problem.path] }))
  })
}

function findAccountProblems({ seed, account }: AgentTask): SeedProblem[] {
  const seeds = [seed].flat().map((one) => (typeof one === 'string' ? requireFixture(one) : (one as Seed)))
  const known = seeds.flatMap(({ accounts = [] }) => accounts.map(({ email }) => email.toLowerCase()))
  if (known.includes(account.toLowerCase())) return []
  return [
    { path: ['account'], problem: `the seed has no such account: ${describeUnknownName(account, known, 'account')}` },
  ]
}

/** Throws a RangeError that names the first problem, with `isVaried` also a date that a variation cannot move. */
export function requireTask(data: unknown, { isVaried }: { isVaried: boolean }): AgentTask {
  const [first] = findTaskProblems(data, { isVaried })
  if (!first) return data as AgentTask
  throw new InvalidInputError(formatPath(first.path) || 'task', first.problem)
}
