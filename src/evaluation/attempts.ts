import manifest from '../../package.json' with { type: 'json' }
import { findCalls } from '../control/journal/search.ts'
import { InvalidInputError } from '../control/operations/operation.ts'
import type {
  Agent,
  AgentWork,
  AttemptHost,
  AttemptOptions,
  AttemptResult,
  AttemptSummary,
  Attempts,
  Evidence,
  OpenedAttempt,
  Turn,
} from '../control/types/attempts.ts'
import type { AgentTask } from '../control/types/task.ts'
import type { WorldResult } from '../control/worldResult.ts'
import { machineTime, parseDuration, startTimeout } from '../model/clock.ts'
import { AGENT_PATHS, toAnswer } from './agent.ts'
import { isAnswer } from './answer.ts'
import { gradeWork } from './grade.ts'
import { toReadableRecords } from './records.ts'
import { findAttacks } from './security.ts'
import { listChanges, type OpenWorld, openWorld, type Solutions, solveTask, toSolution } from './solutions.ts'
import { requireTask } from './task.ts'
import { createSecret, type PreparedTask, prepareTask } from './variation.ts'

const DEFAULT_TIMEOUT_MS = 300_000
/** Characters. */
const MAX_REPLY_LENGTH = 2000
const MAX_PREPARED = 100
/** Of a conversation in the evidence. */
const MAX_TURNS = 200

type Prepared = { readonly task: PreparedTask; readonly solutions: Solutions; readonly hash: string }

type Attempt = Prepared &
  OpenWorld & {
    readonly opened: OpenedAttempt
    readonly number: number
    readonly vary: number | null
    /** The revision of the world, and the real time, at its start. */
    readonly since: number
    readonly began: number
    readonly conversation: Turn[]
    /** The real time of the agent, once the attempt has ended. */
    ms?: number
    result?: WorldResult
  }

export class TaskAttempts implements Attempts {
  readonly host: AttemptHost
  readonly #counts = new Map<string, number>()
  readonly #attempts = new Map<string, Attempt>()
  readonly #prepared = new Map<string, Promise<Prepared>>()

  constructor(host: AttemptHost) {
    this.host = host
  }

  get isOpen(): boolean {
    return [...this.#attempts.values()].some((one) => this.#isRunning(one))
  }

  /** Rejects with a RangeError that names the wrong field of a task, or the step of its reference that failed. */
  async open(task: AgentTask, { attempt, vary = null, world }: AttemptOptions = {}): Promise<OpenedAttempt> {
    const prepared = await this.#prepare(task, vary)
    const { name, account, prompt, now, budget, timeout = DEFAULT_TIMEOUT_MS } = prepared.task
    const count = (this.#counts.get(name) ?? 0) + 1
    this.#counts.set(name, count)
    const number = attempt ?? count
    const own = world ?? `${toWorldName(name)}-${number}-${createSecret().slice(0, SUFFIX_LENGTH)}`
    const opened = openWorld(this.host, own, prepared.task)
    const { controls, data } = opened.world
    for (const fault of prepared.task.faults ?? []) controls.faults.add(fault)
    if (prepared.task.quota) controls.quota.setLimits(prepared.task.quota)
    controls.declinesWrites = prepared.task.approval === 'declined'
    const root = this.host.rootUrl()
    const given: OpenedAttempt = {
      ...{ id: createSecret(), world: own, rest: `${root}/calendar/v3`, mcp: `${root}/mcp/v1`, token: opened.token },
      ...{ account, now: new Date(now).toISOString(), prompt, timeout: parseDuration(timeout) },
      ...(budget !== undefined && { budget }),
      ...(prepared.task.user && { isConversation: true as const }),
    }
    this.#forgetRemoved()
    const since = data.store.counters.revision
    this.#attempts.set(given.id, {
      ...prepared,
      ...opened,
      opened: given,
      number,
      vary,
      since,
      began: machineTime(),
      conversation: [],
    })
    return given
  }

