import type { AgentWork } from '../control/types/attempts.ts'

/** The paths of the service and of its MCP server. All others are of the fake. */
export const AGENT_PATHS = /^\/(?:calendar\/v3|v3|batch|discovery|\$discovery|mcp\/v1(?:self)?)(?:\/|$)/

/** Characters. Longer answers are cut. */
const MAX_ANSWER_LENGTH = 100_000

/** What an agent returns to give more than its answer. */
export class AgentReply {
  readonly work: AgentWork

  constructor(work: AgentWork) {
    this.work = work
  }
}

/** Returns what an agent function returned as text. Data becomes JSON; a function or a symbol is no answer. */
export function toAnswer(value: unknown): AgentWork {
  if (value instanceof AgentReply) return value.work
  if (typeof value === 'string') return { answer: value.slice(0, MAX_ANSWER_LENGTH).trim() }
  if (value === undefined || value === null) return {}
  try {
    const text = JSON.stringify(value)
    if (text !== undefined) return { answer: text.slice(0, MAX_ANSWER_LENGTH) }
  } catch {
    // A circular object or a big integer.
  }
  return { error: `it returned a value that is no text (${typeof value})` }
}
