import { fork } from 'node:child_process'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { createFakeCalendar } from '../../dist/index.js'

/**
 * The cost of channels for the writes that they report: `push.js CHANNELS WRITES process|socket` measures one burst;
 * `push.js receive` is the receiver, in a process of its own.
 */
const ALICE = 'alice@example.com'
const SELF = fileURLToPath(import.meta.url)
const BODY = JSON.stringify({ start: { date: '2026-03-02' }, end: { date: '2026-03-03' } })
const HEADERS = { Authorization: `Bearer ${ALICE}`, 'Content-Type': 'application/json' }

if (process.argv[2] === 'receive') receive()
else await run(Number(process.argv[2]), Number(process.argv[3]), process.argv[4])

/** The last number that each channel was sent, on demand. */
function receive() {
  const last = {}
  let posts = 0
  const server = createServer((request, response) => {
    const id = request.headers['x-goog-channel-id']
    const number = Number(request.headers['x-goog-message-number'])
    if (number <= (last[id] ?? 0)) process.send({ disorder: id })
    last[id] = number
    posts++
    response.end()
  })
  server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
  process.on('message', () => process.send({ last, posts }))
}

async function run(channels, writes, how) {
  const receiver = fork(SELF, ['receive'], { execArgv: [] })
  const nextMessage = () => new Promise((resolve) => receiver.once('message', resolve))
  const { port } = await nextMessage()
  const fake = createFakeCalendar({ now: '2026-03-01T12:00:00Z', seed: { accounts: [{ email: ALICE }] } })
  const { url } = await fake.listen()
  const post = (path, body) => answered(fake.request(`/calendar/v3${path}`, { method: 'POST', headers: HEADERS, body }))
  const send = (body) =>
    how === 'socket'
      ? answered(fetch(`${url}/calendar/v3/calendars/primary/events`, { method: 'POST', headers: HEADERS, body }))
      : post('/calendars/primary/events', body)
  const rounds = async (count) => {
    for (let nth = 0; nth < count; nth++) await send(BODY)
  }
  await rounds(1000)
  const watches = []
  for (let nth = 0; nth < channels; nth++) {
    const body = { id: `channel-${nth}`, type: 'web_hook', address: `http://127.0.0.1:${port}/` }
    watches.push(await post('/calendars/primary/events/watch', JSON.stringify(body)))
  }
  await fake.notifications.settled()
  const before = await memory()
  const cpu = process.cpuUsage()
  const start = performance.now()
  await rounds(writes)
  const { user, system } = process.cpuUsage(cpu)
  const duration = performance.now() - start
  const during = (await memory()) - before
  await fake.notifications.settled({ timeout: 60_000 })
  const drained = performance.now() - start - duration
  receiver.send('report')
  const { last, posts } = await nextMessage()
  const sent = new Map(fake.state().channels.map(({ id, lastMessage }) => [id, lastMessage]))
  const ended = Object.entries(last).filter(([id, number]) => number === sent.get(id)).length
  for (const { id, resourceId } of watches) await post('/channels/stop', JSON.stringify({ id, resourceId }))
  fake.reset()
  // Earlier readers release the world when they read again.
  await answered(fake.request('/calendar/v3/calendars/primary/events', { headers: HEADERS }))
  await new Promise((resolve) => setTimeout(resolve, channels > 0 ? 9000 : 0)) // the time-outs of the last posts
  const left = (await memory()) - before
  receiver.kill()
  process.stdout.write(
    JSON.stringify({ taken: duration, cpu: (user + system) / 1000, drained, posts, ended, during, left }),
  )
  await fake.close()
}

async function answered(response) {
  const reply = await response
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${reply.status} ${text}`)
  return text && JSON.parse(text)
}

/** Returns the heap size after garbage collection, which takes a few turns. */
async function memory() {
  for (let turn = 0; turn < 5; turn++) {
    globalThis.gc()
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return process.memoryUsage().heapUsed
}