  /** Also grades an attempt that has ended, by another answer. Rejects with a RangeError for an unknown attempt. */
  async grade(
    id: string,
    { answer = '', error, end = false, command, stderr }: AgentWork = {},
  ): Promise<AttemptResult> {
    const attempt = this.#require(id)
    const { task, solutions, world, number, opened, since } = attempt
    const ms = attempt.ms ?? machineTime() - attempt.began
    if (end) this.#close(attempt, ms)
    const changes = listChanges(world)
    const mails = attempt.listMails()
    const late = ms > opened.timeout ? `no end after ${opened.timeout / 1000} s` : undefined
    const problem = error ?? late
    const attack = task.goal.attack
    const grade = gradeWork(
      task.goal,
      solutions.all.map((run) => toSolution(run, changes)),
      {
        ...{ world, mails, answer, budget: task.budget, records: toReadableRecords(changes) },
        failure: problem === undefined ? undefined : `${FAILURE_PREFIX}${problem}`.replace(/\s+/g, ' '),
        attacks: attack && findAttacks(attack, { trace: solutions.trace, world, since, mails }),
      },
    )
    attempt.result = { task: task.name, attempt: number, ...grade }
    world.controls.result = attempt.result
    const evidence: Evidence = {
      ...{ prompt: task.prompt, account: task.account, now: opened.now, variables: task.variables, vary: attempt.vary },
      ...{ diff: changes.map(({ change }) => change), mails, journal: listCalls(attempt) },
      ...{ version: manifest.version, taskHash: attempt.hash },
      ...(task.user && { conversation: [...attempt.conversation] }),
      ...(command !== undefined && { command }),
      ...(stderr !== undefined && { stderr }),
    }
    return { ...attempt.result, id, world: attempt.name, answer, ms, evidence }
  }

  say(id: string, text: string): { user: string } {
    const { task, conversation } = this.#require(id)
    const user = replyOfUser(task.user ?? [], text)
    if (conversation.length < MAX_TURNS) conversation.push({ agent: text.slice(0, MAX_REPLY_LENGTH), user })
    return { user }
  }

  #require(id: string): Attempt {
    const attempt = this.#attempts.get(id)
    if (attempt && this.#hasWorld(attempt)) return attempt
    throw new InvalidInputError('id', 'there is no such attempt, or its world was deleted')
  }

