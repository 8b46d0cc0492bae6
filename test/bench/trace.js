import { Session } from 'node:inspector'
import { register } from 'node:module'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/**
 * Lists the files and functions of `src/` that one request executes: `npm run trace -- get list insert patch patch-guest`, or
 * any request as `VERB PATH --body JSON --as ACCOUNT`. The source runs unbundled. A named request was made before in the same
 * world, so that lazily opened parts and caches are there; any other in another world, because not all can be repeated.
 * The world has the accounts ALICE and BOB, and the events `single` and `series` of ALICE; BOB is a guest of the series.
 * With `--functions` every function is printed by file; with `--order` in the order of their first calls.
 */
const ROOT = fileURLToPath(new URL('../../src/', import.meta.url))
register(new URL('./typescriptLoader.js', import.meta.url), {
  data: { reportsCalls: process.argv.includes('--order') },
})
const { createFakeCalendar } = await import('../../src/index.ts')

const [ALICE, BOB] = ['alice@example.com', 'bob@example.com']
const EVENTS = '/calendar/v3/calendars/primary/events'
const times = (hour) => ({
  start: { dateTime: `2026-03-02T${hour}:00:00Z`, timeZone: 'UTC' },
  end: { dateTime: `2026-03-02T${hour}:30:00Z`, timeZone: 'UTC' },
})
const SERIES = { ...times('09'), id: 'series', recurrence: ['RRULE:FREQ=DAILY;COUNT=10'], attendees: [{ email: BOB }] }
const instance = (nth) => `series_202603${String(nth + 2).padStart(2, '0')}T090000Z`

/** Each request by its name; `nth` is 0 for the one that comes before. */
const REQUESTS = {
  get: () => [ALICE, 'GET', `${EVENTS}/single`],
  list: () => [ALICE, 'GET', EVENTS],
  insert: (nth) => [ALICE, 'POST', EVENTS, { id: `inserted${nth}`, summary: 'New', ...times('10') }],
  patch: (nth) => [ALICE, 'PATCH', `${EVENTS}/single`, { summary: `Changed ${nth}` }],
  'patch-guest': (nth) => [
    BOB,
    'PATCH',
    `${EVENTS}/${instance(nth)}`,
    { attendees: [{ email: BOB, responseStatus: 'accepted' }] },
  ],
}

/** Returns the parsed command line, or undefined if it has an unknown option. */
function parseCommandLine() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        functions: { type: 'boolean', default: false },
        order: { type: 'boolean', default: false },
        body: { type: 'string' },
        as: { type: 'string', default: ALICE },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch {
    return undefined
  }
}

const { values: options, positionals } = parseCommandLine() ?? { values: {}, positionals: ['?'] }
const [verb, path] = positionals
const isRequest = /^[A-Z]+$/.test(verb ?? '')
const named = isRequest || positionals.length === 0 ? Object.keys(REQUESTS) : positionals
const unknown = named.filter((name) => !(name in REQUESTS))
if (options.help || unknown.length > 0 || (isRequest && positionals.length !== 2)) {
  const names = Object.keys(REQUESTS).join(', ')
  process.stderr.write(
    `Give names of ${names}, or VERB PATH --body JSON --as ACCOUNT; and --functions or --order to list them.\n`,
  )
  process.exit(options.help ? 0 : 2)
}

const session = new Session()
session.connect()
const post = (method, parameters) =>
  new Promise((resolve, reject) =>
    session.post(method, parameters, (error, result) => (error ? reject(error) : resolve(result))),
  )

/** Returns a new world with the accounts and events of the requests. */
async function openWorld() {
  const fake = createFakeCalendar({
    seed: { accounts: [{ email: ALICE }, { email: BOB }] },
    now: '2026-03-01T12:00:00Z',
  })
  await send(fake, [ALICE, 'POST', EVENTS, { id: 'single', ...times('08') }])
  await send(fake, [ALICE, 'POST', EVENTS, SERIES])
  return fake
}

/** Sends a request, and returns its status. Throws for an error of the service, unless `mayFail`. */
async function send(fake, [account, method, path, body], { mayFail = false } = {}) {
  const response = await fake.fetch(new URL(path, 'http://localhost'), {
    method,
    headers: { Authorization: `Bearer ${account}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok && !mayFail) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return response.status
}

/** Returns the functions of `src/` that ran since the last call, by file. */
async function takeFunctions() {
  const { result } = await post('Profiler.takePreciseCoverage')
  const files = new Map()
  for (const { url, functions } of result) {
    const file = url.startsWith('file:') ? relative(ROOT, fileURLToPath(url.split('?')[0])) : '..'
    if (file.startsWith('..')) continue
    const executed = functions.filter(({ ranges: [range] }) => range.count > 0 && range.startOffset > 0)
    if (executed.length > 0)
      files.set(
        file,
        executed.map(({ functionName }) => functionName || '(anonymous)'),
      )
  }
  return files
}

await post('Profiler.enable')
await post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

/** Returns the lines of a trace in the order of the first calls: a file, and the functions of it that follow each other. */
function formatOrder(calls) {
  const lines = []
  for (const [file, name] of calls) {
    if (lines.at(-1)?.[0] === file) lines.at(-1).push(name)
    else lines.push([file, name])
  }
  return lines.map(([file, ...names]) => `  ${file}: ${names.join(' ')}\n`)
}

/** Sends a request to a world, prints what it executed, and closes the world. */
async function trace(name, fake, request) {
  await takeFunctions()
  const calls = new Map()
  globalThis.onCall = (url, called) => {
    const file = relative(ROOT, fileURLToPath(url.split('?')[0]))
    calls.set(`${file} ${called}`, [file, called])
  }
  const status = await send(fake, request, { mayFail: isRequest })
  globalThis.onCall = undefined
  const files = await takeFunctions()
  await fake.close()
  const count = [...files.values()].reduce((sum, functions) => sum + functions.length, 0)
  process.stdout.write(`${name}: ${isRequest ? `status ${status}, ` : ''}${files.size} files, ${count} functions\n`)
  if (options.order) process.stdout.write(formatOrder(calls.values()).join(''))
  if (!options.functions) return
  for (const [file, functions] of [...files].sort()) process.stdout.write(`  ${file}: ${functions.join(' ')}\n`)
}

if (isRequest) {
  const request = [options.as, verb, path, options.body && JSON.parse(options.body)]
  const earlier = await openWorld()
  await send(earlier, request, { mayFail: true })
  await earlier.close()
  await trace(`${verb} ${path}`, await openWorld(), request)
} else {
  for (const name of named) {
    const fake = await openWorld()
    for (let nth = 0; nth < 3; nth++) await send(fake, REQUESTS[name](nth))
    await trace(name, fake, REQUESTS[name](3))
  }
}
process.exit(0)
