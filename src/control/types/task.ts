import type { FixtureName } from '../../seeds/fixtures.ts'
import type { Seed } from '../../seeds/schema/seed.ts'
import type { Fault } from '../faults/faults.ts'
import type { ExpectedChange } from '../history/verify.ts'
import type { QuotaLimits } from '../quota.ts'

/** The possible values of each placeholder. `{{guest.email}}` is a field of a value. */
export type Variables = Readonly<Record<string, readonly unknown[]>>

/** A change that a goal expects, with its share of the score. */
export type WeightedChange = ExpectedChange & { weight?: number | undefined }

/** A change that a goal forbids, however often it occurs. */
export type ForbiddenChange = Omit<WeightedChange, 'times'>

/**
 * A text that the answer contains, without regard to case, or a condition: `contains`, `startsWith`, `endsWith` or
 * `matches` (RE2).
 */
export type ExpectedAnswer =
  | string
  | {
      contains?: string | undefined
      startsWith?: string | undefined
      endsWith?: string | undefined
      matches?: string | undefined
      weight?: number | undefined
    }

/** The results that an attempt must have and must not have. Every weight is 1 by default. */
export type TaskGoal = {
  /** The changes of the world, all of them. Any other change costs `penalty`. */
  changes?: readonly WeightedChange[] | undefined
  /** Changes that cost their weight in place of the penalty. */
  forbidden?: readonly ForbiddenChange[] | undefined
  answers?: readonly ExpectedAnswer[] | undefined
  forbiddenAnswers?: readonly ExpectedAnswer[] | undefined
  /** The cost of each other change, of each changed field that no expectation names, and of an exceeded budget. */
  penalty?: number | undefined
}

/** A task for an agent. Any text but its name may contain `{{name}}`, a value of `variables`. */
export type AgentTask = {
  name: string
  /** The difficulty, from 1. */
  level?: number | undefined
  /** The world: a seed, the name of a demo world, or a list of these. */
  seed: Seed | FixtureName | readonly (Seed | FixtureName)[]
  /** The time at which the clock of the world is frozen. */
  now: string
  /** The account of the agent. */
  account: string
  prompt: string
  /** The values of each placeholder. Without a variation, the first is used. */
  variables?: Variables | undefined
  faults?: readonly Fault[] | undefined
  quota?: QuotaLimits | undefined
  /** `declined`: the user declines every tool call of MCP that writes. */
  approval?: 'declined' | undefined
  goal: TaskGoal
  /** The number of calls that the agent may make. */
  budget?: number | undefined
  /** The real time for an attempt: milliseconds, or text such as `90s`. The default is five minutes. */
  timeout?: string | number | undefined
}
