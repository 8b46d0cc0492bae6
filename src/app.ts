import { type Context, Hono } from 'hono'
import { verbOf } from './api/endpoint.ts'
import { api } from './api/index.ts'
import type { Guard } from './control/guard.ts'
import { isLook, isNoted } from './http/aside.ts'
import { type AuthMode, accountOf, isWorldName, splitToken } from './http/auth.ts'
import { readable } from './http/cors.ts'
import { stalled, underFate } from './http/effects.ts'
import { errorReply, notFoundPage, reasonOf, refusalOf } from './http/errors.ts'
import { peerOf } from './http/listen.ts'
import { type App, type Bindings, isMounted, mount } from './http/mount.ts'
import { type Place, placeOf, routed, type Way } from './http/place.ts'
import { jsonReply, type Made } from './http/reply.ts'
import { isPromise } from './http/steps.ts'
import type { Realm } from './life/realm.ts'
import type { OAuthServer } from './oauth/mount.ts'
import { isPage, OAUTH_PATHS } from './oauth/paths.ts'
import type { Asked } from './rig/asked.ts'
import { Journal, type Log, moment } from './rig/journal.ts'
import { ConnectionLost } from './rig/lost.ts'
import { SCRIPT_PATHS, type ScriptPath } from './scripts/paths.ts'

/** What holds the worlds that requests are for. */
export interface House {
  readonly options: Guard & {
    auth: AuthMode
    consent?: boolean | undefined
    strictSurface?: boolean | undefined
    log?: Log | undefined
  }
  /** A world that may be entered; any other is refused. */
  realm(name: string): Realm
  /** The same for one answer: a world that there is not yet comes into being with one that is no refusal, and begins it. */
  visit<R extends Response | Promise<Response>>(
    name: string,
    act: (realm: Realm) => R,
    isBegun?: (reply: Response) => boolean,
  ): R
  names(): string[]
  remove(name: string): void
  /** The time in a world, or where there is none of the name in the first. */
  now(name: string): number
}

/** What the shared apps are told of a request: where it goes, and whose it is. */
export type Entry = Place & Made & Pick<Bindings, 'wire' | 'outer'> & { house: House; way: Way; method: string }
/** A call in a batch: all of them are of the same, which takes its number with the first. */
type Envelope = { number?: number; journal?: Journal }
type Asking = Context<{ Bindings: Entry }>

/** One app for the methods of the service, for every world of every house: the world travels with the request. */
let methods: App | undefined

/** A call of a method of the service; of what comes in a batch nothing else is answered. */
function called(request: Request, entry: Entry, envelope?: Envelope): Response | Promise<Response> {
  return isLook(request, entry.path) ? lookedAt(request, entry) : calledBy(request, entry, envelope)
}

/** A read of the inspector's, whom the guard of `/_control` lets in or refuses. No world begins with it. */
async function lookedAt(request: Request, entry: Entry): Promise<Response> {
  const { requireTrusted } = await import('./control/guard.ts')
  requireTrusted(request, entry.house.options, entry.way.peer)
  return calledBy(request, entry, undefined, { noted: isNoted(request) })
}

type Aside = { noted: boolean }

function calledBy(request: Request, entry: Entry, envelope?: Envelope, aside?: Aside): Response | Promise<Response> {
  const { house, name, path, query, token, rootUrl, Response, wire, outer } = entry
  const { auth, strictSurface = false } = house.options
  if (!isWorldName(name)) return unheard(entry, notFoundPage())
  methods ??= mount(api)
  const app = methods
  return house.visit(
    name,
    ({ world, rig: own }) => {
      const rig = aside ? own.aside(aside.noted) : own
      const batch = envelope && numberOf(envelope, rig.journal)
      const met = { world, rig, auth, strictSurface, path, query, token, rootUrl, batch, Response, wire, outer }
      return app.fetch(request, aside ? { ...met, aside: true } : met)
    },
    aside && (() => false),
  )
}

function numberOf(envelope: Envelope, journal: Journal): number {
  envelope.journal ??= journal
  envelope.number ??= journal.takeBatch()
  return envelope.number
}

async function batch(c: Asking): Promise<Response> {
  const { answerBatch } = await import('./http/batch.ts')
  const { house, name, way, wire } = c.env
  const envelope: Envelope = {}
  const outer = { request: c.req.raw, stalls: [] }
  const run = async (call: Request) => {
    const entry = { ...c.env, ...placeOf(call, way), method: call.method, Response: undefined, outer }
    try {
      return await called(call, entry, envelope)
    } catch (error) {
      return failed(error, entry)
    }
  }
  const answer = () => answerBatch(c, { now: house.now(name), name, way, run })
  return noted(c, 'batch', async () => stalled(await answer(), outer, wire), envelope)
}

