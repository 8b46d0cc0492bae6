import { expect, test } from 'vitest'
import { ALICE, BOB, type openCalendar, PEOPLE } from '../support/calendar.ts'
import { claimsOf, EVENTS, formIn, opened, SCOPE } from './opened.ts'

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const UNKNOWN = '<p>That code is not known, or has expired.</p>'

/** A world with a device that waits, and the page where a person types in its code. */
async function waiting(options: Parameters<typeof openCalendar>[0] = {}) {
  const { fake, post, token } = opened({ consent: true, ...options })
  const requestCode = () => post('/device/code', { client_id: 'app', scope: `${SCOPE} openid` })
  const code = await requestCode()
  const page = async (user_code?: string, form?: Record<string, string>) => {
    const query = user_code === undefined ? '' : `?${new URLSearchParams({ user_code })}`
    const body = form && { method: 'POST', body: new URLSearchParams(form) }
    const reply = await fake.request(`/device${query}`, body)
    return { status: reply.status, html: await reply.text() }
  }
  const answer = async (form: Record<string, string>, userCode = code.user_code) =>
    page(userCode, { form: formIn((await page(userCode)).html), ...form })
  const poll = (more: Record<string, string> = {}, { device_code } = code) =>
    token({ grant_type: GRANT, client_id: 'app', device_code, ...more })
  return { fake, post, token, code, requestCode, page, answer, poll }
}

test('a device gets the user code, the address and the polling interval', async () => {
  const { code } = await waiting()

  expect(code).toEqual({
    status: 200,
    device_code: expect.stringMatching(/^AH-1.{80}$/),
    user_code: expect.stringMatching(/^[B-Z]{4}-[B-Z]{4}$/),
    verification_url: 'http://fake-calendar.localhost/device',
    verification_uri: 'http://fake-calendar.localhost/device',
    verification_uri_complete: `http://fake-calendar.localhost/device?user_code=${code.user_code}`,
    expires_in: 1800,
    interval: 5,
  })
})

test.each([
  ['client_id', { scope: SCOPE }],
  ['scope', { client_id: 'app' }],
])('without %s a device gets no code', async (name, form) => {
  expect(await opened().post('/device/code', form)).toMatchObject({
    status: 400,
    error: 'invalid_request',
    error_description: `Missing required parameter: ${name}`,
  })
})

test('without a code the page requests one', async () => {
  const { page } = await waiting()
  const { status, html } = await page()

  expect(status).toBe(200)
  expect(html).toContain('<h1>Connect a device</h1>')
  expect(html).toContain('<form method="get"><label>Code <input name="user_code" autofocus>')
})

test('a user code is case-insensitive and accepted only while it is valid', async () => {
  const { fake, code, page, answer } = await waiting()

  expect((await page('XXXX-XXXX')).html).toContain(UNKNOWN)
  expect((await page(` ${code.user_code.toLowerCase()} `)).html).toContain('<p>app wants to:</p>')
  fake.clock.advance('29m')
  expect((await page(code.user_code)).html).toContain('<p>app wants to:</p>')
  fake.clock.advance('1m')
  expect((await page(code.user_code)).html).toContain(UNKNOWN)
  expect((await answer({ account: ALICE, decision: 'allow' })).html).toContain(UNKNOWN)
})

test('the parameter account selects the account of the page; the default is the first account', async () => {
  const { fake, code, page } = await waiting()
  const { html } = await page(code.user_code)
  const other = await (await fake.request(`/device?user_code=${code.user_code}&account=${BOB}`)).text()

  expect(html).toContain(`value="${ALICE}" checked`)
  expect(html).toContain(`value="${BOB}"> `)
  expect(other).toContain(`value="${BOB}" checked`)
})

test('11.20 after consent a device gets an access token and a refresh token, once', async () => {
  const { fake, code, page, answer, poll, token } = await waiting()
  expect(await poll()).toEqual({
    status: 428,
    error: 'authorization_pending',
    error_description: 'Precondition Required',
  })
  expect((await answer({ account: BOB, decision: 'allow' })).html).toContain('<p>The device is connected.</p>')
  expect((await page(code.user_code)).html).toContain('<p>The device is connected.</p>')

  const given = await poll()
  expect(given).toMatchObject({
    status: 200,
    scope: `${SCOPE} openid`,
    refresh_token: expect.stringMatching(/^1\/\/.{60}$/),
  })
  expect(claimsOf(given.id_token)).toMatchObject({ email: BOB, aud: 'app' })
  expect(await poll()).toMatchObject({ status: 400, error: 'invalid_grant' })
  expect((await page(code.user_code)).html).toContain(UNKNOWN)
  const again = { grant_type: 'refresh_token', client_id: 'app', refresh_token: given.refresh_token }
  expect(await token(again)).toMatchObject({ status: 200, scope: `${SCOPE} openid` })
  expect(fake.state().oauth?.grants).toMatchObject([{ client: 'app', account: BOB, scopes: [SCOPE, 'openid'] }])
})

