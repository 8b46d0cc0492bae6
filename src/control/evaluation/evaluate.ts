import { machineTime, parseDuration, startTimeout } from '../../model/clock.ts'
import { withWorldPrefix } from '../../oauth/request.ts'
import { createStartFromSeeds } from '../../seeds/worldStart.ts'
import type { Worlds } from '../operations/operation.ts'
import type { World } from '../worlds/world.ts'
import { gradeWorld } from './grade.ts'
import type { WorldResult } from './result.ts'
import { type EvaluationTask, requireTask } from './task.ts'
import { createSecret, type PreparedTask, prepareTask } from './variation.ts'

/** The addresses, the credentials and the prompt that an agent gets for one attempt. */
export type EvaluationAttempt = {
  /** The base URL of the Calendar API. */
  rest: string
  /** The URL of the MCP server. */
  mcp: string
  /** The access token of the account. It is valid in the world of this attempt alone. */
  token: string
  account: string
  /** The time of the world, an RFC 3339 instant in UTC. */
  now: string
  prompt: string
  /** The name of the world. */
  world: string
  /**
   * Sends a request to the world of this attempt, without a socket. It adds the token if the request has none, and answers
   * 403 below `/_control`.
   */
  fetch(input: Request | string | URL, init?: RequestInit): Promise<Response>
  /** Aborts when the time is over. */
  signal: AbortSignal
}

/** The agent: it works, and returns its answer as text, if it has one. */
export type Agent = (attempt: EvaluationAttempt) => unknown

/** The result of an attempt. */
export type AttemptResult = WorldResult & {
  /** The name of the world. */
  world: string
  answer: string
  /** The real time of the agent, in milliseconds. */
  ms: number
}

export type EvaluateOptions = {
  /** The number of the attempt. The default counts the attempts at tasks of this name. */
  attempt?: number | undefined
  /** The seed of the variation. Without it, the task stays as it is written. */
  vary?: number | undefined
  /** The name of the world. The default is the name of the task with the number of the attempt. */
  world?: string | undefined
}

export type EvaluationHost = {
  readonly worlds: Worlds
  /** Sends a request to a world, whatever world it names. */
  fetchFrom(world: string, request: Request): Promise<Response>
  /** The address of the server, without a slash at its end. */
  readonly rootUrl: string
}

const DEFAULT_TIMEOUT_MS = 300_000
const MAX_ANSWER_LENGTH = 100_000

export class Evaluator {
  readonly #host: EvaluationHost
  readonly #counts = new Map<string, number>()

  constructor(host: EvaluationHost) {
    this.#host = host
  }

  /**
   * Creates a world for an attempt, lets the agent work, and grades the world and the answer. Resolves to the result also if
   * the agent throws or takes too long. Throws a RangeError that names the wrong field of a task.
   */
  async evaluate(task: EvaluationTask, agent: Agent, options: EvaluateOptions = {}): Promise<AttemptResult> {
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
    const attempt: EvaluationAttempt = {
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
