import type { Context } from 'hono'
import { checked, parseJson, readText } from './checks/parseBody.ts'
import { errorReply, refusalOf } from './errors.ts'
import { type Place, routed, type Way } from './place.ts'
import { jsonReply } from './reply.ts'
import type { Realm } from '../life/realm.ts'
import { VerificationError } from '../matching/report.ts'
import { nearest } from '../wire/nearest.ts'
import { refuse } from '../wire/refusals.ts'
import { BESIDE, type Beside } from '../control/rawRoutes.ts'
import { control } from '../control/operations.ts'
import type { ControlEndpoint } from '../control/route.ts'
import { type Guard, requireJson, requireTrusted } from './checks/requireTrusted.ts'
import type { Worlds } from '../control/operation.ts'

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
    const reply = (said: object, status?: number) =>
      jsonReply(said, { ...(status && { status }), now: realm.clock.now(), cache: 'none', indent: 1 })
    try {
      return reply(await endpoint.handle({ realm, worlds: house, name, body, query }))
    } catch (error) {
      if (!(error instanceof VerificationError)) throw error
      return reply({ verified: false, message: error.message }, NOT_AS_EXPECTED)
    }
  })
}

/** What was expected is not so, which is no fault of the request that asks. */
const NOT_AS_EXPECTED = 417

/** A body together with what the path names, which it may not say otherwise. */
function beside(body: unknown, named: Record<string, string>): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const twice = Object.keys(named).find((name) => Object.hasOwn(body, name))
  if (twice !== undefined) refuse('invalidValue', { field: twice, problem: 'the path says it' })
  return { ...body, ...named }
}

const ROUTES = [...BESIDE, ...control].map(({ verb, path }) => `${verb} ${path}`)

function unknown({ env: { path }, req: { method } }: Asking): never {
  const asked = `${method === 'HEAD' ? 'GET' : method} ${path}`
  return refuse('unknownControlRoute', { asked, nearest: nearest(asked, ROUTES) ?? '' })
}

/** Each is loaded when it is first asked for. */
const ANSWERS: Record<(typeof BESIDE)[number]['id'], (asked: Beside) => Promise<Response>> = {
  'control.calls.stream': async (asked) => (await import('./callStream.ts')).stream(asked),
  async 'control.overview'(asked) {
    const { overview } = await import('../control/overview.ts')
    return jsonReply(overview(asked), { now: asked.now(), cache: 'none', indent: 1 })
  },
  async 'control.openapi'({ now }) {
    const { openapi } = await import('../control/openapi.ts')
    return jsonReply(openapi(), { now: now(), cache: 'none', indent: 1 })
  },
}

/** What is below `/_control`, which lists it. */
export const controlApp = routed<Controlled>()
controlApp.use(async (c, next) => {
  requireTrusted(c.req.raw, c.env.house.options, c.env.way.peer)
  await next()
})
controlApp.get('/_control', ({ env: { house, name } }) => {
  const routes = [...control, ...BESIDE].map(({ verb, path, summary }) => ({ verb, path, summary }))
  return jsonReply({ routes }, { now: house.now(name), cache: 'none', indent: 1 })
})
const routeOf = ({ path }: ControlEndpoint): string => path.replace(/\{(\w+)\}/g, ':$1')
for (const { id, verb, path } of BESIDE)
  controlApp.on(verb, path, async (c) => {
    const { house, name, query } = c.env
    const visit: Beside['visit'] = (act) => house.visit(name, act)
    return ANSWERS[id]({ c, query, now: () => house.now(name), name, worlds: house, visit })
  })
for (const endpoint of control) controlApp.on(endpoint.verb, routeOf(endpoint), (c) => answer(c, endpoint))
controlApp.all('*', unknown)
controlApp.onError((error, { env: { house, name, method, path } }) =>
  errorReply(refusalOf(error, `${method} ${path}`), { now: house.now(name) }),
)
