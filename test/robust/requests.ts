import { readFileSync } from 'node:fs'
import { OAUTH_PATHS } from '../../src/schema/oauthPaths.ts'
import { drawControlRequest, drawStreamRequest } from './controlled.ts'
import { type Drafting, drawBody, drawValue, PEOPLE, type Shape, type Shapes } from './drafts.ts'
import { TEXTS } from './edgeValues.ts'
import { mangleText } from './memory.ts'
import { drawHeaders, type PlainRequest, toText, wellFormed, writeBody } from './plainRequest.ts'

type Parameter = Shape & { location?: string; required?: boolean; repeated?: boolean }
type Method = { httpMethod: string; path: string; parameters?: Record<string, Parameter>; request?: string }
const surface: { methods: Record<string, Method>; schemas: Shapes; parameters: Record<string, Shape> } = JSON.parse(
  readFileSync('test/surface.json', 'utf8'),
)
export const SHAPES = surface.schemas
/** Events are the largest part of the API. */
export const METHODS = Object.entries(surface.methods).flatMap(([id, method]) =>
  id.includes('.events.') ? [method, method] : [method],
)

const SIGNING_IN = Object.values(OAUTH_PATHS).flat()

/** Weights of the kinds of requests. */
const KINDS: readonly [number, (drafting: Drafting) => PlainRequest][] = [
  [65, drawServiceRequest],
  [14, drawControlRequest],
  [1, drawStreamRequest],
  [10, drawOAuthRequest],
  [5, drawBatch],
  [2, drawDiscoveryRequest],
  [3, drawUnknownRoute],
]

/** Returns the next request: a valid structure with some invalid values. */
export function drawRequest(drafting: Drafting): PlainRequest {
  const { chance } = drafting
  let at = chance.below(100)
  const make =
    KINDS.find(([share]) => {
      at -= share
      return at < 0
    })?.[1] ?? drawUnknownRoute
  const request = make(drafting)
  if (chance.is(drafting.invalidShare * 0.2))
    request.method = chance.of(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'BREW'])
  return request
}

function drawServiceRequest(drafting: Drafting): PlainRequest {
  const { chance, invalidShare } = drafting
  const method = chance.of(METHODS) ?? ({} as Method)
  const path = method.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(toText(drawValue(drafting, name))),
  )
  const query = new URLSearchParams()
  for (const [name, shape] of Object.entries<Parameter>({ ...surface.parameters, ...method.parameters })) {
    const { location, required, repeated } = shape
    if (location === 'path' || (name === 'alt' && !chance.is(invalidShare * 0.1))) continue
    const own = method.parameters?.[name] !== undefined
    if (!required && !chance.is(own ? 0.18 : 0.02)) continue
    for (let times = repeated ? 1 + chance.below(2) : 1; times > 0; times--)
      query.append(name, toText(drawValue(drafting, name, shape)))
  }
  const base = chance.of(['/calendar/v3', '/calendar/v3', '/calendar/v3', '/v3', '', '/w/default/calendar/v3'])
  const request: PlainRequest = {
    method: method.httpMethod,
    path: `${base}/${path}?${query}`,
    headers: drawHeaders(drafting),
  }
  return method.request ? { ...request, body: writeBody(drafting, drawBody(drafting, method.request)) } : request
}

/** Parameters of the OAuth endpoints. */
const GIVEN: Record<string, readonly string[]> = {
  grant_type: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:jwt-bearer', 'urn:ietf:params:oauth:grant-type:device_code'],
  client_id: ['client', 'my~app', ''], client_secret: ['hush'], response_type: ['code', 'token'], state: ['s&t'], prompt: ['consent', 'none'], access_type: ['offline'],
  redirect_uri: ['http://localhost:5555/back', 'https://app.example/back', 'javascript:alert(1)', ' java\tscript:1', 'urn:ietf:wg:oauth:2.0:oob'],
  scope: ['openid email', 'https://www.googleapis.com/auth/calendar'], login_hint: PEOPLE, code: [], refresh_token: [], access_token: [], token: [], device_code: [], user_code: [], id_token: [], assertion: ['a.b.c', 'eyJhbGciOiJSUzI1NiJ9.e30.x'],
} // biome-ignore format: a table

