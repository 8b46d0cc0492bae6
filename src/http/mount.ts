import { RegExpRouter } from 'hono/router/reg-exp-router'
import { readParams, readStandard } from '../wire/params.ts'
import { refuse } from '../wire/refusals.ts'
import { calendarFor, requireRole } from '../world/access.ts'
import type { World } from '../world/world.ts'
import { type AuthMode, authenticate, bearerOf } from './auth.ts'
import { readBody, readForm } from './body.ts'
import type { Call, Endpoint, OnCalendar } from './endpoint.ts'
import { errorReply, notFoundPage, refusalOf } from './errors.ts'
import type { Incoming, Reply } from './message.ts'
import { emptyReply, jsonReply } from './reply.ts'

/** What the shared app is told of a request: the world it is for, who may come in, and the path once the world is out of it. */
export type Bindings = {
  world: World
  auth: AuthMode
  path: string
  /** The address that this server has for the client, with the world that it asked for: absolute URLs begin with it. */
  rootUrl: string
}
export type App = (request: Incoming, bindings: Bindings) => Promise<Reply>

/** The base path of the service. */
export const SERVICE_PATH = '/calendar/v3'
/** Where else it is found: by clients whose endpoint setting replaces the whole base. */
const MOUNTED = /^(?:\/calendar)?\/v3(?=\/)/

/** The verb of a request: a POST may ask to be taken for another (behaviour 11). */
export function verbOf({ method, headers }: Incoming): string {
  const asked = method === 'POST' ? headers.get('X-HTTP-Method-Override')?.trim().toUpperCase() : undefined
  if (asked && /^[A-Z]+$/.test(asked)) return asked
  return method === 'HEAD' ? 'GET' : method
}

/** The path of a method, wherever the API is mounted. */
export const methodPath = (path: string): string => path.replace(MOUNTED, '')

/** Turns a table of endpoints into a server. The order of checks is the text of `answer`. */
export function mount(endpoints: readonly Endpoint[]): App {
  const router = new RegExpRouter<Route>()
  for (const route of routes(endpoints)) router.add(route[0], route[1], route)
  return async (request, bindings) => {
    const [[found] = [], stash = []] = router.match(verbOf(request), bindings.path)
    if (!found) return notFoundPage()
    const [[, , byName], at] = found
    const path = Object.fromEntries(Object.entries(at).map(([name, nth]) => [name, decoded(stash[Number(nth)] ?? '')]))
    const endpoint = byName(path.eventId ?? '')
    return endpoint ? answer(endpoint, { ...bindings, request, path }) : notFoundPage()
  }
}

/** A part of the path as it was meant; what is not well encoded is taken as it stands. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

type Route = [verb: string, path: string, byName: (name: string) => Endpoint | undefined]

/**
 * `POST events/import` beside `POST events/{eventId}/move` would make the router give up its fast path: such names
 * share one row of the routing, where the last segment chooses.
 */
function routes(endpoints: readonly Endpoint[]): Route[] {
  const named = /^(.*\/events)\/([a-z]\w*)$/i
  const rows = new Map<string, Route>()
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/\{(\w+)\}/g, ':$1')
    const [, parent, name] = named.exec(path) ?? []
    if (!parent) rows.set(`${endpoint.verb} ${path}`, [endpoint.verb, path, () => endpoint])
    else {
      const shared = `${parent}/:eventId`
      const others = rows.get(`${endpoint.verb} ${shared}`)?.[2]
      rows.set(`${endpoint.verb} ${shared}`, [
        endpoint.verb,
        shared,
        (asked) => (asked === name ? endpoint : others?.(asked)),
      ])
    }
  }
  return [...rows.values()]
}

type Asking = Omit<Bindings, 'path'> & { request: Incoming; path: Record<string, string> }

async function answer(endpoint: Endpoint, { world, auth, rootUrl, request, path }: Asking): Promise<Reply> {
  const query = new URL(request.url).searchParams
  const pretty = query.get('prettyPrint') !== 'false'
  try {
    const credentials = {
      token: bearerOf(request, query),
      apiKey: query.get('key'),
      isPublic: endpoint.public === true,
    }
    const { caller, scopes } = authenticate(world, credentials, auth)
    if (scopes && !endpoint.scopes.some((scope) => scopes.includes(scope))) refuse('insufficientScope')
    const { fields } = readStandard(query)
    const mask = await maskOf(fields, endpoint)
    const form = request.method === 'POST' && !endpoint.request ? await readForm(request) : undefined
    const params = readParams(endpoint.params, (name) =>
      path[name] !== undefined ? [path[name]] : [...query.getAll(name), ...(form?.getAll(name) ?? [])],
    ) as Call['params']
    const body = endpoint.request && (await readBody(request, endpoint.request))
    await endpoint.prepare?.()
    const call = { world, caller, params, body, rootUrl, ifMatch: request.headers.get('If-Match') ?? undefined }
    return reply(endpoint, handled(endpoint, call), { request, now: world.clock.now(), pretty, mask })
  } catch (error) {
    const at = { now: world.clock.now(), method: endpoint.id, pretty, scopes: endpoint.scopes }
    return errorReply(refusalOf(error), at)
  }
}

/** A request is done whole or not at all: a refusal, and a fault of ours, leave nothing behind. */
const handled = (endpoint: Endpoint, call: Call): unknown =>
  call.world.store.transaction(() => endpoint.handle({ ...call, ...onCalendar(endpoint, call) }))

/** The calendar that the path names and the caller's role on it: 404 for those who have none, 403 for those with too little. */
function onCalendar({ role: needed }: Endpoint, { world, caller, params }: Call): OnCalendar {
  if (!needed) return {} as OnCalendar
  const calendar = calendarFor(world, String(params.calendarId), caller)
  return { calendar, role: requireRole(world, calendar, caller, needed) }
}

type Mask = (reply: object) => object

/** What a request wants of a reply. The schemas that it is checked against are loaded with the first that wants less than all. */
async function maskOf(fields: string, { response }: Endpoint): Promise<Mask> {
  if (fields === '' || response === undefined) return (reply) => reply
  const { masked, readMask } = await import('./fields.ts')
  const mask = readMask(fields, response)
  return (reply) => (mask ? masked(reply, mask) : reply)
}

/** Resources that are shown with their etag as a header; collections and colours are not (behaviour 00). */
const TAGGED = ['Event', 'Calendar', 'CalendarListEntry', 'AclRule', 'Setting']

type Asked = { request: Incoming; now: number; pretty: boolean; mask: Mask }

function reply({ verb, response }: Endpoint, result: unknown, { request, now, pretty, mask }: Asked): Reply {
  if (!response || typeof result !== 'object' || result === null) return emptyReply(204, now)
  const etag = 'etag' in result && typeof result.etag === 'string' ? result.etag : undefined
  const reading = verb === 'GET'
  if (reading && etag && matches(etag, request.headers.get('If-None-Match'))) return emptyReply(304, now, etag)
  return jsonReply(mask(result), {
    now,
    cache: response === 'Colors' ? 'hour' : reading ? 'private' : 'none',
    indent: pretty ? 1 : 0,
    ...(etag && TAGGED.includes(response) && { headers: { ETag: etag } }),
  })
}

const matches = (etag: string, asked: string | null): boolean =>
  asked !== null && (asked === '*' || asked.split(',').some((one) => one.trim().replace(/^W\//, '') === etag))
