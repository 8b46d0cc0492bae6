import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { createFakeCalendar, type FakeCalendarOptions, type Seed } from '../../src/index.ts'
import { ALICE, NOW, PEOPLE } from '../support/calendar.ts'
import { selfSigned } from '../support/certificate.ts'

const EVENTS = 'https://www.googleapis.com/auth/calendar.events'
const READONLY = 'https://www.googleapis.com/auth/calendar.readonly'
const ROBOT = 'robot@project.iam.gserviceaccount.com'
const MADE = Date.parse(NOW) / 1000
const AUD = 'https://oauth2.googleapis.com/token'
const CLAIMS = { iss: ROBOT, scope: EVENTS, aud: AUD, iat: MADE, exp: MADE + 3600 }

const pair = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
const [own, other] = [pair(), pair()]
const pem = (key: KeyObject) => String(key.export({ type: 'spki', format: 'pem' }))

const part = (data: unknown) => Buffer.from(JSON.stringify(data)).toString('base64url')
function assertion(claims: object, key?: KeyObject | string, header: object = { alg: 'RS256' }) {
  const signedPart = `${part(header)}.${part({ ...CLAIMS, ...claims })}`
  return `${signedPart}.${key ? sign('RSA-SHA256', Buffer.from(signedPart), key).toString('base64url') : 'unsigned'}`
}

/** Opens a world of Alice, Bob and Carol with service accounts, with a function that exchanges an assertion. */
function opened(
  serviceAccounts: NonNullable<Seed['oauth']>['serviceAccounts'] = [],
  options: FakeCalendarOptions = {},
) {
  const fake = createFakeCalendar({ seed: { ...PEOPLE, oauth: { serviceAccounts } }, now: NOW, ...options })
  const exchange = async (text: string) => {
    const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
    const reply = await fake.request('/token', {
      method: 'POST',
      body: new URLSearchParams({ grant_type, assertion: text }),
    })
    return { status: reply.status, ...(await reply.json()) }
  }
  const calendarOf = async (token: string) => {
    const headers = { Authorization: `Bearer ${token}` }
    return (await (await fake.request('/calendar/v3/calendars/primary/events', { headers })).json()).summary
  }
  return { fake, exchange, calendarOf }
}

const invalid = (error_description: string) => ({ status: 400, error: 'invalid_grant', error_description })
const UNSIGNED = invalid('Invalid JWT Signature.')
const UNPARSED = invalid('Invalid JWT: Failed to parse the assertion.')
const NOT_FOUND = invalid('Invalid grant: account not found')

test('the token has the requested scopes and belongs to the service account', async () => {
  const { exchange, calendarOf, fake } = opened()
  const given = await exchange(assertion({ scope: `${EVENTS} openid` }))

  expect(given).toEqual({
    status: 200,
    access_token: expect.stringMatching(/^ya29/),
    expires_in: 3599,
    scope: `${EVENTS} openid`,
    token_type: 'Bearer',
  })
  expect(await calendarOf(given.access_token)).toBe(ROBOT)
  expect(fake.state().tokens).toMatchObject([{ account: ROBOT, client: ROBOT, scopes: [EVENTS, 'openid'] }])
})

test('11.20 the audience of an assertion is the token endpoint of the service or of this server', async () => {
  const { exchange, fake } = opened()
  const { url } = await fake.listen()
  const onSocket = async (path: string, aud: unknown) => {
    const body = new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: assertion({ aud }),
    })
    return (await fetch(`${url}${path}`, { method: 'POST', body })).status
  }
  const failed = invalid('Invalid JWT: Failed audience check.')

  for (const aud of [
    'https://www.googleapis.com/oauth2/v4/token',
    'https://accounts.google.com/o/oauth2/token',
    'http://fake-calendar.localhost/token',
    [AUD],
  ])
    expect(await exchange(assertion({ aud }))).toMatchObject({ status: 200 })
  for (const aud of ['https://example.com/token', 'https://www.googleapis.com/calendar/v3', '', undefined, 5])
    expect(await exchange(assertion({ aud }))).toEqual(failed)
  expect(await onSocket('/token', `${url}/token`)).toBe(200)
  expect(await onSocket('/w/blue/token', `${url}/w/blue/token`)).toBe(200)
  expect(await onSocket('/token', `${url}/calendar/v3`)).toBe(400)
  await fake.close()
})

