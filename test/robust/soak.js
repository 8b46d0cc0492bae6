/**
 * `npm run soak -- --minutes 10`: sends a mix of requests whose world does not grow to a separate process, and prints
 * its memory and response times every minute. `--rate 100` sends so many requests a second instead of as many as it
 * can. `npm run soak -- --fuzz 1000000 --seed 1`: a long run of the fuzzer. `npm run soak -- --model 10000 --seed 3`:
 * random sequences of requests, compared with the model in test/model/.
 *
 * A run passes if p50 and p99 of the last minute are at most 1.5 times those of the second (the first one warms up) or
 * within half a millisecond, and the RSS is at most a fifth and 20 MB above, and below 300 MB. After the tenth minute
 * the RSS grows by at most a tenth, and the heap after a collection by at most 2 MB.
 */
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    rate: { type: 'string' },
    fuzz: { type: 'string' },
    model: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
})
const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Runs one test file with settings in the environment, and exits with its code. */
const runTest = (file, settings) => {
  const env = { ...process.env, ...settings }
  const args = ['node_modules/vitest/vitest.mjs', 'run', file]
  process.exit(spawnSync(process.execPath, args, { cwd: ROOT, env, stdio: 'inherit' }).status ?? 1)
}
if (values.fuzz !== undefined)
  runTest('test/robust/fuzz.test.ts', { FUZZ_REQUESTS: values.fuzz, FUZZ_SEED: values.seed })
if (values.model !== undefined)
  runTest('test/model/model.test.ts', { MODEL_SEQUENCES: values.model, MODEL_SEED: values.seed })

const CONNECTIONS = 10
const PAUSE_MS = values.rate === undefined ? 0 : (CONNECTIONS * 1000) / Number(values.rate)
const EVENTS = 200
const ALICE = 'alice@example.com'
const BOB = 'bob@example.com'
const COLLECTION = '/calendar/v3/calendars/primary/events'

const PRINT_HEAP =
  "data:text/javascript,process.on('SIGUSR2', () => { gc(); gc(); console.log(process.memoryUsage().heapUsed / 2 ** 20) })"
const server = spawn(
  process.execPath,
  ['--expose-gc', '--import', PRINT_HEAP, 'bin/fake-calendar.js', '--port', '0', '--json'],
  { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] },
)
server.on('exit', (code) => {
  if (!over) process.exit(code ?? 1)
})
let over = false
const lines = createInterface(server.stdout)
const readLine = () => new Promise((resolve) => lines.once('line', resolve))
const { port } = JSON.parse(await readLine())
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })

/** One request, its status, its body and how many milliseconds it took. */
const ask = (method, path, body, who = ALICE) =>
  new Promise((resolve, reject) => {
    const startedAt = performance.now()
    const headers = {
      Authorization: `Bearer ${who}`,
      Accept: 'application/json, text/event-stream',
      ...(body && { 'Content-Type': 'application/json' }),
    }
    const sent = request({ host: '127.0.0.1', port, method, path, agent, headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (more) => {
        text += more
      })
      answer.on('end', () => resolve({ status: answer.statusCode, text, ms: performance.now() - startedAt }))
    })
    sent.on('error', reject)
    sent.end(body && JSON.stringify(body))
  })

const callTool = (name, given) =>
  ask('POST', '/mcp/v1', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } })

const day = (n) => `2026-03-${String(1 + (n % 28)).padStart(2, '0')}`
const draft = (n) => ({
  summary: `Number ${n}`,
  start: { dateTime: `${day(n)}T09:00:00`, timeZone: 'Europe/Berlin' },
  end: { dateTime: `${day(n)}T10:00:00`, timeZone: 'Europe/Berlin' },
  ...(n % 10 === 0 && { recurrence: ['RRULE:FREQ=DAILY;COUNT=20'] }),
  ...(n % 4 === 0 && { attendees: [{ email: BOB }] }),
})
const id = (n) => `soak${String(n % EVENTS).padStart(4, '0')}`
let syncToken = ''
let number = 0

