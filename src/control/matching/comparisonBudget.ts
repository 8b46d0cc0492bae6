import { setImmediate } from 'node:timers' // not the global, which a test may fake

/** The number of comparisons that a search, a wait or a verification may make. Above it, it fails instead of going on. */
export const MAX_COMPARISONS = 2_000_000

/** Comparisons between two yields, about a millisecond. */
const COMPARISONS_PER_STEP = 2000

/** Counts comparisons, and throws a RangeError above a limit. `advice` ends its message. */
export class ComparisonBudget {
  readonly #advice: string
  readonly #limit: number
  #spent = 0
  /** The work since the last step, in comparisons. */
  #inStep = 0

  constructor(advice: string, limit = MAX_COMPARISONS) {
    this.#advice = advice
    this.#limit = limit
  }

  /** Adds to the count. Throws a RangeError if the count is then above the limit. */
  spend(count = 1): void {
    this.#spent += count
    this.#inStep += count
    if (this.#spent <= this.#limit) return
    throw new RangeError(`more than ${this.#limit} comparisons: ${this.#advice}`)
  }

  /** Adds work that has no limit, such as the conversion of a call. It takes as long as `count` comparisons. */
  addWork(count: number): void {
    this.#inStep += count
  }

  /**
   * Returns true, and starts the next step, if the work of this step is about a millisecond. The caller then yields, so
   * that other requests are answered.
   */
  endStep(): boolean {
    if (this.#inStep < COMPARISONS_PER_STEP) return false
    this.#inStep = 0
    return true
  }
}

/** A generator that yields whenever other requests may be answered, and returns the result of type R. */
export type Steps<R> = Generator<void, R, void>

/** A task: `step` runs one step and returns true when the task is done. */
type Task = { step(): boolean }

/** The tasks of the process. In each turn of the event loop, one step of one task runs, however many tasks there are. */
const tasks: Task[] = []

/** Runs all steps without a pause, and returns their result. Throws the errors of the steps. */
export function runSteps<R>(steps: Steps<R>): R {
  let next = steps.next()
  while (!next.done) next = steps.next()
  return next.value
}

/**
 * Runs the steps in turns with those of other tasks, so that requests are answered in between. Resolves to their
 * result; rejects with an error that a step throws.
 */
export function runInTurns<R>(steps: Steps<R>): Promise<R> {
  return new Promise((resolve, reject) => {
    /** Runs one step. Returns true if the task is done, also after an error. */
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
    if (tasks.length === 1) setImmediate(runNextTask)
  })
}

/** Runs one step of the first task, moves an unfinished one to the end, and schedules the next turn if tasks are left. */
function runNextTask(): void {
  const task = tasks.shift()
  if (task && !task.step()) tasks.push(task)
  if (tasks.length > 0) setImmediate(runNextTask)
}
