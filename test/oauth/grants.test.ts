import { expect, test } from 'vitest'
import { createFakeCalendar, type Seed } from '../../src/index.ts'
import { ALICE, BOB, errorOf, NOW, openCalendar, PEOPLE } from '../support/calendar.ts'

const CALENDAR = 'https://www.googleapis.com/auth/calendar'
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const POOL = '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/ci/providers/ci'

function opened(options: Parameters<typeof createFakeCalendar>[0] = {}) {
  const fake = createFakeCalendar({ seed: PEOPLE, now: NOW, ...options })
  const post = async (form: Record<string, string>, path = '/token') => {
    const reply = await fake.request(path, { method: 'POST', body: new URLSearchParams(form) })
    return { status: reply.status, ...(await reply.json()) }
  }
  /** The refresh token that comes with a consent, if one does. */
  const consent = async (redirect_uri: string, client_id = 'app') => {
    const params = new URLSearchParams({ client_id, redirect_uri, response_type: 'code', scope: CALENDAR })
    const { headers } = await fake.request(`/o/oauth2/v2/auth?${params}&access_type=offline`)
    const code = new URL(headers.get('Location') ?? '').searchParams.get('code') ?? ''
    const { refresh_token } = await post({ grant_type: 'authorization_code', client_id, redirect_uri, code })
    return refresh_token as string | undefined
  }
  return { fake, post, consent }
}

