import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { OPERATIONS } from '../../src/control/control.ts'
import type { Operation } from '../../src/control/operation.ts'
import { PATHS } from '../../src/oauth/paths.ts'
import { bodyOf, type Drafting, draftOf, PEOPLE, type Shape, type Shapes, saidOf } from './drafts.ts'
import { altered, mangled } from './memory.ts'
import { OTHERS, TEXTS } from './nasty.ts'

/** A request as plain data: it can be sent again. */
export type Asked = { method: string; path: string; headers: Record<string, string>; body?: string }

type Parameter = Shape & { location?: string; required?: boolean; repeated?: boolean }
type Method = { httpMethod: string; path: string; parameters?: Record<string, Parameter>; request?: string }
const surface: { methods: Record<string, Method>; schemas: Shapes; parameters: Record<string, Shape> } = JSON.parse(
  readFileSync('test/surface.json', 'utf8'),
)
export const SHAPES = surface.schemas
/** Events are most of what there is to break. */
const METHODS = Object.entries(surface.methods).flatMap(([id, method]) =>
  id.includes('.events.') ? [method, method] : [method],
)

const CONTROL = (OPERATIONS as readonly Operation[]).map(({ id, verb, path, input }) => ({
  id,
  verb,
  route: path,
  shape: input ? (z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Shape) : undefined,
}))
const SIGNING_IN = Object.values(PATHS).flat()

/** A text in the place of which there is something that can be written in a URL and in UTF-8. */
const wellFormed = (text: string) => text.replace(/\p{Surrogate}/gu, '?')
const textOf = (value: unknown): string => wellFormed(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
const asHeader = (value: unknown) =>
  textOf(value)
    .replace(/[^\x20-\x7e]/g, '?')
    .trim()

/** How often each kind of request is made. */
const KINDS: readonly [number, (drafting: Drafting) => Asked][] = [
  [70, ofService],
  [10, ofControl],
  [10, ofSigningIn],
  [5, batched],
  [2, discovered],
  [3, lost],
]

/** The next request: structure as it should be, and in it what should not. */
export function requestOf(drafting: Drafting): Asked {
  const { chance } = drafting
  let at = chance.below(100)
  const make =
    KINDS.find(([share]) => {
      at -= share
      return at < 0
    })?.[1] ?? lost
  const said = make(drafting)
  if (chance.is(drafting.nastiness * 0.2))
    said.method = chance.of(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'BREW'])
  return said
}

function ofService(drafting: Drafting): Asked {
  const { chance, nastiness } = drafting
  const method = chance.of(METHODS) ?? ({} as Method)
  const path = method.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(textOf(saidOf(drafting, name))),
  )
  const query = new URLSearchParams()
  for (const [name, shape] of Object.entries<Parameter>({ ...surface.parameters, ...method.parameters })) {
    const { location, required, repeated } = shape
    if (location === 'path' || (name === 'alt' && !chance.is(nastiness * 0.1))) continue
    const own = method.parameters?.[name] !== undefined
    if (!required && !chance.is(own ? 0.18 : 0.02)) continue
    for (let times = repeated ? 1 + chance.below(2) : 1; times > 0; times--)
      query.append(name, textOf(saidOf(drafting, name, shape)))
  }
  const base = chance.of(['/calendar/v3', '/calendar/v3', '/calendar/v3', '/v3', '', '/w/default/calendar/v3'])
  const said: Asked = { method: method.httpMethod, path: `${base}/${path}?${query}`, headers: headersOf(drafting) }
  return method.request ? { ...said, body: written(drafting, bodyOf(drafting, method.request)) } : said
}

