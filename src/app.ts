import { type Context, Hono } from 'hono'
import { api } from './api/index.ts'
import type { Guard } from './control/guard.ts'
import { type AuthMode, isWorldName, splitToken } from './http/auth.ts'
import { readable } from './http/cors.ts'
import { errorReply, notFoundPage, refusalOf } from './http/errors.ts'
import { peerOf } from './http/listen.ts'
import { type App, mount, verbOf } from './http/mount.ts'
import { type Place, placeOf, routed, type Way } from './http/place.ts'
import { jsonReply, type Made } from './http/reply.ts'
import type { Realm } from './life/realm.ts'
import { isPage, OAUTH_PATHS } from './oauth/paths.ts'

/** What holds the worlds that requests are for. */
export interface House {
  readonly options: Guard & { auth: AuthMode; consent?: boolean | undefined; strictSurface?: boolean | undefined }
  /** A world that may be entered; any other is refused. */
  realm(name: string): Realm
  /** The same for one answer: a world that there is not yet comes into being with one that is no refusal. */
  visit(name: string, act: (realm: Realm) => Response | Promise<Response>): Promise<Response>
  names(): string[]
  remove(name: string): void
  /** The time in a world, or where there is none of the name in the first. */
  now(name: string): number
}

/** What the shared apps are told of a request: where it goes, and whose it is. */
export type Entry = Place & Made & { house: House; way: Way; method: string }
type Asking = Context<{ Bindings: Entry }>

/** One app for the methods of the service, for every world of every house: the world travels with the request. */
let methods: App | undefined

/** A call of a method of the service; of what comes in a batch nothing else is answered. */
function called(request: Request, entry: Entry): Response | Promise<Response> {
  const { house, name, path, query, rootUrl, Response } = entry
  const { auth, strictSurface = false } = house.options
  if (!isWorldName(name)) return notFoundPage()
  methods ??= mount(api)
  const app = methods
  return house.visit(name, ({ world, rig }) =>
    app.fetch(request, { world, rig, auth, strictSurface, path, query, rootUrl, Response }),
  )
}

async function batch(c: Asking): Promise<Response> {
  const { answerBatch } = await import('./http/batch.ts')
  const { house, name, way } = c.env
  const run = async (call: Request) => {
    const entry = { ...c.env, ...placeOf(call, way), method: call.method, Response: undefined }
    try {
      return await called(call, entry)
    } catch (error) {
      return failed(error, entry)
    }
  }
  return answerBatch(c, { now: house.now(name), name, way, run })
}

/** Read by a POST that is to be taken for a GET as well (behaviour 11.13). */
async function discovery(c: Asking): Promise<Response> {
  if (verbOf(c.req.raw) !== 'GET') return notFoundPage()
  const { discoveryApp } = await import('./http/discovery.ts')
  const { raw } = c.req
  const reading = raw.method === 'POST' ? new Request(raw.url, { headers: raw.headers }) : raw
  return discoveryApp(api).fetch(reading, { ...c.env, now: c.env.house.now(c.env.name) })
}

async function oauth(c: Asking): Promise<Response> {
  const { oauthApp } = await import('./oauth/mount.ts')
  const { house, way, name, path, query, rootUrl } = c.env
  const named = (token: string | undefined) => way.named ?? splitToken(token ?? '').world ?? name
  const open = (token: string | undefined) => ({ name: named(token), world: house.realm(named(token)).world })
  const isOpen = (other: string) => house.names().includes(other)
  const { auth, consent = false } = house.options
  return oauthApp.fetch(c.req.raw, { path, query, rootUrl, open, isOpen, auth, consent, now: () => house.now(name) })
}

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

/** What somebody finds who looks at the address of a server. */
function index(c: Asking): Response {
  const { house, name, rootUrl } = c.env
  const links = {
    service: `${rootUrl}calendar/v3/`,
    methods: `${rootUrl}discovery/v1/apis/calendar/v3/rest`,
    batch: `${rootUrl}batch/calendar/v3`,
    oauth: `${rootUrl}.well-known/openid-configuration`,
    control: `${rootUrl}_control`,
    health: `${rootUrl}_control/health`,
    documentation: 'https://developers.google.com/workspace/calendar/api/v3/reference',
  }
  const about = 'An in-memory stand-in for the Google Calendar API v3. No data here is real.'
  return jsonReply({ name: 'fake-calendar', about, links }, { now: house.now(name), cache: 'none', indent: 1 })
}

const failed = (error: unknown, { house, name, method, path }: Entry): Response =>
  errorReply(refusalOf(error, `${method} ${path}`), { now: house.now(name) })

const isControl = (path: string): boolean => /^\/_control(\/|$)/.test(path)

/** No page of another origin reads what controls a world, or what is shown to a person. */
const isOwn = (path: string, method: string): boolean => isControl(path) || (isPage(path) && method !== 'OPTIONS')

/** The app around the methods: what else a server answers, each loaded when it is first asked for. */
const around = routed<Entry>()
  .use(async (c, next) => (isOwn(c.env.path, c.req.method) ? next() : readable(c, next)))
  .use(async (c, next) => (isWorldName(c.env.name) ? next() : notFoundPage()))
  .get('/', index)
  .all('/_control', control)
  .all('/_control/*', control)
  .on('POST', ['/batch/calendar/v3', '/batch'], batch)
  .on(['GET', 'POST'], ['/discovery/v1/apis', '/discovery/v1/apis/calendar/v3/rest', '/$discovery/rest'], discovery)
  .on('ALL', OAUTH_PATHS, oauth)
  .get('/calendar/ical/:calendarId/:sight/basic.ics', calendarFile)
  .all('*', (c) => called(c.req.raw, c.env))
  .onError((error, c) => failed(error, c.env))

/** Answers a request that has come to a house by some way. What is no address of the web leads nowhere. */
export async function enter(house: House, request: Request, way: Way, Made?: typeof Response): Promise<Response> {
  if (!/^https?:/.test(request.url)) return notFoundPage()
  return around.fetch(request, { ...placeOf(request, way), house, way, method: request.method, Response: Made })
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
