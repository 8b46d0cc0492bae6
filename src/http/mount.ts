import { type Context, Hono } from 'hono'
import { RegExpRouter } from 'hono/router/reg-exp-router'
import { type Call, type Endpoint, type OnCalendar, verbOf } from '../api/endpoint.ts'
import type { Author } from '../db/store.ts'
import { settleNextRequestConferences } from '../effects/conferences.ts'
import { HINT, type Hint, headerOf } from '../hints/hint.ts'
import { type Found, hintsOn, hintsOnRefusal, unknownIn } from '../hints/hints.ts'
import { Parameters } from '../hints/ignored.ts'
import type { Asked } from '../rig/asked.ts'
import type { Fate } from '../rig/faults.ts'
import { ConnectionLost } from '../rig/lost.ts'
import { durationOf } from '../time/clock.ts'
import { readParams, readStandard } from '../wire/params.ts'
import { refuse } from '../wire/refusals.ts'
import { sightOf } from '../wire/scopes.ts'
import { requireRole, roleFor } from '../world/access.ts'
import type { World } from '../world/world.ts'
import { INSPECTOR } from './aside.ts'
import { type AuthMode, arrive, type Credentials, identify } from './auth.ts'
import { bodyIn, formIn, type Sent, sentBy } from './body.ts'
import { ended, type Met, undergo } from './effects.ts'
import { askedFor, emptyPage } from './emptyPage.ts'
import { errorAnswer, notFoundPage, reasonOf, refusalOf } from './errors.ts'
import { type Answer, emptyAnswer, jsonAnswer, made, matches } from './reply.ts'
import { worldAgo } from './stale.ts'
import { gone, type Steps, waited } from './steps.ts'

/** What the shared app is told of a request: the world it is for, who may come in, and the path once the world is out of it. */
export type Bindings = Met & {
  world: World
  auth: AuthMode
  /** Whether parameters and fields that the service ignores are refused. */
  strictSurface: boolean
  path: string
  query: URLSearchParams
  /** The bearer token that it brings. */
  token: string | undefined
  /** The number of the batch that it came in. */
  batch?: number | undefined
  /** Whether it only looks: whatever follows from a read is taken back. */
  aside?: boolean | undefined
  /** The address that this server has for the client, with the world that it asked for: absolute URLs begin with it. */
  rootUrl: string
}
export type App = Hono<{ Bindings: Bindings }>
type Asking = Context<{ Bindings: Bindings }>

/** The base path of the service. */
export const SERVICE_PATH = '/calendar/v3'
/** Where else it is found: by clients whose endpoint setting replaces the whole base. */
const MOUNTED = /^(?:\/calendar)?\/v3(?=\/)/
export const isMounted = (path: string): boolean => MOUNTED.test(path)

/**
 * Turns a table of endpoints into an app. Its routes begin with the verb, as in `/GET/colors`, since Hono lets an app say
 * which path a request is routed by and not which method. The router is named: Hono's own choice may be a slower one.
 */
export function mount(endpoints: readonly Endpoint[]): App {
  const app: App = new Hono({
    router: new RegExpRouter(),
    getPath: (request, { env } = {}) => `/${verbOf(request)}${(env as Bindings).path.replace(MOUNTED, '')}`,
  })
  const methods = new Parameters(endpoints)
  for (const [route, byName] of routes(endpoints)) {
    app.all(route, (c) => {
      const path: Record<string, string> = c.req.param()
      const endpoint = byName(path.eventId ?? '')
      return endpoint ? gone(answering(endpoint, c, path, methods)) : nowhere(c)
    })
  }
  app.onError((error) => {
    throw error
  })
  return app.notFound(nowhere)
}

/** Nothing of the service stands there. What was sent is not read. */
function nowhere(c: Asking): Response {
  const { rig, path, query, batch } = c.env
  const begun = rig.journal.begin()
  const reply = notFoundPage()
  const asked = { method: 'unknown', verb: c.req.raw.method, path, named: {}, query, text: '', batch }
  rig.journal.note(asked, { status: reply.status }, begun)
  return reply
}

type ByName = (name: string) => Endpoint | undefined

/**
 * A router that has `POST events/import` beside `POST events/{eventId}/move` may not be able to match both at once: such
 * names share one row of the routing, where the last segment chooses.
 */
function routes(endpoints: readonly Endpoint[]): Map<string, ByName> {
  const named = /^(.*\/events)\/([a-z]\w*)$/i
  const rows = new Map<string, ByName>()
  for (const endpoint of endpoints) {
    const route = `/${endpoint.verb}${endpoint.path.replace(/\{(\w+)\}/g, ':$1')}`
    const [, parent, name] = named.exec(route) ?? []
    if (!parent) rows.set(route, () => endpoint)
    else {
      const others = rows.get(`${parent}/:eventId`)
      rows.set(`${parent}/:eventId`, (asked) => (asked === name ? endpoint : others?.(asked)))
    }
  }
  return rows
}

