import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { createFakeCalendar, type FakeCalendarOptions } from '../../src/index.ts'
import { ALICE, BOB, NOW, openCalendar, PEOPLE } from '../support/calendar.ts'

const EVENTS = 'https://www.googleapis.com/auth/calendar.events'
const BACK = 'http://localhost:3000/back'
const CLIENT = 'client.apps.example.com'
const ASKED = { client_id: CLIENT, redirect_uri: BACK, response_type: 'code', scope: EVENTS, access_type: 'offline' }

function opened(options: FakeCalendarOptions = {}) {
  const { fake } = openCalendar(options)
  const authorize = async (given: Record<string, string> = {}, form?: Record<string, string>, base = '') => {
    const url = `${base}/o/oauth2/v2/auth?${new URLSearchParams({ ...ASKED, ...given })}`
    const reply = await fake.request(url, form && { method: 'POST', body: new URLSearchParams(form) })
    const location = reply.headers.get('Location')
    return { status: reply.status, html: await reply.text(), back: new URL(location ?? 'http://none').searchParams }
  }
  const post = async (path: string, form: Record<string, string>, headers = {}) => {
    const reply = await fake.request(path, { method: 'POST', headers, body: new URLSearchParams(form) })
    return { status: reply.status, ...(await reply.json()) }
  }
  const token = (form: Record<string, string>) => post('/token', { client_id: CLIENT, redirect_uri: BACK, ...form })
  const signIn = async (given: Record<string, string> = {}) => {
    const { back } = await authorize({ login_hint: ALICE, ...given })
    return token({ grant_type: 'authorization_code', code: back.get('code') ?? '' })
  }
  const listAs = (bearer: string) =>
    fake.request('/calendar/v3/calendars/primary/events', { headers: { Authorization: `Bearer ${bearer}` } })
  /** Answers the page that a person is shown. */
  const decide = async (form: Record<string, string>, given: Record<string, string> = {}) =>
    authorize(given, { form: formIn((await authorize(given)).html), ...form })
  return { fake, authorize, decide, post, token, signIn, listAs }
}

const formIn = (html: string): string => /name="form" value="([^"]+)"/.exec(html)?.[1] ?? ''

test('consent is granted at once to the account of login_hint', async () => {
  const { authorize } = opened()
  const { status, back } = await authorize({ state: 's&t', login_hint: BOB })

  expect(status).toBe(302)
  expect(Object.fromEntries(back)).toMatchObject({ state: 's&t', scope: EVENTS, code: expect.stringMatching(/^4\/0A/) })
})

test.each([
  ['no client_id', { client_id: '' }, 400, 'Missing required parameter: client_id'],
  ['no redirect_uri', { redirect_uri: '' }, 400, 'Missing required parameter: redirect_uri'],
  ['a javascript: redirect_uri', { redirect_uri: 'javascript:alert(1)' }, 400, 'redirect_uri'],
  ['a redirect_uri after a blank', { redirect_uri: ' https://app.example.com/back' }, 400, 'redirect_uri'],
  ['a javascript: scheme with a tab', { redirect_uri: 'java\tscript:alert(1)' }, 400, 'redirect_uri'],
  ['a scheme behind a control character', { redirect_uri: '\u0001javascript:alert(1)' }, 400, 'redirect_uri'],
  ['a relative redirect_uri', { redirect_uri: '/back' }, 400, 'redirect_uri'],
  ['markup', { redirect_uri: '<script>alert(1)</script>' }, 400, '&#60;script&#62;'],
])('a request with %s gets an error page', async (_, given, status, message) => {
  const { authorize } = opened()
  const reply = await authorize(given)

  expect(reply.status).toBe(status)
  expect(reply.html).toContain(message)
  expect(reply.html).not.toContain('<script>')
})

test.each([
  ['another response_type', { response_type: 'id_token' }, 'unsupported_response_type'],
  ['no scope', { scope: '' }, 'invalid_request'],
  ['an unknown challenge method', { code_challenge: 'x', code_challenge_method: 'S1' }, 'invalid_request'],
])('a request for %s is redirected with an error', async (_, given, error) => {
  const { authorize } = opened()

  expect((await authorize(given)).back.get('error')).toBe(error)
})

