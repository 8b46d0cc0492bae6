/**
 * A program that signs in, in each way that its arguments name, and prints a line of JSON for each: the account of the tokens
 * that it gets, or the error. Each way starts with a reset world.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'

const [, , ...ways] = process.argv
const VERIFIER = 'v'.repeat(64)
const SCOPE = 'openid email'
const CONTROL = process.env.FAKE_CALENDAR_CONTROL_URL

const open = (program, url) => spawn(program, [url], { stdio: ['ignore', 'ignore', 'inherit'] })
const post = async (url, form) => (await fetch(url, { method: 'POST', body: new URLSearchParams(form) })).json()

/** The address of the consent page. */
const authorizationUrl = (redirectUri, more = {}) =>
  `https://accounts.google.com/o/oauth2/v2/auth?${new URLSearchParams({
    client_id: 'app',
    response_type: 'code',
    access_type: 'offline',
    scope: SCOPE,
    redirect_uri: redirectUri,
    ...more,
  })}`

const exchange = (code, redirectUri, more = {}) =>
  post('https://oauth2.googleapis.com/token', {
    grant_type: 'authorization_code',
    client_id: 'app',
    client_secret: 'secret',
    code,
    redirect_uri: redirectUri,
    ...more,
  })

/** The email of the account of a token reply, or the error. */
const accountOf = ({ error, id_token: token }) =>
  error ?? JSON.parse(Buffer.from(token.split('.')[1], 'base64url')).email

/** Listens on a loopback port, shows the address of the consent page, and resolves with the parameters of the redirect. */
function redirected(show, { host = '127.0.0.1', text = 'You may close this page.', ...more } = {}) {
  return new Promise((resolve) => {
    const server = createServer(({ url }, response) => {
      response.end(text, () => server.close())
      server.closeIdleConnections()
      resolve({ ...Object.fromEntries(new URL(url, 'http://x').searchParams), redirectUri })
    })
    let redirectUri
    server.listen(0, host === '[::1]' ? '::1' : '127.0.0.1', () => {
      redirectUri = `http://${host}:${server.address().port}/`
      show(authorizationUrl(redirectUri, more))
    })
  })
}

async function signIn(show, { verifier, ...more } = {}) {
  const { code, error, redirectUri } = await redirected(show, more)
  return error ?? accountOf(await exchange(code, redirectUri, verifier && { code_verifier: verifier }))
}

const byBrowser = (url) => open(process.env.BROWSER, url)
const PKCE = {
  code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
  code_challenge_method: 'S256',
}

const WAYS = {
  browser: () => signIn(byBrowser),
  'desktop opener': () => signIn((url) => open(process.platform === 'darwin' ? 'open' : 'xdg-open', url)),
  /** A person copies the address, as `$BROWSER ADDRESS` in another shell. */
  async 'printed address'() {
    let printed = ''
    const account = await signIn((url) => {
      printed = `Open ${url.slice(0, url.indexOf('?'))}`
      byBrowser(url)
    })
    return `${printed}, then ${account}`
  },
  localhost: () => signIn(byBrowser, { host: 'localhost' }),
  'IPv6 loopback': () => signIn(byBrowser, { host: '[::1]' }),
  PKCE: () => signIn(byBrowser, { ...PKCE, verifier: VERIFIER }),
  'PKCE with another verifier': () => signIn(byBrowser, { ...PKCE, verifier: 'w'.repeat(64) }),
  /** A person copies the code from the address of a page that the browser cannot open. */
  async 'copied code'() {
    const redirectUri = 'http://127.0.0.1:1/'
    const { headers } = await fetch(authorizationUrl(redirectUri), { redirect: 'manual' })
    return accountOf(await exchange(new URL(headers.get('Location')).searchParams.get('code'), redirectUri))
  },
  /** A page that shows the code. */
  async 'out of band'() {
    const reply = await fetch(authorizationUrl('urn:ietf:wg:oauth:2.0:oob'), { redirect: 'manual' })
    const [, heading] = /<h1>(.*)<\/h1>/.exec(await reply.text()) ?? []
    return heading
  },
  /** The user signs in by a browser that the program does not start, as in a web application. */
  'web application': () => signIn((url) => fetch(url)),
  'page with a code': () => signIn(byBrowser, { text: '<title>App</title><p>Paste this code: <b>4&amp;2</b></p>' }),
  async 'device code'() {
    const { device_code, verification_uri_complete, ...more } = await post(
      'https://oauth2.googleapis.com/device/code',
      {
        client_id: 'app',
        scope: SCOPE,
      },
    )
    if (!device_code) return more.error
    const poll = () =>
      post('https://oauth2.googleapis.com/token', {
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        client_id: 'app',
        client_secret: 'secret',
        device_code,
      })
    const first = accountOf(await poll())
    open(process.env.BROWSER, verification_uri_complete)
    let account = first
    while (account === 'authorization_pending') account = accountOf(await poll())
    return `${first}, then ${account}`
  },
  async 'two at once'() {
    const accounts = await Promise.all([signIn(byBrowser), signIn(byBrowser)])
    return accounts.join(' and ')
  },
  async 'consent refused'() {
    await fetch(`${CONTROL}/oauth/fail`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ fail: 'denied' }),
    })
    return signIn(byBrowser)
  },
}

for (const way of ways) {
  await fetch(`${CONTROL}/reset`, { method: 'POST' })
  console.log(JSON.stringify([way, await WAYS[way]()]))
}