test('15.20 an assertion may use prn, the old name of sub', async () => {
  const { exchange, calendarOf } = opened()
  expect(await calendarOf((await exchange(assertion({ prn: ALICE }))).access_token)).toBe(ALICE)
  expect(await calendarOf((await exchange(assertion({ prn: ROBOT, sub: ALICE }))).access_token)).toBe(ALICE)
})

test.each([
  ['a public key', pem(own.publicKey), own.privateKey],
  ['a certificate', ...certified()],
])('with %s in the seed, an assertion must be signed with it', async (_, publicKey, key) => {
  const { exchange } = opened([{ email: ROBOT, publicKey }])

  expect(await exchange(assertion({}, key))).toMatchObject({ status: 200 })
  expect(await exchange(assertion({}, other.privateKey))).toEqual(UNSIGNED)
  expect(await exchange(assertion({}))).toEqual(UNSIGNED)
  expect(await exchange(assertion({ iss: ROBOT.toUpperCase() }))).toEqual(UNSIGNED)
})

function certified() {
  const { cert, key } = selfSigned('rsa')
  return [String(cert), String(key)] as const
}

test('a signed assertion is valid if the clock of the world cannot judge its age', async () => {
  const { exchange } = opened([{ email: ROBOT, publicKey: pem(own.publicKey) }])
  const [iat, exp] = [MADE - 86_400, MADE - 82_800]

  expect(await exchange(assertion({ iat, exp }, own.privateKey))).toMatchObject({ status: 200 })
  expect(await exchange(assertion({ iat, exp, nbf: iat }, own.privateKey))).toMatchObject({ status: 200 })
})

test('15.20 without delegation a service account acts only for itself', async () => {
  const { exchange } = opened([{ email: ROBOT }])
  const refused = {
    status: 401,
    error: 'unauthorized_client',
    error_description: expect.stringContaining('Client is unauthorized to retrieve access tokens using this method'),
  }

  expect(await exchange(assertion({ sub: ALICE }))).toEqual(refused)
  expect(await exchange(assertion({ sub: ROBOT }))).toMatchObject({ status: 200 })
})

test('15.20 with delegation all requested scopes must be delegated', async () => {
  const { exchange, calendarOf } = opened([{ email: ROBOT, delegation: { scopes: [EVENTS] } }])
  const as = (scope: string) => exchange(assertion({ sub: 'Alice@Example.com', scope }))

  expect(await calendarOf((await as(EVENTS)).access_token)).toBe(ALICE)
  for (const scope of [READONLY, `${EVENTS} ${READONLY}`, ''])
    expect(await as(scope)).toMatchObject({ status: 401, error: 'unauthorized_client' })
})

test('in open mode an unknown service account can act for any account', async () => {
  const { exchange, calendarOf } = opened()

  expect(await calendarOf((await exchange(assertion({ sub: ALICE }))).access_token)).toBe(ALICE)
  expect(await calendarOf((await exchange(assertion({ sub: 'new@example.com' }))).access_token)).toBe('new@example.com')
  expect(await calendarOf((await exchange(assertion({ sub: 'nobody' }))).access_token)).toBe(ROBOT)
})

test('in strict mode only service accounts and accounts of the seed are accepted', async () => {
  const { exchange } = opened([{ email: ROBOT, delegation: { scopes: [EVENTS] } }], { strict: true })

  expect(await exchange(assertion({ iss: 'another@project.iam.gserviceaccount.com' }))).toEqual(NOT_FOUND)
  expect(await exchange(assertion({ sub: 'nobody@example.com' }))).toEqual(invalid('Invalid email or User ID'))
  expect(await exchange(assertion({ sub: ALICE }))).toMatchObject({ status: 200 })
  expect(await exchange(assertion({}))).toMatchObject({ status: 200 })
})