function headersOf({ chance, memory, nastiness }: Drafting): Record<string, string> {
  const odd = () => chance.is(nastiness * 0.3)
  const subject = chance.is(0.1)
    ? memory.recall(chance, 'access_token', 'refresh_token', 'id_token')
    : chance.is(0.6)
      ? PEOPLE[0]
      : chance.of(PEOPLE)
  const etag = memory.recall(chance, 'etag') ?? '"1"'
  return {
    Authorization: odd()
      ? asHeader(
          chance.of([
            'Basic x',
            'Bearer',
            'Digest y=1',
            'Bearer limited',
            'Bearer a.b.c',
            `Bearer ${mangled(chance, String(subject))}`,
          ]),
        )
      : `Bearer ${asHeader(subject ?? PEOPLE[0])}`,
    'Content-Type': odd()
      ? asHeader(
          chance.of([
            'application/x-www-form-urlencoded',
            'multipart/mixed',
            'text/plain',
            'application/json; charset=x',
            ...TEXTS,
          ]),
        )
      : 'application/json',
    ...(chance.is(0.1) && { 'If-Match': asHeader(odd() ? mangled(chance, String(etag)) : etag) }),
    ...(chance.is(0.05) && { 'If-None-Match': asHeader(etag) }),
    ...(odd() && {
      'X-HTTP-Method-Override': asHeader(chance.of(['GET', 'PATCH', 'put', 'DELETE', 'BREW', 'HEAD', ...TEXTS])),
    }),
    ...(odd() && { 'X-Fake-World': asHeader(chance.of(['default', '', 'no world', '../x', 'a'.repeat(65)])) }),
    ...(odd() && { Origin: chance.of(['http://page.example', 'null', 'http://fake-calendar.localhost']) }),
    ...(odd() && { Host: chance.of(['evil.example', 'localhost:1', '[::1]', '']) }),
  }
}

/** A body as text, now and then cut or mangled on the way. */
function written({ chance, nastiness }: Drafting, body: unknown): string {
  const text = JSON.stringify(body)
  if (!chance.is(nastiness * 0.15)) return text
  return wellFormed(chance.is(0.5) ? mangled(chance, text.slice(0, 2000)) : (JSON.stringify(chance.of(OTHERS)) ?? ''))
}

function ofControl(drafting: Drafting): Asked {
  const { chance, memory, nastiness } = drafting
  const { id, verb, route, shape } = chance.of(CONTROL) ?? { id: '', verb: 'GET', route: '/_control', shape: undefined }
  // What the path names is not said again.
  const named = [...route.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const path = named.reduce((said, name) => said.replace(`{${name}}`, encodeURIComponent(textOf(saidOf(drafting, name)))), route) // biome-ignore format: one line
  const headers = { 'Content-Type': 'application/json', ...(chance.is(nastiness * 0.2) && headersOf(drafting)) }
  if (!shape) return { method: verb, path, headers }
  const input = id.startsWith('control.seed')
    ? seedOf(drafting, memory.recall(chance, 'state'))
    : draftOf(
        drafting,
        { ...shape, properties: unless(named, shape.properties) },
        0,
        Object.keys(shape.properties ?? {}).filter(() => chance.is(0.5)),
      )
  // Without a time-out of their own they wait for as long as a person might.
  const waiting = /\.(wait|settle)$/.test(id) ? { timeout: '1ms', ...(input as object) } : input
  if (verb === 'GET')
    return {
      method: verb,
      path: `${path}?${new URLSearchParams(Object.entries(waiting as object).map(([name, value]) => [name, textOf(value)]))}`,
      headers,
    }
  return { method: verb, path, headers, body: written(drafting, waiting) }
}

/** Properties without those that are named otherwise. */
const unless = (named: readonly string[], properties: Record<string, Shape> = {}): Record<string, Shape> =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => !named.includes(name)))

/** A seed of some of everything, or a state of this world with something changed in it. */
function seedOf(drafting: Drafting, state: unknown): unknown {
  const { chance } = drafting
  if (typeof state === 'string' && chance.is(0.5))
    return chance.is(0.3) ? JSON.parse(state) : altered(chance, JSON.parse(state))
  const event = () => ({ id: `seeded0${chance.below(9)}`, ...(bodyOf(drafting, 'Event') as object) })
  const calendar = () => ({
    id: saidOf(drafting, 'calendarId'),
    ...(chance.is(0.3) && { owner: saidOf(drafting, 'owner') }),
    ...(chance.is(0.3) && { timeZone: saidOf(drafting, 'timeZone') }),
    events: [event()],
  })
  return {
    accounts: [
      { email: PEOPLE[0] },
      { email: saidOf(drafting, 'email'), ...(chance.is(0.2) && { timeZone: saidOf(drafting, 'timeZone') }) },
    ],
    ...(chance.is(0.5) && { calendars: [calendar()] }),
    ...(chance.is(0.2) && { tokens: [{ token: saidOf(drafting, ''), account: saidOf(drafting, 'email') }] }),
    ...(chance.is(0.1) && { clock: { mode: 'frozen', now: saidOf(drafting, 'now') } }),
    ...(chance.is(0.1) && { anchor: chance.of(['2026-03-01', '9999-12-31', '0001-01-01', 'x']) }),
    ...(chance.is(0.1) && { groups: [{ email: 'all@example.com', members: [saidOf(drafting, 'email')] }] }),
  }
}

