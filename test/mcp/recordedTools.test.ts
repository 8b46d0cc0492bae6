import { expect, test } from 'vitest'
import { TOOLS } from '../../src/mcp/definitions/tools.ts'
import { parseRecordedTools } from '../../src/mcp/recordedTools.ts'

test.each([TOOLS, { tools: TOOLS }, { jsonrpc: '2.0', id: 1, result: { tools: TOOLS } }])(
  'a recorded list is read as a message, as its result and as a list',
  (reply) => {
    expect(parseRecordedTools(JSON.parse(JSON.stringify(reply)))).toEqual({ tools: TOOLS, differences: [] })
  },
)

test('a difference in tools or arguments is a line each', () => {
  const [first, ...others] = TOOLS
  const { eventTypeFilter: _, ...properties } = first?.inputSchema.properties ?? {}
  const changed = { ...first, inputSchema: { ...first?.inputSchema, properties: { ...properties, newOne: {} } } }
  const tools = [changed, ...others.slice(0, -1), { name: 'new_tool', inputSchema: { type: 'object' } }]

  expect(parseRecordedTools(tools).differences).toEqual([
    'search_events is not in the recorded list',
    'list_events: fake-calendar does not accept newOne',
    'list_events: the recorded list has no eventTypeFilter',
    'fake-calendar has no tool new_tool',
  ])
})

test.each([null, {}, [], 'x', [{ name: 1 }], { tools: [{ name: 'x' }] }])('%j is no recorded list', (reply) => {
  if (Array.isArray(reply) && reply.length === 0) expect(parseRecordedTools(reply).tools).toEqual([])
  else expect(() => parseRecordedTools(reply)).toThrow(TypeError)
})
