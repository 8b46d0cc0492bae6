import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  InMemoryTransport,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { ToolDefinition } from './definitions/tools.ts'
import { LineTransport } from './lineTransport.ts'
import { createSdkServer, type McpHandlers, type ToolResult } from './sdkServer.ts'
import type { McpTransport } from './transport.ts'

const VERSION = '2026-07-28'

/** Sends a request to the MCP endpoint of a world, as one account. */
export type SendToEndpoint = (init: {
  method: 'POST'
  headers: Record<string, string>
  body: string
}) => Promise<Response>

/**
 * Returns handlers that send each call to the HTTP endpoint, so that journal, faults, quota and hints apply to connections
 * by stdio and in process as well.
 */
function createGateway(send: SendToEndpoint): McpHandlers {
  let count = 0
  const request = async (method: string, params: object, server?: Server, context?: ServerContext) => {
    count += 1
    const envelope: Readonly<Record<string, unknown>> = { ...context?.mcpReq.envelope }
    const meta = {
      [PROTOCOL_VERSION_META_KEY]: VERSION,
      [CLIENT_INFO_META_KEY]: server?.getClientVersion() ?? { name: 'fake-calendar', version: '0' },
      [CLIENT_CAPABILITIES_META_KEY]: envelope[CLIENT_CAPABILITIES_META_KEY] ?? server?.getClientCapabilities() ?? {},
    }
    const headers: Record<string, string> = {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': VERSION,
      'Mcp-Method': method,
    }
    if ('name' in params) headers['Mcp-Name'] = String(params.name)
    const body = JSON.stringify({ jsonrpc: '2.0', id: count, method, params: { ...params, _meta: meta } })
    const reply = (await (await send({ method: 'POST', headers, body })).json()) as {
      result?: object
      error?: { code: number; message: string; data?: unknown }
    }
    if (reply.result) return reply.result
    const { code = -32_603, message = 'The response is not JSON-RPC.', data } = reply.error ?? {}
    throw new ProtocolError(code, message, data)
  }
  return {
    async listTools() {
      const { tools } = (await request('tools/list', {})) as { tools: ToolDefinition[] }
      return tools
    },
    async callTool(params, context, server) {
      const { inputResponses } = context.mcpReq
      const requestState = context.mcpReq.requestState<string>()
      const repeated = {
        ...(inputResponses && { inputResponses }),
        ...(requestState !== undefined && { requestState }),
      }
      return (await request('tools/call', { ...params, ...repeated }, server, context)) as ToolResult
    },
  }
}

export function connectInProcess(send: SendToEndpoint): McpTransport {
  const [client, server] = InMemoryTransport.createLinkedPair()
  serveStdio(() => createSdkServer(createGateway(send)), { transport: server })
  return client as McpTransport
}

/** Serves MCP on the standard input and output of the process. `closed` resolves after the messages before the end of the input. */
export function serveStandardStreams(
  send: SendToEndpoint,
  onerror: (error: Error) => void,
): { close(): Promise<void>; closed: Promise<void> } {
  const transport = new LineTransport(process.stdin, process.stdout)
  const { close } = serveStdio(() => createSdkServer(createGateway(send)), { transport, onerror })
  return { close, closed: transport.closed }
}
