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
  const authorize = async (given: Record<string, string> = {}, base = '') => {
    const url = `${base}/o/oauth2/v2/auth?${new URLSearchParams({ ...ASKED, ...given })}`
    const reply = await fake.request(url)
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
  return { fake, authorize, post, token, signIn, listAs }
}

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

test('grants are part of the state and are restored with it', async () => {
  const first = opened()
  const { access_token, refresh_token } = await first.signIn()
  await first.authorize()
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
  const { back } = await authorize({ login_hint: BOB }, '/w/blue')
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
