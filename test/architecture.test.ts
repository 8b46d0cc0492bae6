import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, test } from 'vitest'

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(`src/${file}`, 'utf8') }))

/** Every way to the machine's own time, timers and chance. */
const MACHINE = new RegExp(
  [
    /\bDate\.now\b|\bnew Date\b(?!\()|\bnew Date\(\s*\)|(?<!new |\w)Date\(\s*\)/,
    /\bperformance\b|\bhrtime\b|\buptime\(|\bTemporal\.Now\b/,
    /\bset(?:Timeout|Interval|Immediate)\b|\bAbortSignal\.timeout\b|\bnode:timers|\.setTimeout\(/,
    /\bMath\.random\b|\brandom(?:UUID|Bytes|Int|Fill)\b|\bgetRandomValues\b|\bgenerateKey\w*\(/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)

/**
 * The files that may use it, each with the reason. No world uses randomness: ids come from `model/ids.ts`, whose state is
 * the world’s.
 */
const TAKEN: Record<string, string[]> = {
  // The clock itself.
  'model/clock.ts': ['Date.now', 'setTimeout'],
  // A receiver is a real socket, so its time-out is in real time.
  'server/webhookSender.ts': ['AbortSignal.timeout'],
  // A delayed request waits in real time, unless the fault selects the world’s clock.
  'control/faults/delays.ts': ['setTimeout'],
  // An advance of the clock waits for responses of real receivers in real time.
  'control/worlds/world.ts': ['AbortSignal.timeout'],
  // Idle worlds are detected by real time.
  'server/worldRegistry.ts': ['Date.now', 'setTimeout'],
  // The duration of a request is real time.
  'control/journal/journal.ts': ['performance'],
  // An agent must not derive the tokens of other attempts from its own.
  'evaluation/variation.ts': ['randomBytes'],
  // The wait of a client before a retry is real time.
  'control/quota.ts': ['performance'],
  // Lets other sockets run; no time passes.
  // Proxies measure in real time how long an event stream is silent.
  'server/callStream.ts': ['setInterval'],
  // Lets other requests run between the parts of a batch.
  'server/batch/batch.ts': ['setImmediate', 'node:timers'],
  // Lets signals in between messages.
  'mcp/lineTransport.ts': ['setImmediate', 'node:timers'],
  // A process ends after a limit in real time, even if its server is busy, and with the npm that started it.
  'cli/exitOnSignal.ts': ['setInterval', 'setTimeout'],
  // A state is saved every minute of real time, whatever the clocks of its worlds are.
  'cli/stateFile.ts': ['setInterval'],
  // The programs that check a certificate have the clock of the machine.
  'interception/authority.ts': ['Date.now'],
  // A connection within the process is a socket to its client, which can set a timeout.
  'interception/inMemorySocket.ts': ['setTimeout'],
  // This runs in a page, which polls because no event reports that its popup was closed.
  'server/pages/scripts/gsi.ts': ['setInterval'],
  // Without a seed's moment, a world with `followTimers` starts at the `Date` of the test.
  'runners/testWorld.ts': ['Date.now'],
  // Another server is waited for in real time.
  'cli/capture/retryingFetch.ts': ['setTimeout', 'node:timers'],
  'cli/capture/boundedFetch.ts': ['AbortSignal.timeout'],
  // A played day pauses in real time, so that people can watch it.
  'cli/playDay.ts': ['setTimeout', 'node:timers'],
  // Toasts and presets of faults last for a real time in the browser.
  'ui/components/Toasts.tsx': ['setTimeout'],
  // The page advances a running clock between reads.
  'ui/hooks/useTicking.ts': ['performance', 'setInterval'],
  // A client chooses the ids of its conference requests, and those of new series, itself.
  'ui/panels/calendar/eventWrites.ts': ['getRandomValues'],
  // The page retries a lost connection in real time.
  'ui/session.ts': ['setTimeout', 'setInterval'],
  // Real processes end in real time: it is seen whether they have.
  'cli/exec/child.ts': ['setTimeout'],
  'cli/evaluation/runAgent.ts': ['setTimeout', 'node:timers'],
}

test('only the listed files read the time or randomness of the machine', () => {
  const uses = sources.flatMap(({ file, text }) => {
    const ways = [...new Set(text.match(MACHINE))]
    return ways.length > 0 ? [[file, ways.sort()] as const] : []
  })
  const allowed = Object.entries(TAKEN).map(([file, ways]) => [file, [...ways].sort()])
  expect(Object.fromEntries(uses)).toEqual(Object.fromEntries(allowed))
})

/** Every way to the time zone of the machine. A zone of the API is always named. */
const LOCAL_TIME = new RegExp(
  [
    /\.(?:get|set)(?:FullYear|Year|Month|Date|Day|Hours|Minutes|Seconds|Milliseconds|TimezoneOffset)\(/,
    /\.to(?:Date|Time|Locale\w*)String\(|\bnew Date\([^()]*,|DateTimeFormat\((?:'[^']*')?\)|\bchrono-node/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)

test('only the natural language of quickAdd and the page in the browser read the zone of the machine', () => {
  const uses = sources.flatMap(({ file, text }) => (text.match(LOCAL_TIME) ? [file] : []))

  // .ci/run therefore repeats only tests of date calculations in other zones.
  expect(uses.sort()).toEqual(['model/events/naturalLanguage.ts', 'ui/account.ts'])
})

/** Returns the files of `src` and the packages that a file loads when it is imported. */
function listLoaded(entry: string, found = new Set<string>()): Set<string> {
  if (found.has(entry)) return found
  found.add(entry)
  const text = sources.find(({ file }) => file === entry)?.text ?? ''
  for (const [, clause = '', from = ''] of text.matchAll(/^(?:import|export) (?!type )([^'";]*? from )?'([^']+)'/gm)) {
    const names = /^\{(.*)\}/s.exec(clause)?.[1]?.split(',') ?? ['']
    if (names.every((name) => /^\s*(?:type |$)/.test(name)) && clause !== '' && !clause.startsWith('*')) continue
    if (from.startsWith('.')) listLoaded(posix.join(posix.dirname(entry), from), found)
    else found.add(from)
  }
  return found
}

test('a server starts without zod and the MCP SDK, which are loaded on first use', () => {
  const loaded = [...listLoaded('cli/main.ts')]

  expect(loaded.length).toBeGreaterThan(150)
  expect(loaded).toContain('hono/router/reg-exp-router')
  expect(loaded.filter((name) => /^(?:zod|@modelcontextprotocol)\b/.test(name))).toEqual([])
})

test('no file outside of the inspector creates an object of Intl when it is loaded, because the first takes 25 ms', () => {
  const early = sources.filter(
    ({ file, text }) => !file.startsWith('ui/') && /^(?:export )?const .*new Intl\./m.test(text),
  )

  expect(early.map(({ file }) => file)).toEqual([])
})
