import type { AgentTask } from '../../control/types/task.ts'
import { limitLines } from '../../schema/values/limitLines.ts'
import { describeUnknownName } from '../../schema/values/nearest.ts'
import { shortenLine } from '../../schema/values/shownText.ts'
import { CommandError } from '../commandError.ts'
import { text } from '../optionTable.ts'

export const TASK_OPTION = text('NAME', 'Only the task of this name')

/** Throws a CommandError that names the nearest task. */
export function selectTasks(tasks: readonly AgentTask[], name: string | undefined): readonly AgentTask[] {
  if (name === undefined) return tasks
  const found = tasks.filter((task) => task.name === name)
  const known = tasks.map((task) => task.name)
  if (found.length === 0) throw new CommandError(`--task: ${describeUnknownName(name, known, 'task')}`)
  return found
}

/** Throws a CommandError that names the task, or an error that is not of the task. */
export function rejectTask({ name }: AgentTask, error: unknown): never {
  throw error instanceof RangeError ? new CommandError(`${name}: ${error.message}`) : error
}

/** Prints the problems of task files. Returns true if there are some. */
export function printProblems(problems: readonly string[]): boolean {
  for (const line of limitLines(problems)) process.stdout.write(`${shortenLine(line)}\n`)
  if (problems.length > 0) process.exitCode = 1
  return problems.length > 0
}
