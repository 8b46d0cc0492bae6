import { expect, test } from 'vitest'
import { ALICE, BOB } from '../support/calendar.ts'
import { opened } from './opened.ts'

type World = ReturnType<typeof opened>
const refresh = ({ token }: World, refreshToken: string, client = 'app') =>
  token({ grant_type: 'refresh_token', client_id: client, refresh_token: refreshToken })
const REVOKED = { status: 400, error: 'invalid_grant', error_description: 'Token has been expired or revoked.' }

const REVOCATIONS: [string, (world: World) => unknown][] = [
  ['of the account', ({ fake }) => fake.oauth.revoke(ALICE)],
  ['of all', ({ fake }) => fake.oauth.revoke()],
]

test.each(REVOCATIONS)(
  '11.20 after a revocation %s, a refresh token that was never seen is invalid_grant, again and again',
  async (_, revoke) => {
    const world = opened()
    expect((await refresh(world, '1//stored')).status).toBe(200)
    await revoke(world)

    expect(await refresh(world, '1//stored')).toMatchObject(REVOKED)
    expect(await refresh(world, '1//stored')).toMatchObject(REVOKED)
    expect(await refresh(world, '1//another', 'other-app')).toMatchObject(REVOKED)
    expect((await world.as('ya29.stored').get('/colors')).status).toBe(401)
    expect((await world.as(ALICE).get('/colors')).status).toBe(401)
  },
)

test('11.20 a revocation of one account leaves the others', async () => {
  const world = opened()
  world.fake.oauth.revoke(ALICE)
  expect((await refresh(world, BOB)).status).toBe(200)
  expect((await world.as(BOB).get('/colors')).status).toBe(200)
})

test('11.20 the consent page ends a revocation for its client alone', async () => {
  const world = opened()
  world.fake.oauth.revoke(ALICE)
  const { refresh_token } = await world.signIn({ access_type: 'offline', login_hint: ALICE })

  expect((await refresh(world, refresh_token)).status).toBe(200)
  expect((await refresh(world, ALICE)).status).toBe(200)
  expect(await refresh(world, ALICE, 'other-app')).toMatchObject(REVOKED)
  world.fake.oauth.revoke(ALICE)
  expect(await refresh(world, refresh_token)).toMatchObject(REVOKED)
  expect(await refresh(world, ALICE)).toMatchObject(REVOKED)
})

test('11.20 the control of consent ends a revocation, a reset does, and issued tokens stay revoked', async () => {
  const world = opened()
  const { refresh_token } = await world.signIn({ access_type: 'offline', login_hint: ALICE })
  world.fake.oauth.revoke()
  world.fake.oauth.consent(ALICE)
  expect((await refresh(world, ALICE)).status).toBe(200)
  expect(await refresh(world, BOB)).toMatchObject(REVOKED)
  expect(await refresh(world, refresh_token)).toMatchObject(REVOKED)
  world.fake.reset()
  expect((await refresh(world, BOB)).status).toBe(200)
})

test('11.20 a token that is revoked takes the unknown refresh tokens of its client and account with it', async () => {
  for (const revoke of [
    ({ fake }: World, token: string) => fake.oauth.revoke(token),
    ({ post }: World, token: string) => post('/revoke', { token }),
  ]) {
    const world = opened()
    const { refresh_token } = await world.signIn({ access_type: 'offline', login_hint: ALICE })
    await revoke(world, refresh_token)
    expect(await refresh(world, refresh_token)).toMatchObject(REVOKED)
    expect(await refresh(world, ALICE)).toMatchObject(REVOKED)
    expect((await refresh(world, ALICE, 'other-app')).status).toBe(200)
  }
})

test('11.20 a code and a device code of before a revocation give no token after it', async () => {
  const world = opened()
  const code = (await world.page({ login_hint: ALICE })).params.code ?? ''
  const device = await world.post('/device/code', { client_id: 'app', scope: 'openid' })
  world.fake.oauth.revoke()
  expect(await world.redeem(code)).toMatchObject({ status: 400, error: 'invalid_grant' })
  const form = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', client_id: 'app' }
  expect(await world.token({ ...form, device_code: device.device_code })).toMatchObject({ error: 'invalid_grant' })
})

test('11.20 a code and a device code of before a revocation give no token after a new consent', async () => {
  const world = opened()
  const code = (await world.page({ login_hint: ALICE })).params.code ?? ''
  const device = await world.post('/device/code', { client_id: 'app', scope: 'openid' })
  world.fake.oauth.revoke(ALICE)
  const renewed = (await world.page({ login_hint: ALICE })).params.code ?? ''
  expect(await world.redeem(code)).toMatchObject({ status: 400, error: 'invalid_grant' })
  const form = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', client_id: 'app' }
  expect(await world.token({ ...form, device_code: device.device_code })).toMatchObject({ error: 'invalid_grant' })
  expect((await world.redeem(renewed)).status).toBe(200)
})

test('the revocation of a token returns the number of its tokens and consents', async () => {
  const { fake, signIn } = opened()
  const { access_token, refresh_token } = await signIn({ access_type: 'offline', login_hint: ALICE })
  expect([fake.oauth.revoke(refresh_token), fake.oauth.revoke(access_token)]).toEqual([2, 0])
  expect([fake.oauth.revoke(fake.oauth.mint({ account: ALICE })), fake.oauth.revoke(ALICE)]).toEqual([1, 0])
})

test('a revocation is in a fork and in a restored snapshot, and not in another world', async () => {
  const world = opened()
  world.fake.oauth.revoke(ALICE)
  const before = world.fake.snapshot()
  world.fake.fork(before, 'blue')
  world.fake.reset()
  const status = async (token: string) => (await world.as(token).get('/colors')).status
  expect([await status(ALICE), await status(`blue~${ALICE}`), await status(`red~${ALICE}`)]).toEqual([200, 401, 200])
  world.fake.restore(before)
  expect(await status(ALICE)).toBe(401)
})
