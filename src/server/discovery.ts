import type { Endpoint } from '../api/endpoint.ts'
import { api } from '../api/index.ts'
import { notFoundPage } from '../http/errors.ts'
import { type ApiResponse, jsonResponse, toResponse } from '../http/reply.ts'
import { type Located, STANDARD } from '../schema/params.ts'
import { SCHEMAS } from '../schema/schemas.ts'
import { SCOPES } from '../schema/scopes.ts'
import { applyRequestFault } from './faults.ts'
import { enterExistingWorld, type RequestContext } from './requestContext.ts'

/** The date of the last change of the service that this document follows. No document of the service has this revision. */
export const REVISION = '20261124'
const SERVICE = 'calendar/v3/'
const ABOUT = {
  id: 'calendar:v3',
  name: 'calendar',
  version: 'v3',
  title: 'Calendar API',
  description: 'Manipulates events and other calendar data.',
  documentationLink: 'https://developers.google.com/workspace/calendar/firstapp',
}

function describeMethod(endpoint: Endpoint) {
  const { id, verb, path, params, scopes, request, response, subscription, summary } = endpoint
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
    id,
    httpMethod: verb,
    path: path.slice(1),
    description: summary,
    ...(names.length > 0 && { parameters }),
    ...(required.length > 0 && { parameterOrder: required }),
    scopes,
    ...(subscription && { supportsSubscription: true }),
    ...(request && { request: { $ref: request, ...(request === 'Channel' && { parameterName: 'resource' }) } }),
    ...(response && { response: { $ref: response } }),
  }
}

const standardParameters: Record<string, Located> = Object.fromEntries(
  Object.entries(STANDARD).map(([name, param]) => [name, { location: 'query', ...param }]),
)

/** `rootUrl` ends with a slash. */
export function createDiscoveryDocument(endpoints: readonly Endpoint[], rootUrl: string) {
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
    resources: groupByResource(endpoints),
  }
}

function groupByResource(endpoints: readonly Endpoint[]) {
  const resources: Record<string, { methods: Record<string, object> }> = {}
  for (const endpoint of endpoints.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const [, resource = '', name = ''] = endpoint.id.split('.')
    resources[resource] ??= { methods: {} }
    resources[resource].methods[name] = describeMethod(endpoint)
  }
  return resources
}

const EMAIL_OR_PROFILE = ['email', 'profile'].map((name) => `https://www.googleapis.com/auth/userinfo.${name}`)
const texts = (...names: string[]) => Object.fromEntries(names.map((name) => [name, { type: 'string' }]))

/** The API `oauth2` in its version 2: the account of a token (behaviour 11.19). */
function createSignInDocument(rootUrl: string) {
  const userInfo = (id: string, path: string) => ({
    id,
    path,
    httpMethod: 'GET',
    parameterOrder: [],
    response: { $ref: 'Userinfo' },
    scopes: ['openid', ...EMAIL_OR_PROFILE],
  })
  const parameters = Object.fromEntries(
    ['access_token', 'id_token'].map((name) => [name, { type: 'string', location: 'query' }]),
  )
  return {
    kind: 'discovery#restDescription',
    discoveryVersion: 'v1',
    id: 'oauth2:v2',
    name: 'oauth2',
    version: 'v2',
    title: 'Google OAuth2 API',
    revision: REVISION,
    protocol: 'rest',
    rootUrl,
    servicePath: '',
    baseUrl: rootUrl,
    basePath: new URL(rootUrl).pathname,
    batchPath: 'batch/oauth2/v2',
    parameters: standardParameters,
    auth: { oauth2: { scopes: Object.fromEntries(EMAIL_OR_PROFILE.map((scope) => [scope, { description: scope }])) } },
    schemas: {
      Userinfo: {
        id: 'Userinfo',
        type: 'object',
        properties: {
          ...texts('email', 'family_name', 'given_name', 'hd', 'id', 'name', 'picture'),
          verified_email: { type: 'boolean' },
        },
      },
      Tokeninfo: {
        id: 'Tokeninfo',
        type: 'object',
        properties: {
          ...texts('audience', 'email', 'issued_to', 'scope', 'user_id'),
          expires_in: { type: 'integer', format: 'int32' },
          verified_email: { type: 'boolean' },
        },
      },
    },
    methods: {
      tokeninfo: {
        id: 'oauth2.tokeninfo',
        path: 'oauth2/v2/tokeninfo',
        httpMethod: 'POST',
        parameters,
        response: { $ref: 'Tokeninfo' },
      },
    },
    resources: {
      userinfo: {
        methods: { get: userInfo('oauth2.userinfo.get', 'oauth2/v2/userinfo') },
        resources: {
          v2: { resources: { me: { methods: { get: userInfo('oauth2.userinfo.v2.me.get', 'userinfo/v2/me') } } } },
        },
      },
    },
  }
}

const createDirectory = (rootUrl: string) => ({
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

/** Faults that name `discovery` apply. Rejects with ConnectionLost if one resets the connection. */
export async function answerDiscovery(context: RequestContext): Promise<ApiResponse | Response> {
  enterExistingWorld(context)
  return (await applyRequestFault(context)) ?? createDiscoveryResponse(context)
}

function createDiscoveryResponse({ path, query, rootUrl, transport, now }: RequestContext): Response {
  const isShort = path === '/$discovery/rest'
  const isSignIn = isShort
    ? rootUrl.includes('//oauth2.googleapis.com/')
    : path.startsWith('/discovery/v1/apis/oauth2/')
  const { version } = isSignIn ? { version: 'v2' } : ABOUT
  if (isShort && (query.get('version') ?? version) !== version) return notFoundPage()
  const body = isSignIn
    ? createSignInDocument(rootUrl)
    : path === '/discovery/v1/apis'
      ? createDirectory(rootUrl)
      : createDiscoveryDocument(api, rootUrl)
  // A Response, so that the journal does not keep the document.
  return toResponse(jsonResponse(body, { now, cache: 'private', indent: 1 }), transport)
}
