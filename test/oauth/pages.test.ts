import { createHash } from 'node:crypto'
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

/** Opens a world with a consent page, and functions that request and answer it. */
function opened(options: { seed?: Seed; strict?: boolean } = {}) {
  const seed = { accounts: [{ email: ALICE, displayName: 'Alice <Ash>' }, { email: BOB }], ...options.seed }
  const { fake, as } = openCalendar({ consent: true, ...options, seed })
  const send = async (method: string, given: Record<string, string> = {}, form?: Record<string, string>) => {
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
    send('POST', given, { form: (await send('GET', given)).form, decision: 'allow', ...form })
  return { fake, as, send, answer }
}

/** Returns the message to a page that waits for a popup. */
const messageIn = (html: string) => {
  const [, origin, encoded = ''] = /data-origin="([^"]*)" data-message="([^"]*)"/.exec(html) ?? []
  const text = encoded.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
  return { origin, ...JSON.parse(text) }
}

test('the page shows names and descriptions of scopes', async () => {
  const { send } = opened()
  const { html } = await send('GET', { scope: `${SCOPE} openid email https://other.example.com/thing` })

  expect(html).toContain('Alice &#60;Ash&#62; <small>alice@example.com</small>')
  expect(html).toContain(`value="${BOB}"> ${BOB}</label>`)
  expect(html.match(/(?<=<li[^>]*>)[^<]+/g)).toEqual([
    'See and download any calendar you can access',
    'Know which account you are',
    'See your email address',
    'https://other.example.com/thing',
  ])
})

test('a page runs only its own script and cannot be framed', async () => {
  const { send, answer } = opened()
  const consentPolicy = (await send('GET')).headers.get('Content-Security-Policy')
  const answerPolicy = (await answer(POPUP, { account: ALICE })).headers.get('Content-Security-Policy')

  expect(consentPolicy).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; base-uri 'none'; frame-ancestors 'none'$/,
  )
  expect(answerPolicy).toMatch(/script-src 'sha256-[^']+'/)
})

test('consent creates a missing account', async () => {
  const { fake, answer } = opened()
  const other = { account: 'other', email: ' Dora@Example.com ', name: ' Dora Dill ' }
  const denied = await answer({}, { ...other, decision: 'deny' })
  const before = fake.state().accounts?.length
  const { status } = await answer({}, other)

  expect(denied.headers.get('Location')).toContain('error=access_denied')
  expect({ before, status }).toEqual({ before: 2, status: 302 })
  expect(fake.state().accounts?.at(-1)).toMatchObject({ email: 'dora@example.com', displayName: 'Dora Dill' })
  expect(fake.state().oauth?.grants).toMatchObject([{ account: 'dora@example.com' }])
})

test.each([
  [{}, 'Type in an email address.'],
  [{ email: 'dora <b>' }, 'dora &#60;b&#62; is not an email address.'],
])('an invalid address is requested again: %j', async (typed, problem) => {
  const { fake, answer } = opened()
  const before = fake.state().accounts
  const again = await answer({}, { account: 'other', ...typed })

  expect(again).toMatchObject({ status: 200, html: expect.stringContaining(`<p role="alert">${problem}</p>`) })
  expect(again.form).not.toBe('')
  expect(fake.state().accounts).toEqual(before)
})

test('in strict mode only existing accounts are accepted', async () => {
  const { send, answer } = opened({ strict: true, seed: { oauth: { clients: [{ id: 'app' }] } } })

  expect((await send('GET')).html).not.toContain('Another account')
  expect((await answer({}, { account: 'other', email: 'dora@example.com' })).html).toContain('has no account')
})

