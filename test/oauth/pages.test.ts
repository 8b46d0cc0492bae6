import { expect, test } from 'vitest'
import type { Seed } from '../../src/index.ts'
import { ALICE, BOB, openCalendar } from '../support/calendar.ts'

const SCOPE = 'https://www.googleapis.com/auth/calendar.readonly'
const ASKED = {
  client_id: 'app',
  redirect_uri: 'https://app.example.com/back',
  response_type: 'code',
  scope: SCOPE,
}
const POPUP = { redirect_uri: 'storagerelay://https/app.example.com?id=auth1', response_type: 'token' }

/** The page that asks for consent, and what comes of an answer to it. */
function opened(options: { seed?: Seed; strict?: boolean } = {}) {
  const seed = { accounts: [{ email: ALICE, displayName: 'Alice <Ash>' }, { email: BOB }], ...options.seed }
  const { fake, as } = openCalendar({ consent: true, ...options, seed })
  const ask = async (method: string, given: Record<string, string> = {}, form?: Record<string, string>) => {
    const reply = await fake.request(`/o/oauth2/v2/auth?${new URLSearchParams({ ...ASKED, ...given })}`, {
      method,
      ...(form && { body: new URLSearchParams(form) }),
    })
    const html = await reply.text()
    return {
      status: reply.status,
      headers: reply.headers,
      html,
      form: /name="form" value="([^"]+)"/.exec(html)?.[1] ?? '',
    }
  }
  const answer = async (given: Record<string, string>, form: Record<string, string>) =>
    ask('POST', given, { form: (await ask('GET', given)).form, decision: 'allow', ...form })
  return { fake, as, ask, answer }
}

/** What a page that waits for a popup is told. */
const saidIn = (html: string) => {
  const [, origin, said = ''] = /data-origin="([^"]*)" data-said="([^"]*)"/.exec(html) ?? []
  const text = said.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
  return { origin, ...JSON.parse(text) }
}

test('a person reads names and sentences', async () => {
  const { ask } = opened()
  const { html } = await ask('GET', { scope: `${SCOPE} openid email https://other.example.com/thing` })

  expect(html).toContain('Alice &#60;Ash&#62; <small>alice@example.com</small>')
  expect(html).toContain(`value="${BOB}"> ${BOB}</label>`)
  expect(html.match(/(?<=<li[^>]*>)[^<]+/g)).toEqual([
    'See and download any calendar you can access',
    'Know which account you are',
    'See your email address',
    'https://other.example.com/thing',
  ])
})

test('a page runs no script that is not its own, and stands in no other', async () => {
  const { ask, answer } = opened()
  const asked = (await ask('GET')).headers.get('Content-Security-Policy')
  const told = (await answer(POPUP, { account: ALICE })).headers.get('Content-Security-Policy')

  expect(asked).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; frame-ancestors 'none'$/)
  expect(told).toMatch(/script-src 'sha256-[^']+'/)
})

test('somebody without an account has one as soon as they agree', async () => {
  const { fake, answer } = opened()
  const other = { account: 'other', email: ' dora@example.com ', name: 'Dora Dill' }
  const denied = await answer({}, { ...other, decision: 'deny' })
  const before = fake.state().accounts?.length
  const { status } = await answer({}, other)

  expect(denied.headers.get('Location')).toContain('error=access_denied')
  expect({ before, status }).toEqual({ before: 2, status: 302 })
  expect(fake.state().accounts?.at(-1)).toMatchObject({ email: 'dora@example.com', displayName: 'Dora Dill' })
})

test.each([
  [{}, 'Type in an email address.'],
  [{ email: 'dora <b>' }, 'dora &#60;b&#62; is not an email address.'],
])('an address that is none is asked for again: %j', async (typed, problem) => {
  const { fake, answer } = opened()
  const before = fake.state().accounts
  const again = await answer({}, { account: 'other', ...typed })

  expect(again).toMatchObject({ status: 200, html: expect.stringContaining(`<p role="alert">${problem}</p>`) })
  expect(again.form).not.toBe('')
  expect(fake.state().accounts).toEqual(before)
})

