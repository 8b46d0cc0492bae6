import { started } from './child.js'
import { load, once, requestOf } from './load.js'
import { median } from './median.js'
import { bigEvent, MONDAY } from './world.js'

const ROUNDS = 5
const MILLISECONDS = 600
/** Until the code is compiled: on a busy machine that takes seconds, and what is measured before is the interpreter. */
const WARM_UP = 3000
/** emulate refuses what a process of it is asked after 5,000 requests. */
const MOST = { emulate: { warmUp: 1500, round: 650 } }
const EVENTS = '/calendar/v3/calendars/primary/events'
const WEEK = { timeMin: new Date(MONDAY).toISOString(), timeMax: new Date(MONDAY + 7 * 86_400_000).toISOString() }
const WORLD = { count: 10_000, perWeek: 50 }

/** What is asked of all servers alike, and how much less of the processor's time ours should take than each of them. */
const ASKED = [
  {
    name: 'get',
    what: 'events.get (1.2 kB)',
    path: `${EVENTS}/large0`,
    before: { method: 'POST', path: EVENTS, body: bigEvent },
    targets: { hono: 0.6 },
    peers: ['node', 'hono'],
  },
  {
    name: 'insert',
    what: 'events.insert',
    path: EVENTS,
    init: {
      method: 'POST',
      body: {
        summary: 'Planning',
        start: { dateTime: '2026-03-02T09:00:00Z' },
        end: { dateTime: '2026-03-02T10:00:00Z' },
      },
    },
    targets: { hono: 0.35, emulate: 15 },
    peers: ['node', 'hono', 'emulate'],
  },
  {
    name: 'list',
    what: 'week list of 50 at 10,000 events',
    path: `${EVENTS}?${new URLSearchParams({ ...WEEK, maxResults: '50' })}`,
    targets: { emulate: 40 },
    peers: ['node', 'hono', 'emulate'],
  },
  {
    name: 'page',
    what: 'first page of 250',
    path: `${EVENTS}?maxResults=250`,
    targets: { hono: 0.8, emulate: 8 },
    peers: ['node', 'hono', 'emulate'],
  },
  {
    name: 'freebusy',
    what: 'freeBusy of a week at 10,000 events',
    path: '/calendar/v3/freeBusy',
    init: { method: 'POST', body: { ...WEEK, items: [{ id: 'primary' }] } },
    targets: { emulate: 30 },
    peers: ['node', 'hono', 'emulate'],
  },
]

const CALLED = { node: 'bare node:http', hono: 'bare Hono', emulate: 'emulate 0.11.2' }
const us = (value) => `${value.toFixed(value < 10 ? 1 : 0)} µs`

export const served = ASKED.map((asked) => ({ name: asked.name, run: ({ peer }) => rowOf(asked, peer) }))

/** Rounds in which each server has its turn, so that what else the machine does meets all of them. */
async function rowOf({ what, path, init, before, targets, peers }, peer) {
  const request = requestOf(path, init)
  const ours = await started('ours', WORLD)
  if (before) await once(ours.port, requestOf(before.path, before))
  const { status, body } = await once(ours.port, request)
  if (status !== 200) throw new Error(`${path}: ${status} ${body}`)
  const kinds = peers.filter((kind) => kind !== 'emulate' || peer)
  const others = []
  for (const kind of kinds) others.push(await started(kind, { ...WORLD, peer, body }))
  const taken = await inTurn([ours, ...others], () => request)
  for (const server of [ours, ...others]) await server.stop()
  const [own, ...theirs] = taken
  const compared = kinds.map((kind, at) => {
    const ratio = median(own.map((mine, round) => theirs[at][round] / mine))
    return { kind, taken: median(theirs[at]), ratio, target: targets[kind] }
  })
  const judged = compared.filter(({ target }) => target !== undefined)
  return {
    what,
    ours: us(median(own)),
    beside: compared.map((one) => `${CALLED[one.kind]} ${us(one.taken)}`).join(', '),
    ratio: judged.map((one) => `${one.ratio.toFixed(2)} x ${CALLED[one.kind]}`).join('; '),
    target: Object.entries(targets)
      .map(([kind, least]) => `>= ${least} x ${CALLED[kind]}`)
      .join('; '),
    met: judged.every((one) => one.ratio >= one.target),
  }
}

/** Of each server, the microseconds of the processor for one request, round by round. */
async function inTurn(servers, requestFor) {
  const taken = servers.map(() => [])
  const askedOf = (server, milliseconds, span) =>
    load(server.port, requestFor(server), { milliseconds, most: MOST[server.kind]?.[span] })
  for (const server of servers) await askedOf(server, WARM_UP, 'warmUp')
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, server] of servers.entries()) {
      const before = await server.cpu()
      const answered = await askedOf(server, MILLISECONDS, 'round')
      taken[at].push(((await server.cpu()) - before) / answered)
    }
  }
  return taken
}

/** The same page of a week that holds 200 events, and of one that holds 56,000. */
export const crowded = {
  name: 'week',
  async run() {
    const counts = [56_000, 200]
    const servers = []
    for (const count of counts) servers.push(await started('ours', { count, perWeek: count }))
    const request = requestOf(`${EVENTS}?${new URLSearchParams({ ...WEEK, maxResults: '50' })}`)
    const [full, light] = await inTurn(servers, () => request)
    for (const server of servers) await server.stop()
    const ratio = median(full.map((one, round) => one / light[round]))
    return {
      what: 'week list of 50 with 56,000 events in that week',
      ours: us(median(full)),
      beside: `the same with 200: ${us(median(light))}`,
      ratio: `${ratio.toFixed(2)} x`,
      target: '<= 2 x',
      met: ratio <= 2,
    }
  },
}