/** Read by a POST that is to be taken for a GET as well (behaviour 11.13). */
async function discovery(c: Asking): Promise<Response> {
  if (verbOf(c.req.raw) !== 'GET') return notFoundPage()
  const { discoveryApp } = await import('./http/discovery.ts')
  const { raw } = c.req
  const reading = raw.method === 'POST' ? new Request(raw.url, { headers: raw.headers }) : raw
  const now = c.env.house.now(c.env.name)
  return noted(c, 'discovery', async () => discoveryApp(api).fetch(reading, { ...c.env, now }))
}

async function oauth(c: Asking): Promise<Response> {
  const { oauthApp } = await import('./oauth/mount.ts')
  const { house, way, name, path, query, rootUrl, wire } = c.env
  const visit: OAuthServer['visit'] = (token, act) => {
    const at = way.named ?? splitToken(token ?? '').world ?? name
    let written = false
    const answered = async ({ world, rig }: Realm) => {
      const { writes } = world.store
      const reply = await act(world, at, rig)
      written = world.store.writes !== writes
      return reply
    }
    // Who reads keys or addresses, or only looks, needs no world of their own.
    return house.visit(at, answered, () => written && c.req.method !== 'HEAD')
  }
  const isOpen = (other: string) => house.names().includes(other)
  const { auth, consent = false } = house.options
  const place = { path, query, rootUrl, now: () => house.now(name) }
  return oauthApp.fetch(c.req.raw, { ...place, visit, isOpen, auth, consent, wire })
}

/**
 * Answers what is no method of the service: it too may be made to fail, in a world that there is, and is noted there, or where
 * its parts are. What was said is not kept.
 */
async function noted(c: Asking, method: string, act: () => Promise<Response>, envelope: Envelope = {}) {
  const { house, name, path, query, wire } = c.env
  const { raw: request } = c.req
  const asked: Asked = { method, verb: request.method, path, named: {}, query, text: '' }
  const heard = async () => {
    const reply = await act()
    asked.batch = envelope.number
    return { reply, outcome: { status: reply.status } }
  }
  if (!house.names().includes(name)) {
    const begun = moment()
    const { reply, outcome } = await heard()
    const journal = envelope.journal ?? nowhere(house, name)
    journal.note(asked, outcome, begun)
    return reply
  }
  const { rig, clock, world } = house.realm(name)
  asked.account = accountOf(world, request, { query, auth: house.options.auth })
  const fate = rig.faults.none ? undefined : rig.faults.meet(asked)
  return underFate(fate, asked, { rig, wire }, { now: clock.now(), gone: () => request.signal }, heard)
}

/** Where there is no world to note a request in, it is logged alone. */
const nowhere = (house: House, name: string): Journal =>
  new Journal(name, { now: () => house.now(name) }, 0, house.options.log)

async function control(c: Asking): Promise<Response> {
  const { controlApp } = await import('./control/mount.ts')
  return controlApp.fetch(c.req.raw, c.env)
}

/** A calendar as a file, which no token opens, and its address does. */
async function calendarFile(c: Asking): Promise<Response> {
  const { answerFile } = await import('./http/calendarFiles.ts')
  const { calendarId = '', sight = '' } = c.req.param() as Record<string, string>
  return c.env.house.visit(c.env.name, ({ world }) => answerFile(world, calendarId, sight))
}

/** What a page loads that was written for the service's own scripts. */
async function script(c: Asking): Promise<Response> {
  const { answerScript } = await import('./scripts/scripts.ts')
  return answerScript(c.env.path as ScriptPath)
}

/** The page that shows a world to a person, and what it is made of. */
async function inspector(c: Asking): Promise<Response> {
  const { answerPage } = await import('./control/inspector.ts')
  return answerPage(c.req.raw, c.env)
}

/** What somebody finds who looks at the address of a server: in a browser the inspector. */
function index(c: Asking): Response {
  const { house, name, rootUrl } = c.env
  if (/\btext\/html\b/i.test(c.req.header('Accept') ?? '')) return c.redirect(`${rootUrl}_ui/`)
  const links = {
    service: `${rootUrl}calendar/v3/`,
    methods: `${rootUrl}discovery/v1/apis/calendar/v3/rest`,
    batch: `${rootUrl}batch/calendar/v3`,
    oauth: `${rootUrl}.well-known/openid-configuration`,
    control: `${rootUrl}_control`,
    health: `${rootUrl}_control/health`,
    inspector: `${rootUrl}_ui/`,
    documentation: 'https://developers.google.com/workspace/calendar/api/v3/reference',
  }
  const about = 'An in-memory stand-in for the Google Calendar API v3. No data here is real.'
  return jsonReply({ name: 'fake-calendar', about, links }, { now: house.now(name), cache: 'none', indent: 1 })
}

