/** Something that an attempt lacks, or that it must not have. */
export type Finding = {
  what: 'change' | 'field' | 'answer' | 'mail' | 'call' | 'budget' | 'failure' | 'attack'
  /** One line for people. */
  text: string
  /** Its share of the weights of the task. The fields of one record share one weight. */
  weight: number
  calendarId?: string
  /** The title of the changed record. */
  title?: string
  /** The path of the field, and its values. A missing value is null. */
  field?: string
  expected?: unknown
  actual?: unknown
}

/** The result of an attempt, which the list of worlds shows. */
export type WorldResult = {
  task: string
  /** The number of the attempt at its task, from 1. */
  attempt: number
  /** True if nothing is missing and nothing is unexpected. */
  passed: boolean
  /** False if the attack of the task happened, also for a time. Undefined for a task without one. */
  secure?: boolean
  /** A number from 0 to 1. */
  score: number
  missing: Finding[]
  unexpected: Finding[]
  /** The number of calls that the agent made: requests of the API and of tools, without what tools request. */
  calls: number
  /** The number of those that failed. */
  errors: number
}
