import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'

/**
 * Runs an agent if its file is the program that was started: reads the attempt from the environment and from standard input, and
 * prints the answer. Modules that import the agent call it themselves.
 */
export async function runAsCommand(url, agent) {
  if (url !== pathToFileURL(process.argv[1] ?? '').href) return
  const {
    FAKE_CALENDAR_REST_URL: rest,
    FAKE_CALENDAR_MCP_URL: mcp,
    FAKE_CALENDAR_TOKEN: token,
    FAKE_CALENDAR_ACCOUNT: account,
    FAKE_CALENDAR_NOW: now,
  } = process.env
  const prompt = (await text(process.stdin)).trim()
  const fetchWithToken = (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('Authorization', `Bearer ${token}`)
    return fetch(input, { ...init, headers })
  }
  const answer = await agent({ rest, mcp, token, account, now, prompt, fetch: fetchWithToken })
  if (answer !== undefined) process.stdout.write(`${answer}\n`)
}
