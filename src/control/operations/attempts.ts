import { z } from 'zod'
import type { AgentWork, AttemptOptions, AttemptResult, OpenedAttempt } from '../types/attempts.ts'
import type { AgentTask } from '../types/task.ts'
import { returns, strictShape } from './inputs.ts'
import { defineOperation } from './operation.ts'
import { worldResult } from './worlds.ts'

const opened = z.object({
  ...{ id: z.string(), world: z.string(), rest: z.string(), mcp: z.string(), token: z.string(), account: z.string() },
  ...{ now: z.iso.datetime(), prompt: z.string(), budget: z.int().optional(), timeout: z.number() },
  isConversation: z.literal(true).optional(),
})
const evidence = z.looseObject({
  diff: z.array(z.unknown()),
  mails: z.array(z.unknown()),
  journal: z.array(z.unknown()),
})
const graded = worldResult.extend({ id: z.string(), world: z.string(), answer: z.string(), ms: z.number(), evidence })

const summary = z.object({
  ...{ world: z.string(), task: z.string(), attempt: z.int(), isOpen: z.boolean() },
  result: worldResult.optional(),
})

/** `src/evaluation` makes and grades the attempts. */
export const attempts = {
  'attempts.open': defineOperation({
    route: 'POST /attempts',
    summary:
      'Opens an attempt of an agent at a `task`, in a world of its own: its addresses, its token, its prompt and its limits. `vary` is the number of a variation, and null for none. Until its last grade, a server without a control token answers only the routes of attempts below `/_control`.',
    input: strictShape({
      task: z.unknown(),
      attempt: z.int().min(1).optional(),
      vary: z.int().nullable().optional(),
      world: z.string().optional(),
    }),
    example: {
      task: {
        ...{ name: 'Cancel the lunch', seed: 'default', now: '2026-03-02T09:00:00Z', account: 'alice@example.com' },
        ...{ prompt: 'How many events do I have today?', goal: { do: [], say: { number: 0 } } },
      },
    },
    toInput: (task: AgentTask, options?: AttemptOptions) => ({ ...options, task }),
    result: opened,
    async run({ attempts }, { task, ...options }): Promise<OpenedAttempt> {
      return (await attempts()).open(task as AgentTask, options)
    },
  }),
  'attempts.grade': defineOperation({
    route: 'POST /attempts/{id}/grade',
    summary:
      'Grades an attempt by its world and the `answer` of the agent, with the evidence of the grade, as often as it is called. `error` says why the agent failed. `end` ends the attempt, whose token is then no longer valid.',
    input: strictShape({
      id: z.string(),
      answer: z.string().optional(),
      error: z.string().optional(),
      end: z.boolean().optional(),
      command: z.string().optional(),
      stderr: z.string().optional(),
    }),
    example: { id: 'bA7xkq', answer: '0', end: true },
    toInput: (id: string, work?: AgentWork) => ({ ...work, id }),
    result: graded,
    async run({ attempts }, { id, ...work }): Promise<AttemptResult> {
      return (await attempts()).grade(id, work)
    },
  }),
  'attempts.say': defineOperation({
    route: 'POST /attempts/{id}/say',
    summary:
      'Says something to the user of the task, and returns the reply: that of the first row of `user` whose words the text has.',
    input: strictShape({ id: z.string(), text: z.string() }),
    example: { id: 'bA7xkq', text: 'On which day?' },
    toInput: (id: string, text: string) => ({ id, text }),
    result: z.object({ user: z.string() }),
    run: async ({ attempts }, { id, text }) => (await attempts()).say(id, text),
  }),
  'attempts.list': defineOperation({
    route: 'GET /attempts',
    summary: 'Lists the attempts whose worlds exist, each with the result of its latest grade.',
    ...returns({ attempts: z.array(summary) }),
    run: async ({ attempts }) => (await attempts()).list(),
  }),
}