test('another account can connect a device', async () => {
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

test('a popup posts the token to its opener, only for its origin', async () => {
  const { as, answer } = opened()
  const { status, headers, html } = await answer({ ...POPUP, state: 'x' }, { account: BOB })
  const { origin, id, answer: params } = messageIn(html)

  expect({ status, location: headers.get('Location') }).toEqual({ status: 200, location: null })
  expect({ origin, id }).toEqual({ origin: 'https://app.example.com', id: 'auth1' })
  expect(params).toMatchObject({ token_type: 'Bearer', expires_in: '3599', scope: SCOPE, state: 'x' })
  expect((await as(params.access_token).get('/calendars/primary')).body.id).toBe(BOB)
  expect((await as(params.access_token).post('/calendars/primary/clear')).status).toBe(403)
})

test('a page gets its token in the fragment of the redirect', async () => {
  const { answer } = opened()
  const { headers } = await answer({ response_type: 'token', state: 'x' }, { account: BOB })
  const { search, hash } = new URL(headers.get('Location') ?? '')
  const params = Object.fromEntries(new URLSearchParams(hash.slice(1)))

  expect(search).toBe('')
  expect(params).toMatchObject({ access_token: expect.stringMatching(/^ya29/), state: 'x', token_type: 'Bearer' })
})

test('a popup requests consent again for new scopes, or with prompt=consent', async () => {
  const { answer, send } = opened()
  await answer(POPUP, { account: BOB })

  expect(messageIn((await send('GET', POPUP)).html).answer).toHaveProperty('access_token')
  expect((await send('GET', { ...POPUP, prompt: 'none' })).html).toContain('access_token')
  expect((await send('GET', { ...POPUP, prompt: 'consent' })).form).not.toBe('')
  expect((await send('GET', { ...POPUP, scope: `${SCOPE} openid` })).form).not.toBe('')
  expect((await send('GET', { ...POPUP, login_hint: ALICE })).form).not.toBe('')
})

test.each([
  ['storagerelay://https/evil.example.com?id=auth1', 400],
  ['storagerelay://https/app.example.com:8443?id=auth1', 400],
  ['storagerelay://http/localhost:4000?id=auth1', 200],
  ['storagerelay://https/app.example.com?id=auth1', 200],
  ['storagerelay://javascript/app.example.com', 400],
  ['storagerelay://https/app.example.com/x?id=<b>', 400],
])('a popup responds only to an origin of its client: %s', async (redirect_uri, status) => {
  const clients = [{ id: 'app', redirectUris: ['https://app.example.com/back', 'http://localhost/'] }]
  const { send } = opened({ seed: { oauth: { clients } } })

  expect((await send('GET', { ...POPUP, redirect_uri })).status).toBe(status)
})

const CHOICE = (form: string, another: string) => `<p>app wants to:</p>
<ul><li title="${SCOPE}">See and download any calendar you can access</li></ul>
<form method="post" novalidate>
<input type="hidden" name="form" value="${form}">
<fieldset><legend>Continue as</legend>
<label><input type="radio" name="account" value="alice@example.com" checked> Alice &#60;Ash&#62; <small>alice@example.com</small></label>
<label><input type="radio" name="account" value="bob@example.com"> bob@example.com</label>
${another}
</fieldset>
<p><button name="decision" value="allow">Allow</button> <button name="decision" value="deny">Deny</button></p>
</form>`
const ANOTHER = `<label><input type="radio" name="account" value="other"> Another account</label>
<label class="field">Email <input name="email" type="email" autocomplete="off"></label>
<label class="field">Name <input name="name" autocomplete="off"></label>`

/** Returns a page without its style and other common parts. */
const bodyOf = (html: string) => {
  const [, title, above, body] =
    /^<!DOCTYPE html>\n<html lang="en">\n.*?<title>(.*?)<\/title>\n<style>.+?<\/style>\n<main>\n<h1>(.*?)<\/h1>\n(.*)\n<\/main>\n(?:<script>.*<\/script>\n)?<\/html>\n$/s.exec(
      html,
    ) ?? []
  return { title, above, body }
}

test('the page is a form with the accounts, a preselected one, and the scopes', async () => {
  const { send } = opened()
  const title = 'Choose an account'
  const open = await send('GET')
  const strict = await opened({ strict: true, seed: { oauth: { clients: [{ id: 'app' }] } } }).send('GET')

  expect(bodyOf(open.html)).toEqual({ title, above: title, body: CHOICE(open.form, ANOTHER) })
  expect(bodyOf(strict.html)).toEqual({ title, above: title, body: CHOICE(strict.form, '') })
  expect(open.html).toContain('<meta name="viewport" content="width=device-width">')
})

test('pages are not cached, not framed, and send no referrer', async () => {
  const { send } = opened()

  for (const { headers } of [await send('GET'), await send('GET', { client_id: '' })])
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/html; charset=UTF-8',
      'cache-control': 'no-cache, no-store, max-age=0, must-revalidate',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    })
})