/** What the endpoints of OAuth are asked with. */
const GIVEN: Record<string, readonly string[]> = {
  grant_type: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:jwt-bearer', 'urn:ietf:params:oauth:grant-type:device_code'],
  client_id: ['client', 'my~app', ''], client_secret: ['hush'], response_type: ['code', 'token'], state: ['s&t'], prompt: ['consent', 'none'], access_type: ['offline'],
  redirect_uri: ['http://localhost:5555/back', 'https://app.example/back', 'javascript:alert(1)', ' java\tscript:1', 'urn:ietf:wg:oauth:2.0:oob'],
  scope: ['openid email', 'https://www.googleapis.com/auth/calendar'], login_hint: PEOPLE, code: [], refresh_token: [], access_token: [], token: [], device_code: [], user_code: [], id_token: [], assertion: ['a.b.c', 'eyJhbGciOiJSUzI1NiJ9.e30.x'],
} // biome-ignore format: a table

function ofSigningIn(drafting: Drafting): Asked {
  const { chance, memory, nastiness } = drafting
  const form = new URLSearchParams()
  for (const [name, values] of Object.entries(GIVEN)) {
    if (!chance.is(0.45)) continue
    const good =
      memory.recall(chance, name, ...(name === 'token' ? ['access_token', 'refresh_token'] : [])) ??
      chance.of(values) ??
      'x'
    form.append(
      name,
      textOf(chance.is(nastiness) ? chance.of([mangled(chance, String(good)), chance.of(TEXTS)]) : good),
    )
  }
  const path = chance.of(SIGNING_IN) ?? '/token'
  if (chance.is(0.5))
    return { method: 'GET', path: `${path}?${form}`, headers: chance.is(0.3) ? headersOf(drafting) : {} }
  return { method: 'POST', path, headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: String(form) }
}

/** Several requests in one, and in it now and then a line that should not be. */
function batched(drafting: Drafting): Asked {
  const { chance, nastiness } = drafting
  const parts = Array.from({ length: 1 + chance.below(4) }, () =>
    chance.is(0.9) ? ofService(drafting) : chance.of([ofControl, discovered, lost])(drafting),
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
  if (chance.is(nastiness)) lines.splice(chance.below(lines.length), chance.below(2), chance.of(odd) ?? '')
  return {
    method: 'POST',
    path: chance.of(['/batch', '/batch/calendar/v3']),
    headers: { ...headersOf(drafting), 'Content-Type': 'multipart/mixed; boundary=b' },
    body: [...lines, '--b--', ''].join(chance.of(['\n', '\r\n'])),
  }
}

function discovered({ chance }: Drafting): Asked {
  const path = chance.of([
    '/discovery/v1/apis',
    '/discovery/v1/apis/calendar/v3/rest',
    '/$discovery/rest',
    '/discovery/v1/apis/x/y/rest',
    '/_control/openapi.json',
    '/',
  ])
  return { method: 'GET', path, headers: {} }
}

/** A path that leads nowhere. */
function lost(drafting: Drafting): Asked {
  const { chance } = drafting
  const text = () =>
    chance.is(0.5)
      ? encodeURIComponent(wellFormed(chance.of(TEXTS)))
      : chance.of(['calendar', 'v3', 'calendars', '_control', 'w', 'no world', '%2e%2e', '..', '%', ''])
  return {
    method: chance.of(['GET', 'POST', 'DELETE']),
    path: `/${[text(), text(), text()].join('/')}`,
    headers: headersOf(drafting),
  }
}
