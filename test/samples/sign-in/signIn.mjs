/**
 * `node signIn.mjs LIBRARY [ISSUER]`: signs a user in as a web application does, and prints the account. With an issuer, the
 * library has the addresses below it; without one, it has its own, and the program runs under `fake-calendar exec --intercept`.
 */
const [, , library, issuer] = process.argv
const APP = 'http://localhost:3000'
const CLIENT = { clientId: 'app', clientSecret: 'secret' }

/** What the user's browser does: it opens the consent page, and follows its redirect. */
async function consent(url) {
  const { headers } = await fetch(url, { redirect: 'manual' })
  return new URL(headers.get('Location'))
}

/** Sends requests to a function as a browser with cookies. */
function createBrowser(handle) {
  const cookies = new Map()
  return async (path, init = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { Origin: APP, ...init.headers, ...(cookie && { Cookie: cookie }) }
    const reply = await handle(new Request(new URL(path, APP), { ...init, headers }))
    for (const one of reply.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(one)
      cookies.set(name, value)
    }
    return reply
  }
}

const LIBRARIES = {
  async 'auth.js'() {
    const { Auth } = await import('@auth/core')
    const { default: Google } = await import('@auth/core/providers/google')
    const addresses = issuer && {
      issuer,
      authorization: { url: `${issuer}/o/oauth2/v2/auth`, params: { scope: 'openid email profile' } },
      token: `${issuer}/token`,
      userinfo: `${issuer}/v1/userinfo`,
    }
    const config = {
      providers: [Google({ ...CLIENT, ...addresses })],
      secret: 'x'.repeat(32),
      trustHost: true,
      basePath: '/auth',
    }
    const browse = createBrowser((request) => Auth(request, config))
    const { csrfToken } = await (await browse('/auth/csrf')).json()
    const started = await browse('/auth/signin/google', {
      method: 'POST',
      body: new URLSearchParams({ csrfToken, callbackUrl: APP }),
    })
    await browse(await consent(started.headers.get('Location')))
    return (await (await browse('/auth/session')).json()).user
  },

  async passport() {
    const { Strategy } = await import('passport-google-oauth20')
    const addresses = issuer && {
      authorizationURL: `${issuer}/o/oauth2/v2/auth`,
      tokenURL: `${issuer}/token`,
      userProfileURL: `${issuer}/oauth2/v3/userinfo`,
    }
    const options = { clientID: 'app', clientSecret: 'secret', callbackURL: `${APP}/callback`, ...addresses }
    const strategy = new Strategy(options, (_access, _refresh, profile, done) => done(null, profile))
    const authenticate = (request) =>
      new Promise((resolve, reject) => {
        const outcome = { success: resolve, redirect: resolve, fail: reject, error: reject }
        Object.assign(Object.create(strategy), outcome).authenticate(request, { scope: ['email', 'profile'] })
      })
    const back = await consent(await authenticate({ query: {} }))
    const { emails, displayName, photos } = await authenticate({ query: Object.fromEntries(back.searchParams) })
    return { email: emails[0].value, name: displayName, image: photos[0].value }
  },

  async 'better-auth'() {
    const { betterAuth } = await import('better-auth')
    const { memoryAdapter } = await import('better-auth/adapters/memory')
    const { genericOAuth } = await import('better-auth/plugins')
    const tables = { user: [], session: [], account: [], verification: [] }
    const discoveryUrl = `${issuer}/.well-known/openid-configuration`
    const generic = { ...CLIENT, providerId: 'google', discoveryUrl, scopes: ['openid', 'email', 'profile'] }
    const auth = betterAuth({
      baseURL: APP,
      secret: 'x'.repeat(32),
      database: memoryAdapter(tables),
      ...(issuer ? { plugins: [genericOAuth({ config: [generic] })] } : { socialProviders: { google: CLIENT } }),
      telemetry: { enabled: false },
    })
    const browse = createBrowser(auth.handler)
    const started = await browse('/api/auth/sign-in/social', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ provider: 'google', callbackURL: '/' }),
    })
    await browse(await consent((await started.json()).url))
    return (await (await browse('/api/auth/get-session')).json()).user
  },

  async 'openid-client'() {
    const client = await import('openid-client')
    const own = issuer ? { execute: [client.allowInsecureRequests] } : undefined
    const server = new URL(issuer ?? 'https://accounts.google.com')
    const config = await client.discovery(server, 'app', 'secret', undefined, own)
    const nonce = client.randomNonce()
    const pkceCodeVerifier = client.randomPKCECodeVerifier()
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: `${APP}/callback`,
      scope: 'openid email profile',
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    })
    const tokens = await client.authorizationCodeGrant(config, await consent(url), {
      expectedNonce: nonce,
      pkceCodeVerifier,
    })
    const { sub, email } = tokens.claims()
    const { name, picture } = await client.fetchUserInfo(config, tokens.access_token, sub)
    return { email, name, image: picture }
  },
}

const { email, name, image } = await LIBRARIES[library]()
console.log(JSON.stringify([email, name, image]))
