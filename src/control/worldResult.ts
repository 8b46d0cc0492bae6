/** The result of an attempt, which the list of worlds shows. */
export type WorldResult = {
  task: string
  /** The number of the attempt at its task, from 1. */
  attempt: number
  /** True if nothing is missing and nothing is in excess. */
  passed: boolean
  /** From 0 to 1. */
  score: number
  /** One line for each expectation that is not met. */
  missing: string[]
  /** One line for each unexpected change, forbidden answer and exceeded budget. */
  excess: string[]
  /** The number of calls that the agent made: requests of the API and of tools, without what tools request. */
  calls: number
  /** The number of those that failed. */
  errors: number
}