test('11.20 a user can deny a device', async () => {
  const { code, page, answer, poll } = await waiting()

  expect((await answer({ account: BOB, decision: 'deny' })).html).toContain('<p>The device is not connected.</p>')
  expect(await poll()).toEqual({ status: 403, error: 'access_denied', error_description: 'Forbidden' })
  expect((await page(code.user_code)).html).toContain(UNKNOWN)
})

test('11.20 a device code is valid for 30 minutes and for its client', async () => {
  const { fake, answer, poll } = await waiting()
  await answer({ account: BOB, decision: 'allow' })

  expect(await poll({ client_id: 'other' })).toMatchObject({ status: 400, error: 'invalid_grant' })
  expect(await poll({ device_code: 'AH-1other' })).toMatchObject({ status: 400, error: 'invalid_grant' })
  fake.clock.advance('30m')
  expect(await poll()).toEqual({ status: 400, error: 'expired_token', error_description: 'Bad Request' })
})

test('the older grant type names the code differently', async () => {
  const { answer, token, code } = await waiting()
  await answer({ account: BOB, decision: 'allow' })
  const grant_type = 'http://oauth.net/grant_type/device/1.0'

  expect(await token({ grant_type, client_id: 'app' })).toMatchObject({
    error: 'invalid_request',
    error_description: 'Missing required parameter: code',
  })
  expect(await token({ grant_type, client_id: 'app', code: code.device_code })).toMatchObject({ status: 200 })
})

test('each page answers for its own device', async () => {
  const { code, requestCode, page } = await waiting()
  const other = await requestCode()
  const form = formIn((await page(other.user_code)).html)

  expect((await page(code.user_code, { form, account: BOB, decision: 'allow' })).status).toBe(403)
})

test('a typed account must be an email address', async () => {
  const { answer, fake } = await waiting()
  const typed = await answer({ account: 'other', email: 'dora', decision: 'allow' })

  expect(typed.html).toContain('<p role="alert">dora is not an email address.</p>')
  expect(typed.html).toContain('value="other" checked')
  expect(fake.state().accounts).toHaveLength(3)
})

test('in strict mode a device is connected only for existing accounts', async () => {
  const seed = { ...PEOPLE, oauth: { clients: [{ id: 'app' }] } }
  const { answer } = await waiting({ strict: true, seed })

  expect((await answer({ account: 'nobody@example.com', decision: 'allow' })).html).toContain(
    '<p>There is no such account.</p>',
  )
})

test('without a consent page a device gets the first account, unless a test scripts a denial', async () => {
  const { fake, requestCode, poll } = await waiting({ consent: false })
  expect(await poll()).toMatchObject({ status: 200 })

  fake.oauth.fail({ fail: 'denied' })
  const denied = await requestCode()
  expect(await poll({}, denied)).toMatchObject({ status: 403, error: 'access_denied' })
  expect(await poll({}, await requestCode())).toMatchObject({ status: 200 })
})

test('with a consent page a scripted denial applies to a device', async () => {
  const { fake, requestCode, page } = await waiting()
  fake.oauth.fail({ fail: 'denied' })
  const denied = await requestCode()

  expect((await page(denied.user_code)).html).toContain(UNKNOWN)
  expect(fake.state().oauth?.devices?.at(-1)).toMatchObject({ denied: true })
  expect(fake.state().oauth?.devices?.at(-1)).not.toHaveProperty('account')
})

test('a scripted failure of another step does not apply to a device', async () => {
  const { fake, requestCode, poll } = await waiting({ consent: false })
  fake.oauth.fail({ fail: 'noRefreshToken' })

  expect(await poll({}, await requestCode())).toMatchObject({ status: 200 })
  expect(fake.state().oauth?.failures).toMatchObject([{ fail: 'noRefreshToken' }])
})

test('a GET with an answer shows the page', async () => {
  const { fake, code } = await waiting()
  const page = async (more: string) => (await fake.request(`/device?user_code=${code.user_code}&${more}`)).text()

  expect(await page(`decision=allow&account=${BOB}`)).toContain(`value="${BOB}" checked`)
  expect(await page('account=other')).toContain(`value="${ALICE}" checked`)
})

test('a denial needs no account', async () => {
  const { answer } = await waiting()
  const { html } = await answer({ account: 'other', decision: 'deny' })

  expect(html).toContain('<title>Connect a device</title>')
  expect(html).toContain('<p>The device is not connected.</p>')
})

test('the code of a device leads back to its world', async () => {
  const { fake, post, token } = opened()
  const code = await post('/w/blue/device/code', { client_id: 'app', scope: EVENTS })

  expect(code.device_code).toMatch(/^blue~AH-1/)
  expect(code.verification_url).toBe('http://fake-calendar.localhost/w/blue/device')
  const given = await token({ grant_type: GRANT, client_id: 'app', device_code: code.device_code })
  expect(given.refresh_token).toMatch(/^blue~1\/\//)
  expect(fake.world('blue').state().oauth?.devices).toMatchObject([{ used: true }])
})
