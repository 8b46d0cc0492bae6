import { expect, test } from 'vitest'
import { createFakeCalendar, type FakeCalendar, type FakeCalendarOptions } from '../../src/index.ts'
import { captureErrors, failAtWrite } from '../robust/failing.ts'
import { captureWorld, listDifferences } from '../robust/worldState.ts'
import { ALICE, NOW, PEOPLE } from '../support/calendar.ts'

const SCOPE = 'https://www.googleapis.com/auth/calendar openid email'
const REDIRECT = { client_id: 'app', redirect_uri: 'http://localhost:5000/back' }
const CODE = { ...REDIRECT, response_type: 'code', scope: SCOPE }
const PAGE = '/o/oauth2/v2/auth'
const part = (data: object) => Buffer.from(JSON.stringify(data)).toString('base64url')
const NOON = Date.parse(NOW) / 1000
const CLAIMS = { iss: 'robot@project.iam.gserviceaccount.com', scope: SCOPE, aud: 'https://oauth2.googleapis.com/token', iat: NOON, exp: NOON + 60 } // biome-ignore format: one line
const JWT = {
  grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
  assertion: [part({ alg: 'RS256' }), part(CLAIMS), 'signed'].join('.'),
}
const refresh = (refresh_token: string) => ({ grant_type: 'refresh_token', client_id: 'app', refresh_token })

const opened = (options: FakeCalendarOptions = {}) => createFakeCalendar({ seed: PEOPLE, now: NOW, ...options })

type OAuthRequest = { method: string; path: string; form?: Record<string, string> }
const get = (path: string, query = {}): OAuthRequest => ({
  method: 'GET',
  path: `${path}?${new URLSearchParams(query)}`,
})
const head = (path: string, query = {}): OAuthRequest => ({ ...get(path, query), method: 'HEAD' })
const post = (path: string, form: Record<string, string>): OAuthRequest => ({ method: 'POST', path, form })

const send = (fake: Pick<FakeCalendar, 'request'>, { method, path, form }: OAuthRequest) =>
  fake.request(path, { method, ...(form && { body: new URLSearchParams(form) }) })

test.each<[string, number, OAuthRequest, FakeCalendarOptions?]>([
  ['an unknown client', 401, post('/token', refresh('fresh~none')), { strict: true }],
  ['an unknown grant type', 400, post('/w/fresh/token', { grant_type: 'none' })],
  ['an unknown code', 400, post('/token', { ...REDIRECT, grant_type: 'authorization_code', code: 'fresh~4/0' })],
  ['an invalid assertion', 400, post('/w/fresh/token', { ...JWT, assertion: 'x' })],
  ['the revocation of an unknown token', 400, get('/revoke', { token: 'fresh~none' })],
  ['the tokeninfo of an unknown token', 400, get('/tokeninfo', { id_token: 'fresh~none' })],
  ['userinfo without a token', 401, get('/w/fresh/oauth2/v3/userinfo')],
  ['a consent page without a client', 400, get(`/w/fresh${PAGE}`)],
  [
    'a consent page with an unsafe redirect URI',
    400,
    get(`/w/fresh${PAGE}`, { ...CODE, redirect_uri: 'javascript:x' }),
  ],
  [
    'a consent page with an unsupported response type',
    302,
    get(`/w/fresh${PAGE}`, { ...CODE, response_type: 'id_token' }),
  ],
  ['a device without a client', 400, post('/w/fresh/device/code', { scope: SCOPE })],
  ['a HEAD of the page without consent', 200, head(`/w/fresh${PAGE}`, CODE), { consent: false }],
  ['a HEAD of the page with consent', 200, head(`/w/fresh${PAGE}`, CODE), { consent: true }],
  ['a HEAD of tokeninfo', 200, head('/tokeninfo', { access_token: `fresh~${ALICE}` })],
  ['the device page', 200, get('/w/fresh/device')],
  ['the device page with an unknown code', 200, get('/w/fresh/device', { user_code: 'AAAA-BBBB' })],
  ['addresses', 200, get('/w/fresh/.well-known/openid-configuration')],
  ['keys', 200, get('/w/fresh/oauth2/v3/certs')],
])('%s (%i) creates no world', async (_, status, request, options) => {
  const fake = opened(options)

  expect((await send(fake, request)).status).toBe(status)
  expect(fake.worlds()).toEqual(['default'])
})

