import { createInterface } from 'node:readline'
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
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
  const { value: first = '' } = await lines.next()
  const turn = readTurn(first)
  const more = []
  if (turn === undefined) for await (const line of lines) more.push(line)
  const prompt = turn ?? [first, ...more].join('\n').trim()
  const say = async (agent) => {
    process.stdout.write(`${JSON.stringify({ agent })}\n`)
    return readTurn((await lines.next()).value ?? '')
  }
  const fetchWithToken = (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('Authorization', `Bearer ${token}`)
    return fetch(input, { ...init, headers })
  }
  const answer = await agent({ rest, mcp, token, account, now, prompt, fetch: fetchWithToken, say })
  process.stdin.destroy()
  if (answer !== undefined) process.stdout.write(`${turn === undefined ? answer : JSON.stringify({ agent: answer })}\n`)
}

/** Returns what a user says in a line of JSON: the prompt and the replies of a task with a user. */
function readTurn(line) {
  try {
    return JSON.parse(line).user
  } catch {
    return undefined
  }
}
