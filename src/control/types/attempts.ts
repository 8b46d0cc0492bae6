import type { Mail } from '../../schema/mail.ts'
import type { Change } from '../history/change.ts'
import type { RecordedCall } from '../journal/recordedCall.ts'
import type { WorldResult } from '../worldResult.ts'
import type { Worlds } from '../worlds/worlds.ts'
import type { AgentTask } from './task.ts'

export type AttemptOptions = {
  /** The number of the attempt. The default counts the attempts at tasks of this name. */
  attempt?: number | undefined
  /** The seed of the variation. Without it and with null, the task stays as it is written. */
  vary?: number | null | undefined
  /** The name of the world. The default is the name of the task with the number of the attempt and a random text. */
  world?: string | undefined
}

/** An open attempt: the addresses, the credentials and the prompt that an agent gets. */
export type OpenedAttempt = {
  /** Cannot be guessed. It grades the attempt. */
  id: string
  /** The name of the world. */
  world: string
  /** The base URL of the Calendar API. */
  rest: string
  /** The URL of the MCP server. */
  mcp: string
  /** The access token of the account, which the world alone accepts, and it alone, up to the last grade. */
  token: string
  account: string
  /** The time of the world, an RFC 3339 instant in UTC. */
  now: string
  prompt: string
  /** The number of calls that the agent may make. */
  budget?: number
  /** True if the task has a user who replies. */
  isConversation?: true
  /** The real time for the attempt, in milliseconds. */
  timeout: number
}

/** What an agent function gets. */
export type AgentAttempt = OpenedAttempt & {
  /**
   * Sends a request to the world of this attempt, without a socket. It adds the token if the request has none, and answers
   * 403 below `/_control`.
   */
  fetch(input: Request | string | URL, init?: RequestInit): Promise<Response>
  /** Says something to the user of the task, and resolves to the reply. */
  say(text: string): Promise<string>
  /** Aborts when the time is over. */
  signal: AbortSignal
}

/** The agent: it works, and returns its answer as text, if it has one. */
export type Agent = (attempt: AgentAttempt) => unknown

/** What an agent has done, for its grade. */
export type AgentWork = {
  answer?: string | undefined
  /** Why the agent failed. Such an attempt has not passed. */
  error?: string | undefined
  /** Closes the attempt: its token is no longer valid. It can be graded again with other answers. */
  end?: boolean | undefined
  /** Kept in the evidence: the command of the agent, and its last lines on standard error. */
  command?: string | undefined
  stderr?: string | undefined
}

/** A call of the evidence. `reply` is cut after 2,000 characters. `arguments` is the body; without one, the parameters. */
export type EvidenceCall = Pick<RecordedCall, 'n' | 'method' | 'verb' | 'path' | 'status' | 'toolCall'> & {
  arguments: unknown
  /** Beside a body. */
  params?: RecordedCall['params']
  reply: string
}

export type Turn = { agent: string; user: string }

/** What a grade is made from. */
export type Evidence = {
  prompt: string
  account: string
  now: string
  /** The chosen values of the variables. */
  variables: Record<string, unknown>
  vary: number | null
  diff: Change[]
  mails: Mail[]
  journal: EvidenceCall[]
  /** What the agent said to the user, with the replies. Only of tasks with a `user`. */
  conversation?: Turn[]
  /** The version of the package, and the SHA-256 of the task as JSON. */
  version: string
  taskHash: string
  command?: string
  stderr?: string
}

/** The grade of an attempt, with its evidence. */
export type AttemptResult = WorldResult & {
  id: string
  /** The name of the world. */
  world: string
  answer: string
  /** The real time of the agent, in milliseconds. */
  ms: number
  evidence: Evidence
}

/** An attempt in the list of all. Without a grade, `result` is undefined. */
export type AttemptSummary = {
  world: string
  task: string
  attempt: number
  isOpen: boolean
  result?: WorldResult
}

/**
 * The attempts of agents at tasks, each in a world of its own. They belong to the server: it does not matter which world opens
 * them.
 */
export interface FakeAttempts {
  /** Opens an attempt. Rejects with a RangeError that names the wrong field of the task, or a step of its goal that fails. */
  open(task: AgentTask, options?: AttemptOptions): Promise<OpenedAttempt>
  /** Grades an attempt, as often as it is called. Rejects with a RangeError for an unknown one. */
  grade(id: string, work?: AgentWork): Promise<AttemptResult>
  /** Says something to the user of the task, and resolves to the reply. Rejects with a RangeError for an unknown attempt. */
  say(id: string, text: string): Promise<{ user: string }>
  /** Resolves to the attempts whose worlds exist, each with the result of its latest grade. */
  list(): Promise<AttemptSummary[]>
}

/** The server in which attempts are made. */
export type AttemptHost = {
  readonly worlds: Worlds
  /** Sends a request to a world, whatever world it names. */
  fetchFrom(world: string, request: Request): Promise<Response>
  /** Returns the address at which agents reach the server, without a slash at its end. */
  rootUrl(): string
}

/** The attempts of agents at tasks. The composer of a server gives the module that makes and grades them. */
export interface Attempts extends Pick<FakeAttempts, 'open' | 'grade'> {
  readonly host: AttemptHost
  /** True while an agent may work. */
  readonly isOpen: boolean
  say(id: string, text: string): { user: string }
  list(): AttemptSummary[]
  evaluate(task: AgentTask, agent: Agent, options?: AttemptOptions): Promise<AttemptResult>
}

export type LoadAttempts = (host: AttemptHost) => Promise<Attempts>
