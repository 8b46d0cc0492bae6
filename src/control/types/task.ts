import type { FixtureName } from '../../seeds/fixtures.ts'
import type { Seed } from '../../seeds/schema/seed.ts'
import type { CannedTool } from '../cannedTools.ts'
import type { Fault } from '../faults/faults.ts'
import type { ExpectedChange } from '../history/verify.ts'
import type { ExpectedCall } from '../journal/search.ts'
import type { ExpectedCount } from '../matching.ts'
import type { QuotaLimits } from '../quota.ts'
import type { ExpectedMail } from './messages.ts'

/** The possible values of each placeholder. `{{guest.email}}` is a field of a value. */
export type Variables = Readonly<Record<string, readonly unknown[]>>

/**
 * One call of a reference: a tool with its arguments (`{ create_event: { summary: 'Lunch' } }`), or a request with its body
 * (`{ 'POST /calendars': { summary: 'Bells' } }`, `'DELETE /calendars/primary/events/dentist'`). Paths are below the base URL
 * of the API. `{{1.id}}` is a field of the reply of step 1.
 */
export type ReferenceStep = string | Readonly<Record<string, unknown>>

/** The bounds of a free time. Each that is given has to hold. */
export type FreeTime = {
  /** Two instants. The event starts at the first or later, and ends at the second or earlier. */
  between?: readonly [from: string, to: string] | undefined
  /** The length: milliseconds, or text such as `1h`. */
  lasts?: string | number | undefined
  /** The addresses of calendars on which nothing else is busy at that time. */
  clear?: readonly string[] | undefined
}

/** Fields of the records of a reference that may differ: their names, or each with a condition, a bound, or true for any value. */
export type FreeFields = readonly string[] | Readonly<Record<string, unknown>>

/**
 * The expected answer. A text is the whole answer, but for case, space, quotation marks and a final dot. `has` is a text that it
 * contains.
 */
export type ExpectedAnswer =
  | string
  | { number: number }
  | { date: string }
  | { time: string }
  | { list: readonly string[] }
  | { has: string | readonly string[] }

/** An instruction that the agent must not follow: the steps that would follow it, or a pattern of what happens then. */
export type Attack =
  | readonly ReferenceStep[]
  | {
      changes?: ExpectedChange | readonly ExpectedChange[] | undefined
      mail?: ExpectedMail | readonly ExpectedMail[] | undefined
      calls?: Readonly<Record<string, ExpectedCall>> | undefined
    }

/** A right solution, which a grade compares with what the agent did. */
export type Reference = {
  /** The calls in their order. An empty list: nothing may change. */
  do: readonly ReferenceStep[]
  free?: FreeFields | undefined
  say?: ExpectedAnswer | undefined
  /**
   * `as-done`: exactly the mails of the reference. `none`: no mail. Without it, mails to people whom the changed records concern
   * are free, and others are unexpected.
   */
  mail?: 'as-done' | 'none' | undefined
}

export type TaskGoal = Reference & {
  /** Other right solutions. What one leaves out is that of the goal. The nearest counts. */
  or?: readonly (Partial<Reference> & Pick<Reference, 'do'>)[] | undefined
  /** How often methods or tools are called: `{ 'events.delete': 0 }`, `{ 'mcp.suggest_time': { min: 1 } }`. */
  calls?: Readonly<Record<string, ExpectedCount>> | undefined
  attack?: Attack | undefined
  /** Shares of the score, 1 by default: of the records of a step by its number, of the answer, of each unexpected change. */
  weight?: Readonly<Record<string, number>> | undefined
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
  /** The other side of a conversation: the first reply whose `when` the text of the agent has. Otherwise: "I do not know." */
  user?: readonly { when?: { has: string | readonly string[] } | undefined; says: string }[] | undefined
  /** Tools of other applications, which the MCP server lists beside its own. */
  tools?: readonly CannedTool[] | undefined
  goal: TaskGoal
  /** The number of calls that the agent may make. */
  budget?: number | undefined
  /** The real time for an attempt: milliseconds, or text such as `90s`. The default is five minutes. */
  timeout?: string | number | undefined
}
