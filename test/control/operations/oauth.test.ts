import { expect, test } from 'vitest'
import { ALICE, BOB, openCalendar, PEOPLE } from '../../support/calendar.ts'

const READONLY = 'https://www.googleapis.com/auth/calendar.readonly'

test('a minted token has its account, scopes and lifetime, also in strict mode', async () => {
  const { fake, as } = openCalendar({ strict: true })
  const all = fake.oauth.mint({ account: BOB })
  const some = fake.oauth.mint({ account: ALICE, scopes: [READONLY], life: '10m', client: 'app' })

  expect((await as(all).get('/calendars/primary')).body.id).toBe(BOB)
  expect((await as(some).get('/calendars/primary')).body.id).toBe(ALICE)
  expect((await as(some).post('/calendars', { summary: 'Mine' })).status).toBe(403)
  fake.clock.advance('10m')
  expect((await as(some).get('/calendars/primary')).status).toBe(401)
  expect((await as(all).get('/calendars/primary')).status).toBe(200)
  fake.clock.advance('50m')
  expect((await as(all).get('/calendars/primary')).status).toBe(401)
})

test('a minted token selects its world', async () => {
  const { fake, as } = openCalendar()
  const token = fake.world('blue').oauth.mint({ account: 'ann@example.com' })

  expect(token).toMatch(/^blue~/)
  expect((await as(token).get('/calendars/primary')).body.id).toBe('ann@example.com')
  expect(fake.state().accounts?.map(({ email }) => email)).not.toContain('ann@example.com')
})

test('one token, or all tokens of an account, can be expired or revoked', async () => {
  const { fake, as } = openCalendar({ strict: true })
  const [one, two, three, bobs] = [ALICE, ALICE, ALICE, BOB].map((account) => fake.oauth.mint({ account }))
  const isValid = async () => {
    const statuses = await Promise.all(
      [one, two, three, bobs].map(async (token = '') => (await as(token).get('/colors')).status),
    )
    return statuses.map((status) => status === 200)
  }
  expect(fake.oauth.expire(one)).toBe(1)
  expect(await isValid()).toEqual([false, true, true, true])
  expect(fake.oauth.revoke(two)).toBe(1)
  expect(await isValid()).toEqual([false, false, true, true])
  expect(fake.oauth.expire(ALICE)).toBe(1)
  expect(await isValid()).toEqual([false, false, false, true])
  expect(fake.oauth.expire()).toBe(1)
  expect(await isValid()).toEqual([false, false, false, false])
})

test('revoked tokens are not counted again, for one account or for all', async () => {
  const seed = {
    ...PEOPLE,
    oauth: {
      grants: [
        { client: 'app', account: 'Alice@Example.com', scopes: [READONLY], refreshToken: '1//alice' },
        { client: 'app', account: BOB, scopes: [READONLY], refreshToken: '1//bob' },
        { client: 'old', account: BOB, scopes: [READONLY], revoked: true },
      ],
    },
  }
  const { fake } = openCalendar({ seed })
  for (const account of [ALICE, BOB]) fake.oauth.mint({ account })
  fake.clock.advance('2h')

  expect([fake.oauth.expire(), fake.oauth.expire(ALICE)]).toEqual([0, 0])
  expect([fake.oauth.revoke(ALICE), fake.oauth.revoke(ALICE)]).toEqual([2, 0])
  expect([fake.oauth.revoke(), fake.oauth.revoke()]).toEqual([2, 0])
  expect(fake.state().oauth?.grants?.map(({ revoked }) => revoked)).toEqual([true, true, true])
  expect(fake.state().tokens?.map(({ revoked }) => revoked)).toEqual([true, true])
})
