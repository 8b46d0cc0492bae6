import type { ToolDefinition } from '../mcp/definitions/tools.ts'
import { matches } from './matching.ts'

/** A tool of another application, with replies that are known before: the first whose `when` the arguments contain is given. */
export type CannedTool = {
  name: string
  description?: string | undefined
  /** A JSON Schema of the arguments. The default takes any. */
  inputSchema?: Readonly<Record<string, unknown>> | undefined
  replies: readonly { when?: Readonly<Record<string, unknown>> | undefined; gives: unknown }[]
}

export const toToolDefinition = ({ name, description, inputSchema }: CannedTool): ToolDefinition => ({
  name,
  ...(description !== undefined && { description }),
  annotations: { readOnlyHint: true },
  inputSchema: { type: 'object', ...inputSchema } as ToolDefinition['inputSchema'],
})

/** Undefined if no reply is for these arguments. */
export const findCannedReply = ({ replies }: CannedTool, given: unknown): { gives: unknown } | undefined =>
  replies.find(({ when = {} }) => matches(when, given))
