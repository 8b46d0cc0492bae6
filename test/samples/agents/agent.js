import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { TASKS } from './tasks.js'

/**
 * Runs every task in worlds of its own, through a published MCP server, and prints the results as JSON. It is started by
 * `fake-calendar exec --intercept`, so the fake answers at Google's addresses. The first argument is the number of worlds;
 * `SERVER_PROJECT` is the `package.json` beside which the server is installed.
 */
const control = process.env.FAKE_CALENDAR_CONTROL_URL
const worlds = Number(process.argv[2] ?? TASKS.length)
const attempts = Array.from({ length: worlds }, (_, at) => ({ world: `w${at + 1}`, task: TASKS[at % TASKS.length] }))
/** Attempts that run at the same time. */
const CONCURRENCY = 8

async function send(method, path, body, world = 'default') {
  const headers = { 'X-Fake-World': world, ...(body && { 'Content-Type': 'application/json' }) }
  const response = await fetch(`${control}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  return { status: response.status, body: await response.json() }
}

/** Returns the resident memory of the fake's process in bytes, or undefined where the system does not show it. */
function fakeMemory() {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${process.ppid}/status`, 'utf8'))?.[1]) * 1024
  } catch {
    return undefined
  }
}

/** Starts the published MCP server with one signed-in account for each world, as its own sign-in would leave them. */
async function startServer(folder) {
  const keys = { client_id: 'agent', client_secret: 'any', redirect_uris: ['http://localhost:3000/oauth2callback'] }
  writeFileSync(join(folder, 'keys.json'), JSON.stringify({ installed: keys }))
  const tokens = attempts.map(({ world, task }) => [
    world,
    { access_token: `${world}~${task.account}`, refresh_token: 'unused', expiry_date: Date.parse('2100-01-01') },
  ])
  writeFileSync(join(folder, 'tokens.json'), JSON.stringify(Object.fromEntries(tokens)))
  const server = createRequire(process.env.SERVER_PROJECT).resolve('@cocal/google-calendar-mcp')
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [server],
    cwd: dirname(server),
    stderr: 'pipe',
    env: {
      ...process.env,
      GOOGLE_OAUTH_CREDENTIALS: join(folder, 'keys.json'),
      GOOGLE_CALENDAR_MCP_TOKEN_PATH: join(folder, 'tokens.json'),
      GOOGLE_ACCOUNT_MODE: 'w1',
    },
  })
  // The server logs to stderr, and would stop if nobody read it.
  transport.stderr?.resume()
  const client = new Client({ name: 'scripted-agent', version: '1.0.0' })
  await client.connect(transport)
  return client
}

/** Returns a function that calls a tool with common arguments. It returns the reply as JSON, and throws the tool's error. */
const toolsOf = (client, common) => async (name, input) => {
  const { isError, content } = await client.callTool({ name, arguments: { ...common, ...input } })
  const text = content.map((part) => part.text).join('\n')
  if (isError) throw new Error(text)
  return JSON.parse(text)
}

/** Returns the changed fields that no goal names, because `verify` compares only the fields that an expectation names. */
const unnamedFields = (changes, goal) =>
  changes
    .filter(({ change }) => change === 'changed')
    .flatMap(({ title, fields }) => {
      const named = goal.find((one) => one.change === 'changed' && one.title === title)?.fields ?? {}
      return Object.keys(fields).filter((path) => !Object.hasOwn(named, path))
    })

/** Lets the agent work on one task, and compares what changed in its world with the goal. */
async function attempt(server, { world, task }) {
  const began = performance.now()
  for (const fault of task.faults ?? []) await send('POST', '/faults', fault, world)
  let failure
  try {
    await task.solve(toolsOf(server, { account: world }))
  } catch (error) {
    failure = error.message
  }
  const verified = await send('POST', '/diff/verify', { expected: task.goal }, world)
  const { changes } = (await send('GET', '/diff', undefined, world)).body
  const fired = await send('GET', '/faults/verify', undefined, world)
  const { calls } = (await send('GET', '/calls', undefined, world)).body
  const problems = [
    ...(failure === undefined ? [] : [failure]),
    ...[verified, fired].filter(({ status }) => status !== 200).map(({ body }) => body.message),
    ...unnamedFields(changes, task.goal).map((path) => `changed, and not in the goal: ${path}`),
  ]
  return { world, task: task.title, ms: performance.now() - began, requests: calls.length, problems }
}

const folder = mkdtempSync(join(tmpdir(), 'agents-'))
await send('POST', '/snapshots', { name: 'start' })
await send('PUT', '/worlds/w0', { from: 'start' })
const before = fakeMemory()
const began = performance.now()
for (const { world } of attempts) await send('PUT', `/worlds/${world}`, { from: 'start' })
const forkMs = performance.now() - began
const afterForks = fakeMemory()

const server = await startServer(folder)
const results = []
const queue = [...attempts]
let peak = afterForks ?? 0
await Promise.all(
  Array.from({ length: CONCURRENCY }, async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      results.push(await attempt(server, next))
      peak = Math.max(peak, fakeMemory() ?? 0)
    }
  }),
)
await server.close()
rmSync(folder, { recursive: true })

const memory = before === undefined ? undefined : { before, afterForks, peak, after: fakeMemory() }
process.stdout.write(`${JSON.stringify({ worlds, forkMs, memory, results })}\n`)
if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain')