test.each<[string, OAuthRequest, FakeCalendarOptions?]>([
  ['a code', get(`/w/fresh${PAGE}`, CODE)],
  ['a consent page', get(`/w/fresh${PAGE}`, CODE), { consent: true }],
  ['a token', post('/token', refresh(`fresh~${ALICE}`))],
  ['a device', post('/w/fresh/device/code', { client_id: 'app', scope: SCOPE })],
])('%s creates its world when it is issued', async (_, request, options) => {
  const fake = opened(options)

  expect((await send(fake, request)).status).toBeLessThan(400)
  expect(fake.worlds()).toEqual(['default', 'fresh'])
})

/** The fields that mark an answer of our own page. */
const formOn = async (page: Response) => /name="form" value="([^"]+)"/.exec(await page.text())?.[1] ?? ''

/** The grant of each writing endpoint, after the requests that it needs. */
const GRANTED: Record<string, (fake: FakeCalendar) => Promise<OAuthRequest>> = {
  authorize: async () => get(PAGE, { ...CODE, login_hint: 'new@example.com' }),
  'a consent page': async () => get(PAGE, CODE),
  'an answer on the consent page': async (fake) => {
    const form = formOn(await send(fake, get(PAGE, CODE)))
    return post(`${PAGE}?${new URLSearchParams(CODE)}`, { form: await form, account: ALICE, decision: 'allow' })
  },
  'an answer on the device page': async (fake) => {
    const { user_code } = await (await send(fake, post('/device/code', { client_id: 'app', scope: SCOPE }))).json()
    const form = await formOn(await send(fake, get('/device', { user_code })))
    return post(`/device?user_code=${user_code}`, { form, account: ALICE, decision: 'allow' })
  },
  'a token for a code': async (fake) => {
    const { headers } = await send(fake, get(PAGE, CODE))
    const code = new URL(headers.get('Location') ?? '').searchParams.get('code') ?? ''
    return post('/token', { ...REDIRECT, grant_type: 'authorization_code', code })
  },
  'a token for a refresh token': async () => post('/token', refresh('new@example.com')),
  'a token for an assertion': async () => post('/token', JWT),
  'a token for a device': async (fake) => {
    const { device_code } = await (await send(fake, post('/device/code', { client_id: 'app', scope: SCOPE }))).json()
    return post('/token', { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', client_id: 'app', device_code })
  },
  'a device code': async () => post('/device/code', { client_id: 'app', scope: SCOPE }),
  'tokeninfo of an unknown token': async () => get('/tokeninfo', { access_token: 'new@example.com' }),
  'userinfo of an unknown account': async () => get('/oauth2/v3/userinfo', { access_token: 'new@example.com' }),
  revoke: async (fake) => {
    const { access_token } = await (await send(fake, post('/token', refresh(ALICE)))).json()
    return post('/revoke', { token: access_token })
  },
}

// `noRefreshToken` is consumed by the next grant.
test.each(Object.entries(GRANTED))('%s is rolled back if any of its writes fails', async (name, granted) => {
  const lines = captureErrors()
  const fake = opened({ consent: /page/.test(name) })
  const grants = await granted(fake)
  fake.oauth.fail({ fail: 'noRefreshToken', times: 9 })
  const before = captureWorld(fake)
  let n = 1

  for (; ; n++) {
    const over = failAtWrite(n)
    const { status } = await send(fake, grants)
    if (!over()) break
    expect([n, status]).toEqual([n, 500])
    expect(listDifferences(captureWorld(fake), before).filter((part) => part !== 'calls')).toEqual([])
  }

  expect(n).toBeGreaterThan(1)
  expect(lines).toHaveLength(n - 1)
  for (const line of lines) expect(line).toContain(`${grants.method} ${grants.path.split('?')[0]} failed`)
  expect(JSON.stringify(fake.state())).not.toBe(JSON.stringify(before.state))
})
