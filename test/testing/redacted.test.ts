import { expect, test } from 'vitest'
import { ALICE, hour, openCalendar } from '../support/calendar.ts'

const REDACTED = '[redacted]'
const oauth = {
  clients: [{ id: 'app', secret: 'hush-secret', redirectUris: ['http://localhost/back'] }],
  grants: [
    { client: 'app', account: ALICE, scopes: ['https://www.googleapis.com/auth/calendar'], refreshToken: 'rt-1' },
  ],
}
const open = () => openCalendar({ seed: { accounts: [{ email: ALICE }], oauth } })
const form = (fields: Record<string, string>) => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  body: String(new URLSearchParams(fields)),
})
const REFRESH = { grant_type: 'refresh_token', client_id: 'app', client_secret: 'hush-secret', refresh_token: 'rt-1' }

test('of signing in names stay and values go, in what was asked and in what was answered', async () => {
  const { fake } = open()
  const reply = await fake.request('/token', form(REFRESH))
  const { access_token } = (await reply.json()) as { access_token: string }
  await fake.request('/calendar/v3/colors', { headers: { Authorization: `Bearer ${access_token}` } })
  const [token, colors] = fake.calls()

  expect(token).toMatchObject({
    method: 'oauth.token',
    account: ALICE,
    client: 'app',
    status: 200,
    body: { grant_type: 'refresh_token', client_id: 'app', client_secret: REDACTED, refresh_token: REDACTED },
    response: { access_token: REDACTED, token_type: 'Bearer', expires_in: expect.any(Number) },
  })
  expect(colors).toMatchObject({ method: 'colors.get', account: ALICE, client: 'app' })
  const all = JSON.stringify(fake.calls())
  for (const secret of [access_token, 'rt-1', 'hush-secret']) expect(all).not.toContain(secret)
})

test('what is wanted is matched with what was really said, and a report shows it no more than a list', async () => {
  const { fake } = open()
  const reply = await fake.request('/token', form(REFRESH))
  const { access_token } = (await reply.json()) as { access_token: string }
  const wanted = { body: { refresh_token: 'rt-1' }, response: { access_token } }

  expect(fake.calls('oauth.token', { where: wanted })).toHaveLength(1)
  expect(fake.calls.verify('oauth.token', wanted)).toMatchObject([{ body: { refresh_token: REDACTED } }])
  const verify = () => fake.calls.verify('oauth.token', { body: { refresh_token: 'rt-2', client_id: 'other' } })
  expect(verify).toThrow(`✗ body.refresh_token: wanted "rt-2", was "${REDACTED}"`)
  expect(verify).toThrow('✗ body.client_id: wanted "other", was "app"')
  expect(() => fake.calls.verify('oauth.token', { response: 'x' })).not.toThrow(access_token)
})

test('a refusal of signing in has its reason, and no secrets', async () => {
  const { fake } = open()
  fake.oauth.fail({ fail: 'invalidGrant' })
  await fake.request('/token', form({ ...REFRESH, refresh_token: 'rt-9' }))
  await fake.request(
    '/token',
    form({ grant_type: 'authorization_code', code: '4/zzz', code_verifier: 'vvv', client_id: 'app' }),
  )
  const calls = fake.calls('oauth.*')

  expect(calls).toMatchObject([
    { client: 'app', status: 400, reason: 'invalid_grant', response: { error: 'invalid_grant' } },
    { status: expect.any(Number), body: { code: REDACTED, code_verifier: REDACTED } },
  ])
  expect(JSON.stringify(calls)).not.toMatch(/rt-9|4\/zzz|vvv/)
})

test('a token in the query, and the key of an application, are not told', async () => {
  const { fake } = open()
  await fake.request(`/calendar/v3/colors?access_token=${ALICE}&key=AIza1`)
  await fake.request(`/calendar/v3/nowhere?oauth_token=${ALICE}&key=AIza1`)

  expect(fake.calls().map(({ params }) => params)).toEqual([
    { access_token: REDACTED, key: REDACTED },
    { oauth_token: REDACTED, key: REDACTED },
  ])
})

test('a token that was made for no client is not told as one', async () => {
  const { fake } = openCalendar({
    seed: { accounts: [{ email: ALICE }], tokens: [{ token: 'sesame', account: ALICE }] },
  })
  await fake.request('/calendar/v3/colors', { headers: { Authorization: 'Bearer sesame' } })

  expect(JSON.stringify(fake.calls())).not.toContain('sesame')
})

test('the word of a channel is not told, nor what is a token in no body that could be read', async () => {
  const { fake, as } = open()
  const watch = { id: 'mine', type: 'web_hook', address: 'https://example.com/hook', token: 'word' }
  await as(ALICE).post('/calendars/primary/events/watch', watch)
  const broken = await as(ALICE).post('/calendars/primary/events/watch', '{"token": "word", "id": "x", "token":"wor')
  const calls = fake.calls('events.watch')

  expect(broken.status).toBe(400)
  expect(calls[0]?.body).toEqual({ ...watch, token: REDACTED })
  expect(calls[1]?.body).toBe(`{"token": "${REDACTED}", "id": "x", "token":"${REDACTED}`)
  expect(JSON.stringify(calls)).not.toContain('"word')
})

test('what an event says of codes and tokens is its own', async () => {
  const { fake, as } = open()
  const event = { ...hour('2026-03-02', 9), summary: 'Bearer of news', description: 'code=7&token=x' }
  await as(ALICE).post('/calendars/primary/events', event)

  expect(fake.calls('events.insert')).toMatchObject([{ body: event, response: { description: event.description } }])
})
