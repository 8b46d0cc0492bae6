import type {
  Agent,
  AgentAttempt,
  AttemptHost,
  AttemptResult,
  Attempts,
  EvaluateOptions,
} from '../control/types/attempts.ts'
import type { AgentTask } from '../control/types/task.ts'
import type { WorldResult } from '../control/worldResult.ts'
import type { World } from '../control/worlds/world.ts'
import type { Worlds } from '../control/worlds/worlds.ts'
import { machineTime, parseDuration, startTimeout } from '../model/clock.ts'
import { withWorldPrefix } from '../oauth/request.ts'
import { createStartFromSeeds } from '../seeds/worldStart.ts'
import { gradeWorld } from './grade.ts'
import { requireTask } from './task.ts'
import { createSecret, type PreparedTask, prepareTask } from './variation.ts'

const DEFAULT_TIMEOUT_MS = 300_000
const MAX_ANSWER_LENGTH = 100_000

export class Evaluator implements Attempts {
  readonly #host: AttemptHost
  readonly #counts = new Map<string, number>()

  constructor(host: AttemptHost) {
    this.#host = host
  }

  /**
   * Creates a world for an attempt, lets the agent work, and grades the world and the answer. Resolves to the result also if
   * the agent throws or takes too long. Throws a RangeError that names the wrong field of a task.
   */
  async evaluate(task: AgentTask, agent: Agent, options: EvaluateOptions = {}): Promise<AttemptResult> {
    const prepared = prepareTask(requireTask(task, { isVaried: options.vary !== undefined }), options.vary)
    const count = (this.#counts.get(prepared.name) ?? 0) + 1
    this.#counts.set(prepared.name, count)
    const { attempt = count, world: name = `${toWorldName(prepared.name)}-${attempt}` } = options
    const { world, token } = openWorld(this.#host.worlds, name, prepared)
    const { answer, failure, ms } = await this.#work(agent, prepared, name, token)
    const grade = gradeWorld(world, prepared.goal, { answer, failure, budget: prepared.budget })
    const result: WorldResult = { task: prepared.name, attempt, ...grade }
    world.controls.result = result
    return { ...result, world: name, answer, ms }
  }

  async #work(agent: Agent, task: PreparedTask, world: string, token: string) {
    const { rootUrl } = this.#host
    const controller = new AbortController()
    const attempt: AgentAttempt = {
      rest: `${rootUrl}/calendar/v3`,
      mcp: `${rootUrl}/mcp/v1`,
      ...{ token, world },
      account: task.account,
      now: new Date(task.now).toISOString(),
      prompt: task.prompt,
      fetch: (input, init) => this.#fetch(world, token, input, init),
      signal: controller.signal,
    }
    const timeoutMs = parseDuration(task.timeout ?? DEFAULT_TIMEOUT_MS)
    const began = machineTime()
    let stopTimer = () => {}
    const timeout = new Promise<never>((_, reject) => {
      stopTimer = startTimeout(timeoutMs, () => {
        reject(new Error(`no end after ${timeoutMs / 1000} s`))
        controller.abort()
      })
    })
    let [answer, failure]: [string, string | undefined] = ['', undefined]
    try {
      answer = toAnswer(await Promise.race([Promise.resolve(attempt).then(agent), timeout]))
    } catch (error) {
      if (error instanceof EvaluationStopped) throw error
      failure = `the agent failed: ${error instanceof Error ? error.message : String(error)}`.replace(/\s+/g, ' ')
      if (error instanceof AgentFailure) answer = toAnswer(error.answer)
    } finally {
      stopTimer()
    }
    return { answer, failure, ms: machineTime() - began }
  }

  async #fetch(world: string, token: string, input: Request | string | URL, init?: RequestInit): Promise<Response> {
    const target = typeof input === 'string' ? new URL(input, `${this.#host.rootUrl}/`) : input
    const request = new Request(target, init)
    if (!AGENT_PATHS.test(new URL(request.url).pathname))
      return new Response('The agent has no access to this address.', { status: 403 })
    // Headers of the fake select another world or hide a request from the journal.
    for (const name of [...request.headers.keys()]) if (name.startsWith('x-fake-')) request.headers.delete(name)
    if (!request.headers.has('Authorization')) request.headers.set('Authorization', `Bearer ${token}`)
    return this.#host.fetchFrom(world, request)
  }
}

/** An agent that ended with an error may have printed an answer. */
export class AgentFailure extends Error {
  readonly answer: string

  constructor(message: string, answer: string) {
    super(message)
    this.answer = answer
  }
}

/** Ends an evaluation, because no attempt can succeed. */
export class EvaluationStopped extends Error {}

/** The paths of the service and of its MCP server. All others are of the fake. */
const AGENT_PATHS = /^\/(?:calendar\/v3|v3|batch|discovery|\$discovery|mcp\/v1(?:self)?)(?:\/|$)/

const toAnswer = (value: unknown): string =>
  (typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value))
    .slice(0, MAX_ANSWER_LENGTH)
    .trim()

export const toWorldName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40) || 'task'

/** The token of the agent is the only one that the world accepts in strict mode. */
function openWorld(worlds: Worlds, name: string, task: PreparedTask): { world: World; token: string } {
  const { seeds, now, account, faults = [], quota, approval } = task
  worlds.begin(name, createStartFromSeeds({ seeds, now, policy: undefined }))
  const world = worlds.find(name)
  if (!world) throw new Error(`the world ${name} was not created`)
  const { data, controls } = world
  for (const fault of faults) controls.faults.add(fault)
  if (quota) controls.quota.setLimits(quota)
  controls.declinesWrites = approval === 'declined'
  const token = `ya29.${createSecret()}`
  data.store.transaction(() => data.grants.put(token, () => ({ token, account: account.toLowerCase() })), {
    by: 'control',
  })
  return { world, token: withWorldPrefix({ worldName: name }, token) }
}