  list(): AttemptSummary[] {
    this.#forgetRemoved()
    return [...this.#attempts.values()].map((one) => ({
      ...{ world: one.name, task: one.task.name, attempt: one.number, isOpen: this.#isRunning(one) },
      ...(one.result && { result: one.result }),
    }))
  }

  /**
   * Lets an agent work on an attempt, and grades it. Resolves to the result also if the agent throws or takes too long.
   */
  async evaluate(task: AgentTask, agent: Agent, options: AttemptOptions = {}): Promise<AttemptResult> {
    const opened = await this.open(task, options)
    const controller = new AbortController()
    let stopTimer = () => {}
    const timeout = new Promise<never>((_, reject) => {
      stopTimer = startTimeout(opened.timeout, () => {
        reject(new Error(`no end after ${opened.timeout / 1000} s`))
        controller.abort()
      })
    })
    const fetch = (input: Request | string | URL, init?: RequestInit) => this.#fetch(opened, input, init)
    let work: AgentWork
    try {
      const say = async (text: string) => this.say(opened.id, text).user
      const run = Promise.resolve({ ...opened, fetch, say, signal: controller.signal }).then(agent)
      work = toAnswer(await Promise.race([run, timeout]))
    } catch (error) {
      if (error instanceof EvaluationStopped) throw error
      work = error instanceof AgentFailure ? { ...error.work, error: error.message } : { error: describeThrown(error) }
    } finally {
      stopTimer()
    }
    return this.grade(opened.id, { ...work, end: true })
  }

  async #fetch(opened: OpenedAttempt, input: Request | string | URL, init?: RequestInit): Promise<Response> {
    const target = typeof input === 'string' ? new URL(input, `${this.host.rootUrl()}/`) : input
    const request = new Request(target, init)
    if (!AGENT_PATHS.test(new URL(request.url).pathname))
      return new Response('The agent has no access to this address.', { status: 403 })
    // Headers of the fake select another world or hide a request from the journal.
    for (const name of [...request.headers.keys()]) if (name.startsWith('x-fake-')) request.headers.delete(name)
    if (!request.headers.has('Authorization')) request.headers.set('Authorization', `Bearer ${opened.token}`)
    return this.host.fetchFrom(opened.world, request)
  }

  /** The references of equal tasks run once, unless they fail. */
  #prepare(task: AgentTask, vary: number | null): Promise<Prepared> {
    const hash = hashTask(task)
    const key = `${vary} ${hash}`
    const known = this.#prepared.get(key)
    if (known) return known
    const prepared = this.#solve(task, vary, hash)
    this.#prepared.set(key, prepared)
    const [oldest] = this.#prepared.keys()
    if (this.#prepared.size > MAX_PREPARED && oldest !== undefined) this.#prepared.delete(oldest)
    prepared.catch(() => this.#prepared.delete(key))
    return prepared
  }

  async #solve(given: AgentTask, vary: number | null, hash: string): Promise<Prepared> {
    const task = prepareTask(requireTask(given, { isVaried: vary !== null }), vary ?? undefined)
    return { task, solutions: await solveTask(this.host, task), hash }
  }

  #isRunning(attempt: Attempt): boolean {
    return (
      attempt.ms === undefined && this.#hasWorld(attempt) && machineTime() - attempt.began <= attempt.opened.timeout
    )
  }

  #hasWorld({ name, world }: Attempt): boolean {
    return this.host.worlds.find(name) === world
  }

  #forgetRemoved(): void {
    for (const [id, attempt] of this.#attempts) if (!this.#hasWorld(attempt)) this.#attempts.delete(id)
  }

  #close(attempt: Attempt, ms: number): void {
    attempt.ms ??= ms
    const { data } = attempt.world
    data.store.transaction(
      () => {
        for (const grant of [...data.grants.values()]) data.grants.put(grant.token, () => ({ ...grant, revoked: true }))
      },
      { by: 'control' },
    )
  }
}

function listCalls({ world }: Attempt): Evidence['journal'] {
  return findCalls(world.controls.journal, {}).map(
    ({ n, method, verb, path, params, body, status, toolCall, response }) => ({
      ...{ n, method, verb, path, status, arguments: body ?? params, ...(body !== undefined && { params }) },
      reply: JSON.stringify(response ?? '').slice(0, MAX_REPLY_LENGTH),
      ...(toolCall !== undefined && { toolCall }),
    }),
  )
}

function replyOfUser(rows: NonNullable<AgentTask['user']>, text: string): string {
  const row = rows.find(({ when }) => !when || isAnswer(when, text))
  return row?.says ?? 'I do not know.'
}

export const FAILURE_PREFIX = 'the agent failed: '

/** The SHA-256 of a task as JSON. */
export const hashTask = (task: AgentTask): string =>
  process.getBuiltinModule('node:crypto').hash('sha256', JSON.stringify(task ?? null))

/** An agent that ended with an error may have printed an answer. */
export class AgentFailure extends Error {
  readonly work: AgentWork

  constructor(message: string, work: AgentWork) {
    super(message)
    this.work = work
  }
}

/** Ends an evaluation, because no attempt can succeed. */
export class EvaluationStopped extends Error {}

function describeThrown(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error)
  } catch {
    return 'it threw a value that is no text'
  }
}

/** The name of a world ends with a random text, because an agent must not find the worlds of other attempts. */
const SUFFIX_LENGTH = 8

export const toWorldName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40) || 'task'
