import { expect, test } from 'vitest'
import { ALICE, hour, openCalendar } from '../../support/calendar.ts'

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

test('sign-in requests and responses keep names and lose secret values', async () => {
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

test('criteria match unredacted values, and reports are redacted', async () => {
  const { fake } = open()
  const reply = await fake.request('/token', form(REFRESH))
  const { access_token } = (await reply.json()) as { access_token: string }
  const criteria = { body: { refresh_token: 'rt-1' }, response: { access_token } }

  expect(fake.calls('oauth.token', { where: criteria })).toHaveLength(1)
  expect(fake.calls.verify('oauth.token', criteria)).toMatchObject([{ body: { refresh_token: REDACTED } }])
  const verify = () => fake.calls.verify('oauth.token', { body: { refresh_token: 'rt-2', client_id: 'other' } })
  expect(verify).toThrow(`body.refresh_token: expected "rt-2", got "${REDACTED}"`)
  expect(verify).toThrow('body.client_id: expected "other", got "app"')
  expect(() => fake.calls.verify('oauth.token', { response: 'x' })).not.toThrow(access_token)
})

test('6.1 the token of a channel is redacted in the journal, batches included, in diffs and in changes', async () => {
  const { fake, as, anonymous } = openCalendar()
  const channel = { id: 'c1', type: 'web_hook', address: 'https://example.com/', token: 'hush' }
  const before = fake.snapshot('before')
  await as(ALICE).post('/calendars/primary/events/watch', channel)
  const part = `POST /calendar/v3/calendars/primary/events/watch\r\nContent-Type: application/json\r\n\r\n${JSON.stringify({ ...channel, id: 'c2' }, null, 1)}`
  await fake.request('/batch/calendar/v3', {
    method: 'POST',
    headers: { Authorization: `Bearer ${ALICE}`, 'Content-Type': 'multipart/mixed; boundary=b' },
    body: `--b\r\nContent-Type: application/http\r\n\r\n${part}\r\n--b--\r\n`,
  })
  const diff = fake.diff(before)

  expect(diff).toMatchObject([{ kind: 'channel' }, { kind: 'channel' }])
  expect(diff[0]?.fields.token).toEqual([null, REDACTED])
  const reports = [diff, diff.text, fake.changes(), fake.calls(), fake.calls('batch')]
  for (const path of [
    '/_control/diff',
    '/_control/changes?all=true',
    '/_control/calls',
    '/_control/calls?method=batch',
  ])
    reports.push((await anonymous.get(path)).body)
  expect(JSON.stringify(reports)).not.toContain('hush')
  expect((await anonymous.get('/_control/channels')).body.channels).toMatchObject([
    { token: 'hush' },
    { token: 'hush' },
  ])

  diff.verify([{ where: { token: 'hush' } }, { where: { token: { contains: 'us' } } }])
  expect(() => diff.verify([{ kind: 'channel', where: { token: 'other' } }])).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('hush') }),
  )
})

test('a sign-in error has its reason and no secrets', async () => {
  const { fake } = open()
  fake.faults.add({ on: 'oauth.token', do: { fail: 'oauthBadGrant' } })
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

test('tokens and API keys in the query are redacted', async () => {
  const { fake } = open()
  await fake.request(`/calendar/v3/colors?access_token=${ALICE}&key=AIza1`)
  await fake.request(`/calendar/v3/nowhere?oauth_token=${ALICE}&key=AIza1`)

  expect(fake.calls().map(({ params }) => params)).toEqual([
    { access_token: REDACTED, key: REDACTED },
    { oauth_token: REDACTED, key: REDACTED },
  ])
})

test('tokens without a client are redacted', async () => {
  const { fake } = openCalendar({
    seed: { accounts: [{ email: ALICE }], tokens: [{ token: 'sesame', account: ALICE }] },
  })
  await fake.request('/calendar/v3/colors', { headers: { Authorization: 'Bearer sesame' } })

  expect(JSON.stringify(fake.calls())).not.toContain('sesame')
})

test('the token of a channel is redacted, and so are tokens in unreadable bodies', async () => {
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

test('fields of events named like secrets are not redacted', async () => {
  const { fake, as } = open()
  const event = { ...hour('2026-03-02', 9), summary: 'Bearer of news', description: 'code=7&token=x' }
  await as(ALICE).post('/calendars/primary/events', event)

  expect(fake.calls('events.insert')).toMatchObject([{ body: event, response: { description: event.description } }])
})
