import {
  type CallToolResult,
  createMcpHandler,
  type InputRequiredResult,
  isLegacyRequest,
  Server,
  type ServerContext,
  type Tool,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { ToolDefinition } from './definitions/tools.ts'

export type ToolResult = CallToolResult | InputRequiredResult

export type McpHandlers = {
  listTools(): Promise<readonly ToolDefinition[]>
  /** Rejects with a ProtocolError for an unknown tool. */
  callTool(params: { name: string; arguments?: unknown }, context: ServerContext, server: Server): Promise<ToolResult>
}

/** The versions of the protocol that the service speaks (behaviour 17.1). */
const VERSIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26']

/** Forms of approval are checked by `approval.ts`, so that the validator of the SDK need not be in the package. */
const jsonSchemaValidator = {
  getValidator: () => (data: unknown) => ({ valid: true as const, data: data as never, errorMessage: undefined }),
}

export function createSdkServer({ listTools, callTool }: McpHandlers): Server {
  const server = new Server(
    { name: 'StatelessServer', version: 'ESF' },
    { capabilities: { tools: { listChanged: false } }, supportedProtocolVersions: VERSIONS, jsonSchemaValidator },
  )
  server.setRequestHandler('tools/list', async () => ({ tools: [...(await listTools())] as Tool[] }))
  server.setRequestHandler('tools/call', ({ params }, context) => callTool(params, context, server))
  return server
}

/** What the SDK asks a client to accept. The service answers any client as JSON (behaviour 17.1). */
const ACCEPTED = 'application/json, text/event-stream'

/**
 * Answers one message that was posted: for versions up to 2025-11-25 by a server without a session, in JSON; for
 * 2026-07-28 by the handler of the SDK.
 */
export async function answerMessage(
  { url, headers: given }: Request,
  message: unknown,
  handlers: McpHandlers,
): Promise<Response> {
  const headers = new Headers(given)
  headers.set('Accept', ACCEPTED)
  const request = new Request(url, { method: 'POST', headers })
  if (!(await isLegacyRequest(request, message)))
    return createMcpHandler(() => createSdkServer(handlers), { legacy: 'reject' }).fetch(request, {
      parsedBody: message,
    })
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  const server = createSdkServer(handlers)
  await server.connect(transport)
  try {
    return await transport.handleRequest(request, { parsedBody: message })
  } finally {
    await server.close()
  }
}
