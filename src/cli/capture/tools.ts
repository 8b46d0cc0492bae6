import { parseRecordedTools } from '../../mcp/recordedTools.ts'
import { describeNetworkError } from '../../schema/values/networkError.ts'
import { shortenLine } from '../../schema/values/shownText.ts'
import { removeTokens } from './boundedFetch.ts'
import { CaptureError } from './captureError.ts'
import type { Fetch } from './retryingFetch.ts'

const MESSAGE = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })

/**
 * Reads the tools of the MCP server at an address, and formats them as the file that `--mcp-tools` reads. Rejects with a
 * CaptureError of one line if the server cannot be reached or does not list its tools. The message has no token.
 */
export async function captureTools(fetch: Fetch, url: string, token: string | undefined): Promise<string> {
  const fail = (message: string): never => {
    throw new CaptureError(shortenLine(removeTokens(`${url}: ${message}`, [token])))
  }
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
  }
  const response = await fetch(url, { method: 'POST', headers, body: MESSAGE, redirect: 'manual' }).catch(
    (error: unknown) => fail(describeNetworkError(error)),
  )
  const text = await response.text()
  if (!response.ok) return fail(`${response.status} ${text}`)
  try {
    const { tools } = parseRecordedTools(JSON.parse(text))
    return `${JSON.stringify({ tools }, null, 2)}\n`
  } catch {
    return fail('answers something else than a list of tools: is this where the MCP server is?')
  }
}
