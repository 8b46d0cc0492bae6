/** What a page is told of a token: RFC 6749, and what went wrong where there is none. */
type Answer = Record<string, string>
type Failure = { type: 'popup_failed_to_open' | 'popup_closed'; message: string }
type Config = {
  client_id: string
  scope: string
  callback?: (answer: Answer) => void
  error_callback?: (failure: Failure) => void
  prompt?: string
  state?: string
  login_hint?: string
  hint?: string
  include_granted_scopes?: boolean
  ux_mode?: 'popup' | 'redirect'
  redirect_uri?: string
}
type Overrides = Partial<Pick<Config, 'prompt' | 'state' | 'scope' | 'login_hint' | 'hint' | 'include_granted_scopes'>>

/**
 * What `/gsi/client` does in a page: `google.accounts.oauth2`, which opens the consent page in a popup and is told by a
 * message what came of it. It is served as text, so it uses nothing from outside itself.
 */
export function startIdentity(): void {
  const page = window as unknown as { google?: Record<string, unknown>; gapi?: { client?: unknown } }
  const own = document.currentScript instanceof HTMLScriptElement ? new URL(document.currentScript.src) : undefined
  const isNamed = !own || own.hostname.endsWith('.google.com')
  const root = isNamed ? '' : own.origin + own.pathname.replace(/gsi\/client$/, '')
  const accounts = root || 'https://accounts.google.com/'
  const oauth2 = root || 'https://oauth2.googleapis.com/'
  let opened = 0

  /** Where a person is asked. */
  function addressOf(config: Config, type: 'token' | 'code', redirect: string): string {
    const {
      client_id,
      scope,
      prompt = 'select_account',
      state,
      login_hint,
      hint,
      include_granted_scopes = true,
    } = config
    const given = {
      ...{ client_id, scope, response_type: type, redirect_uri: redirect },
      // Empty: only who has not agreed yet is asked.
      prompt: prompt || undefined,
      state,
      login_hint: login_hint ?? hint,
      include_granted_scopes: String(include_granted_scopes),
      access_type: type === 'code' ? 'offline' : undefined,
    }
    const query = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined)
    return `${accounts}o/oauth2/v2/auth?${new URLSearchParams(query)}`
  }

  function ask(config: Config, type: 'token' | 'code', done: (answer: Answer) => void): void {
    opened += 1
    const id = `auth${opened}`
    const { protocol, host } = location
    const url = addressOf(config, type, `storagerelay://${protocol.slice(0, -1)}/${host}?id=${id}`)
    const popup = window.open(url, 'fake-calendar', 'popup,width=500,height=640')
    if (!popup) {
      const message = `Failed to open popup window on url: ${url}. Maybe blocked by the browser?`
      config.error_callback?.({ type: 'popup_failed_to_open', message })
      return
    }
    const onMessage = ({ source, origin, data }: MessageEvent) => {
      if (source !== popup || origin !== new URL(accounts).origin || data?.id !== id) return
      end()
      done(data.answer)
    }
    // A window does not tell others that it was closed. One that has answered closes too: its message may still be on its way.
    let seen = 0
    const watch = setInterval(() => {
      seen += popup.closed ? 1 : 0
      if (seen < 3) return
      end()
      config.error_callback?.({ type: 'popup_closed', message: 'Popup window closed' })
    }, 150)
    const end = () => {
      clearInterval(watch)
      removeEventListener('message', onMessage)
    }
    addEventListener('message', onMessage)
  }

  function checked(config: Partial<Config> | undefined): Config {
    for (const name of ['client_id', 'scope'] as const)
      if (!config?.[name]) throw new Error(`Missing required parameter ${name}.`)
    return { ...config } as Config
  }

  /** The callback may be set when the client is there already. */
  function initTokenClient(config: Config) {
    const client = {
      ...checked(config),
      requestAccessToken(overrides: Overrides = {}) {
        const { requestAccessToken: _, ...now } = client
        ask({ ...now, ...overrides }, 'token', (answer) => {
          const { gapi } = page
          if (answer.access_token) (gapi?.client as { setToken?(token: Answer): void })?.setToken?.(answer)
          client.callback?.(answer)
        })
      },
    }
    return client
  }

  function initCodeClient(config: Config) {
    const client = {
      ...checked(config),
      requestCode(overrides: Overrides = {}) {
        const { requestCode: _, ...now } = client
        const asked = { ...now, ...overrides }
        if (asked.ux_mode === 'redirect') location.assign(addressOf(asked, 'code', asked.redirect_uri ?? ''))
        else ask(asked, 'code', (answer) => client.callback?.(answer))
      },
    }
    return client
  }

  const granted = ({ scope = '' }: Answer, scopes: string[]) => {
    const long = (one: string) =>
      /^(email|profile)$/.test(one) ? `https://www.googleapis.com/auth/userinfo.${one}` : one
    const had = scope.split(' ').map(long)
    return scopes.map((one) => had.includes(long(one)))
  }

  /** Tells, where somebody wants to know, whether it was done. */
  async function revoke(token: string, told?: (outcome: object) => void): Promise<void> {
    const reply = await fetch(`${oauth2}revoke`, { method: 'POST', body: new URLSearchParams({ token }) })
    const said = reply.ok ? {} : await reply.json()
    told?.({ successful: reply.ok, ...said })
  }

  const notBuilt = (name: string) => () => {
    throw new Error(`fake-calendar: google.accounts.id.${name} is not built (google.accounts.oauth2 is)`)
  }
  const id = ['initialize', 'prompt', 'renderButton', 'disableAutoSelect', 'storeCredential', 'cancel', 'revoke']
  page.google = {
    ...page.google,
    accounts: {
      oauth2: {
        initTokenClient,
        initCodeClient,
        hasGrantedAllScopes: (answer: Answer, ...scopes: string[]) => granted(answer, scopes).every(Boolean),
        hasGrantedAnyScope: (answer: Answer, ...scopes: string[]) => granted(answer, scopes).some(Boolean),
        revoke: (token: string, told?: (outcome: object) => void) => void revoke(token, told),
      },
      id: Object.fromEntries(id.map((name) => [name, notBuilt(name)])),
    },
  }
}
