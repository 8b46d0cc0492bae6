import { expect, test } from 'vitest'
import type { Seed } from '../../src/index.ts'
import { ALICE, PEOPLE } from '../support/calendar.ts'
import { BACK, opened, SCOPE } from './opened.ts'

type Clients = NonNullable<NonNullable<Seed['oauth']>['clients']>
const withClients = (...clients: Clients) => opened({ seed: { ...PEOPLE, oauth: { clients } } })

const REFRESH = { grant_type: 'refresh_token', refresh_token: ALICE }
const basic = (text: string, scheme = 'Basic ') => ({
  Authorization: `${scheme}${Buffer.from(text).toString('base64')}`,
})
const WRONG_SECRET = { status: 401, error: 'invalid_client', error_description: 'Unauthorized' }

test('a client sends its secret in the form or by Basic authentication', async () => {
  const { token } = withClients({ id: 'app', secret: 'hush:hush' })

  expect((await token({ ...REFRESH, client_id: 'app', client_secret: 'hush:hush' })).status).toBe(200)
  expect(await token({ ...REFRESH, client_id: 'app', client_secret: 'other' })).toEqual(WRONG_SECRET)
  expect(await token({ ...REFRESH, client_id: 'app' })).toEqual(WRONG_SECRET)
  expect((await token(REFRESH, basic('app:hush:hush'))).status).toBe(200)
  expect((await token(REFRESH, basic('app:hush:hush', 'basic  '))).status).toBe(200)
  expect(await token(REFRESH, basic('app:hush'))).toEqual(WRONG_SECRET)
  expect(await token(REFRESH, basic('app'))).toEqual(WRONG_SECRET)
  // The password has priority over the form.
  expect((await token({ ...REFRESH, client_id: 'x', client_secret: 'x' }, basic('app:hush:hush'))).status).toBe(200)
})

test('id and secret of Basic authentication are form-decoded if possible', async () => {
  const { fake, token } = withClients({ id: 'my app', secret: 'ü%' }, { id: 'half%', secret: 'x' })

  expect((await token(REFRESH, basic('my%20app:%C3%BC%25'))).status).toBe(200)
  expect((await token(REFRESH, basic('half%:x'))).status).toBe(200)
  expect(fake.state().tokens).toMatchObject([{ client: 'my app' }, { client: 'half%' }])
})

test('a client without a registered secret needs none', async () => {
  const { token } = withClients({ id: 'app' })

  expect((await token({ ...REFRESH, client_id: 'app' })).status).toBe(200)
  expect((await token({ ...REFRESH, client_id: 'app', client_secret: 'any' })).status).toBe(200)
})

test.each<Record<string, string>>([
  {},
  { Authorization: 'Bearer app' },
  { Authorization: 'Digest YXBwOng=' },
  { Authorization: 'Digest Basic YXBwOng=' },
  { Authorization: 'Basic YXBwOng= more' },
  { Authorization: 'Basic ' },
])('a client id is required, and %j is not one', async (headers) => {
  expect(await opened().token(REFRESH, headers)).toEqual({
    status: 400,
    error: 'invalid_request',
    error_description: 'Could not determine client ID from request.',
  })
})

test('11.20 in strict mode only clients of the seed are accepted', async () => {
  const { page, token } = opened({ strict: true, seed: { ...PEOPLE, oauth: { clients: [{ id: 'app' }] } } })
  const unknown = { status: 401, error: 'invalid_client', error_description: 'The OAuth client was not found.' }

  expect(await token({ ...REFRESH, client_id: 'another' })).toEqual(unknown)
  expect(await page({ client_id: 'another' })).toMatchObject({ status: 401 })
  expect((await page()).status).toBe(302)
})

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://app.example.com/x',
  'about:blank',
  'storagerelay:x',
  'https://app.example.com/back#part',
  'https://app.example.com/ back',
  'https://app.example.com/back\u0000',
  'back',
])('%j is not a valid redirect URI', async (redirect_uri) => {
  const { status, html, headers } = await opened().page({ redirect_uri })

  expect([status, headers.get('Location')]).toEqual([400, null])
  expect(html).toContain('<h1>Error 400: invalid_request</h1>')
  expect(html).toContain('Invalid parameter value for redirect_uri: ')
})