test('the client settings of a seed apply', async () => {
  const clients = [{ id: CLIENT, secret: 'hush', redirectUris: [BACK, 'http://localhost/any'] }]
  const { authorize, post } = opened({ seed: { ...PEOPLE, oauth: { clients } }, strict: true })
  const basic = (secret: string) => ({
    Authorization: `Basic ${Buffer.from(`${CLIENT}:${secret}`).toString('base64')}`,
  })
  const grant = { grant_type: 'refresh_token', refresh_token: 'x' }

  expect((await authorize()).status).toBe(302)
  expect((await authorize({ redirect_uri: 'http://localhost:5555/any' })).status).toBe(302)
  expect((await authorize({ redirect_uri: 'http://localhost:3000/other' })).html).toContain('redirect_uri_mismatch')
  expect((await authorize({ client_id: 'another' })).html).toContain('invalid_client')
  expect(await post('/token', { ...grant, client_id: CLIENT })).toMatchObject({ status: 401, error: 'invalid_client' })
  expect(await post('/token', grant, basic('wrong'))).toMatchObject({ status: 401, error: 'invalid_client' })
  expect(await post('/token', grant, basic('hush'))).toMatchObject({ status: 400, error: 'invalid_grant' })
  expect(await post('/token', grant)).toMatchObject({ status: 400, error: 'invalid_request' })
})

test.each(['/token', '/oauth2/v4/token', '/o/oauth2/token'])(
  '11.19 %s exchanges a refresh token for an access token',
  async (path) => {
    const { post } = opened()
    const form = { grant_type: 'refresh_token', refresh_token: BOB, client_id: CLIENT }

    expect(await post(path, form)).toEqual({
      status: 200,
      access_token: expect.stringMatching(/^ya29\./),
      expires_in: 3599,
      scope: 'https://www.googleapis.com/auth/calendar',
      token_type: 'Bearer',
    })
  },
)

test('tokens and codes expire by the clock of their world', async () => {
  const { fake, authorize, signIn, listAs, token } = opened()
  const { access_token } = await signIn()
  const { back } = await authorize()

  expect((await listAs(access_token)).status).toBe(200)
  fake.clock.advance('59m')
  expect((await listAs(access_token)).status).toBe(200)
  fake.clock.advance('1m')
  const late = await listAs(access_token)

  expect(late.status).toBe(401)
  expect(late.headers.get('WWW-Authenticate')).toContain('error="invalid_token"')
  expect(await token({ grant_type: 'authorization_code', code: back.get('code') ?? '' })).toMatchObject({
    error: 'invalid_grant',
  })
})

test('11.20 a code is valid only for its client and redirect URI', async () => {
  const { authorize, token } = opened()
  const code = (await authorize()).back.get('code') ?? ''
  const exchange = (more: Record<string, string>) => token({ grant_type: 'authorization_code', code, ...more })

  expect(await exchange({ redirect_uri: 'http://localhost:3000' })).toMatchObject({ error: 'redirect_uri_mismatch' })
  expect(await exchange({ client_id: 'another' })).toMatchObject({ error: 'invalid_grant' })
  expect(await exchange({})).toMatchObject({ status: 200 })
})

test('the consent page offers accounts and a denial', async () => {
  const { authorize, decide } = opened({ consent: true })
  const page = await authorize({ client_id: '<b>' })
  const allowed = await decide({ account: BOB, decision: 'allow' })
  const denied = await decide({ account: BOB, decision: 'deny' })

  expect(page.status).toBe(200)
  expect(page.html).toContain(`value="${ALICE.replace('@', '@')}" checked`)
  expect(page.html).toContain('&#60;b&#62; wants to')
  expect(allowed.back.get('code')).toBeTruthy()
  expect(denied.back.get('error')).toBe('access_denied')
  expect((await authorize({ prompt: 'none' })).back.get('error')).toBe('interaction_required')
})

test.each([
  ['oauthBadGrant', 400, 'invalid_grant'],
  ['oauthRevoked', 400, 'invalid_grant'],
  ['oauthWrongSecret', 401, 'invalid_client'],
  ['oauthPending', 428, 'authorization_pending'],
  ['oauthSlowDown', 403, 'slow_down'],
  ['oauthUnavailable', 503, 'temporarily_unavailable'],
] as const)('11.20 a test can make the token endpoint fail with %s, n times', async (fail, status, error) => {
  const { fake, token } = opened()
  fake.faults.add({ on: 'oauth.token', times: 2, do: { fail } })
  const refresh = () => token({ grant_type: 'refresh_token', refresh_token: 'any' })

  expect([await refresh(), await refresh()]).toEqual([
    expect.objectContaining({ status, error }),
    expect.objectContaining({ status, error }),
  ])
  expect(await refresh()).toMatchObject({ status: 200 })
})

