import { createFakeCalendar, type FakeCalendar, type FakeCalendarOptions, type FakeWorld } from '../../src/index.ts'

export const NOW = '2030-03-04T08:00:00Z'
export const NORA = 'nora@lumen.example.com'
export const OWEN = 'owen@lumen.example.com'

/** Creates the demo company, on Monday 4 March 2030. */
export const createCompany = (options: FakeCalendarOptions = {}): FakeCalendar =>
  createFakeCalendar({ seed: 'company', now: NOW, ...options })

export type Posted = { token?: string | undefined; path?: string; headers?: Record<string, string> }

/** Posts a message to the MCP server of a world. */
export const post = (world: FakeWorld, message: unknown, { token, path = '/mcp/v1', headers }: Posted = {}) =>
  world.request(path, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  })

export const toolCall = (name: string, args: unknown, more: object = {}) => ({
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
  params: { name, arguments: args, ...more },
})

// biome-ignore lint/suspicious/noExplicitAny: tests read any field of a reply
type Reply = any

/** Calls a tool as an account. Returns its structured content, and throws an Error with the text of an error. */
export function callerOf(world: FakeWorld, token: string = NORA) {
  return async (name: string, args: object = {}): Promise<Reply> => {
    const { result, error } = (await (await post(world, toolCall(name, args), { token })).json()) as Reply
    if (error) throw new Error(error.message)
    if (result.isError) throw new Error(result.content[0].text)
    return result.structuredContent
  }
}

/** Sends a request of REST as an account. Returns its body. */
export function restOf(world: FakeWorld, token: string = NORA) {
  return async (method: string, path: string, body?: object): Promise<Reply> => {
    const response = await world.request(`/calendar/v3${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return response.status === 204 ? undefined : response.json()
  }
}
