import type { WorldResult } from '../worldResult.ts'
import type { Worlds } from '../worlds/worlds.ts'
import type { AgentTask } from './task.ts'

/** The addresses, the credentials and the prompt that an agent gets for one attempt. */
export type AgentAttempt = {
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
export type Agent = (attempt: AgentAttempt) => unknown

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

/** The server in which attempts are made. */
export type AttemptHost = {
  readonly worlds: Worlds
  /** Sends a request to a world, whatever world it names. */
  fetchFrom(world: string, request: Request): Promise<Response>
  /** The address of the server, without a slash at its end. */
  readonly rootUrl: string
}

/** The attempts of agents at tasks. The composer of a server gives the module that makes and grades them. */
export interface Attempts {
  evaluate(task: AgentTask, agent: Agent, options?: EvaluateOptions): Promise<AttemptResult>
}

export type LoadAttempts = (host: AttemptHost) => Promise<Attempts>
