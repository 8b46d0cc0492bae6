import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { ALICE, BOB, CAROL, PEOPLE } from '../support/calendar.ts'
import { BACK, claimsOf, EVENTS, opened, SCOPE } from './opened.ts'

const LONG_EMAIL = 'https://www.googleapis.com/auth/userinfo.email'

test('the redirect has the requested parameters and is not cached', async () => {
  const { page } = opened()
  const { status, headers, html, params } = await page({ state: 'x y', redirect_uri: `${BACK}?own=1` })

  expect([status, html]).toEqual([302, ''])
  expect(Object.fromEntries(headers)).toMatchObject({
    'cache-control': 'no-store',
    'content-length': '0',
    'referrer-policy': 'no-referrer',
  })
  expect(params).toEqual({
    own: '1',
    state: 'x y',
    code: expect.stringMatching(/^4\/0A.{60}$/),
    scope: SCOPE,
    authuser: '0',
    prompt: 'none',
  })
  expect((await page()).params).not.toHaveProperty('state')
  expect((await page({ scope: `${SCOPE} openid` })).params.scope).toBe(`${SCOPE} openid`)
})

test.each([
  [{ response_type: 'id_token' }, { error: 'unsupported_response_type' }],
  [{ response_type: '' }, { error: 'unsupported_response_type' }],
  [{ scope: '' }, { error: 'invalid_request', error_description: 'Missing required parameter: scope' }],
  [
    { code_challenge: 'x', code_challenge_method: 'S512' },
    { error: 'invalid_request', error_description: 'Invalid code_challenge_method' },
  ],
])('a request with %j gets %j', async (given, error) => {
  const { page } = opened()

  expect((await page({ ...given, state: 'x' })).params).toEqual({ state: 'x', ...error })
})

test('a code_challenge_method without a challenge is ignored', async () => {
  expect((await opened().signIn({ code_challenge_method: 'S512' })).status).toBe(200)
})

test('11.20 a code is valid for ten minutes and once', async () => {
  const { fake, page, redeem } = opened()
  const [first, second] = [(await page()).params.code ?? '', (await page()).params.code ?? '']
  fake.clock.advance(599_999)
  expect(await redeem(first)).toEqual({
    status: 200,
    access_token: expect.any(String),
    expires_in: 3599,
    scope: SCOPE,
    token_type: 'Bearer',
  })
  expect(await redeem(first)).toEqual({ status: 400, error: 'invalid_grant', error_description: 'Bad Request' })
  expect(fake.state().oauth?.codes?.map(({ used }) => used)).toEqual([true, undefined])
  fake.clock.advance(1)
  expect(await redeem(second)).toMatchObject({ status: 400, error: 'invalid_grant' })
  expect(await redeem('')).toMatchObject({
    error: 'invalid_request',
    error_description: 'Missing required parameter: code',
  })
})

const VERIFIER = 'a-verifier-of-some-length-that-nobody-guesses'
const S256 = createHash('sha256').update(VERIFIER).digest('base64url')

test.each([
  ['plain', { code_challenge: VERIFIER, code_challenge_method: 'plain' }],
  ['plain by default', { code_challenge: VERIFIER }],
  ['S256', { code_challenge: S256, code_challenge_method: 'S256' }],
])('the code verifier must match the challenge: %s', async (_, challenge) => {
  const { page, redeem } = opened()
  const code = (await page(challenge)).params.code ?? ''
  const refused = (error_description: string) => ({ status: 400, error: 'invalid_grant', error_description })

  expect(await redeem(code)).toEqual(refused('Missing code verifier.'))
  expect(await redeem(code, { code_verifier: 'guessed' })).toEqual(refused('Invalid code verifier.'))
  expect(await redeem(code, { code_verifier: challenge.code_challenge === S256 ? S256 : 'x' })).toEqual(
    refused('Invalid code verifier.'),
  )
  expect((await redeem(code, { code_verifier: VERIFIER })).status).toBe(200)
})

test('without a challenge the verifier is ignored', async () => {
  expect((await opened().signIn({}, { code_verifier: 'x' })).status).toBe(200)
})

