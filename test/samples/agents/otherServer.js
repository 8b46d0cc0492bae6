import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'

/**
 * Books a lunch in the world `w1` through a published MCP server, and prints the titles of the day in the worlds `w1` and `w2`.
 * `fake-calendar exec --intercept` starts it, so the fake answers at Google's addresses. The server is installed beside the
 * `package.json` that is its argument.
 */
const NORA = 'nora@lumen.example.com'
const DAY = { calendarId: 'primary', timeMin: '2030-03-08T00:00:00', timeMax: '2030-03-09T00:00:00' }

const folder = mkdtempSync(join(tmpdir(), 'agents-'))
const keys = { client_id: 'agent', client_secret: 'any', redirect_uris: ['http://localhost:3000/oauth2callback'] }
writeFileSync(join(folder, 'keys.json'), JSON.stringify({ installed: keys }))
/** One account for each world, as the server's own sign-in would leave it. */
const accounts = ['w1', 'w2'].map((world) => [
  world,
  { access_token: `${world}~${NORA}`, refresh_token: 'unused', expiry_date: Date.parse('2100-01-01') },
])
writeFileSync(join(folder, 'tokens.json'), JSON.stringify(Object.fromEntries(accounts)))

const server = createRequire(process.argv[2]).resolve('@cocal/google-calendar-mcp')
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

async function call(account, name, input) {
  const { isError, content } = await client.callTool({ name, arguments: { account, ...input } })
  const text = content.map((part) => part.text).join('\n')
  if (isError) throw new Error(text)
  return JSON.parse(text)
}

const lunch = { summary: 'Lunch with Owen', start: '2030-03-08T12:30:00', end: '2030-03-08T13:30:00' }
await call('w1', 'create-event', { calendarId: 'primary', ...lunch })
for (const world of ['w1', 'w2']) {
  const { events } = await call(world, 'list-events', DAY)
  console.log(world, events.map(({ summary }) => summary).includes('Lunch with Owen'))
}
await client.close()
rmSync(folder, { recursive: true })