function* answering(
  endpoint: Endpoint,
  c: Asking,
  named: Record<string, string>,
  methods: Parameters,
): Steps<Response> {
  const { rig, query, path, batch } = c.env
  const { method: verb } = c.req.raw
  const begun = rig.journal.begin()
  const sent = yield* waited(sentBy(c))
  const asked: Came = { method: methodOf(endpoint), verb, path, named, query, text: sent.text, batch }
  if (c.req.raw.headers.has(INSPECTOR)) asked.inspector = true
  const pretty = query.get('prettyPrint') !== 'false'
  try {
    const said = yield* orRefused(answered(endpoint, c, asked, { sent, pretty, methods }), (error) =>
      refused(error, asked, placeIn(endpoint, c, pretty)),
    )
    return over(endpoint, asked, c, { said, methods, begun })
  } catch (error) {
    if (error instanceof ConnectionLost) rig.journal.note(asked, { fault: asked.fate?.fault }, begun)
    throw error
  }
}

function* orRefused(steps: Steps<Answer>, refuse: (error: unknown) => Said): Steps<Said> {
  try {
    return yield* steps
  } catch (error) {
    return refuse(error)
  }
}

type Done = { said: Said; methods: Parameters; begun: number }

/** What stands beside an answer before it goes out: hints, and the journal's note of it. */
function over(endpoint: Endpoint, asked: Came, c: Asking, { said, methods, begun }: Done): Response {
  const { world, rig } = c.env
  const { refusal } = asked
  const hints = refusal
    ? hintsOnRefusal(endpoint, asked, asked, { world, refusal, retries: rig.retries, methods })
    : hintsOn(endpoint, asked, asked, methods)
  const told = hints.length > 0 ? { ...said, headers: { ...said.headers, [HINT]: headerOf(hints) } } : said
  const reply = asked.fate ? ended(told, asked.fate, c.env, () => signalOf(c)) : made(told, c.env)
  const { status, text, reason } = told
  rig.journal.note(asked, { status, text, reason, hints, fault: asked.fate?.fault }, begun)
  return reply
}

/** Where the surface is strict, what the service would ignore is refused. */
function refuseUnknown(hints: readonly Hint[]): void {
  const [first] = hints
  if (first) refuse('unknownToTheService', { what: first.what, instead: first.instead })
}

type Said = Answer & { readonly reason?: string | undefined }

/** What is answered in place of what failed, and why; to a connection that is lost, nothing. */
function refused(error: unknown, asked: Came, at: RefusedAt): Said {
  if (error instanceof ConnectionLost) throw error
  const refusal = refusalOf(error, at.method)
  asked.refusal = refusal
  return { ...errorAnswer(refusal, at), reason: reasonOf(refusal) }
}

type RefusedAt = { now: number; method: string; pretty: boolean; scopes: readonly string[] }

const placeIn = ({ id, scopes }: Endpoint, { env }: Asking, pretty: boolean): RefusedAt => ({
  now: env.world.clock.now(),
  method: id,
  pretty,
  scopes,
})

/** Tells when the client goes away: for a part of a batch, that of the batch. */
const signalOf = ({ env, req }: Asking): AbortSignal => (env.outer?.request ?? req.raw).signal

/** A method as a test author calls it: `events.insert`. */
const methodOf = ({ id }: Endpoint): string => id.slice('calendar.'.length)

/** A request, what was found out of it, and the fault that it met. */
type Came = Asked & Found & { fate?: Fate | undefined }
type Brought = { sent: Sent; pretty: boolean; methods: Parameters }