test('11.25 a web client gets a refresh token with the first offline consent, or with prompt=consent', async () => {
  const { signIn } = opened()
  const lasting = async (given: Record<string, string>) => 'refresh_token' in (await signIn(given))
  const offline = { access_type: 'offline' }

  expect(await lasting({ access_type: 'online' })).toBe(false)
  expect(await lasting(offline)).toBe(true)
  expect(await lasting(offline)).toBe(false)
  expect(await lasting({ ...offline, prompt: 'select_account' })).toBe(false)
  expect(await lasting({ ...offline, prompt: 'select_account consent' })).toBe(true)
  expect(await lasting({ prompt: 'consent' })).toBe(false)
  expect(await lasting({ ...offline, login_hint: BOB })).toBe(true)
  expect(await lasting({ ...offline, client_id: 'app' })).toBe(false)
})

test('consent after a revocation counts as the first consent', async () => {
  const { signIn, post } = opened()
  const { access_token } = await signIn({ access_type: 'offline' })
  await post('/revoke', { token: access_token })

  expect(await signIn({ access_type: 'offline' })).toHaveProperty('refresh_token')
})

test('11.19 with include_granted_scopes a token also has the scopes of earlier consent to the same client', async () => {
  const { signIn, redeem, page, post } = opened()
  await signIn({ scope: EVENTS })
  await signIn({ scope: 'email', login_hint: BOB })
  await redeem((await page({ client_id: 'other', scope: 'profile' })).params.code ?? '', { client_id: 'other' })

  expect((await signIn({ scope: SCOPE })).scope).toBe(SCOPE)
  expect((await signIn({ scope: SCOPE, include_granted_scopes: 'false' })).scope).toBe(SCOPE)
  expect((await signIn({ scope: 'openid', include_granted_scopes: 'true' })).scope).toBe(`openid ${EVENTS} ${SCOPE}`)
  const { hash } = await page({ response_type: 'token', scope: 'openid', include_granted_scopes: 'true' })
  expect(hash.scope?.split(' ').sort()).toEqual([SCOPE, EVENTS, 'openid'].sort())
  await post('/revoke', { token: hash.access_token ?? '' })
  expect((await signIn({ scope: SCOPE, include_granted_scopes: 'true' })).scope).toBe(SCOPE)
})

test('scopes are separated by spaces or commas, deduplicated and compared by full name', async () => {
  const { signIn } = opened()

  expect((await signIn({ scope: ` ${SCOPE},email\n${SCOPE} email  profile ` })).scope).toBe(
    `${SCOPE} ${LONG_EMAIL} https://www.googleapis.com/auth/userinfo.profile`,
  )
})

test('the implicit flow returns an access token and no refresh token', async () => {
  const { fake, page } = opened()
  const { params, hash } = await page({ response_type: 'token', access_type: 'offline', login_hint: BOB, state: 'x' })

  expect(params).toEqual({})
  expect(hash).toEqual({
    access_token: expect.stringMatching(/^ya29/),
    token_type: 'Bearer',
    expires_in: '3599',
    scope: SCOPE,
    state: 'x',
    authuser: '0',
    prompt: 'none',
  })
  expect(fake.state().oauth?.grants).toEqual([{ client: 'app', account: BOB, scopes: [SCOPE] }])
  expect(fake.state().tokens).toMatchObject([{ account: BOB, client: 'app', scopes: [SCOPE] }])
})

test('the account is the login_hint, or else the first account', async () => {
  const { signIn, get } = opened()
  const accountOf = async (login_hint: string) => {
    const { access_token } = await signIn({ login_hint, scope: 'email' })
    return (await get(`/tokeninfo?access_token=${access_token}`)).email
  }

  expect(await accountOf('')).toBe(ALICE)
  expect(await accountOf(CAROL)).toBe(CAROL)
  expect(await accountOf('nobody')).toBe(ALICE)
  expect(await accountOf('New@Example.com')).toBe('new@example.com')
})

