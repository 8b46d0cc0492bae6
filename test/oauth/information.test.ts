import { createPublicKey, verify, X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { ALICE, BOB, PEOPLE } from '../support/calendar.ts'
import { claimsOf, EVENTS, opened, SCOPE } from './opened.ts'

const ALL = 'https://www.googleapis.com/auth/calendar'
const DEFAULT_PICTURE = 'https://lh3.googleusercontent.com/a/default-user=s96-c'
const INVALID = { status: 400, error: 'invalid_token', error_description: 'Invalid Value' }

test.each(['/tokeninfo', '/oauth2/v3/tokeninfo'])('11.19 %s returns the properties of a token', async (path) => {
  const { fake, get, post } = opened()
  const token = fake.oauth.mint({ account: BOB, client: 'app', scopes: [SCOPE, EVENTS], life: '10m' })
  fake.clock.advance('1500ms')
  const profile = {
    status: 200,
    azp: 'app',
    aud: 'app',
    sub: expect.stringMatching(/^1\d{20}$/),
    scope: `${SCOPE} ${EVENTS}`,
    exp: String(Date.parse('2026-03-01T12:10:00Z') / 1000),
    expires_in: '598',
    email: BOB,
    email_verified: 'true',
    access_type: 'offline',
  }

  expect(await get(`${path}?access_token=${token}`)).toEqual(profile)
  expect(await post(path, { access_token: token })).toEqual(profile)
  expect(await get(path, { Authorization: `Bearer ${token}` })).toEqual(profile)
})

test.each(['/oauth2/v2/tokeninfo', '/oauth2/v1/tokeninfo'])('11.19 %s uses the older names', async (path) => {
  const { fake, get } = opened()
  const token = fake.oauth.mint({ account: BOB, client: 'app', scopes: [SCOPE, EVENTS], life: '10m' })
  const reply = await fake.request(`${path}?access_token=${token}`)

  expect(Object.entries(await reply.json())).toEqual([
    ['issued_to', 'app'],
    ['audience', 'app'],
    ['user_id', expect.stringMatching(/^1\d{20}$/)],
    ['scope', `${SCOPE} ${EVENTS}`],
    ['expires_in', 600],
    ['email', BOB],
    ['verified_email', true],
    ['access_type', 'offline'],
  ])
  fake.clock.advance('10m')
  expect(await get(`${path}?access_token=${token}`)).toEqual(INVALID)
})

test('an unknown token has all scopes and the full lifetime', async () => {
  const { get, fake } = opened()
  const { sub, ...info } = await get(`/tokeninfo?access_token=${ALICE}`)

  expect(info).toMatchObject({
    azp: 'fake-calendar',
    aud: 'fake-calendar',
    scope: ALL,
    expires_in: '3599',
    exp: String(fake.clock.now() / 1000 + 3599),
    email: ALICE,
  })
  expect((await get(`/tokeninfo?access_token=${BOB}`)).sub).not.toBe(sub)
})

test('a seeded token without expiry has the full lifetime', async () => {
  const { get } = opened({ seed: { ...PEOPLE, tokens: [{ token: 'secret', account: BOB }] }, strict: true })

  expect(await get('/tokeninfo?access_token=secret')).toMatchObject({ email: BOB, scope: ALL, expires_in: '3599' })
})

test('an expired, revoked or missing token gets an OAuth error', async () => {
  const { fake, get } = opened({ strict: true })
  const [over, revoked] = [fake.oauth.mint({ account: BOB, life: '1m' }), fake.oauth.mint({ account: ALICE })]
  fake.oauth.revoke(revoked)
  fake.clock.advance('1m')

  for (const token of [over, revoked, 'unknown']) expect(await get(`/tokeninfo?access_token=${token}`)).toEqual(INVALID)
  expect(await get('/tokeninfo')).toMatchObject({
    status: 400,
    error: 'invalid_request',
    error_description: 'Missing required parameter: access_token',
  })
})

test('tokeninfo returns the claims of a valid id_token as strings', async () => {
  const { fake, signIn, get } = opened()
  const { id_token } = await signIn({ scope: 'openid email', login_hint: BOB, nonce: 'n' })
  const claims = claimsOf(id_token)
  const { status, ...info } = await get(`/tokeninfo?id_token=${id_token}`)

  expect(status).toBe(200)
  expect(info).toEqual(Object.fromEntries(Object.entries(claims).map(([name, value]) => [name, String(value)])))
  expect(info).toMatchObject({ email_verified: 'true', iss: 'https://accounts.google.com', exp: String(claims.exp) })
  fake.clock.advance('59m')
  expect((await get(`/tokeninfo?id_token=${id_token}`)).status).toBe(200)
  fake.clock.advance('1m')
  expect(await get(`/tokeninfo?id_token=${id_token}`)).toEqual(INVALID)
  expect(await get(`/tokeninfo?id_token=${id_token.slice(0, -4)}AAAA`)).toEqual(INVALID)
})

test('an id_token is signed with the published key and certificate', async () => {
  const { signIn, get } = opened()
  const { id_token } = await signIn({ scope: 'openid' })
  const [header = '', payload = '', signature = ''] = id_token.split('.')
  const { keys } = await get('/oauth2/v3/certs')
  const { status, ...certificates } = await get('/oauth2/v1/certs')
  const [[name, pem]] = Object.entries(certificates) as [[string, string]]
  const signed = (key: Parameters<typeof createPublicKey>[0]) =>
    verify('RSA-SHA256', Buffer.from(`${header}.${payload}`), createPublicKey(key), Buffer.from(signature, 'base64url'))

  expect(keys).toEqual([
    { kty: 'RSA', e: 'AQAB', n: expect.any(String), kid: 'fake-calendar-1', alg: 'RS256', use: 'sig' },
  ])
  expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({
    alg: 'RS256',
    kid: 'fake-calendar-1',
    typ: 'JWT',
  })
  expect(signed({ key: keys[0], format: 'jwk' })).toBe(true)
  expect([status, name]).toEqual([200, 'fake-calendar-1'])
  expect(signed(pem)).toBe(true)
  expect(new X509Certificate(pem).subject).toBe('CN=fake-calendar.localhost')
  expect(pem.split('\n').every((line) => line.length <= 64)).toBe(true)
  expect(pem.endsWith('-----END CERTIFICATE-----\n')).toBe(true)
})

const NAMED = {
  accounts: [
    { email: 'ann@example.com', displayName: 'Ann Ash Abel' },
    { email: 'ben@gmail.com', displayName: 'Ben' },
    { email: 'cay@example.org' },
  ],
}

test('11.19 userinfo has the name and the domain of the account', async () => {
  const { get } = opened({ seed: NAMED })
  const info = async (email: string) => {
    const { sub, status, ...profile } = await get('/v1/userinfo', { Authorization: `Bearer ${email}` })
    expect([status, sub]).toEqual([200, expect.stringMatching(/^1\d{20}$/)])
    return profile
  }

  expect(await info('ann@example.com')).toEqual({
    name: 'Ann Ash Abel',
    given_name: 'Ann',
    family_name: 'Ash Abel',
    picture: DEFAULT_PICTURE,
    email: 'ann@example.com',
    email_verified: true,
    hd: 'example.com',
  })
  expect(await info('ben@gmail.com')).toEqual({
    name: 'Ben',
    given_name: 'Ben',
    picture: DEFAULT_PICTURE,
    email: 'ben@gmail.com',
    email_verified: true,
  })
  expect(await info('cay@example.org')).toEqual({
    picture: DEFAULT_PICTURE,
    email: 'cay@example.org',
    email_verified: true,
    hd: 'example.org',
  })
})

test.each([
  ['/v1/userinfo', 'sub'],
  ['/oauth2/v3/userinfo', 'sub'],
  ['/oauth2/v2/userinfo', 'id'],
  ['/oauth2/v1/userinfo', 'id'],
])('11.19 %s returns the id of an account as %s', async (path, name) => {
  const { get } = opened()
  const reply = await get(`${path}?access_token=${BOB}`)
  const other = name === 'sub' ? 'id' : 'sub'

  expect(reply).toMatchObject({ status: 200, [name]: expect.stringMatching(/^1\d{20}$/), email: BOB })
  expect(reply).not.toHaveProperty(other)
  expect(reply).toHaveProperty(name === 'sub' ? 'email_verified' : 'verified_email', true)
})

test('11.20 /oauth2/v3/userinfo rejects an invalid token in the form of RFC 6749', async () => {
  const { fake } = opened({ strict: true })
  const reply = await fake.request('/oauth2/v3/userinfo', { headers: { Authorization: 'Bearer unknown' } })

  expect([reply.status, await reply.json()]).toEqual([
    401,
    { error: 'invalid_request', error_description: 'Invalid Credentials' },
  ])
  expect(reply.headers.get('WWW-Authenticate')).toBe(
    'Bearer realm="https://accounts.google.com/", error="invalid_token"',
  )
})

test.each(['/oauth2/v1/userinfo', '/oauth2/v2/userinfo'])(
  '%s rejects an invalid token like the calendar API',
  async (path) => {
    const { get } = opened({ strict: true })

    expect((await get(path, { Authorization: 'Bearer unknown' })).error.errors[0].reason).toBe('authError')
  },
)

test('userinfo requires a token', async () => {
  const { get } = opened()

  expect((await get('/oauth2/v3/userinfo')).status).toBe(401)
  expect((await get('/oauth2/v3/userinfo?key=x')).error.errors[0].message).toBe('Login Required.')
})

test.each(['/revoke', '/o/oauth2/revoke'])('11.19 a grant can be revoked at %s', async (path) => {
  const { fake, signIn, post, token, as } = opened()
  const { access_token, refresh_token } = await signIn({ access_type: 'offline' })
  const others = await signIn({ login_hint: BOB, access_type: 'offline' })
  const elsewhere = await signIn({ client_id: 'other' }, { client_id: 'other' })

  expect(await post(path, { token: refresh_token })).toEqual({ status: 200 })
  expect((await as(access_token).get('/colors')).status).toBe(401)
  expect((await as(others.access_token).get('/colors')).status).toBe(200)
  expect((await as(elsewhere.access_token).get('/colors')).status).toBe(200)
  expect(fake.state().tokens).toHaveLength(3)
  const refresh = { grant_type: 'refresh_token', client_id: 'app', refresh_token }
  expect(await token(refresh)).toMatchObject({ error_description: 'Token has been expired or revoked.' })
  expect((await token({ ...refresh, refresh_token: others.refresh_token })).status).toBe(200)
})

test('the revocation of a token without a client affects only that token', async () => {
  const { fake, post, as } = opened({ strict: true })
  const [one, two] = [fake.oauth.mint({ account: BOB }), fake.oauth.mint({ account: BOB })]

  expect((await post('/revoke', { token: one })).status).toBe(200)
  expect((await as(one).get('/colors')).status).toBe(401)
  expect((await as(two).get('/colors')).status).toBe(200)
})

test('unknown and expired tokens cannot be revoked', async () => {
  const { fake, post } = opened()
  const over = fake.oauth.mint({ account: BOB, life: '1m' })
  fake.clock.advance('1m')

  for (const token of ['unknown', over])
    expect(await post('/revoke', { token })).toEqual({
      status: 400,
      error: 'invalid_token',
      error_description: 'Token expired or revoked',
    })
  expect(await post('/revoke', {})).toMatchObject({ error_description: 'Missing required parameter: token' })
})

test('a library finds all endpoints by the OpenID configuration', async () => {
  const root = 'http://fake-calendar.localhost/'
  expect(await opened().get('/.well-known/openid-configuration')).toEqual({
    status: 200,
    issuer: 'https://accounts.google.com',
    authorization_endpoint: `${root}o/oauth2/v2/auth`,
    device_authorization_endpoint: `${root}device/code`,
    token_endpoint: `${root}token`,
    userinfo_endpoint: `${root}oauth2/v3/userinfo`,
    revocation_endpoint: `${root}revoke`,
    jwks_uri: `${root}oauth2/v3/certs`,
    response_types_supported: ['code', 'token'],
    response_modes_supported: ['query', 'fragment'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'email', 'profile'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    claims_supported: [
      ...['aud', 'email', 'email_verified', 'exp', 'family_name', 'given_name', 'iat', 'iss', 'name', 'picture', 'sub'],
    ],
    code_challenge_methods_supported: ['plain', 'S256'],
    grant_types_supported: [
      'authorization_code',
      'refresh_token',
      'urn:ietf:params:oauth:grant-type:device_code',
      'urn:ietf:params:oauth:grant-type:jwt-bearer',
      'urn:ietf:params:oauth:grant-type:token-exchange',
    ],
  })
})

const PROFILE = 'https://www.googleapis.com/auth/userinfo.profile'
const EMAIL = 'https://www.googleapis.com/auth/userinfo.email'
const PICTURED = {
  accounts: [{ email: ALICE, displayName: 'Alice Ash', picture: 'https://example.com/alice.png' }, { email: BOB }],
}

test.each(['/userinfo/v2/me', '/oauth2/v2/userinfo'])(
  '11.19 %s is the account with the names of version 2',
  async (path) => {
    const { get } = opened({ seed: PICTURED })

    expect(await get(path, { Authorization: `Bearer ${ALICE}` })).toEqual({
      status: 200,
      id: expect.stringMatching(/^1\d{20}$/),
      email: ALICE,
      verified_email: true,
      name: 'Alice Ash',
      given_name: 'Alice',
      family_name: 'Ash',
      picture: 'https://example.com/alice.png',
      hd: 'example.com',
    })
  },
)

test.each([
  [ALICE, [PROFILE], 'https://example.com/alice.png'],
  [BOB, [PROFILE, EMAIL], DEFAULT_PICTURE],
  [ALICE, [EMAIL], undefined],
  [ALICE, undefined, 'https://example.com/alice.png'],
])('11.19 userinfo of %s with the scopes %j has the picture %s', async (account, scopes, picture) => {
  const { fake, get } = opened({ seed: PICTURED })
  const token = fake.oauth.mint({ account, ...(scopes && { scopes }) })

  for (const path of ['/oauth2/v3/userinfo', '/v1/userinfo', '/userinfo/v2/me'])
    expect((await get(path, { Authorization: `Bearer ${token}` })).picture).toBe(picture)
})

test('11.19 an id token has the picture only with the scope of the profile', async () => {
  const { signIn } = opened({ seed: PICTURED })
  const pictureOf = async (scope: string) => claimsOf((await signIn({ scope, login_hint: ALICE })).id_token).picture

  expect([await pictureOf('openid profile'), await pictureOf('openid email')]).toEqual([
    'https://example.com/alice.png',
    undefined,
  ])
})

const ALL_FIELDS = 'names,emailAddresses,photos'

test('11.19 people/me returns the fields of the caller that the scopes cover', async () => {
  const { fake, get } = opened({ seed: PICTURED })
  const person = (scopes: string[] | undefined, fields: string, account = ALICE) =>
    get(`/v1/people/me?personFields=${fields}`, {
      Authorization: `Bearer ${fake.oauth.mint({ account, ...(scopes && { scopes }) })}`,
    })
  const { sub } = await get('/oauth2/v3/userinfo', { Authorization: `Bearer ${ALICE}` })
  const all = await person(undefined, ALL_FIELDS)

  expect(all).toMatchObject({
    status: 200,
    resourceName: `people/${sub}`,
    names: [{ displayName: 'Alice Ash', givenName: 'Alice', familyName: 'Ash' }],
    photos: [{ url: 'https://example.com/alice.png' }],
    emailAddresses: [{ value: ALICE, metadata: { primary: true, verified: true } }],
  })
  expect(all.photos[0]).not.toHaveProperty('default')
  expect(Object.keys(await person([PROFILE], ALL_FIELDS))).toEqual([
    'status',
    'resourceName',
    'etag',
    'names',
    'photos',
  ])
  expect(Object.keys(await person([EMAIL], ALL_FIELDS))).toEqual(['status', 'resourceName', 'etag', 'emailAddresses'])
  expect(Object.keys(await person(undefined, 'person.names'))).toEqual(['status', 'resourceName', 'etag', 'names'])
  expect((await person(undefined, ALL_FIELDS, BOB)).photos).toMatchObject([{ url: DEFAULT_PICTURE, default: true }])
})

test('11.19 people/me without a token, without personFields and of another person is an error', async () => {
  const { get, fake } = opened({ strict: true })
  const headers = { Authorization: `Bearer ${fake.oauth.mint({ account: ALICE })}` }
  const status = async (path: string, given = headers) => (await fake.request(path, { headers: given })).status

  expect((await get('/v1/people/me', headers)).error).toMatchObject({ code: 400 })
  expect([
    await status('/v1/people/me?personFields=names', { Authorization: 'Bearer unknown' }),
    await status('/v1/people/c123?personFields=names'),
    await status('/v1/people/me/connections?personFields=names'),
  ]).toEqual([401, 404, 404])
})

test('at the address of the service, the OpenID configuration names its hosts', async () => {
  const { fake } = opened()
  const read = async (root: string) => (await fake.fetch(`${root}/.well-known/openid-configuration`)).json()

  expect(await read('https://accounts.google.com')).toMatchObject({
    issuer: 'https://accounts.google.com',
    authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
    device_authorization_endpoint: 'https://oauth2.googleapis.com/device/code',
    token_endpoint: 'https://oauth2.googleapis.com/token',
    userinfo_endpoint: 'https://openidconnect.googleapis.com/v1/userinfo',
    revocation_endpoint: 'https://oauth2.googleapis.com/revoke',
    jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
  })
  expect(await read('http://127.0.0.1:1')).toMatchObject({ token_endpoint: 'http://127.0.0.1:1/token' })
})

test.each([
  [undefined, '', 'https://accounts.google.com'],
  ['http://127.0.0.1:8787', '', 'http://127.0.0.1:8787'],
  ['self', '', 'http://fake-calendar.localhost'],
  ['self', '/w/blue', 'http://fake-calendar.localhost/w/blue'],
])('with the issuer %s, configuration, id tokens and keys of the path "%s" agree on %s', async (issuer, path, name) => {
  const { fake, post, get, page } = opened({ issuer })
  const configuration = await get(`${path}/.well-known/openid-configuration`)
  const below = (endpoint: string) => new URL(configuration[endpoint]).pathname
  const query = {
    client_id: 'app',
    redirect_uri: 'https://app.example.com/back',
    response_type: 'code',
    scope: 'openid',
  }
  const reply = await fake.request(`${below('authorization_endpoint')}?${new URLSearchParams(query)}`)
  const code = new URL(reply.headers.get('Location') ?? '').searchParams.get('code') ?? ''
  const { scope, response_type, ...client } = query
  const { id_token } = await post(below('token_endpoint'), { grant_type: 'authorization_code', ...client, code })
  const { keys } = await get(below('jwks_uri'))
  const [head = '', body = '', signature = ''] = id_token.split('.')

  expect(configuration.issuer).toBe(name)
  expect(claimsOf(id_token).iss).toBe(name)
  expect(
    verify(
      'RSA-SHA256',
      Buffer.from(`${head}.${body}`),
      createPublicKey({ key: keys[0], format: 'jwk' }),
      Buffer.from(signature, 'base64url'),
    ),
  ).toBe(true)
  expect((await get(`${path}/tokeninfo?id_token=${id_token}`)).iss).toBe(name)
  expect((await page()).status).toBe(302)
})

test('an id token of another issuer is invalid', async () => {
  const { signIn } = opened()
  const { id_token } = await signIn({ scope: 'openid' })
  const other = opened({ issuer: 'http://127.0.0.1:8787' })

  expect(await other.get(`/tokeninfo?id_token=${id_token}`)).toEqual(INVALID)
})

test.each([
  '',
  'accounts.google.com',
  'http://127.0.0.1:8787/',
  'ftp://x',
  'http://x?a',
  'http://x#a',
  'Self',
  'http://',
])('the issuer %j is refused', (issuer) => {
  expect(() => opened({ issuer })).toThrow(/issuer must be "self", or a URL/)
})
