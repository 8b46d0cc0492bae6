import { TOOLS, type ToolDefinition } from './definitions/tools.ts'

/** Tools as `tools/list` of the service returned them, and the differences from our arguments, a line each. */
export type RecordedTools = { tools: readonly ToolDefinition[]; differences: string[] }

/**
 * Reads the reply to a recorded `tools/list`: the message, its result, or its list of tools. Throws a TypeError for anything
 * else.
 */
export function parseRecordedTools(reply: unknown): RecordedTools {
  const { result = reply } = Object(reply) as { result?: unknown }
  const { tools = result } = Object(result) as { tools?: unknown }
  if (!Array.isArray(tools) || !tools.every(isTool)) throw new TypeError('not a reply to tools/list')
  return { tools, differences: [...listDifferences(tools)] }
}

const isTool = (tool: unknown): tool is ToolDefinition => {
  const { name, inputSchema } = Object(tool) as Record<string, unknown>
  return typeof name === 'string' && Object(inputSchema).type === 'object'
}

/** Each tool and each argument that only one of the two lists has. */
function* listDifferences(recorded: readonly ToolDefinition[]): Generator<string> {
  const names = new Set(recorded.map(({ name }) => name))
  for (const { name } of TOOLS) if (!names.has(name)) yield `${name} is not in the recorded list`
  for (const { name, inputSchema } of recorded) {
    const own = TOOLS.find((tool) => tool.name === name)
    if (!own) yield `fake-calendar has no tool ${name}`
    const [here, there] = [own?.inputSchema.properties ?? {}, inputSchema.properties ?? {}]
    for (const argument of Object.keys(there))
      if (own && !Object.hasOwn(here, argument)) yield `${name}: fake-calendar does not accept ${argument}`
    for (const argument of Object.keys(here))
      if (!Object.hasOwn(there, argument)) yield `${name}: the recorded list has no ${argument}`
  }
}