test('in strict mode only those are taken who have an account', async () => {
  const { ask, answer } = opened({ strict: true, seed: { oauth: { clients: [{ id: 'app' }] } } })

  expect((await ask('GET')).html).not.toContain('Another account')
  expect((await answer({}, { account: 'other', email: 'dora@example.com' })).html).toContain('has no account')
})

test('somebody else may connect a device', async () => {
  const { fake } = opened()
  const body = new URLSearchParams({ client_id: 'app', scope: SCOPE })
  const { user_code } = await (await fake.request('/device/code', { method: 'POST', body })).json()
  const page = `/device?user_code=${user_code}`
  const form = /name="form" value="([^"]+)"/.exec(await (await fake.request(page)).text())?.[1] ?? ''
  const answer = new URLSearchParams({ form, account: 'other', email: 'dora@example.com', decision: 'allow' })
  const reply = await fake.request(page, { method: 'POST', body: answer })

  expect(await reply.text()).toContain('The device is connected.')
  expect(fake.state().oauth?.devices).toMatchObject([{ account: 'dora@example.com' }])
})

test('a popup hands a token to the page that opened it, and to its origin alone', async () => {
  const { as, answer } = opened()
  const { status, headers, html } = await answer({ ...POPUP, state: 'x' }, { account: BOB })
  const { origin, id, answer: said } = saidIn(html)

  expect({ status, location: headers.get('Location') }).toEqual({ status: 200, location: null })
  expect({ origin, id }).toEqual({ origin: 'https://app.example.com', id: 'auth1' })
  expect(said).toMatchObject({ token_type: 'Bearer', expires_in: '3599', scope: SCOPE, state: 'x' })
  expect((await as(said.access_token).get('/calendars/primary')).body.id).toBe(BOB)
  expect((await as(said.access_token).post('/calendars/primary/clear')).status).toBe(403)
})

test('a page gets its token behind #, which no server is sent', async () => {
  const { answer } = opened()
  const { headers } = await answer({ response_type: 'token', state: 'x' }, { account: BOB })
  const { search, hash } = new URL(headers.get('Location') ?? '')
  const said = Object.fromEntries(new URLSearchParams(hash.slice(1)))

  expect(search).toBe('')
  expect(said).toMatchObject({ access_token: expect.stringMatching(/^ya29/), state: 'x', token_type: 'Bearer' })
})

test('who has agreed in a popup is asked again for more, or where the page wants it', async () => {
  const { answer, ask } = opened()
  await answer(POPUP, { account: BOB })

  expect(saidIn((await ask('GET', POPUP)).html).answer).toHaveProperty('access_token')
  expect((await ask('GET', { ...POPUP, prompt: 'none' })).html).toContain('access_token')
  expect((await ask('GET', { ...POPUP, prompt: 'consent' })).form).not.toBe('')
  expect((await ask('GET', { ...POPUP, scope: `${SCOPE} openid` })).form).not.toBe('')
  expect((await ask('GET', { ...POPUP, login_hint: ALICE })).form).not.toBe('')
})

test.each([
  ['storagerelay://https/evil.example.com?id=auth1', 400],
  ['storagerelay://https/app.example.com:8443?id=auth1', 400],
  ['storagerelay://http/localhost:4000?id=auth1', 200],
  ['storagerelay://https/app.example.com?id=auth1', 200],
  ['storagerelay://javascript/app.example.com', 400],
  ['storagerelay://https/app.example.com/x?id=<b>', 400],
])('a popup answers an origin of the client’s alone: %s', async (redirect_uri, status) => {
  const clients = [{ id: 'app', redirectUris: ['https://app.example.com/back', 'http://localhost/'] }]
  const { ask } = opened({ seed: { oauth: { clients } } })

  expect((await ask('GET', { ...POPUP, redirect_uri })).status).toBe(status)
})