/** The requests of each connection, in turn: writes to a few events, deletes and undeletes, and all kinds of reads. */
const MIX = [
  async (n) => ask('PUT', `${COLLECTION}/${id(n)}`, { ...draft(n), status: 'confirmed' }),
  async (n) => ask('PATCH', `${COLLECTION}/${id(n * 7)}`, { summary: `Changed ${n}` }),
  async (n) => ask('GET', `${COLLECTION}/${id(n * 3)}`),
  async (n) =>
    ask('GET', `${COLLECTION}?singleEvents=true&orderBy=startTime&maxResults=50&timeMin=${day(n)}T00:00:00Z`),
  async () => ask('GET', `${COLLECTION}?maxResults=50`),
  async () => {
    const answer = await ask(
      'GET',
      `${COLLECTION}?maxResults=2500${syncToken && `&syncToken=${encodeURIComponent(syncToken)}`}`,
    )
    syncToken = JSON.parse(answer.text).nextSyncToken ?? ''
    return answer
  },
  async () =>
    ask('POST', '/calendar/v3/freeBusy', {
      timeMin: '2026-03-01T00:00:00Z',
      timeMax: '2026-03-08T00:00:00Z',
      items: [{ id: ALICE }, { id: BOB }],
    }),
  async (n) =>
    n % 5
      ? ask('GET', '/calendar/v3/users/me/calendarList', undefined, BOB)
      : ask('PATCH', `${COLLECTION}/${id(n)}`, { status: 'cancelled' }),
  async (n) => ask('GET', `${COLLECTION}/${id(n * 10)}/instances?maxResults=10`),
  async (n) => ask('PATCH', `${COLLECTION}/${id(n)}`, { start: { date: 'never' } }),
  async (n) => callTool('list_events', { startTime: `${day(n)}T00:00:00`, endTime: `${day(n)}T23:00:00` }),
  async (n) => callTool('search_events', { query: `Number ${n % EVENTS}` }),
  async (n) => callTool('update_event', { eventId: id(n * 3), summary: `Updated ${n}` }),
  async (n) =>
    callTool('suggest_time', {
      attendeeEmails: [ALICE, BOB],
      startTime: `${day(n)}T08:00:00`,
      endTime: `${day(n)}T18:00:00`,
    }),
  async (n) => callTool(n % 2 ? 'list_events' : `nothing${n}`, { [`unknown${n}`]: 1 }),
]

for (let n = 0; n < EVENTS; n++) await ask('POST', COLLECTION, { id: id(n), ...draft(n) })

const heapAfterCollection = () => {
  server.kill('SIGUSR2')
  return readLine().then(Number)
}
const rss = () => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
const quantile = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0

const minutes = []
console.log('minute  requests   RSS MB  heap MB   p50 ms   p99 ms   max ms')
for (let minute = 1; minute <= Number(values.minutes); minute++) {
  const times = []
  const end = performance.now() + 60_000
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (performance.now() < end) {
        const n = number++
        const { status, text, ms } = await (MIX[n % MIX.length] ?? MIX[0])(n)
        if (status >= 500) throw new Error(`${status}: ${text}`)
        times.push(ms)
        if (PAUSE_MS > ms) await setTimeout(PAUSE_MS - ms)
      }
    }),
  )
  times.sort((a, b) => a - b)
  const row = {
    requests: times.length,
    rss: rss(),
    heap: await heapAfterCollection(),
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    max: times.at(-1) ?? 0,
  }
  minutes.push(row)
  const cells = [row.rss.toFixed(1), row.heap.toFixed(1), row.p50.toFixed(2), row.p99.toFixed(2), row.max.toFixed(1)]
  console.log(
    `${String(minute).padStart(6)}${String(row.requests).padStart(10)}${cells.map((cell) => cell.padStart(9)).join('')}`,
  )
}

const [from, to] = [minutes[1] ?? minutes[0], minutes.at(-1)]
const within = (a, b, times, more) => b <= Math.max(a * times, a + more)
const MAX_RSS_MB = 300
const verdicts = {
  [`RSS below ${MAX_RSS_MB} MB`]: minutes.every(({ rss }) => rss < MAX_RSS_MB),
  'RSS flat': to.rss <= from.rss * 1.2 + 20,
  ...(minutes[9] && {
    'RSS within a tenth of minute 10': to.rss <= minutes[9].rss * 1.1,
    'heap within 2 MB of minute 10': to.heap <= minutes[9].heap + 2,
  }),
  'p50 flat': within(from.p50, to.p50, 1.5, 0.5),
  'p99 flat': within(from.p99, to.p99, 1.5, 0.5),
}
if (minutes.length < 3) console.log('Too short to say whether it is flat: that takes three minutes.')
else for (const [what, isMet] of Object.entries(verdicts)) console.log(`${what}: ${isMet ? 'yes' : 'NO'}`)
over = true
agent.destroy()
server.kill()
process.exitCode = minutes.length < 3 || Object.values(verdicts).every(Boolean) ? 0 : 1
