/** A transport of the MCP SDK: its versions 1 and 2 have the same shape. Its type names no package. */
export interface McpTransport {
  start(): Promise<void>
  // biome-ignore lint/suspicious/noExplicitAny: the messages of both versions of the SDK
  send(message: any, options?: any): Promise<void>
  close(): Promise<void>
  onclose?: () => void
  onerror?: (error: Error) => void
  // biome-ignore lint/suspicious/noExplicitAny: the messages of both versions of the SDK
  onmessage?: (message: any, extra?: any) => void
  sessionId?: string
}
