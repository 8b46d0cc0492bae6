/** A transport of the MCP SDK: its versions 1 and 2 have the same shape. Its type names no package. */
export interface McpTransport {
  start(): Promise<void>
  send(message: object, options?: object): Promise<void>
  close(): Promise<void>
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: object, extra?: object) => void
  sessionId?: string
}
