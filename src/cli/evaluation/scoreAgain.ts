import type { AttemptResult } from '../../control/types/attempts.ts'
import type { AgentTask } from '../../control/types/task.ts'
import { hasSameEffects, replayAttempt } from '../../evaluation/replay.ts'
import type { Server } from '../../server/server.ts'
import { rejectTask } from './selectTasks.ts'

/**
 * Grades the attempts of a report by the present goals of their tasks: each request is sent again to a new world. `lost` has the
 * attempts whose requests have other effects there. A signal ends it after the present one. Throws a CommandError if a goal is wrong.
 */
export async function scoreAgain(
  server: Server,
  tasks: readonly AgentTask[],
  known: readonly AttemptResult[],
  { keepsWorlds, stop }: { keepsWorlds: boolean; stop: AbortSignal },
): Promise<{ results: AttemptResult[]; lost: AttemptResult[] }> {
  const evaluator = await server.attempts()
  const results: AttemptResult[] = []
  const lost: AttemptResult[] = []
  for (const task of tasks)
    for (const one of known.filter((other) => other.task === task.name)) {
      if (stop.aborted) return { results, lost }
      const { attempt, ms, evidence } = one
      const again = await evaluator
        .evaluate(task, replayAttempt(one), { attempt, vary: evidence.vary })
        .catch((error: unknown) => rejectTask(task, error))
      if (hasSameEffects(one, again)) results.push({ ...again, ms })
      else lost.push(one)
      if (!keepsWorlds) server.remove(again.world)
    }
  return { results, lost }
}
