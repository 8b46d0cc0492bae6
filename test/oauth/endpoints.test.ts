import { expect, test } from 'vitest'
import { ALICE, BOB, openCalendar } from '../support/calendar.ts'
import { opened, SCOPE } from './opened.ts'

const REFRESH = { grant_type: 'refresh_token', client_id: 'app', refresh_token: BOB }
const form = (given: Record<string, string>) => ({ method: 'POST', body: new URLSearchParams(given) })

test.each(['/token', '/oauth2/v4/token', '/oauth2/v3/token', '/o/oauth2/token', '/v1/token'])(
  '11.19 %s issues tokens',
  async (path) => {
    expect(await opened().post(path, REFRESH)).toMatchObject({ status: 200, token_type: 'Bearer' })
  },
)

test.each(['/o/oauth2/v2/auth', '/o/oauth2/auth'])('11.19 %s shows the consent page', async (path) => {
  const { fake } = openCalendar()
  const params = { client_id: 'app', redirect_uri: 'https://app.example.com/', response_type: 'code', scope: SCOPE }

  expect((await fake.request(`${path}?${new URLSearchParams(params)}`)).status).toBe(302)
})

test.each(['/device/code', '/o/oauth2/device/code'])('11.19 %s issues device codes', async (path) => {
  expect(await opened().post(path, { client_id: 'app', scope: SCOPE })).toMatchObject({ status: 200, interval: 5 })
})

test.each([
  ['GET', '/token'],
  ['GET', '/device/code'],
  ['POST', '/.well-known/openid-configuration'],
  ['POST', '/oauth2/v3/certs'],
  ['POST', '/oauth2/v1/certs'],
  ['PUT', '/revoke'],
])('%s is not allowed at %s', async (method, path) => {
  const { fake } = openCalendar()

  expect((await fake.request(path, { method })).status).toBe(404)
})

test('form parameters have priority over the query', async () => {
  const { fake } = openCalendar()
  const reply = await fake.request(`/token?refresh_token=${ALICE}&client_id=query`, form({ ...REFRESH }))
  const empty = await fake.request(`/token?refresh_token=${ALICE}`, form({ ...REFRESH, refresh_token: '' }))

  expect([reply.status, empty.status]).toEqual([200, 200])
  expect(fake.state().tokens).toMatchObject([
    { account: BOB, client: 'app' },
    { account: ALICE, client: 'app' },
  ])
})

test('a body may be JSON with string values, or a form sent as plain text', async () => {
  const { fake } = openCalendar()
  const send = async (type: string, body: string) => {
    const headers: Record<string, string> = type ? { 'Content-Type': type } : {}
    const reply = await fake.request('/token', { method: 'POST', headers, body })
    return { status: reply.status, ...(await reply.json()) }
  }
  const missing = { status: 400, error: 'invalid_request', error_description: 'Missing required parameter: grant_type' }

  expect(await send('application/json', JSON.stringify(REFRESH))).toMatchObject({ status: 200 })
  expect(await send('text/plain', String(new URLSearchParams(REFRESH)))).toMatchObject({ status: 200 })
  expect(await send('application/json', JSON.stringify({ ...REFRESH, client_id: 7 }))).toMatchObject({
    error_description: 'Could not determine client ID from request.',
  })
  for (const body of ['null', '7', '"grant_type"', '[]']) expect(await send('application/json', body)).toEqual(missing)
  expect(await send('application/json', '{')).toEqual({
    status: 400,
    error: 'invalid_request',
    error_description: 'The body is not JSON.',
  })
})

test('a GET takes its parameters from the query', async () => {
  const { fake } = openCalendar()
  const info = await fake.request(`/tokeninfo?access_token=${BOB}`)

  expect(await info.json()).toMatchObject({ email: BOB })
})

test('responses are indented by two spaces and not cached', async () => {
  const { fake } = openCalendar()
  const reply = await fake.request('/token', form(REFRESH))
  const text = await reply.text()

  expect(reply.headers.get('Cache-Control')).toMatch(/no-store|no-cache/)
  expect(reply.headers.get('Date')).toBe('Sun, 01 Mar 2026 12:00:00 GMT')
  expect(text).toContain('\n  "token_type": "Bearer"')
})

test('the journal has the account of a token, and the status of an error', async () => {
  const { fake } = openCalendar()
  await fake.request('/token', form(REFRESH))
  await fake.request('/token', form({ ...REFRESH, grant_type: 'none' }))
  await fake.request('/o/oauth2/v2/auth')

  expect(fake.calls()).toMatchObject([
    { method: 'oauth.token', account: BOB, status: 200 },
    { method: 'oauth.token', status: 400 },
    { method: 'oauth.authorize', status: 400 },
  ])
})

test('a scripted failure is consumed once', async () => {
  const { fake, page } = opened()
  fake.oauth.fail({ fail: 'denied', times: 2 })
  const errors: (string | undefined)[] = []
  for (let time = 0; time < 3; time++) errors.push((await page()).params.error)

  expect(errors).toEqual(['access_denied', 'access_denied', undefined])
  expect(fake.state().oauth?.failures ?? []).toEqual([])
})

test('a fault of the token endpoint applies only to matching requests of that endpoint', async () => {
  const { fake, post, signIn } = opened()
  const { refresh_token } = await signIn({ login_hint: BOB, access_type: 'offline' })
  const others = (await signIn({ login_hint: ALICE, access_type: 'offline' })).refresh_token
  fake.faults.add({ on: '*', account: BOB, times: 'always', do: { fail: 'backendError503' } })
  const refresh = (token: string) => post('/token', { ...REFRESH, refresh_token: token })

  expect((await refresh(refresh_token)).status).toBe(503)
  expect((await refresh(others)).status).toBe(200)
  fake.faults.add({ on: '*', times: 'always', do: { fail: 'backendError503' } })
  expect((await post('/revoke', { token: refresh_token, refresh_token })).status).toBe(200)
  expect(fake.calls().at(-3)).toMatchObject({ account: BOB, status: 503 })
})

test('a world prefix in any parameter selects the world', async () => {
  const { fake, post } = opened()
  fake.world('my').health()
  const given = await post('/token', { ...REFRESH, client_id: 'my~app' })
  const other = await post('/token', { ...REFRESH, device_code: 'my~x' })

  expect([given.access_token, other.access_token].map((token) => token.split('~')[0])).toEqual(['my', 'my'])
  expect(fake.state().tokens).toEqual([])
})

test('11.16 CORS allows the endpoints of programs, and not the pages for users', async () => {
  const { fake } = openCalendar()
  const allowed = async (path: string) =>
    (await fake.request(path, { headers: { Origin: 'https://app.example.com' } })).headers.has(
      'Access-Control-Allow-Origin',
    )

  for (const path of [`/tokeninfo?access_token=${BOB}`, '/oauth2/v3/certs', '/.well-known/openid-configuration'])
    expect([path, await allowed(path)]).toEqual([path, true])
  for (const path of ['/o/oauth2/v2/auth', '/o/oauth2/auth', '/device'])
    expect([path, await allowed(path)]).toEqual([path, false])
})

test('the Date of an error on an unreadable body is the time of its world', async () => {
  const { fake } = openCalendar()
  const headers = { 'Content-Type': 'application/json' }
  const reply = await fake.request('/token', { method: 'POST', headers, body: '[' })

  expect([reply.status, reply.headers.get('Date')]).toEqual([400, 'Sun, 01 Mar 2026 12:00:00 GMT'])
})
