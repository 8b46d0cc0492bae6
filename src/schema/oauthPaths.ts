/**
 * Paths from the root of a world. The first path is the current one; older libraries use the others (behaviour
 * 11.19). The journal and faults name an endpoint `oauth.` and its key, such as `oauth.token`.
 */
export const OAUTH_PATHS = {
  authorize: ['/o/oauth2/v2/auth', '/o/oauth2/auth'],
  token: ['/token', '/oauth2/v4/token', '/oauth2/v3/token', '/o/oauth2/token', '/v1/token'],
  revoke: ['/revoke', '/o/oauth2/revoke'],
  tokenInfo: ['/tokeninfo', '/oauth2/v3/tokeninfo', '/oauth2/v2/tokeninfo', '/oauth2/v1/tokeninfo'],
  userInfo: ['/oauth2/v3/userinfo', '/oauth2/v2/userinfo', '/oauth2/v1/userinfo', '/userinfo/v2/me', '/v1/userinfo'],
  /** The path of the People API, which is not served otherwise. */
  person: ['/v1/people/me'],
  /** The device flow (RFC 8628). */
  deviceCode: ['/device/code', '/o/oauth2/device/code'],
  device: ['/device'],
  configuration: ['/.well-known/openid-configuration'],
  keys: ['/oauth2/v3/certs'],
  certificates: ['/oauth2/v1/certs'],
} as const satisfies Record<string, readonly string[]>

export type EndpointName = keyof typeof OAUTH_PATHS
type Verb = 'GET' | 'POST'
const EITHER: readonly Verb[] = ['GET', 'POST']

export const OAUTH_VERBS: Record<EndpointName, readonly Verb[]> = {
  authorize: EITHER,
  token: ['POST'],
  revoke: EITHER,
  tokenInfo: EITHER,
  userInfo: EITHER,
  person: ['GET'],
  deviceCode: ['POST'],
  device: EITHER,
  configuration: ['GET'],
  keys: ['GET'],
  certificates: ['GET'],
}

const PAGES: readonly string[] = [...OAUTH_PATHS.authorize, ...OAUTH_PATHS.device]

/**
 * Endpoints that answer with HTML for a person: consent and the user code. Scripts of other origins may read all
 * other endpoints, but not these.
 */
export const isOAuthPage = (path: string): boolean => PAGES.includes(path)
