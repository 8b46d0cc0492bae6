import type { Agent, AttemptResult } from '../../control/types/attempts.ts'
import type { AgentTask } from '../../control/types/task.ts'
import { EvaluationStopped, hashTask } from '../../evaluation/attempts.ts'
import type { Server } from '../../server/server.ts'
import { CommandError } from '../commandError.ts'
import { openProgress } from '../progress.ts'
import { runAgent } from './runAgent.ts'
import { rejectTask } from './selectTasks.ts'

export type RunOptions = {
  command: string
  runs: number
  /** The number of attempts at the same time. */
  parallel: number
  vary: number | undefined
  /** The attempts of an earlier report, which are not made again. */
  known: readonly AttemptResult[]
  /** False deletes the world of an attempt after its grade, so that memory does not grow. */
  keepsWorlds: boolean
  /** True prints the standard error of the agents on that of this process. */
  passesErrors: boolean
  stop: AbortSignal
}

/**
 * Resolves to the results, in the order of the tasks and of the attempts; after a signal, to those of the finished attempts.
 * Throws a CommandError if the command cannot be run.
 */
export async function runAttempts(
  server: Server,
  tasks: readonly AgentTask[],
  { command, runs, parallel, vary, known, keepsWorlds, passesErrors, stop }: RunOptions,
): Promise<AttemptResult[]> {
  const evaluator = await server.attempts()
  const ending = new AbortController()
  const signal = AbortSignal.any([stop, ending.signal])
  const queue = Array.from({ length: runs }, (_, at) => tasks.map((task) => ({ task, attempt: at + 1 }))).flat()
  const total = queue.length
  const results = known.filter((one) => takeKnown(queue, one))
  const progress = openProgress()
  const showProgress = () => progress.show(formatProgress(results, total))
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next && !signal.aborted; next = queue.shift()) {
      const { task, attempt } = next
      const variation = vary === undefined ? undefined : vary + attempt - 1
      const canRun = () => results.length > 0
      const agent: Agent = (given) => runAgent(command, given, { stop: signal, passesErrors, canRun })
      const result = await evaluator
        .evaluate(task, agent, { attempt, vary: variation })
        .catch((error: unknown) => rejectTask(task, error))
      if (stop.aborted) return
      results.push(result)
      if (!keepsWorlds) server.remove(result.world)
      showProgress()
    }
  }
  showProgress()
  const workers = Array.from({ length: Math.min(parallel, total) }, work)
  try {
    await Promise.all(workers)
  } catch (error) {
    ending.abort()
    await Promise.allSettled(workers)
    if (error instanceof EvaluationStopped) throw new CommandError(`--agent: ${error.message}`)
    throw error
  } finally {
    progress.clear()
  }
  const order = new Map(tasks.map(({ name }, at) => [name, at]))
  return results.sort((a, b) => (order.get(a.task) ?? 0) - (order.get(b.task) ?? 0) || a.attempt - b.attempt)
}

/** Removes an attempt from the queue if an earlier one was made at the same task. */
function takeKnown(
  queue: { task: AgentTask; attempt: number }[],
  { task: name, attempt, evidence }: AttemptResult,
): boolean {
  const at = queue.findIndex(
    (one) => one.task.name === name && one.attempt === attempt && hashTask(one.task) === evidence.taskHash,
  )
  if (at >= 0) queue.splice(at, 1)
  return at >= 0
}

const BAR_LENGTH = 24

function formatProgress(results: readonly AttemptResult[], total: number): string {
  const done = Math.round((BAR_LENGTH * results.length) / total)
  const passed = results.filter((one) => one.passed).length
  return `[${'#'.repeat(done).padEnd(BAR_LENGTH, '-')}] ${results.length} of ${total} attempts, ${passed} passed`
}