test('an assertion needs a scope or a target audience', async () => {
  const { exchange } = opened()
  const { status, id_token, ...rest } = await exchange(
    assertion({ scope: '', target_audience: 'https://app.example.com' }),
  )
  const claims = JSON.parse(Buffer.from(id_token.split('.')[1], 'base64url').toString())

  expect(await exchange(assertion({ scope: '' }))).toEqual({
    status: 400,
    error: 'invalid_scope',
    error_description: 'Some requested scopes were invalid: ',
  })
  expect(await exchange(assertion({ scope: 7 }))).toMatchObject({ status: 400, error: 'invalid_scope' })
  expect(await exchange(assertion({ scope: '', target_audience: 7 }))).toMatchObject({ error: 'invalid_scope' })
  expect([status, rest]).toEqual([200, {}])
  expect(claims).toMatchObject({ aud: 'https://app.example.com', azp: 'https://app.example.com', email: ROBOT })
  expect(claims).not.toHaveProperty('at_hash')
  expect(claims).not.toHaveProperty('nonce')
})

const [HEAD, BODY] = [part({ alg: 'RS256' }), part(CLAIMS)]

test.each([
  ['one part', HEAD],
  ['two parts', `${HEAD}.${BODY}`],
  ['no signature', `${HEAD}.${BODY}.`],
  ['no claims', `${HEAD}..x`],
  ['no header', `.${BODY}.x`],
  ['four parts', `${HEAD}.${BODY}.x.y`],
  ['four parts, one of them empty', `${HEAD}.${BODY}.x.`],
  ['a header that is not JSON', `e30x.${BODY}.x`],
  ['a header of null', `${part(null)}.${BODY}.x`],
  ['claims as a text', `${HEAD}.${part('claims')}.x`],
])('%s is not an assertion', async (_, text) => {
  expect(await opened().exchange(text)).toEqual(UNPARSED)
})

test('an assertion requires alg, iss, iat and exp', async () => {
  const { exchange } = opened()
  const early = invalid(expect.stringContaining('Token must be a short-lived token (60 minutes)'))

  for (const header of [{ alg: 'HS256' }, { alg: 'none' }, {}])
    expect(await exchange(assertion({}, undefined, header))).toEqual(invalid('Invalid JWT: Algorithm must be RS256.'))
  for (const iss of [undefined, 7, 'robot']) expect(await exchange(assertion({ iss }))).toEqual(NOT_FOUND)
  for (const claims of [{ iat: undefined }, { iat: String(MADE) }, { exp: undefined }, { exp: '9' }])
    expect(await exchange(assertion(claims))).toEqual(early)
})

test('a missing assertion is an error', async () => {
  expect(await opened().exchange('')).toEqual({
    status: 400,
    error: 'invalid_request',
    error_description: 'Missing required parameter: assertion',
  })
})

// The limits themselves: an hour and five minutes in all, and five minutes by which a clock may be off.
test.each([
  [{ lasts: 3900, late: 0 }, 200],
  [{ lasts: 3901, late: 0 }, 400],
  [{ lasts: 60, late: 360 }, 200],
  [{ lasts: 60, late: 361 }, 400],
  [{ lasts: 60, late: -300 }, 200],
  [{ lasts: 60, late: -301 }, 400],
  [{ lasts: 1, late: 0 }, 200],
])('with a clock that follows the machine, %j gets %i', async ({ lasts, late }, status) => {
  vi.useFakeTimers({ now: MADE * 1000, toFake: ['Date'] })
  try {
    const { exchange } = opened([], { now: undefined })
    const iat = MADE - late
    expect((await exchange(assertion({ iat, exp: iat + lasts }))).status).toBe(status)
  } finally {
    vi.useRealTimers()
  }
})
