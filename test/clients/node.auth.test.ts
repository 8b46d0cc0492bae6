import { generateKeyPairSync } from 'node:crypto'
import { auth, calendar as openClient } from '@googleapis/calendar'
import { afterEach, expect, test } from 'vitest'
import { createFakeCalendar, type FakeCalendar, type Seed } from '../../src/index.ts'
import { ALICE, BOB, PEOPLE } from '../support/calendar.ts'
import { connectTo } from '../support/team.ts'

/**
 * The official Node client with its own auth library, unmodified: every token that it calls with is one that it got
 * here.
 */
const EVENTS = 'https://www.googleapis.com/auth/calendar.events'
const READONLY = 'https://www.googleapis.com/auth/calendar.readonly'
const ROBOT = 'robot@project.iam.gserviceaccount.com'
const CLIENT = 'client.apps.example.com'
const BACK = 'http://localhost:3000/back'

const { publicKey, privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})

const seed: Seed = {
  ...PEOPLE,
  oauth: {
    clients: [{ id: CLIENT, secret: 'hush', redirectUris: [BACK], type: 'web' }],
    serviceAccounts: [{ email: ROBOT, publicKey, delegation: { scopes: [EVENTS] } }],
    grants: [{ client: CLIENT, account: BOB, scopes: [READONLY], refreshToken: '1//bob' }],
  },
}

let fake: FakeCalendar | undefined
afterEach(() => fake?.close())

/**
 * Strict, so that only granted tokens are accepted. Its clock follows the machine, as the library's does.
 */
async function opened() {
  fake = createFakeCalendar({ seed, strict: true })
  const { url, fetch } = await connectTo(fake)
  const through = { fetchImplementation: fetch, transporterOptions: { fetchImplementation: fetch } }
  const endpoints = {
    oauth2AuthBaseUrl: `${url}/o/oauth2/v2/auth`,
    oauth2TokenUrl: `${url}/token`,
    oauth2RevokeUrl: `${url}/revoke`,
    tokenInfoUrl: `${url}/tokeninfo`,
    oauth2FederatedSignonPemCertsUrl: `${url}/oauth2/v1/certs`,
  }
  const client = new auth.OAuth2({
    clientId: CLIENT,
    clientSecret: 'hush',
    redirectUri: BACK,
    endpoints,
    forceRefreshOnFailure: true,
    ...through,
  })
  const calendarOf = (by: typeof client | InstanceType<typeof auth.JWT>) =>
    openClient({ version: 'v3', auth: by, rootUrl: `${url}/`, ...through })
  /** Redirects token requests in the transport, because the library has no option for the token endpoint of a service account. */
  const robot = (subject: string | undefined, scopes: string[], key = privateKey) => {
    const jwt = new auth.JWT({ email: ROBOT, key, scopes, ...through, ...(subject && { subject }) })
    const interceptor = {
      resolved: async <C extends { url: URL }>(config: C): Promise<C> => {
        if (config.url.host === 'oauth2.googleapis.com') config.url = new URL(`${url}${config.url.pathname}`)
        return config
      },
    }
    jwt.transporter.interceptors.request.add(interceptor)
    return jwt
  }
  /** Plays the browser of a person on the authorization page: returns the code of the redirect. */
  const visited = async (page: string): Promise<URLSearchParams> => {
    const response = await fetch(page, { redirect: 'manual' })
    return new URL(response.headers.get('Location') ?? '').searchParams
  }
  return { fake, client, robot, calendarOf, visited }
}

const OFFLINE = { access_type: 'offline', scope: ['openid', 'email', EVENTS] }
const failing = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable('the call was answered'),
    (error) => ({ status: error.status, ...error.response?.data }),
  )