test('a test can deny consent, withhold a refresh token and revoke everything', async () => {
  const { fake, authorize, signIn, listAs } = opened()
  const headers = { 'Content-Type': 'application/json' }
  const control = (path: string, body: object) =>
    fake.request(`/_control/oauth${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  await control('/fail', { fail: 'noRefreshToken' })
  await control('/fail', { fail: 'denied' })

  expect((await authorize()).back.get('error')).toBe('access_denied')
  const { access_token, refresh_token } = await signIn()
  expect(refresh_token).toBeUndefined()
  expect(await (await control('/revoke', { account: ALICE })).json()).toEqual({ revoked: 2 })
  expect((await listAs(access_token)).status).toBe(401)
})

test('grants are part of the state and are restored with it', async () => {
  const first = opened()
  const { access_token, refresh_token } = await first.signIn()
  await first.authorize({}, undefined)
  const state = first.fake.state()
  const second = opened({ seed: state, strict: true })

  expect(second.fake.state()).toEqual(state)
  expect((await second.listAs(access_token)).status).toBe(200)
  expect(await second.token({ grant_type: 'refresh_token', refresh_token })).toMatchObject({
    status: 401,
    error: 'invalid_client',
  })
})

test('equal runs issue equal tokens', async () => {
  expect(await opened().signIn({ scope: `openid ${EVENTS}` })).toEqual(
    await opened().signIn({ scope: `openid ${EVENTS}` }),
  )
})

test('tokens and codes of a world select it at every endpoint', async () => {
  const { fake, authorize, token, post, listAs } = opened({
    strict: true,
    seed: { ...PEOPLE, oauth: { clients: [{ id: CLIENT }] } },
  })
  const { back } = await authorize({ login_hint: BOB }, undefined, '/w/blue')
  const code = back.get('code') ?? ''
  const granted = await token({ grant_type: 'authorization_code', code })
  const refreshed = await token({ grant_type: 'refresh_token', refresh_token: granted.refresh_token })

  expect([code, granted.access_token, granted.refresh_token].map((text) => text.split('~')[0])).toEqual([
    'blue',
    'blue',
    'blue',
  ])
  expect((await (await listAs(refreshed.access_token)).json()).summary).toBe(BOB)
  expect(await post('/tokeninfo', { access_token: refreshed.access_token })).toMatchObject({ email: BOB, aud: CLIENT })
  expect(fake.state().tokens).toEqual([])
  expect(fake.world('blue').state().tokens).toHaveLength(2)
})

test('11.19 userinfo is served in both spellings', async () => {
  const seed = { accounts: [{ email: ALICE, displayName: 'Alice A. Ames' }] }
  const { fake } = opened({ seed })
  const info = async (path: string, bearer = ALICE) => {
    const reply = await fake.request(path, { headers: { Authorization: `Bearer ${bearer}` } })
    return reply.json()
  }
  const { sub } = await info('/oauth2/v3/userinfo')

  expect(sub).toMatch(/^1\d{20}$/)
  expect(await info('/oauth2/v3/userinfo')).toEqual({
    sub,
    name: 'Alice A. Ames',
    given_name: 'Alice',
    family_name: 'A. Ames',
    picture: 'https://lh3.googleusercontent.com/a/default-user=s96-c',
    email: ALICE,
    email_verified: true,
    hd: 'example.com',
  })
  expect(await info('/oauth2/v2/userinfo')).toMatchObject({ id: sub, verified_email: true })
  expect((await fake.request('/oauth2/v3/userinfo')).status).toBe(401)
})

test('all endpoints are at the addresses of the OpenID configuration', async () => {
  const { fake } = opened()
  const configuration = await (await fake.request('/w/blue/.well-known/openid-configuration')).json()
  const keys = await (await fake.request(configuration.jwks_uri)).json()

  expect(configuration.token_endpoint).toBe('http://fake-calendar.localhost/w/blue/token')
  expect(keys.keys[0]).toMatchObject({ kty: 'RSA', alg: 'RS256', use: 'sig' })
  expect(JSON.stringify(keys)).not.toContain('"d":')
  for (const [name, url] of Object.entries<string>(configuration).filter(([name]) => name.endsWith('_endpoint'))) {
    expect((await fake.request(url, { method: 'POST' })).status, name).not.toBe(404)
  }
})

const hasSix = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
)

test.skipIf(!hasSix)('the server listens on both loopback addresses with one port', async () => {
  const fake = createFakeCalendar({ seed: PEOPLE, now: NOW })
  const { url, port, host } = await fake.listen()
  const answers = await Promise.all(
    [url, `http://localhost:${port}`, `http://[::1]:${port}`].map(async (base) =>
      (await fetch(`${base}/discovery/v1/apis`)).json(),
    ),
  )
  await fake.close()

  expect([url, host]).toEqual([`http://127.0.0.1:${port}`, '127.0.0.1'])
  expect(answers.map(({ items }) => new URL(items[0].discoveryRestUrl).host)).toEqual([
    `127.0.0.1:${port}`,
    `localhost:${port}`,
    `[::1]:${port}`,
  ])
})
