/** A token response of RFC 6749, or an error. */
type TokenResponse = Record<string, string>
type PopupError = { type: 'popup_failed_to_open' | 'popup_closed'; message: string }
type ClientConfig = {
  client_id: string
  scope: string
  callback?: (answer: TokenResponse) => void
  error_callback?: (failure: PopupError) => void
  prompt?: string
  state?: string
  login_hint?: string
  hint?: string
  include_granted_scopes?: boolean
  ux_mode?: 'popup' | 'redirect'
  redirect_uri?: string
}
type ConfigOverrides = Partial<
  Pick<ClientConfig, 'prompt' | 'state' | 'scope' | 'login_hint' | 'hint' | 'include_granted_scopes'>
>

/**
 * Defines `google.accounts.oauth2` in a page (`/gsi/client`). It opens the consent page in a popup, which sends its
 * result as a message.
 */
const page = window as unknown as { google?: Record<string, unknown>; gapi?: { client?: unknown } }
const own = document.currentScript instanceof HTMLScriptElement ? new URL(document.currentScript.src) : undefined
const isNamed = !own || own.hostname.endsWith('.google.com')
const root = isNamed ? '' : own.origin + own.pathname.replace(/gsi\/client$/, '')
const accounts = root || 'https://accounts.google.com/'
const oauth2 = root || 'https://oauth2.googleapis.com/'
let opened = 0

function createConsentUrl(config: ClientConfig, type: 'token' | 'code', redirect: string): string {
  const { client_id, scope, prompt = 'select_account', state, login_hint, hint, include_granted_scopes = true } = config
  const given = {
    ...{ client_id, scope, response_type: type, redirect_uri: redirect },
    prompt: prompt || undefined,
    state,
    login_hint: login_hint ?? hint,
    include_granted_scopes: String(include_granted_scopes),
    access_type: type === 'code' ? 'offline' : undefined,
  }
  const query = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return `${accounts}o/oauth2/v2/auth?${new URLSearchParams(query)}`
}

/**
 * Opens the consent page in a popup, and calls `done` once with its result. Calls `error_callback` of the
 * configuration if the popup cannot be opened or is closed without a result.
 */
function openPopup(config: ClientConfig, type: 'token' | 'code', done: (answer: TokenResponse) => void): void {
  opened += 1
  const id = `auth${opened}`
  const { protocol, host } = location
  const url = createConsentUrl(config, type, `storagerelay://${protocol.slice(0, -1)}/${host}?id=${id}`)
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
  let closedChecks = 0
  const watch = setInterval(() => {
    closedChecks += popup.closed ? 1 : 0
    if (closedChecks < 3) return
    end()
    config.error_callback?.({ type: 'popup_closed', message: 'Popup window closed' })
  }, 150)
  const end = () => {
    clearInterval(watch)
    removeEventListener('message', onMessage)
  }
  addEventListener('message', onMessage)
}

/** Throws an Error without `client_id` or `scope`. */
function requireConfig(config: Partial<ClientConfig> | undefined): ClientConfig {
  for (const name of ['client_id', 'scope'] as const)
    if (!config?.[name]) throw new Error(`Missing required parameter ${name}.`)
  return { ...config } as ClientConfig
}

/** Its callback may be set later. Throws as `requireConfig`. */
function initTokenClient(config: ClientConfig) {
  const client = {
    ...requireConfig(config),
    requestAccessToken(overrides: ConfigOverrides = {}) {
      const { requestAccessToken: _, ...now } = client
      openPopup({ ...now, ...overrides }, 'token', (answer) => {
        const { gapi } = page
        if (answer.access_token) (gapi?.client as { setToken?(token: TokenResponse): void })?.setToken?.(answer)
        client.callback?.(answer)
      })
    },
  }
  return client
}

/** Opens the popup or, with `redirect`, leaves the page. Throws as `requireConfig`. */
function initCodeClient(config: ClientConfig) {
  const client = {
    ...requireConfig(config),
    requestCode(overrides: ConfigOverrides = {}) {
      const { requestCode: _, ...now } = client
      const options = { ...now, ...overrides }
      if (options.ux_mode === 'redirect') location.assign(createConsentUrl(options, 'code', options.redirect_uri ?? ''))
      else openPopup(options, 'code', (answer) => client.callback?.(answer))
    },
  }
  return client
}

const listGranted = ({ scope = '' }: TokenResponse, scopes: string[]) => {
  const toFullScope = (one: string) =>
    /^(email|profile)$/.test(one) ? `https://www.googleapis.com/auth/userinfo.${one}` : one
  const had = scope.split(' ').map(toFullScope)
  return scopes.map((one) => had.includes(toFullScope(one)))
}

async function revoke(token: string, done?: (outcome: object) => void): Promise<void> {
  const reply = await fetch(`${oauth2}revoke`, { method: 'POST', body: new URLSearchParams({ token }) })
  const error = reply.ok ? {} : await reply.json()
  done?.({ successful: reply.ok, ...error })
}

const createUnsupported = (name: string) => () => {
  throw new Error(`fake-calendar: google.accounts.id.${name} is not built (google.accounts.oauth2 is)`)
}
const id = ['initialize', 'prompt', 'renderButton', 'storeCredential', 'revoke']
/** Pages call these when a user signs out. */
const doNothing = () => undefined
page.google = {
  ...page.google,
  accounts: {
    oauth2: {
      initTokenClient,
      initCodeClient,
      hasGrantedAllScopes: (answer: TokenResponse, ...scopes: string[]) => listGranted(answer, scopes).every(Boolean),
      hasGrantedAnyScope: (answer: TokenResponse, ...scopes: string[]) => listGranted(answer, scopes).some(Boolean),
      revoke: (token: string, done?: (outcome: object) => void) => void revoke(token, done),
    },
    id: {
      ...Object.fromEntries(id.map((name) => [name, createUnsupported(name)])),
      disableAutoSelect: doNothing,
      cancel: doNothing,
    },
  },
}
