import { expect, test } from 'vitest'
import { ALICE, openCalendar } from '../support/calendar.ts'

const ASKED = {
  client_id: 'app',
  redirect_uri: 'https://app.example.com/back',
  response_type: 'code',
  scope: 'https://www.googleapis.com/auth/calendar',
}

function opened(consent = true) {
  const { fake } = openCalendar({ consent })
  const send = async (method: string, given: Record<string, string> = {}, form?: Record<string, string>) => {
    const reply = await fake.request(`/o/oauth2/v2/auth?${new URLSearchParams({ ...ASKED, ...given })}`, {
      method,
      ...(form && { body: new URLSearchParams(form) }),
    })
    const html = await reply.text()
    const location = reply.headers.get('Location')
    return {
      status: reply.status,
      html,
      form: /name="form" value="([^"]+)"/.exec(html)?.[1] ?? '',
      code: location && new URL(location).searchParams.get('code'),
    }
  }
  return { fake, send }
}

test('a form that is foreign, repeated or altered grants nothing, and one of an hour ago grants access', async () => {
  const { fake, send } = opened()
  const allow = (form: string, given = {}) => send('POST', given, { form, account: ALICE, decision: 'allow' })

  expect(await send('POST', {}, { account: ALICE, decision: 'allow' })).toMatchObject({ status: 403, code: null })
  expect(await allow('guessed')).toMatchObject({ status: 403, code: null })
  const { form } = await send('GET')
  expect(await allow(form)).toMatchObject({ status: 302, code: expect.stringMatching(/^4/) })
  expect(await allow(form)).toMatchObject({ status: 403, code: null })
  expect(await allow((await send('GET')).form, { client_id: 'another' })).toMatchObject({ status: 403, code: null })
  const late = await send('GET')
  fake.clock.advance('1d')
  expect(await allow(late.form)).toMatchObject({ status: 302, code: expect.stringMatching(/^4/) })
  expect(fake.state().oauth?.codes).toHaveLength(2)
})

test('a device is connected only by its own page', async () => {
  const { fake } = opened()
  const body = new URLSearchParams({ client_id: 'app', scope: ASKED.scope })
  const { user_code } = await (await fake.request('/device/code', { method: 'POST', body })).json()
  const answer = new URLSearchParams({ account: ALICE, decision: 'allow' })
  const reply = await fake.request(`/device?user_code=${user_code}`, { method: 'POST', body: answer })

  expect(reply.status).toBe(403)
  expect(fake.state().oauth?.devices).toMatchObject([{ userCode: user_code }])
  expect(fake.state().oauth?.devices?.[0]).not.toHaveProperty('account')
})

test.each([true, false])('a GET of the page grants nothing, and changes nothing (consent: %s)', async (consent) => {
  const { fake, send } = opened(consent)
  const before = fake.state()

  expect(await send('HEAD', { login_hint: 'new@example.com' })).toMatchObject({ status: 200, html: '', code: null })
  expect((await fake.request('/revoke?token=any', { method: 'HEAD' })).status).toBe(400)
  expect(fake.state()).toEqual(before)
})

test('HEAD on the revocation endpoint revokes nothing', async () => {
  const { fake } = openCalendar()
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: ALICE, client_id: 'app' })
  const { access_token } = await (await fake.request('/token', { method: 'POST', body })).json()
  const revoke = (method: string) => fake.request(`/revoke?token=${access_token}`, { method })

  expect((await revoke('HEAD')).status).toBe(200)
  expect((await revoke('GET')).status).toBe(200)
  expect((await revoke('GET')).status).toBe(400)
})
