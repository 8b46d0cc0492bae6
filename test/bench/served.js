import { startServer } from './child.js'
import { load, requestOf, requestOnce } from './load.js'
import { compareCosts, measureInTurn } from './turns.js'
import { GUESTS, LOCAL_GUESTS, MONDAY } from './world.js'

const ROUND_MS = 600
/** Until the code is compiled. Before that, the interpreter is measured. */
const WARM_UP_MS = 3000
/** emulate rejects requests after the first 5,000 of a process. */
const MAX_REQUESTS = { emulate: { warmUp: 1400, round: 450 } }
const EVENTS = '/calendar/v3/calendars/primary/events'
const WEEK = { timeMin: new Date(MONDAY).toISOString(), timeMax: new Date(MONDAY + 7 * 86_400_000).toISOString() }
/** Each event makes a reply of 1.2 kB and has two guests. */
const WORLD = { count: 10_000, perWeek: 192, isLarge: true }
const HOUR = { start: { dateTime: '2026-03-02T09:00:00Z' }, end: { dateTime: '2026-03-02T10:00:00Z' } }
const PLANNING = { summary: 'Planning', ...HOUR }

const NAMES = { node: 'bare node:http', hono: 'bare Hono', emulate: 'emulate 0.11.2' }

/** Requests that all servers receive alike, and how many times as fast as another server we should be. */
const WORKLOADS = [
  { name: 'get', what: 'events.get (1.2 kB)', path: `${EVENTS}/event000000`, least: { hono: 0.6 } },
  {
    name: 'insert',
    what: 'events.insert with a guest of another service',
    path: EVENTS,
    init: { method: 'POST', body: { ...PLANNING, attendees: GUESTS.slice(0, 1) } },
    least: { hono: 0.2, emulate: 5 },
  },
  {
    name: 'list',
    what: 'events.list of a week: 50 of 192, 10,000 stored',
    path: `${EVENTS}?${new URLSearchParams({ ...WEEK, maxResults: '50' })}`,
    least: { emulate: 28 },
  },
  {
    name: 'page',
    what: 'events.list, first page of 250 (300 kB)',
    path: `${EVENTS}?maxResults=250`,
    least: { hono: 0.8, emulate: 9 },
  },
  {
    name: 'freebusy',
    what: 'freebusy.query of a week of 192',
    path: '/calendar/v3/freeBusy',
    init: { method: 'POST', body: { ...WEEK, items: [{ id: 'primary' }] } },
    least: { emulate: 28 },
  },
]

/** A side of a comparison: the processor time of a request to a server. `request` may return a function. */
export const loadOf = (server, request) => ({
  warmUp: () => load(server.port, request, { milliseconds: WARM_UP_MS, most: MAX_REQUESTS[server.kind]?.warmUp }),
  async round() {
    const before = await server.cpu()
    const answered = await load(server.port, request, {
      milliseconds: ROUND_MS,
      most: MAX_REQUESTS[server.kind]?.round,
    })
    return ((await server.cpu()) - before) / answered
  },
})

export const served = WORKLOADS.map(({ name, what, path, init, least }) => ({
  name,
  isMain: true,
  async run({ peer }) {
    const request = requestOf(path, init)
    const ours = await startServer('ours', WORLD)
    const { status, body } = await requestOnce(ours.port, request)
    if (status !== 200) throw new Error(`${path}: ${status} ${body}`)
    const kinds = ['node', 'hono', ...(peer && least.emulate ? ['emulate'] : [])]
    const others = []
    for (const kind of kinds) others.push(await startServer(kind, { ...WORLD, peer, body }))
    const servers = [ours, ...others]
    const [own, ...theirs] = await measureInTurn(servers.map((server) => loadOf(server, request)))
    for (const server of servers) await server.stop()
    const sides = kinds.map((kind, at) => ({ name: NAMES[kind], costs: theirs[at], least: least[kind] }))
    return compareCosts(what, own, sides)
  },
}))

const SERIES = { id: 'series', ...PLANNING, recurrence: ['RRULE:FREQ=DAILY;COUNT=200'] }
for (const side of ['start', 'end']) SERIES[side] = { ...HOUR[side], timeZone: 'UTC' }
const instanceId = (day) =>
  `series_${new Date(MONDAY + day * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')}T090000Z`
const patch = (id, body) => requestOf(`${EVENTS}/${id}`, { method: 'PATCH', body })
const insert = (body) => requestOf(EVENTS, { method: 'POST', body })

/** Writes beside an insert without guests. `nextRequest` receives a number, so that each request changes something. */
const WRITES = [
  { what: 'events.insert without guests', nextRequest: () => insert(PLANNING) },
  {
    what: 'events.insert with three guests who have calendars here',
    nextRequest: () => insert({ ...PLANNING, attendees: LOCAL_GUESTS }),
    most: 2,
  },
  {
    what: 'PATCH of one instance',
    before: [insert(SERIES)],
    nextRequest: (nth) => patch(instanceId(1), { summary: `Changed ${nth}` }),
    most: 2,
  },
  {
    what: 'PATCH of a series with 100 exceptions',
    before: [insert(SERIES), ...Array.from({ length: 100 }, (_, day) => patch(instanceId(day), { location: 'Room' }))],
    nextRequest: (nth) => patch('series', { summary: `Changed ${nth}` }),
    most: 20,
  },
]

export const writes = {
  name: 'writes',
  async run() {
    const servers = []
    const sides = []
    for (const { before = [], nextRequest } of WRITES) {
      const server = await startServer('ours', WORLD)
      for (const request of before) {
        const { status, body } = await requestOnce(server.port, request)
        if (status !== 200) throw new Error(`${status} ${body}`)
      }
      let nth = 0
      servers.push(server)
      sides.push(loadOf(server, () => nextRequest(nth++)))
    }
    const [plain, ...others] = await measureInTurn(sides)
    for (const server of servers) await server.stop()
    return others.map((costs, at) => {
      const { what, most } = WRITES[at + 1]
      return compareCosts(what, costs, [{ name: 'an insert without guests', costs: plain, most }])
    })
  },
}

/** The same request to a small and a large calendar, so that its time does not depend on the number of events. */
const GROWTH = [
  { what: 'events.get, 100,000 events', path: `${EVENTS}/event000000`, large: { count: 100_000 } },
  {
    what: 'events.list of a week of 10, 100,000 events',
    path: `${EVENTS}?${new URLSearchParams(WEEK)}`,
    large: { count: 100_000 },
  },
  {
    what: 'events.list of a week: 50 of 56,000',
    path: `${EVENTS}?${new URLSearchParams({ ...WEEK, maxResults: '50' })}`,
    large: { count: 56_000, perWeek: 56_000 },
    small: { count: 200, perWeek: 200 },
  },
]

export const growth = {
  name: 'growth',
  async run() {
    const rows = []
    for (const { what, path, large, small = { count: 1000 } } of GROWTH) {
      const servers = [await startServer('ours', large), await startServer('ours', small)]
      const [many, few] = await measureInTurn(servers.map((server) => loadOf(server, requestOf(path))))
      for (const server of servers) await server.stop()
      const name = `the same with ${small.count.toLocaleString('en')}`
      rows.push(compareCosts(what, many, [{ name, costs: few, most: 2 }]))
    }
    return rows
  },
}
