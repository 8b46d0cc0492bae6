import { baseUrl } from '../baseUrl.ts'
import { controlHeaders, toQueryString } from './client.ts'

/** `call` has a recorded request as data; `changed` and others report a change of the world. */
export type StreamEvent = { event: string; data: unknown }

/** `*` alone leaves out the outer requests of batches, discovery and MCP. */
export const ALL_METHODS = '*,batch,discovery,mcp,mcp.*'

type Options = { world: string; signal: AbortSignal }
type Handlers = { onOpen(): void; onEvent(event: StreamEvent): void }

/**
 * The stream starts with the next request. Calls `onOpen` once, and resolves when the server ends the stream. Rejects if it cannot be opened, is interrupted or aborted.
 * Uses `fetch`, because an EventSource cannot send the control token.
 */
export async function readEventStream({ world, signal }: Options, { onOpen, onEvent }: Handlers): Promise<void> {
  const query = toQueryString({ changes: true, method: ALL_METHODS })
  const response = await fetch(`${baseUrl(world)}/_control/calls/stream${query}`, {
    headers: controlHeaders(),
    signal,
    cache: 'no-store',
  })
  if (!response.ok || !response.body) throw new Error(`The stream responded with ${response.status}`)
  onOpen()
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const blocks = (rest + value).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = parseStreamEvent(block)
      if (event) onEvent(event)
    }
  }
}

/** Returns undefined for a comment of the stream. The server writes data in one line. */
function parseStreamEvent(block: string): StreamEvent | undefined {
  const [, data] = /^data: (.*)$/m.exec(block) ?? []
  const [, event = 'message'] = /^event: (.*)$/m.exec(block) ?? []
  return data === undefined ? undefined : { event, data: JSON.parse(data) as unknown }
}