function drawOAuthRequest(drafting: Drafting): PlainRequest {
  const { chance, memory, invalidShare } = drafting
  const form = new URLSearchParams()
  for (const [name, values] of Object.entries(GIVEN)) {
    if (!chance.is(0.45)) continue
    const validRequest =
      memory.recall(chance, name, ...(name === 'token' ? ['access_token', 'refresh_token'] : [])) ??
      chance.of(values) ??
      'x'
    form.append(
      name,
      toText(
        chance.is(invalidShare)
          ? chance.of([mangleText(chance, String(validRequest)), chance.of(TEXTS)])
          : validRequest,
      ),
    )
  }
  const path = chance.of(SIGNING_IN) ?? '/token'
  if (chance.is(0.5))
    return { method: 'GET', path: `${path}?${form}`, headers: chance.is(0.3) ? drawHeaders(drafting) : {} }
  return { method: 'POST', path, headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: String(form) }
}

/** Returns a batch of several requests, sometimes with an invalid line. */
function drawBatch(drafting: Drafting): PlainRequest {
  const { chance, invalidShare } = drafting
  const parts = Array.from({ length: 1 + chance.below(4) }, () =>
    chance.is(0.9)
      ? drawServiceRequest(drafting)
      : chance.of([drawControlRequest, drawDiscoveryRequest, drawUnknownRoute])(drafting),
  )
  const lines = parts.flatMap(({ method, path, headers, body = '' }, at) => [
    '--b', 'Content-Type: application/http', `Content-ID: <part + ${at}>`, '', `${method} ${path} HTTP/1.1`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), '', body,
  ]) // biome-ignore format: lines
  const odd = [
    '--b',
    '--b--',
    '',
    'BREW /pot HTTP/1.1',
    'GET http://[ HTTP/1.1',
    'POST /batch HTTP/1.1',
    'a b c',
    ': x',
    'X-Y: \u0000',
    '{"start":',
    'TRACE /calendar/v3/colors HTTP/1.1',
    'GET foo://x/calendar/v3/colors HTTP/1.1',
  ]
  if (chance.is(invalidShare)) lines.splice(chance.below(lines.length), chance.below(2), chance.of(odd) ?? '')
  return {
    method: 'POST',
    path: chance.of(['/batch', '/batch/calendar/v3']),
    headers: { ...drawHeaders(drafting), 'Content-Type': 'multipart/mixed; boundary=b' },
    body: [...lines, '--b--', ''].join(chance.of(['\n', '\r\n'])),
  }
}

function drawDiscoveryRequest({ chance }: Drafting): PlainRequest {
  if (chance.is(0.1)) {
    const body = chance.of(['{ "action": "pause" }', '{ "action": "next" }', '{ "action": 1 }', '{}', 'pause'])
    return { method: 'PUT', path: '/_control/story', headers: {}, body }
  }
  const path = chance.of([
    '/discovery/v1/apis',
    '/discovery/v1/apis/calendar/v3/rest',
    '/$discovery/rest',
    '/discovery/v1/apis/x/y/rest',
    '/_control/openapi.json',
    '/_control/overview',
    '/w/nosuch/_control/overview',
    '/',
  ])
  return { method: 'GET', path, headers: {} }
}

/** Returns a path without an endpoint. */
function drawUnknownRoute(drafting: Drafting): PlainRequest {
  const { chance } = drafting
  const text = () =>
    chance.is(0.5)
      ? encodeURIComponent(wellFormed(chance.of(TEXTS)))
      : chance.of(['calendar', 'v3', 'calendars', '_control', 'w', 'no world', '%2e%2e', '..', '%', ''])
  return {
    method: chance.of(['GET', 'POST', 'DELETE']),
    path: `/${[text(), text(), text()].join('/')}`,
    headers: drawHeaders(drafting),
  }
}