test('a code with PKCE is exchanged for an access token and an id token', async () => {
  const { client, calendarOf, visited } = await opened()
  const { codeVerifier, codeChallenge } = await client.generateCodeVerifierAsync()
  const url = client.generateAuthUrl({
    ...OFFLINE,
    state: 'here&now',
    login_hint: ALICE,
    ...{ code_challenge_method: 'S256' as never, code_challenge: codeChallenge ?? '' },
  })

  const back = await visited(url)
  const wrong = await failing(client.getToken({ code: back.get('code') ?? '', codeVerifier: 'guessed' }))
  const { tokens } = await client.getToken({ code: back.get('code') ?? '', codeVerifier })
  client.setCredentials(tokens)
  const { data } = await calendarOf(client).events.list({ calendarId: 'primary' })
  const ticket = await client.verifyIdToken({ idToken: tokens.id_token ?? '', audience: CLIENT })

  expect(back.get('state')).toBe('here&now')
  expect(wrong).toEqual({ status: 400, error: 'invalid_grant', error_description: 'Invalid code verifier.' })
  expect(data.summary).toBe(ALICE)
  expect(ticket.getPayload()).toMatchObject({ email: ALICE, email_verified: true, aud: CLIENT, hd: 'example.com' })
  expect(await failing(client.getToken({ code: back.get('code') ?? '', codeVerifier }))).toMatchObject({
    error: 'invalid_grant',
  })
})

test('11.19, 11.22 the library refreshes an expired token and repeats the call', async () => {
  const { client, calendarOf, fake } = await opened()
  client.setCredentials({ refresh_token: '1//bob' })
  const calendar = calendarOf(client)

  const { data } = await calendar.calendarList.get({ calendarId: 'primary' })
  const first = client.credentials.access_token
  fake.clock.advance('1h')
  const again = await calendar.calendarList.get({ calendarId: 'primary' })

  expect([data.id, again.data.id]).toEqual([BOB, BOB])
  expect(client.credentials.access_token).not.toBe(first)
})

test('a token with too few scopes gets an error that names the method', async () => {
  const { client, calendarOf } = await opened()
  client.setCredentials({ refresh_token: '1//bob' })
  const insert = calendarOf(client).calendars.insert({ requestBody: { summary: 'New' } })

  expect(await failing(insert)).toMatchObject({
    status: 403,
    error: {
      status: 'PERMISSION_DENIED',
      details: [
        {
          reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
          metadata: { service: 'calendar-json.googleapis.com', method: 'calendar.v3.Calendars.Insert' },
        },
      ],
    },
  })
})

test('tokeninfo describes a token, and a revoked token is invalid', async () => {
  const { client, calendarOf } = await opened()
  client.setCredentials({ refresh_token: '1//bob' })
  const { token } = await client.getAccessToken()

  expect(await client.getTokenInfo(token ?? '')).toMatchObject({ email: BOB, scopes: [READONLY], aud: CLIENT })
  expect((await client.revokeToken(token ?? '')).status).toBe(200)

  expect(await failing(client.getTokenInfo(token ?? ''))).toMatchObject({ error: 'invalid_token' })
  expect(await failing(calendarOf(client).calendarList.list())).toMatchObject({
    error: 'invalid_grant',
    error_description: 'Token has been expired or revoked.',
  })
})

test('15.20 a service account has its own calendar, and can act for accounts that delegated to it', async () => {
  const { robot, calendarOf } = await opened()

  const own = await calendarOf(robot(undefined, [READONLY])).calendarList.list()
  const delegated = await calendarOf(robot(ALICE, [EVENTS])).events.list({ calendarId: 'primary' })

  expect(own.data.items?.map(({ id }) => id)).toEqual([ROBOT])
  expect(delegated.data.summary).toBe(ALICE)
})

test('11.12 a token that a service account signs itself is valid in open mode', async () => {
  fake = createFakeCalendar({ seed: PEOPLE })
  const { url, fetch } = await connectTo(fake)
  const jwt = new auth.JWT({ email: ROBOT, key: privateKey, scopes: [READONLY] })
  jwt.useJWTAccessWithScope = true
  const { data } = await openClient({
    version: 'v3',
    auth: jwt,
    rootUrl: `${url}/`,
    fetchImplementation: fetch,
  }).calendarList.list()

  expect(data.items?.map(({ id }) => id)).toEqual([ROBOT])
})
