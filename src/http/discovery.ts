import type { Hono } from 'hono'
import type { Endpoint } from '../api/endpoint.ts'
import { type Located, STANDARD } from '../wire/params.ts'
import { SCHEMAS } from '../wire/schemas.ts'
import { SCOPES } from '../wire/scopes.ts'
import { notFoundPage } from './errors.ts'
import { type Place, routed } from './place.ts'
import { jsonReply } from './reply.ts'

/** The service as it describes itself: the tables, printed. A client built from this calls nobody but this server. */
export const REVISION = '20260708'
const SERVICE = 'calendar/v3/'
const ABOUT = {
  id: 'calendar:v3',
  name: 'calendar',
  version: 'v3',
  title: 'Calendar API',
  description: 'Manipulates events and other calendar data.',
  documentationLink: 'https://developers.google.com/workspace/calendar/firstapp',
}

/** The methods of the service as a discovery document has them. */
function discoveryMethods(endpoints: readonly Endpoint[]) {
  return Object.fromEntries(endpoints.map((endpoint) => [endpoint.id, discoveryMethod(endpoint)]))
}

function discoveryMethod({ verb, path, params, scopes, request, response, subscription, summary }: Endpoint) {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const names = [...inPath, ...Object.keys(params).filter((name) => !inPath.includes(name))]
  const parameters: Record<string, Located> = Object.fromEntries(
    names.map((name) => [
      name,
      { location: inPath.includes(name) ? 'path' : 'query', ...(params[name] ?? { type: 'string' }) },
    ]),
  )
  const required = names.filter((name) => params[name]?.required)
  return {
    httpMethod: verb,
    path: path.slice(1),
    description: summary,
    ...(names.length > 0 && { parameters }),
    ...(required.length > 0 && { parameterOrder: required }),
    ...(request && { request }),
    ...(response && { response }),
    scopes,
    ...(subscription && { supportsSubscription: true }),
  }
}

const standardParameters: Record<string, Located> = Object.fromEntries(
  Object.entries(STANDARD).map(([name, param]) => [name, { location: 'query', ...param }]),
)

/** The whole document, for those who reached the server at `rootUrl`. */
export function discoveryDocument(endpoints: readonly Endpoint[], rootUrl: string) {
  const basePath = new URL(SERVICE, rootUrl).pathname
  return {
    kind: 'discovery#restDescription',
    discoveryVersion: 'v1',
    ...ABOUT,
    revision: REVISION,
    ownerDomain: 'google.com',
    ownerName: 'Google',
    protocol: 'rest',
    rootUrl,
    servicePath: SERVICE,
    baseUrl: rootUrl + SERVICE,
    basePath,
    batchPath: 'batch/calendar/v3',
    parameters: standardParameters,
    auth: { oauth2: { scopes: SCOPES } },
    schemas: SCHEMAS,
    resources: resourcesOf(endpoints),
  }
}

function resourcesOf(endpoints: readonly Endpoint[]) {
  const resources: Record<string, { methods: Record<string, object> }> = {}
  for (const [id, { request, response, ...method }] of Object.entries(discoveryMethods(endpoints))) {
    const [, resource = '', name = ''] = id.split('.')
    resources[resource] ??= { methods: {} }
    resources[resource].methods[name] = {
      id,
      ...method,
      ...(request && { request: { $ref: request, ...(request === 'Channel' && { parameterName: 'resource' }) } }),
      ...(response && { response: { $ref: response } }),
    }
  }
  return resources
}

/** The list of what there is to discover: this. */
const directory = (rootUrl: string) => ({
  kind: 'discovery#directoryList',
  discoveryVersion: 'v1',
  items: [
    {
      kind: 'discovery#directoryItem',
      ...ABOUT,
      discoveryRestUrl: `${rootUrl}discovery/v1/apis/calendar/v3/rest`,
      discoveryLink: './apis/calendar/v3/rest',
      preferred: true,
    },
  ],
})

type Asked = Pick<Place, 'path' | 'query' | 'rootUrl'> & { now: number }
const shown = (body: object, { now }: Asked): Response => jsonReply(body, { now, cache: 'private', indent: 1 })

/** What there is to discover, at the paths of today and of before. */
export function discoveryApp(endpoints: readonly Endpoint[]): Hono<{ Bindings: Asked }> {
  return routed<Asked>()
    .get('/discovery/v1/apis', ({ env }) => shown(directory(env.rootUrl), env))
    .get('/discovery/v1/apis/calendar/v3/rest', ({ env }) => shown(discoveryDocument(endpoints, env.rootUrl), env))
    .get('/$discovery/rest', ({ env }) =>
      isAsked(env.query) ? shown(discoveryDocument(endpoints, env.rootUrl), env) : notFoundPage(),
    )
    .notFound(notFoundPage)
}

const isAsked = (query: URLSearchParams): boolean => (query.get('version') ?? ABOUT.version) === ABOUT.version