/** Answers a request that no world notes: one for a world that there may not be, or that a fault of ours has ended. */
function unheard({ house, name, method, path, query }: Entry, reply: Response, reason?: string): Response {
  const asked = { method: 'unknown', verb: method, path, named: {}, query, text: '' }
  nowhere(house, name).note(asked, { status: reply.status, reason }, moment())
  return reply
}

function failed(error: unknown, entry: Entry): Response {
  if (error instanceof ConnectionLost) throw error
  const refusal = refusalOf(error, `${entry.method} ${entry.path}`)
  return unheard(entry, errorReply(refusal, { now: entry.house.now(entry.name) }), reasonOf(refusal))
}

const isControl = (path: string): boolean => /^\/_control(\/|$)/.test(path)

const isInspector = (path: string): boolean => /^\/_ui(\/|$)/.test(path)

/** No page of another origin reads what controls a world, or what is shown to a person. */
const isOwn = (path: string, method: string): boolean =>
  isControl(path) || isInspector(path) || (isPage(path) && method !== 'OPTIONS')

/** The app around the methods: what else a server answers, each loaded when it is first asked for. */
const surroundings = (): Hono<{ Bindings: Entry }> =>
  routed<Entry>()
    .use(async (c, next) => (isOwn(c.env.path, c.req.method) ? next() : readable(c, next)))
    .use(async (c, next) => (isWorldName(c.env.name) ? next() : unheard(c.env, notFoundPage())))
    .get('/', index)
    .all('/_control', control)
    .get('/_ui', inspector)
    .get('/_ui/*', inspector)
    .all('/_control/*', control)
    .on('POST', ['/batch/calendar/v3', '/batch'], batch)
    .on(['GET', 'POST'], ['/discovery/v1/apis', '/discovery/v1/apis/calendar/v3/rest', '/$discovery/rest'], discovery)
    .on('ALL', OAUTH_PATHS, oauth)
    .on('GET', [...SCRIPT_PATHS], script)
    .get('/calendar/ical/:calendarId/:sight/basic.ics', calendarFile)
    .all('*', (c) => called(c.req.raw, c.env))
    .onError((error, c) => failed(error, c.env))

let around: ReturnType<typeof surroundings> | undefined

/** Answers a request that has come to a house by some way. What is no address of the web leads nowhere. */
export function enter(
  house: House,
  request: Request,
  way: Way,
  { Response, wire }: Pick<Entry, 'Response' | 'wire'> = {},
): Response | Promise<Response> {
  if (!/^https?:/.test(request.url)) return notFoundPage()
  // Written out: a spread that is added to costs as much as the routing, here and wherever all requests come by.
  const { name, path, query, token, rootUrl } = placeOf(request, way)
  const { method } = request
  const entry: Entry = { name, path, query, token, rootUrl, house, way, method, Response, wire, outer: undefined }
  if (isCallAlone(request, entry)) return calledAlone(request, entry)
  around ??= surroundings()
  return around.fetch(request, entry)
}

/** A call at an address that is of nothing else, made by no page: it goes straight to the methods. */
const isCallAlone = ({ headers }: Request, { path, method }: Entry): boolean =>
  isMounted(path) && method !== 'OPTIONS' && !headers.has('Origin')

function calledAlone(request: Request, entry: Entry): Response | Promise<Response> {
  try {
    const reply = called(request, entry)
    return isPromise(reply) ? reply.catch((error) => failed(error, entry)) : reply
  } catch (error) {
    return failed(error, entry)
  }
}

/** A house as an app of its own, which others may give a place in theirs: it finds itself there, and says so in addresses. */
export function appOf(answer: (request: Request, prefix: string, peer: string | undefined) => Promise<Response>): Hono {
  return new Hono().all('*', (c) => {
    // Read off the context, which may be of another copy of Hono: `/google/*` where it stands at `/google`.
    const { length } = c.req.routePath.split('/').slice(1, -1)
    const { pathname } = new URL(c.req.url)
    return answer(
      c.req.raw,
      pathname
        .split('/')
        .slice(0, length + 1)
        .join('/'),
      peerOf(c.env),
    )
  })
}
