import type { AttemptResult, Attempts } from '../../control/types/attempts.ts'
import type { AgentTask, FreeFields, TaskGoal } from '../../control/types/task.ts'
import { formatAnswer } from '../answer.ts'
import { runSteps } from '../reference.ts'
import { sendFrom, solveTask } from '../solutions.ts'
import { requireTask } from '../task.ts'
import { type PreparedTask, prepareTask } from '../variation.ts'
import { FAULTS } from './faults.ts'
import { NotApplicable, type Program, type ProgramWork } from './program.ts'
import { VARIANTS } from './variants.ts'

/**
 * `right`: a right solution passed; `wrong`: it failed. `seen`: a planted fault lowered the grade; `free`: it did not, by the word of
 * the goal in `by`; `unseen`: it did not. `none`: the task has no place for it.
 */
export type ProofVerdict = 'right' | 'wrong' | 'seen' | 'free' | 'unseen' | 'none'
export type ProofRow = {
  readonly name: string
  readonly verdict: ProofVerdict
  /** The word that frees a fault, or the first finding about a right solution. */
  readonly by?: string
}
export type Proof = {
  readonly task: string
  readonly rows: readonly ProofRow[]
  /** What the reference changes, one line for each. */
  readonly changes: readonly string[]
}

/** Proves the grade of a task: its reference and others like it pass, and each planted fault fails. */
export async function proveTask(attempts: Attempts, task: AgentTask, vary: number | null = null): Promise<Proof> {
  const { faults: _, quota: __, budget: ___, approval: ____, ...rest } = task
  const { calls: _____, ...goal } = task.goal
  const proved = { ...rest, goal }
  requireTask(task, { isVaried: vary !== null })
  const prepared = prepareTask(proved, vary ?? undefined)
  const { all } = await solveTask(attempts.host, prepared)
  const [run] = all
  const lastStep = Math.max(0, ...(run?.steps.values() ?? [])) || undefined
  const facts = { lastStep, sendsMail: (run?.mails.length ?? 0) > 0 }
  const grade = (program: Program, goal: TaskGoal = proved.goal) =>
    gradeProgram(attempts, { ...proved, goal }, vary, prepared, facts, program)
  const rows: ProofRow[] = []
  const right: Record<string, Program> = {
    'the reference': async ({ goal, send, answer }) => {
      await runSteps(goal.do, send)
      return answer
    },
    ...VARIANTS,
  }
  for (const [name, program] of Object.entries(right)) {
    const found = await grade(program)
    const [finding] = [...(found?.missing ?? []), ...(found?.unexpected ?? [])]
    rows.push({
      name,
      verdict: found ? (found.passed ? 'right' : 'wrong') : 'none',
      ...(finding && { by: finding.text }),
    })
  }
  for (const [name, program] of Object.entries(FAULTS)) {
    const found = await grade(program)
    if (!found?.passed) rows.push({ name, verdict: found ? 'seen' : 'none' })
    else rows.push({ name, ...(await findFreeWord(program, proved.goal, grade)) })
  }
  return {
    task: task.name,
    rows,
    changes: (run?.changes ?? []).map(
      ({ change }) => `${change.change} ${change.kind} ${JSON.stringify(change.title)}`,
    ),
  }
}

/** Resolves to undefined if the program does not fit the task. */
async function gradeProgram(
  attempts: Attempts,
  task: AgentTask,
  vary: number | null,
  prepared: PreparedTask,
  facts: Pick<ProgramWork, 'lastStep' | 'sendsMail'>,
  program: Program,
): Promise<AttemptResult | undefined> {
  const opened = await attempts.open(task, { vary })
  const world = attempts.host.worlds.find(opened.world)
  if (!world) throw new Error(`the world ${opened.world} was not created`)
  const { goal, account, prompt } = prepared
  const answer = goal.say === undefined ? '' : formatAnswer(goal.say)
  try {
    const send = sendFrom(attempts.host, { name: opened.world, token: opened.token })
    const said = await program({ send, world, account, prompt, goal, answer, ...facts })
    return await attempts.grade(opened.id, { answer: said, end: true })
  } catch (error) {
    if (error instanceof NotApplicable) return undefined
    throw error
  } finally {
    attempts.host.worlds.remove(opened.world)
  }
}

type Grade = (program: Program, goal: TaskGoal) => Promise<AttemptResult | undefined>

/** Removes one word of the goal after another, until the fault is seen. */
async function findFreeWord(program: Program, goal: TaskGoal, grade: Grade): Promise<Pick<ProofRow, 'verdict' | 'by'>> {
  for (const [by, stricter] of listStricterGoals(goal)) {
    const found = await grade(program, stricter)
    if (found && !found.passed) return { verdict: 'free', by }
  }
  return { verdict: 'unseen' }
}

function* listStricterGoals(goal: TaskGoal): Generator<[by: string, goal: TaskGoal]> {
  const { free = [], mail, say, or } = goal
  const names = Array.isArray(free) ? (free as string[]) : Object.keys(free)
  for (const name of names) yield [`free: ${name}`, { ...goal, free: withoutField(free, name) }]
  if (mail === undefined) yield ['mail, which is free for the people of the change', { ...goal, mail: 'as-done' }]
  if (say !== undefined && typeof say !== 'string')
    yield [`say: ${Object.keys(say)}`, { ...goal, say: formatAnswer(say) }]
  if (or) yield ['or', { ...goal, or: undefined }]
}

const withoutField = (free: FreeFields, name: string): FreeFields =>
  Array.isArray(free)
    ? (free as string[]).filter((one) => one !== name)
    : Object.fromEntries(Object.entries(free).filter(([one]) => one !== name))
