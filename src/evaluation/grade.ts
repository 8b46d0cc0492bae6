import type { ChangeRecord } from '../control/history/change.ts'
import { diffSnapshots } from '../control/history/diff.ts'
import { formatChange } from '../control/history/format.ts'
import { isExpected, matchChanges } from '../control/history/verify.ts'
import { formatComparedValue, matches, toCountRange } from '../control/matching.ts'
import type { ExpectedAnswer, TaskGoal, WeightedChange } from '../control/types/task.ts'
import type { WorldResult } from '../control/worldResult.ts'
import type { World } from '../control/worlds/world.ts'

type Grade = Omit<WorldResult, 'task' | 'attempt'>
type Work = { answer: string; budget: number | undefined; failure: string | undefined }

/**
 * Compares a world and an answer with a goal. The score is the reached share of the weights, less the weights of unexpected
 * changes, and at least 0. A `failure` of the agent counts as an unmet expectation of weight 1.
 */
export function gradeWorld(world: World, goal: TaskGoal, { answer, budget, failure }: Work): Grade {
  const { changes = [], forbidden = [], answers = [], forbiddenAnswers = [], penalty = 1 } = goal
  const found = diffSnapshots(world.initialSnapshot, world.data.store.snapshot())
  const never = forbidden.map((one) => ({ ...one, times: 0 }))
  const match = matchChanges(found, [...changes, ...never].map(withoutWeight))
  const missing = failure === undefined ? [] : [failure]
  const excess: string[] = []
  let [reached, total, cost] = [0, failure === undefined ? 0 : 1, 0]
  for (const [at, { times = 1, weight = 1 }] of changes.entries()) {
    const { min } = toCountRange(times)
    const lines = match.missing[at] ?? []
    // An optional change would be reached by doing nothing.
    if (min > 0) {
      total += weight
      reached += weight * Math.min(1, (match.claimed[at]?.length ?? 0) / min)
    }
    if (lines.length > 0) missing.push(toOneLine(lines))
  }
  for (const one of answers) {
    total += weightOf(one)
    if (meets(one, answer)) reached += weightOf(one)
    else
      missing.push(`expected an answer with ${formatAnswer(one)}; the answer is ${formatComparedValue(answer || null)}`)
  }
  const charge = (line: string, weight: number) => {
    excess.push(line)
    cost += weight
  }
  for (const one of match.unclaimed) {
    const rule = forbidden.find((expected) => isExpected(withoutWeight(expected), one))
    charge(`${rule ? 'forbidden: ' : ''}${formatChange(one)}`, rule ? (rule.weight ?? 1) : penalty)
  }
  for (const [at, expected] of changes.entries())
    for (const change of match.claimed[at] ?? [])
      for (const path of listUnnamedFields(expected, change)) charge(formatField(change, path), penalty)
  for (const one of forbiddenAnswers)
    if (meets(one, answer)) charge(`forbidden: an answer with ${formatAnswer(one)}`, weightOf(one))
  const { calls, errors } = world.controls.journal.agentCounts
  if (budget !== undefined && calls > budget) charge(`${calls} calls; the budget is ${budget}`, penalty)
  const share = total === 0 ? Number(missing.length === 0) : reached / total
  const score = Math.max(0, share - cost / (total || 1))
  return { passed: missing.length + excess.length === 0, score, missing, excess, calls, errors }
}

const withoutWeight = ({ weight: _, ...expected }: WeightedChange) => expected

const toOneLine = (lines: readonly string[]): string =>
  lines
    .join('; ')
    .replace(/:\s*\n\s*/g, ': ')
    .replace(/\s*\n\s*/g, '; ')

const weightOf = (expected: ExpectedAnswer): number => (typeof expected === 'string' ? 1 : (expected.weight ?? 1))

function meets(expected: ExpectedAnswer, answer: string): boolean {
  if (typeof expected === 'string') return answer.toLowerCase().includes(expected.toLowerCase())
  const { weight: _, ...conditions } = expected
  return matches(conditions, answer)
}

function formatAnswer(expected: ExpectedAnswer): string {
  if (typeof expected === 'string') return formatComparedValue(expected)
  const { weight: _, ...conditions } = expected
  return formatComparedValue(conditions)
}

/** A named path includes the paths below it. */
function listUnnamedFields({ fields }: WeightedChange, { change }: ChangeRecord): string[] {
  if (fields === undefined || change.change !== 'changed') return []
  const named = Object.keys(fields)
  return Object.keys(change.fields).filter(
    (path) => !named.some((name) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`)),
  )
}

const formatField = (record: ChangeRecord, path: string): string => {
  const values = record.change.fields[path] ?? [null, null]
  return formatChange({ ...record, change: { ...record.change, fields: { [path]: values } } })
}
