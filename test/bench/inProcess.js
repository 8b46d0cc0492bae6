import { startServer } from './child.js'
import { requestOf } from './load.js'
import { loadOf } from './served.js'
import { compareCosts, measureInTurn, startChild } from './turns.js'
import { MONDAY } from './world.js'

const WARM_UP_MS = 3000
const ROUND_MS = 500
const WEEK = { timeMin: new Date(MONDAY).toISOString(), timeMax: new Date(MONDAY + 7 * 86_400_000).toISOString() }
const EVENTS = '/calendar/v3/calendars/primary/events'
const PATHS = { get: `${EVENTS}/event000000`, list: `${EVENTS}?${new URLSearchParams({ ...WEEK, maxResults: '50' })}` }

/** Measures the kinds of `caller.js`, each in a process of its own, and servers. Returns the costs of each. */
async function measureKinds(kinds, method, servers = []) {
  const callers = []
  for (const kind of kinds) callers.push(await startChild('caller.js', [kind, method]))
  const sides = callers.map(({ query }) => ({ warmUp: () => query(WARM_UP_MS), round: () => query(ROUND_MS) }))
  const costs = await measureInTurn([...sides, ...servers])
  for (const { stop } of callers) await stop()
  return costs
}

const METHODS = ['get', 'list']
const forEachMethod = async (measure) => {
  const rows = []
  for (const method of METHODS) rows.push(...[await measure(method)].flat())
  return rows
}

/** The price of a call in a unit test: by the official client in process, beside msw with a constant reply. */
export const client = {
  name: 'client',
  isMain: true,
  run: () =>
    forEachMethod(async (method) => {
      const [ours, msw] = await measureKinds(['client', 'msw'], method)
      const what = `events.${method} by the official client with \`fake.fetch\``
      return compareCosts(what, ours, [{ name: 'msw with a constant reply', costs: msw, most: 1.2 }])
    }),
}

export const worldPerTest = {
  name: 'world',
  isMain: true,
  async run() {
    const [own, shared] = await measureKinds(['world per test', 'shared world'], 'get')
    const name = 'insert, list and reset of a shared world'
    return compareCosts('a world for each test: create, insert, list, close', own, [{ name, costs: shared, most: 2 }])
  },
}

export const interception = {
  name: 'interception',
  run: () =>
    forEachMethod(async (method) => {
      const [intercepted, handlers, msw] = await measureKinds(['intercepted', 'handlers', 'msw'], method)
      const beside = [{ name: 'msw with a constant reply', costs: msw, most: 2 }]
      return [
        compareCosts(`events.${method} by the official client with \`intercept(fake)\``, intercepted, beside),
        compareCosts(`events.${method} by the official client with \`handlers(fake)\` of msw`, handlers, beside),
      ]
    }),
}

export const fetch = {
  name: 'fetch',
  run: () =>
    forEachMethod(async (method) => {
      const server = await startServer('ours', { count: 192, perWeek: 192, isLarge: true })
      const overSocket = loadOf(server, requestOf(PATHS[method]))
      const [ours, response, socket] = await measureKinds(['fake.fetch', 'response'], method, [overSocket])
      await server.stop()
      return compareCosts(`\`fake.fetch\` of events.${method}, its text read`, ours, [
        { name: 'the server for the same request', costs: socket, most: 1.3 },
        { name: 'a bare Response', costs: response },
      ])
    }),
}