test('in strict mode an unknown account cannot consent', async () => {
  const { page } = opened({ strict: true, seed: { ...PEOPLE, oauth: { clients: [{ id: 'app' }] } } })

  expect((await page({ login_hint: 'nobody@example.com' })).params).toEqual({ error: 'access_denied' })
  expect((await page({ login_hint: 'BOB@example.com' })).params).toHaveProperty('code')
})

test('with the scope openid the response has a signed id_token with the nonce', async () => {
  const { signIn, token, fake } = opened()
  const given = await signIn({ scope: 'openid email', nonce: 'n-1', access_type: 'offline' })
  const claims = claimsOf(given.id_token)
  const at = fake.clock.now() / 1000

  expect(claims).toMatchObject({ aud: 'app', azp: 'app', nonce: 'n-1', email: ALICE, iat: at, exp: at + 3600 })
  const half = createHash('sha256').update(given.access_token).digest().subarray(0, 16)
  expect(claims.at_hash).toBe(half.toString('base64url'))
  expect(await signIn({ scope: 'email' })).not.toHaveProperty('id_token')
  expect(claimsOf((await signIn({ scope: 'openid' })).id_token)).not.toHaveProperty('nonce')

  const refresh = { grant_type: 'refresh_token', client_id: 'app', refresh_token: given.refresh_token }
  const again = await token(refresh)
  expect(again).toMatchObject({ scope: `openid ${LONG_EMAIL}`, id_token: expect.any(String) })
  expect(again).not.toHaveProperty('refresh_token')
  expect(await token({ ...refresh, scope: 'email' })).not.toHaveProperty('id_token')
})

test('a refresh token is valid only for its client and for the granted scopes', async () => {
  const { signIn, token } = opened()
  const { refresh_token } = await signIn({ access_type: 'offline', scope: `${SCOPE} email` })
  const refresh = (more: Record<string, string>) =>
    token({ grant_type: 'refresh_token', client_id: 'app', refresh_token, ...more })

  expect(await refresh({ client_id: 'other' })).toMatchObject({ status: 400, error: 'invalid_grant' })
  expect(await refresh({ scope: `${SCOPE} ${EVENTS} profile` })).toEqual({
    status: 400,
    error: 'invalid_scope',
    error_description: `Some requested scopes were invalid: ${EVENTS} https://www.googleapis.com/auth/userinfo.profile`,
  })
  expect(await refresh({ scope: 'email' })).toMatchObject({ status: 200, scope: LONG_EMAIL })
})

test('in open mode an unknown refresh token has all scopes, or the requested ones', async () => {
  const { token } = opened()
  const refresh = (scope: string) =>
    token({ grant_type: 'refresh_token', client_id: 'app', refresh_token: BOB, ...(scope && { scope }) })

  expect((await refresh('')).scope).toBe('https://www.googleapis.com/auth/calendar')
  expect((await refresh(SCOPE)).scope).toBe(SCOPE)
})

test('a token request without a valid grant_type is rejected', async () => {
  const { token } = opened()

  expect(await token({ client_id: 'app' })).toMatchObject({
    error: 'invalid_request',
    error_description: 'Missing required parameter: grant_type',
  })
  expect(await token({ grant_type: 'password' })).toEqual({
    status: 400,
    error: 'unsupported_grant_type',
    error_description: 'Invalid grant_type: password',
  })
})

test('without a consent page, consent is never denied', async () => {
  const { page } = opened()

  expect((await page({ decision: 'deny' })).params).toHaveProperty('code')
  expect((await page({}, { decision: 'deny' })).params).toHaveProperty('code')
})

test('in a world without accounts, sign-in fails', async () => {
  expect((await opened({ seed: {} }).page()).params).toEqual({ error: 'access_denied' })
})

test('in strict mode an access token is not a refresh token', async () => {
  const { fake, token } = opened({ strict: true, seed: { ...PEOPLE, oauth: { clients: [{ id: 'app' }] } } })
  const refresh_token = fake.oauth.mint({ account: BOB })

  expect(await token({ grant_type: 'refresh_token', client_id: 'app', refresh_token })).toMatchObject({
    status: 400,
    error: 'invalid_grant',
  })
})
