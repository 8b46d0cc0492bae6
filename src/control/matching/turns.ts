import { setImmediate } from 'node:timers' // not the global, which a test may fake

/** A computation that yields whenever other requests may be answered. */
export type Steps<R> = Generator<void, R, void>

/** Comparisons between two yields, about a millisecond. */
export const COMPARISONS_PER_STEP = 2000

type Task = { step(): boolean }

/** The tasks of the process. In each turn of the event loop, one step of one task runs, however many tasks there are. */
const tasks: Task[] = []

/** Runs all steps at once. */
export function runSteps<R>(steps: Steps<R>): R {
  let next = steps.next()
  while (!next.done) next = steps.next()
  return next.value
}

/** Runs the steps in turns with those of other tasks. Requests are answered in between. */
export function runInTurns<R>(steps: Steps<R>): Promise<R> {
  return new Promise((resolve, reject) => {
    const step = (): boolean => {
      try {
        const next = steps.next()
        if (next.done) resolve(next.value)
        return next.done === true
      } catch (error) {
        reject(error)
        return true
      }
    }
    tasks.push({ step })
    if (tasks.length === 1) setImmediate(runStep)
  })
}

function runStep(): void {
  const task = tasks.shift()
  if (task && !task.step()) tasks.push(task)
  if (tasks.length > 0) setImmediate(runStep)
}