test('the policy of a page allows exactly its styles and its script', async () => {
  const { answer } = opened()
  const { html, headers } = await answer(POPUP, { account: BOB })
  const policy = headers.get('Content-Security-Policy') ?? ''
  const of = (tag: string) => new RegExp(`<${tag}>(.*?)</${tag}>`, 's').exec(html)?.[1] ?? ''
  const digest = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

  expect(policy.split('; ')).toEqual([
    "default-src 'none'",
    `style-src ${digest(of('style'))}`,
    `script-src ${digest(of('script'))}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ])
  expect(of('script')).toContain('opener.postMessage(JSON.parse(message), origin)')
  expect(html).toContain('<title>Done</title>')
  expect(html).toContain('You may close this window.')
})

test('an invalid request gets an error page', async () => {
  const { send } = opened()
  const late = await send('POST', {}, { decision: 'allow', account: ALICE })

  expect(late.status).toBe(403)
  expect(bodyOf(late.html)).toEqual({
    title: 'Error 403: access_denied',
    above: 'Error 403: access_denied',
    body: '<p>This form was submitted before, has expired, or is not from this page. Load the page again.</p>',
  })
  expect(bodyOf((await send('GET', { client_id: '' })).html)).toMatchObject({
    title: 'Error 400: invalid_request',
    body: '<p>Missing required parameter: client_id</p>',
  })
})

test('login_hint preselects the account', async () => {
  const { send } = opened()
  const { html } = await send('GET', { login_hint: BOB })

  expect(html).toContain(`value="${BOB}" checked`)
  expect(html).toContain(`value="${ALICE}">`)
})

test('a form without a choice, or with another one than allow, denies consent', async () => {
  const { answer } = opened()

  expect((await answer({}, { account: BOB, decision: 'maybe' })).headers.get('Location')).toContain('access_denied')
  expect((await answer({}, { account: 'other', decision: 'deny' })).headers.get('Location')).toContain('access_denied')
})

test('only a popup remembers consent, per client and until it is revoked', async () => {
  const { fake, send, answer } = opened()
  const chosen = (html: string) => /value="([^"]+)" checked/.exec(html)?.[1]
  const { html } = await answer(POPUP, { account: BOB })

  expect(chosen((await send('GET')).html)).toBe(ALICE)
  expect(chosen((await send('GET', { ...POPUP, client_id: 'another' })).html)).toBe(ALICE)
  expect(chosen((await send('GET', { ...POPUP, prompt: 'select_account' })).html)).toBe(BOB)
  const { access_token } = messageIn(html).answer
  const body = new URLSearchParams({ token: access_token })
  expect((await fake.request('/revoke', { method: 'POST', body })).status).toBe(200)
  expect(chosen((await send('GET', POPUP)).html)).toBe(ALICE)
})

test('a popup does not request consent again for scopes of several consents', async () => {
  const { send, answer } = opened()
  await answer(POPUP, { account: BOB })
  await answer({ ...POPUP, scope: 'openid' }, { account: BOB })

  expect((await send('GET', POPUP)).html).toContain('access_token')
  expect((await send('GET', { ...POPUP, scope: `${SCOPE} openid` })).html).toContain('access_token')
})

test('the client learns that a consent page was shown', async () => {
  const { answer } = opened()
  const { headers } = await answer({}, { account: BOB })

  expect(new URL(headers.get('Location') ?? '').searchParams.get('prompt')).toBe('consent')
})

test('at most 1,000 pages are open', async () => {
  const { send } = opened()
  const allow = async (form: string) => (await send('POST', {}, { form, decision: 'allow', account: ALICE })).status
  const open = async (pages: number) => {
    for (let page = 0; page < pages; page++) await send('GET')
  }

  const first = (await send('GET')).form
  await open(999)
  expect(await allow(first)).toBe(302)
  const second = (await send('GET')).form
  await open(1)
  expect(await allow(second)).toBe(403)
})

test('a form is valid only for its exact request', async () => {
  const { send } = opened()
  const { form } = await send('GET', { scope: 'one two' })
  const allow = async (scope: string) =>
    (await send('POST', { scope }, { form, account: BOB, decision: 'allow' })).status

  expect(await allow('onetwo')).toBe(403)
})

test('a GET with an answer shows the page', async () => {
  const { send } = opened()
  const { status, form } = await send('GET', { decision: 'allow', account: BOB })

  expect([status, form === '']).toEqual([200, false])
})

test('the message of a popup without an id has an empty id', async () => {
  const { answer } = opened()
  const { html } = await answer({ ...POPUP, redirect_uri: 'storagerelay://https/app.example.com' }, { account: BOB })

  expect(messageIn(html).id).toBe('')
})