test.each(['urn:ietf:wg:oauth:2.0:oob', 'urn:ietf:wg:oauth:2.0:oob:auto'])(
  '11.20 no code is shown on a page to be copied: %s',
  async (redirect_uri) => {
    const { status, html, headers } = await opened().page({ redirect_uri })

    expect([status, headers.get('Location')]).toEqual([400, null])
    expect(html).toContain('<h1>Error 400: invalid_request</h1>')
    expect(html).toContain('The out-of-band (OOB) flow has been blocked in order to keep users secure.')
  },
)

test.each([
  ['https://app.example.com/back', 302],
  ['https://app.example.com/back?more', 400],
  ['https://app.example.com:8443/back', 400],
  ['http://localhost/here', 302],
  ['http://localhost:61234/here', 302],
  ['http://localhost:61234/there', 400],
  ['https://localhost:61234/here', 400],
  ['http://127.0.0.1:61234/here', 302],
  ['http://[::1]:5/', 302],
  ['http://[::1]/', 302],
  ['http://localhost.example.com:80/here', 400],
  ['http://example.com:9000/port', 302],
  ['http://example.com:9001/port', 400],
  ['com.example.app:/http://localhost:1/', 302],
  ['com.example.app:/http://localhost:2/', 400],
])(
  'a redirect URI must be an address of the client, with any port on loopback: %s gets %i',
  async (redirect_uri, status) => {
    const redirectUris = [
      BACK,
      'http://localhost:3000/here',
      'http://127.0.0.1/here',
      'http://[::1]:8080/',
      'http://example.com:9000/port',
      'com.example.app:/http://localhost:1/',
    ]
    const { page } = withClients({ id: 'app', redirectUris })
    const reply = await page({ redirect_uri })

    expect(reply.status).toBe(status)
    if (status === 400) expect(reply.html).toContain('<h1>Error 400: redirect_uri_mismatch</h1>')
  },
)

test.each([
  ['storagerelay://https/app.example.com?id=auth1', 200],
  ['storagerelay://https/app.example.com/?id=auth1', 200],
  ['storagerelay://https/app.example.com', 200],
  ['storagerelay://http/localhost:4000?id=auth1', 200],
  ['storagerelay://http/app.example.com?id=auth1', 400],
  ['storagerelay://https/other.example.com?id=auth1', 400],
  [`storagerelay://https/app.example.com?id=${'a'.repeat(64)}`, 200],
  [`storagerelay://https/app.example.com?id=${'a'.repeat(65)}`, 400],
  ['storagerelay://https/app.example.com?id=auth1&x', 400],
  ['storagerelay://https/app example', 400],
  ['storagerelay://https/[x]', 400],
  ['x-storagerelay://https/app.example.com?id=auth1', 400],
])('a popup responds only to origins of its client: %s gets %i', async (redirect_uri, status) => {
  const { page } = withClients({ id: 'app', redirectUris: ['no redirect URI', BACK, 'http://localhost:3000/'] })

  expect((await page({ redirect_uri })).status).toBe(status)
})

test('a popup of a client without registered addresses responds to any origin', async () => {
  const { html } = await opened().page({ redirect_uri: 'storagerelay://https/app.example.com:443/' })

  expect(html).toContain('data-origin="https://app.example.com"')
})

test.each([
  ['http://localhost', true],
  ['http://localhost?x=1', true],
  ['http://127.0.0.1:3000/back', true],
  ['https://localhost/back', false],
  ['http://localhost.example.com/back', false],
  ['HTTPS://app.example.com/back', false],
  ['com.example.https:/back', true],
  ['com.example.app://http://localhost/', true],
  ['https://app.example.com/http://localhost/', false],
])('11.25 a client with the redirect URI %s is a desktop client: %s', async (redirect_uri, desktop) => {
  const { signIn } = opened()
  const { refresh_token } = await signIn({ redirect_uri }, { redirect_uri })

  // Such a client gets a refresh token without offline access.
  expect(refresh_token !== undefined).toBe(desktop)
})

test('11.25 a page in a popup is a web client', async () => {
  const { page, redeem } = opened()
  const { html } = await page({ redirect_uri: 'storagerelay://http/localhost:3000', scope: `${SCOPE} openid` })
  const [, code = ''] = /&#34;code&#34;:&#34;([^&]+)/.exec(html) ?? []
  const given = await redeem(code, { redirect_uri: 'postmessage' })

  expect(given).toMatchObject({ status: 200, scope: `${SCOPE} openid`, id_token: expect.any(String) })
  expect(given).not.toHaveProperty('refresh_token')
})
