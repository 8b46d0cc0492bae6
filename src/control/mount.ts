import type { Context } from 'hono'
import { checked, parseJson, readText } from '../http/body.ts'
import { errorReply, refusalOf } from '../http/errors.ts'
import { type Place, routed, type Way } from '../http/place.ts'
import { jsonReply } from '../http/reply.ts'
import type { Realm } from '../life/realm.ts'
import { nearest } from '../wire/nearest.ts'
import { refuse } from '../wire/refusals.ts'
import { control } from './control.ts'
import type { ControlEndpoint } from './endpoint.ts'
import { type Guard, requireJson, requireTrusted } from './guard.ts'
import type { Worlds } from './operation.ts'

/** What the shared app is told of a request: which world it is for, and who holds it. */
type Controlled = Pick<Place, 'name' | 'path' | 'query'> & {
  way: Pick<Way, 'peer'>
  method: string
  house: Worlds & {
    options: Guard
    visit(name: string, act: (realm: Realm) => Promise<Response>): Promise<Response>
    now(name: string): number
  }
}
type Asking = Context<{ Bindings: Controlled }>

async function answer(c: Asking, endpoint: ControlEndpoint): Promise<Response> {
  const { house, name, query: asked } = c.env
  const text = endpoint.verb === 'GET' ? '' : await readText(c)
  if (text !== '') requireJson(c.req.raw)
  const named = c.req.param() as Record<string, string>
  const body = endpoint.body && checked(endpoint.body, beside(parseJson(text), named))
  const query = endpoint.query && checked(endpoint.query, { ...Object.fromEntries(asked), ...named })
  return house.visit(name, async (realm) => {
    const said = await endpoint.handle({ realm, worlds: house, name, body, query })
    return jsonReply(said, { now: realm.clock.now(), cache: 'none', indent: 1 })
  })
}

/** A body together with what the path names, which it may not say otherwise. */
function beside(body: unknown, named: Record<string, string>): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const twice = Object.keys(named).find((name) => Object.hasOwn(body, name))
  if (twice !== undefined) refuse('invalidValue', { field: twice, problem: 'the path says it' })
  return { ...body, ...named }
}

const ROUTES = control.map(({ verb, path }) => `${verb} ${path}`)

function unknown({ env: { path }, req: { method } }: Asking): never {
  const asked = `${method === 'HEAD' ? 'GET' : method} ${path}`
  return refuse('unknownControlRoute', { asked, nearest: nearest(asked, ROUTES) ?? '' })
}

/** What is below `/_control`, which lists it. */
export const controlApp = routed<Controlled>()
controlApp.use(async (c, next) => {
  requireTrusted(c.req.raw, c.env.house.options, c.env.way.peer)
  await next()
})
controlApp.get('/_control', ({ env: { house, name } }) => {
  const routes = control.map(({ verb, path, summary }) => ({ verb, path, summary }))
  return jsonReply({ routes }, { now: house.now(name), cache: 'none', indent: 1 })
})
const routeOf = ({ path }: ControlEndpoint): string => path.replace(/\{(\w+)\}/g, ':$1')
for (const endpoint of control) controlApp.on(endpoint.verb, routeOf(endpoint), (c) => answer(c, endpoint))
controlApp.all('*', unknown)
controlApp.onError((error, { env: { house, name, method, path } }) =>
  errorReply(refusalOf(error, `${method} ${path}`), { now: house.now(name) }),
)