/** The order of the checks is the order of the lines. */
function* answered(endpoint: Endpoint, c: Asking, asked: Came, { sent, pretty, methods }: Brought): Steps<Answer> {
  const { world, rig, auth, strictSurface, rootUrl, query, token, aside } = c.env
  const { named: path } = asked
  const request = c.req.raw
  const given = { token, apiKey: query.get('key'), isPublic: endpoint.public === true }
  const credentials = identify(world, given, auth)
  const { caller: account, scopes } = credentials
  if (scopes && !endpoint.scopes.some((scope) => scopes.includes(scope))) refuse('insufficientScope')
  const sight = scopes && sightOf(endpoint.scopes, scopes)
  const caller = sight ? { ...account, sight } : account
  asked.account = caller.email
  asked.client = credentials.client
  asked.caller = caller
  if (credentials.guessed) asked.taken = caller.email
  if (!rig.faults.none) {
    asked.fate = rig.faults.meet(asked)
    const at = { ...placeIn(endpoint, c, pretty), gone: () => signalOf(c) }
    const instead = asked.fate && (yield* waited(undergo(asked.fate, asked, c.env, at)))
    if (instead) {
      asked.refusal = instead.refusal
      asked.onCue = true
      return instead
    }
  }
  rig.quota.spend(asked)
  const { fields } = readStandard(query)
  const wanted = query.has('pageToken') ? askedFor(asked.path, query) : query
  const mask = yield* waited(maskOf(fields, endpoint))
  const form = request.method === 'POST' && !endpoint.request ? formIn(sent) : undefined
  const params = readParams(endpoint.params, { path, query: wanted, form }) as Call['params']
  const read = endpoint.request && (yield* waited(bodyIn(sent, endpoint.request)))
  asked.given = read?.given
  if (strictSurface) refuseUnknown(unknownIn(endpoint, asked, asked, methods))
  if (endpoint.prepare) yield* waited(endpoint.prepare())
  const { effect } = asked.fate ?? {}
  const seen = effect?.stale === undefined ? world : worldAgo(world, rig.past, durationOf(effect.stale))
  const ifMatch = request.headers.get('If-Match') ?? undefined
  const call = { world: seen, caller, params, body: read?.body, rootUrl, ifMatch }
  asked.n = rig.journal.take()
  const author = { by: caller.email, call: asked.n }
  const shown: Mask = effect?.emptyPage ? (page) => mask(emptyPage(page, world, asked.path, wanted)) : mask
  return handled(endpoint, credentials, call, { request, now: world.clock.now(), pretty, mask: shown, author, aside })
}

/**
 * A request is done whole, down to its reply, or not at all: a refusal, and a fault of ours, leave nothing behind, not
 * even the account of a caller who came for the first time. What waited for it to come is done first, and stays.
 */
function handled(endpoint: Endpoint, credentials: Credentials, call: Call, wanted: Wanted): Answer {
  const { store } = call.world
  const act = () => {
    arrive(call.world, credentials)
    return reply(endpoint, endpoint.handle(onCalendar(endpoint, call)), wanted)
  }
  if (wanted.aside) return store.dryRun(act)
  store.withAuthor({ by: 'clock' }, () => settleNextRequestConferences(call.world))
  return store.withAuthor(wanted.author, () => store.transaction(act))
}

/** The calendar that the path names and the caller's role on it: 404 for those who have none, 403 for those with too little. */
function onCalendar({ role: needed }: Endpoint, call: Call): Call & OnCalendar {
  if (!needed) return call as Call & OnCalendar
  const { world, caller, params, body, ifMatch, rootUrl } = call
  const { calendar, role } = roleFor(world, String(params.calendarId), caller)
  requireRole(role, needed)
  return { world, caller, params, body, ifMatch, rootUrl, calendar, role }
}

type Mask = (reply: object) => object

const whole: Mask = (reply) => reply

const maskOf = (fields: string, { response }: Endpoint): Mask | Promise<Mask> =>
  fields === '' || response === undefined ? whole : maskIn(fields, response)

/** The schemas that a mask is checked against are loaded with the first that wants less than all. */
async function maskIn(fields: string, response: string): Promise<Mask> {
  const { masked, readMask } = await import('./fields.ts')
  const mask = readMask(fields, response)
  return (reply) => (mask ? masked(reply, mask) : reply)
}

/** Resources that are shown with their etag as a header; collections and colours are not (behaviour 11.5). */
const TAGGED = ['Event', 'Calendar', 'CalendarListEntry', 'AclRule', 'Setting']

/** What an answer is made for, and who signs what it writes. */
type Wanted = {
  request: Request
  now: number
  pretty: boolean
  mask: Mask
  author: Author
  aside?: boolean | undefined
}

function reply(endpoint: Endpoint, result: unknown, { request, now, pretty, mask }: Wanted): Answer {
  const { verb, response } = endpoint
  if (!response || typeof result !== 'object' || result === null) return emptyAnswer(204, { now })
  const etag = 'etag' in result && typeof result.etag === 'string' ? result.etag : undefined
  const reading = verb === 'GET'
  if (reading && etag && matches(etag, request.headers.get('If-None-Match'))) return emptyAnswer(304, { now, etag })
  return jsonAnswer(mask(result), {
    now,
    cache: response === 'Colors' ? 'hour' : reading ? 'private' : 'none',
    indent: pretty ? 1 : 0,
    etag: TAGGED.includes(response) ? etag : undefined,
  })
}