const GIVEN = expect.stringMatching(/^1\/\//)

test.each([
  ['http://localhost:3000/back', GIVEN],
  ['http://127.0.0.1/back', GIVEN],
  ['http://[::1]:8080', GIVEN],
  ['com.example.app:/back', GIVEN],
  ['https://app.example.com/back', undefined],
  ['http://localhost.example.com/back', undefined],
])('11.25 a client with the redirect URI %s gets %s with its second consent', async (redirect, second) => {
  const { consent } = opened()
  expect(await consent(redirect)).toEqual(GIVEN)
  expect(await consent(redirect)).toEqual(second)
})

test('11.25 a seed can set the type of a client', async () => {
  const clients: NonNullable<Seed['oauth']>['clients'] = [
    { id: 'site', type: 'web' },
    { id: 'tool', type: 'desktop' },
  ]
  const { consent } = opened({ seed: { ...PEOPLE, oauth: { clients } } })
  await consent('http://localhost/back', 'site')
  await consent('https://tool.example.com/back', 'tool')
  expect(await consent('http://localhost/back', 'site')).toBeUndefined()
  expect(await consent('https://tool.example.com/back', 'tool')).toEqual(GIVEN)
})

const jwt = (claims: object) =>
  ['{}', JSON.stringify(claims), ''].map((part) => Buffer.from(part).toString('base64url')).join('.')
const subjects = [
  { subject: 'repo:team/app', account: BOB, scopes: [CALENDAR] },
  { subject: 'opaque', audience: POOL, account: ALICE },
]
const exchange = (subject_token: string, more: Record<string, string> = {}) => ({
  grant_type: EXCHANGE,
  audience: POOL,
  scope: CALENDAR,
  requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
  subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
  subject_token,
  ...more,
})

test.each(['/token', '/v1/token'])(
  '11.26 a subject of the seed exchanges its token for an account’s token at %s',
  async (path) => {
    const { fake, post } = opened({ strict: true, seed: { ...PEOPLE, oauth: { subjects } } })
    const given = await post(exchange(jwt({ sub: 'repo:team/app' })), path)
    expect(given).toEqual({
      status: 200,
      access_token: expect.stringMatching(/^ya29/),
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      token_type: 'Bearer',
      expires_in: 3599,
    })
    const headers = { Authorization: `Bearer ${given.access_token}` }
    expect((await (await fake.request('/calendar/v3/calendars/primary', { headers })).json()).id).toBe(BOB)
    expect(await post(exchange('opaque'), path)).toMatchObject({ status: 200 })
  },
)

test.each([
  ['an unknown subject', exchange('stranger'), 'invalid_grant'],
  ['another provider', exchange('opaque', { audience: '//elsewhere' }), 'invalid_grant'],
  ['a scope outside of the grant', exchange('repo:team/app', { scope: 'openid' }), 'invalid_scope'],
  ['another type of token', exchange('opaque', { requested_token_type: 'urn:x' }), 'invalid_request'],
  ['a missing subject', exchange(''), 'invalid_request'],
])('11.26 %s gets no token', async (_, form, error) => {
  const { post } = opened({ seed: { ...PEOPLE, oauth: { subjects } } })
  expect(await post(form)).toMatchObject({ status: 400, error })
})

test('11.26 an exchange grants the requested scopes, or all scopes of the seed', async () => {
  const { fake, post } = opened({ seed: { ...PEOPLE, oauth: { subjects } } })
  const scopes = async (token: string, scope: string) => {
    expect(await post(exchange(token, { scope }))).toMatchObject({ status: 200 })
    return fake.state().tokens?.at(-1)
  }

  expect(await scopes('repo:team/app', '')).toMatchObject({ account: BOB, client: POOL, scopes: [CALENDAR] })
  expect(await scopes('opaque', 'openid')).toMatchObject({ account: ALICE, scopes: ['openid'] })
  expect(await scopes('opaque', '')).not.toHaveProperty('scopes')
  expect(await post(exchange('repo:team/app', { scope: `${CALENDAR} openid profile` }))).toMatchObject({
    error: 'invalid_scope',
    error_description: 'Some requested scopes were invalid: openid https://www.googleapis.com/auth/userinfo.profile',
  })
})

test('11.26 a token exchange needs the subject token, its type and the audience; the requested type is optional', async () => {
  const { post } = opened({ seed: { ...PEOPLE, oauth: { subjects } } })

  for (const name of ['subject_token', 'subject_token_type', 'audience'])
    expect(await post(exchange('opaque', { [name]: '' }))).toMatchObject({
      error: 'invalid_request',
      error_description: `Missing required parameter: ${name}`,
    })
  expect(await post(exchange('opaque', { requested_token_type: '' }))).toMatchObject({ status: 200 })
  expect(await post(exchange('opaque', { requested_token_type: 'urn:x' }))).toMatchObject({
    error_description: 'Invalid requested token type: urn:x',
  })
})

test.each([
  ['another sub', jwt({ sub: 'repo:team/other' })],
  ['a missing sub', jwt({ name: 'repo:team/app' })],
  ['claims of null', ['x', Buffer.from('null').toString('base64url'), ''].join('.')],
  ['claims as a text', ['x', Buffer.from('"sub"').toString('base64url'), ''].join('.')],
  ['claims that are not JSON', 'x.y.z'],
])('11.26 a token with %s is rejected', async (_, token) => {
  const { post } = opened({ seed: { ...PEOPLE, oauth: { subjects } } })

  expect(await post(exchange(token))).toMatchObject({ status: 400, error: 'invalid_grant' })
})

test('a numeric sub is compared as a string', async () => {
  const { post } = opened({ seed: { ...PEOPLE, oauth: { subjects: [{ subject: '4711', account: BOB }] } } })

  expect(await post(exchange(jwt({ sub: 4711 })))).toMatchObject({ status: 200 })
})

test('11.20 an unknown refresh token is rejected with an OAuth error', async () => {
  const refresh = (refresh_token: string) => ({ grant_type: 'refresh_token', client_id: 'app', refresh_token })
  const empty = opened({ seed: {} })
  expect(await empty.post(refresh('any'))).toEqual({
    status: 400,
    error: 'invalid_grant',
    error_description: 'Bad Request',
  })
  const { fake, post } = opened()
  const { access_token } = await post(refresh(ALICE))
  fake.clock.advance('2h')
  expect(await post(refresh(access_token))).toMatchObject({ status: 400, error: 'invalid_grant' })
  const headers = { 'Content-Type': 'application/json' }
  const broken = await fake.request('/token', { method: 'POST', headers, body: '{' })
  expect(await broken.json()).toMatchObject({ error: 'invalid_request' })
})

test('a client id creates no world, and selects only existing ones', async () => {
  const { fake, post, consent } = opened()
  expect(await consent('https://app.example.com/back', 'my~app')).toEqual(GIVEN)
  await post({ grant_type: 'refresh_token', refresh_token: ALICE, client_id: 'my~app' })
  expect(fake.worlds()).toEqual(['default'])
  expect(fake.state().oauth?.grants).toMatchObject([{ client: 'my~app' }])
  fake.world('my').health()
  expect(await consent('https://app.example.com/back', 'my~app')).toMatch(/^my~1/)
  expect(fake.world('my').state().oauth?.grants).toMatchObject([{ client: 'app' }])
})

test.each(['?access_token=', '?oauth_token=', '?access_token=blue~'])(
  '11.12 an empty token (%s) is rejected',
  async (query) => {
    const { anonymous } = openCalendar({ anonymous: ALICE })
    expect(errorOf(await anonymous.get(`/calendars/primary${query}`))).toMatchObject({ status: 401 })
  },
)

test('names of Object.prototype are ordinary values', async () => {
  const { fake, post } = opened()
  const given = await post({
    grant_type: 'refresh_token',
    refresh_token: ALICE,
    client_id: 'constructor',
    scope: 'constructor toString __proto__',
  })
  expect(given.scope).toBe('constructor toString __proto__')
  expect(fake.state().tokens).toMatchObject([{ scopes: ['constructor', 'toString', '__proto__'] }])
  expect(await post({ grant_type: 'constructor' })).toMatchObject({ error: 'unsupported_grant_type' })
  const headers = { Authorization: `Bearer ${ALICE}`, 'Content-Type': 'application/json' }
  for (const colorId of ['constructor', '__proto__', 'toString']) {
    const body = JSON.stringify({ colorId, start: { date: '2026-03-02' }, end: { date: '2026-03-03' } })
    const reply = await fake.request('/calendar/v3/calendars/primary/events', { method: 'POST', headers, body })
    expect(reply.status).toBe(400)
    const entry = JSON.stringify({ colorId })
    const path = `/calendar/v3/users/me/calendarList/${ALICE}`
    expect((await fake.request(path, { method: 'PATCH', headers, body: entry })).status).toBe(400)
  }
})
