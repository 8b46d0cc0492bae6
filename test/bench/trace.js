import { Session } from 'node:inspector'
import { register } from 'node:module'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Lists the files and functions of `src/` that one request executes: `npm run trace -- get list insert patch patch-guest`.
 * The source runs unbundled. The same request was made before, so that lazily opened parts and caches are there.
 * With `--functions` every function is printed.
 */
const ROOT = fileURLToPath(new URL('../../src/', import.meta.url))
register(new URL('./typescriptLoader.js', import.meta.url))
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

const isListing = process.argv.includes('--functions')
const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const unknown = named.filter((name) => !(name in REQUESTS))
if (unknown.length > 0) {
  process.stderr.write(`There is no ${unknown.join(', ')}; there is ${Object.keys(REQUESTS).join(', ')}.\n`)
  process.exit(2)
}

const session = new Session()
session.connect()
const post = (method, parameters) =>
  new Promise((resolve, reject) =>
    session.post(method, parameters, (error, result) => (error ? reject(error) : resolve(result))),
  )

async function send(fake, [account, method, path, body]) {
  const response = await fake.fetch(new URL(path, 'http://localhost'), {
    method,
    headers: { Authorization: `Bearer ${account}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  await response.text()
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
for (const name of named.length > 0 ? named : Object.keys(REQUESTS)) {
  const fake = createFakeCalendar({
    seed: { accounts: [{ email: ALICE }, { email: BOB }] },
    now: '2026-03-01T12:00:00Z',
  })
  await send(fake, [ALICE, 'POST', EVENTS, { id: 'single', ...times('08') }])
  await send(fake, [ALICE, 'POST', EVENTS, SERIES])
  for (let nth = 0; nth < 3; nth++) await send(fake, REQUESTS[name](nth))
  await takeFunctions()
  await send(fake, REQUESTS[name](3))
  const files = await takeFunctions()
  await fake.close()
  const count = [...files.values()].reduce((sum, functions) => sum + functions.length, 0)
  process.stdout.write(`${name}: ${files.size} files, ${count} functions\n`)
  if (!isListing) continue
  for (const [file, functions] of [...files].sort()) process.stdout.write(`  ${file}: ${functions.join(' ')}\n`)
}
process.exit(0)
