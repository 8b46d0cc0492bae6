import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { createFakeCalendar, type FakeCalendarOptions, type Seed } from '../../src/index.ts'
import { ALICE, NOW, PEOPLE } from '../support/calendar.ts'
import { selfSigned } from '../support/certificate.ts'

const EVENTS = 'https://www.googleapis.com/auth/calendar.events'
const READONLY = 'https://www.googleapis.com/auth/calendar.readonly'
const ROBOT = 'robot@project.iam.gserviceaccount.com'
const MADE = Date.parse(NOW) / 1000
const CLAIMS = { iss: ROBOT, scope: EVENTS, iat: MADE, exp: MADE + 3600 }

const pair = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
const [own, other] = [pair(), pair()]
const pem = (key: KeyObject) => String(key.export({ type: 'spki', format: 'pem' }))

const part = (data: unknown) => Buffer.from(JSON.stringify(data)).toString('base64url')
function assertion(claims: object, key?: KeyObject | string, header: object = { alg: 'RS256' }) {
  const said = `${part(header)}.${part({ ...CLAIMS, ...claims })}`
  return `${said}.${key ? sign('RSA-SHA256', Buffer.from(said), key).toString('base64url') : 'unsigned'}`
}

/** A world of Alice, Bob and Carol with service accounts, and what it answers to an assertion. */
function opened(
  serviceAccounts: NonNullable<Seed['oauth']>['serviceAccounts'] = [],
  options: FakeCalendarOptions = {},
) {
  const fake = createFakeCalendar({ seed: { ...PEOPLE, oauth: { serviceAccounts } }, now: NOW, ...options })
  const ask = async (text: string) => {
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
  return { fake, ask, calendarOf }
}

const invalid = (error_description: string) => ({ status: 400, error: 'invalid_grant', error_description })
const UNSIGNED = invalid('Invalid JWT Signature.')
const UNPARSED = invalid('Invalid JWT: Failed to parse the assertion.')
const NOT_FOUND = invalid('Invalid grant: account not found')

test('the token is for what was asked, and of the service account itself', async () => {
  const { ask, calendarOf, fake } = opened()
  const given = await ask(assertion({ scope: `${EVENTS} openid` }))

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

test.each([
  ['a public key', pem(own.publicKey), own.privateKey],
  ['a certificate', ...certified()],
])('where a seed says %s, an assertion is signed with it', async (_, publicKey, key) => {
  const { ask } = opened([{ email: ROBOT, publicKey }])

  expect(await ask(assertion({}, key))).toMatchObject({ status: 200 })
  expect(await ask(assertion({}, other.privateKey))).toEqual(UNSIGNED)
  expect(await ask(assertion({}))).toEqual(UNSIGNED)
  expect(await ask(assertion({ iss: ROBOT.toUpperCase() }))).toEqual(UNSIGNED)
})

function certified() {
  const { cert, key } = selfSigned()
  return [String(cert), String(key)] as const
}

test('what a key has signed is good whenever it was made, as far as the clock of the world can tell', async () => {
  const { ask } = opened([{ email: ROBOT, publicKey: pem(own.publicKey) }])
  const [iat, exp] = [MADE - 86_400, MADE - 82_800]

  expect(await ask(assertion({ iat, exp }, own.privateKey))).toMatchObject({ status: 200 })
  expect(await ask(assertion({ iat, exp, nbf: iat }, own.privateKey))).toMatchObject({ status: 200 })
})

// behaviour 15.20
test('without delegation a service account acts for nobody else', async () => {
  const { ask } = opened([{ email: ROBOT }])
  const refused = {
    status: 401,
    error: 'unauthorized_client',
    error_description: expect.stringContaining('Client is unauthorized to retrieve access tokens using this method'),
  }

  expect(await ask(assertion({ sub: ALICE }))).toEqual(refused)
  expect(await ask(assertion({ sub: ROBOT }))).toMatchObject({ status: 200 })
})

// behaviour 15.20
test('it acts for others within the scopes that it was delegated, all of them', async () => {
  const { ask, calendarOf } = opened([{ email: ROBOT, delegation: { scopes: [EVENTS] } }])
  const as = (scope: string) => ask(assertion({ sub: 'Alice@Example.com', scope }))

  expect(await calendarOf((await as(EVENTS)).access_token)).toBe(ALICE)
  for (const scope of [READONLY, `${EVENTS} ${READONLY}`, ''])
    expect(await as(scope)).toMatchObject({ status: 401, error: 'unauthorized_client' })
})

test('a service account that no seed names acts for whomever it says, where callers are not strict', async () => {
  const { ask, calendarOf } = opened()

  expect(await calendarOf((await ask(assertion({ sub: ALICE }))).access_token)).toBe(ALICE)
  expect(await calendarOf((await ask(assertion({ sub: 'new@example.com' }))).access_token)).toBe('new@example.com')
  expect(await calendarOf((await ask(assertion({ sub: 'nobody' }))).access_token)).toBe(ROBOT)
})

test('where callers are strict there are the service accounts and the people of the seed alone', async () => {
  const { ask } = opened([{ email: ROBOT, delegation: { scopes: [EVENTS] } }], { strict: true })

  expect(await ask(assertion({ iss: 'another@project.iam.gserviceaccount.com' }))).toEqual(NOT_FOUND)
  expect(await ask(assertion({ sub: 'nobody@example.com' }))).toEqual(invalid('Invalid email or User ID'))
  expect(await ask(assertion({ sub: ALICE }))).toMatchObject({ status: 200 })
  expect(await ask(assertion({}))).toMatchObject({ status: 200 })
})

test('one that asks for no scope gets nothing, unless it is for an audience', async () => {
  const { ask } = opened()
  const { status, id_token, ...rest } = await ask(assertion({ scope: '', target_audience: 'https://app.example.com' }))
  const claims = JSON.parse(Buffer.from(id_token.split('.')[1], 'base64url').toString())

  expect(await ask(assertion({ scope: '' }))).toEqual({
    status: 400,
    error: 'invalid_scope',
    error_description: 'Some requested scopes were invalid: ',
  })
  expect(await ask(assertion({ scope: 7 }))).toMatchObject({ status: 400, error: 'invalid_scope' })
  expect(await ask(assertion({ scope: '', target_audience: 7 }))).toMatchObject({ error: 'invalid_scope' })
  expect([status, rest]).toEqual([200, {}])
  expect(claims).toMatchObject({ aud: 'https://app.example.com', azp: 'https://app.example.com', email: ROBOT })
  expect(claims).not.toHaveProperty('at_hash')
  expect(claims).not.toHaveProperty('nonce')
})

const [HEAD, BODY] = [part({ alg: 'RS256' }), part(CLAIMS)]

test.each([
  ['a part', HEAD],
  ['two parts', `${HEAD}.${BODY}`],
  ['no signature', `${HEAD}.${BODY}.`],
  ['no claims', `${HEAD}..x`],
  ['no header', `.${BODY}.x`],
  ['four parts', `${HEAD}.${BODY}.x.y`],
  ['four parts, one of them empty', `${HEAD}.${BODY}.x.`],
  ['a header that is not JSON', `e30x.${BODY}.x`],
  ['a header that is null', `${part(null)}.${BODY}.x`],
  ['claims that are a text', `${HEAD}.${part('claims')}.x`],
])('%s is no assertion', async (_, text) => {
  expect(await opened().ask(text)).toEqual(UNPARSED)
})

test('an assertion says by which algorithm it was signed, by whom, and from when to when', async () => {
  const { ask } = opened()
  const early = invalid(expect.stringContaining('Token must be a short-lived token (60 minutes)'))

  for (const header of [{ alg: 'HS256' }, { alg: 'none' }, {}])
    expect(await ask(assertion({}, undefined, header))).toEqual(invalid('Invalid JWT: Algorithm must be RS256.'))
  for (const iss of [undefined, 7, 'robot']) expect(await ask(assertion({ iss }))).toEqual(NOT_FOUND)
  for (const claims of [{ iat: undefined }, { iat: String(MADE) }, { exp: undefined }, { exp: '9' }])
    expect(await ask(assertion(claims))).toEqual(early)
})

test('an assertion that is missing is asked for', async () => {
  expect(await opened().ask('')).toEqual({
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
])('by a clock that follows the machine, %j is answered with %i', async ({ lasts, late }, status) => {
  vi.useFakeTimers({ now: MADE * 1000, toFake: ['Date'] })
  try {
    const { ask } = opened([], { now: undefined })
    const iat = MADE - late
    expect((await ask(assertion({ iat, exp: iat + lasts }))).status).toBe(status)
  } finally {
    vi.useRealTimers()
  }
})
